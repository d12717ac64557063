"""The tables of docs/evaluation.md: each half by `eval`'s own measures."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from keystone_roundtable.cli.wiring import load_rules
from keystone_roundtable.reading.evaluation import (
    Judged,
    alternative,
    answer_errors,
    read_answer,
    read_topic,
    share,
)

from .material import AnswerLine, Half, TopicLine, answer_lines, topic_lines

HALVES: tuple[Half, ...] = ("seen", "unseen")
EVERYDAY = "everyday-"
"""How the families begin that hold what all kinds of people type to the modes' own questions."""
RULES = load_rules()


def print_tables(answers_file: str | None, topics_file: str | None) -> None:
    sets: dict[str, Sequence[AnswerLine]] = {}
    for half in HALVES:
        sets[half] = answer_lines(half)
        sets[f"{half}, everyday"] = [line for line in sets[half] if _is_everyday(line)]
        sets[f"{half}, others"] = [line for line in sets[half] if not _is_everyday(line)]
    if answers_file:
        sets[Path(answers_file).name] = [_answer_of(one) for one in _lines(answers_file)]
    _print("Answers", sets, judge_answer, _ANSWER_COLUMNS)
    topics: dict[str, Sequence[TopicLine]] = {half: topic_lines(half) for half in HALVES}
    if topics_file:
        topics[Path(topics_file).name] = [_topic_of(one) for one in _lines(topics_file)]
    _print_topics(topics)


def judge_answer(line: AnswerLine) -> Judged:
    read = read_answer({"answer": line.answer, "question": line.question}, RULES)
    return Judged(
        line.family,
        line.language,
        line.answer,
        line.label,
        read["predicted"],
        firm=read["firm"],
    )


def _is_everyday(line: AnswerLine) -> bool:
    return line.family.partition("/")[2].startswith(EVERYDAY)


def _firmly_empty(judged: Sequence[Judged], label: str) -> float | None:
    """Of the lines with the label, those that a session counts as a non-answer."""
    own = [one for one in judged if one.label == label]
    taken = sum(one.read == "low_information" and one.firm for one in own)
    return taken / len(own) if own else None


def judge_topic(line: TopicLine) -> Mapping[str, Judged]:
    read = read_topic({"topic": line.topic}, RULES)

    def judged(part: str, label: str | None) -> Judged:
        also = alternative(part, line.note)
        return Judged(line.family, line.language, line.topic, label, read[part], also)

    return {
        "route": judged("route", line.route),
        "mode": judged("mode", line.mode),
        "complexity": judged("complexity", line.complexity if line.mode else None),
    }


_ANSWER_COLUMNS: dict[str, Callable[[Sequence[Judged]], float | None]] = {
    "right": share,
    "English": lambda js: share([j for j in js if j.language == "en"]),
    "other languages": lambda js: share([j for j in js if j.language != "en"]),
    "informative read as empty": lambda js: answer_errors(js)["informative_as_low_information"],
    "firmly so": lambda js: _firmly_empty(js, "informative"),
    "non-answers missed": lambda js: answer_errors(js)["low_information_missed"],
    "non-answers counted": lambda js: _firmly_empty(js, "low_information"),
    "stop and defer found": lambda js: answer_errors(js)["stop_defer_found"],
    "content read as stop or defer": lambda js: answer_errors(js)["informative_as_stop_defer"],
}


def _print(
    title: str,
    sets: Mapping[str, Sequence[Any]],
    judge: Callable[[Any], Judged],
    columns: Mapping[str, Callable[[Sequence[Judged]], float | None]],
) -> None:
    print(f"| {title} | lines | families | {' | '.join(columns)} |")
    print(f"|---|{'---|' * (len(columns) + 2)}")
    for name, lines in sets.items():
        judged = [judge(line) for line in lines]
        cells = [_percent(measure(judged)) for measure in columns.values()]
        families = len({line.family for line in lines})
        print(f"| {name} | {len(lines):,} | {families:,} | {' | '.join(cells)} |", flush=True)
    print()


def _print_topics(sets: Mapping[str, Sequence[TopicLine]]) -> None:
    print("| Topics | lines | route | mode | complexity | route, English | mode, English |")
    print("|---|---|---|---|---|---|---|")
    for name, lines in sets.items():
        judged = [judge_topic(line) for line in lines]
        cells = []
        for part, only in (
            ("route", None),
            ("mode", None),
            ("complexity", None),
            ("route", "en"),
            ("mode", "en"),
        ):
            own = [one[part] for one in judged if one[part].label is not None]
            cells.append(_percent(share([j for j in own if only in (None, j.language)])))
        print(f"| {name} | {len(lines):,} | {' | '.join(cells)} |", flush=True)


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def _lines(path: str) -> list[dict[str, Any]]:
    text = Path(path).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _answer_of(item: Mapping[str, Any]) -> AnswerLine:
    return AnswerLine(
        item.get("lang", "?"), item["id"], item["question"], item["answer"], item["label"]
    )


def _topic_of(item: Mapping[str, Any]) -> TopicLine:
    return TopicLine(
        item.get("lang", "?"),
        item["id"],
        item["topic"],
        item["route"],
        item["mode"],
        item["complexity"],
        item.get("note", ""),
    )
