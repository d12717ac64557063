"""`eval answers|topics FILE`: how lines are read, and how well where labels stand."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...core.errors import UsageError
from ...core.plain import storable
from ...core.report import shorten
from ...reading.evaluation import (
    Judged,
    alternative,
    answer_errors,
    read_answer,
    read_topic,
    summarise,
)
from ...reading.rules import Rules
from ..wiring import load_rules

TOPIC_PARTS = ("route", "mode", "complexity")


def evaluate(options: Namespace) -> int:
    items = list(_items(Path(options.file)))
    judge = _answers if options.what == "answers" else _topics
    judged = {part: list[Judged]() for part in (_SIGNAL if judge is _answers else TOPIC_PARTS)}
    for line in judge(items, load_rules(), judged):
        if options.json:
            print(json.dumps(line, ensure_ascii=False))
    if options.json:
        print(json.dumps(_summary(judged), ensure_ascii=False))
    else:
        _show(judged)
    return 0


_SIGNAL = ("signal",)


def _items(path: Path) -> Iterator[dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", "Name a file of JSON lines") from error
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{path}, line {number}: not JSON ({error})") from error
        if not isinstance(item, dict):
            raise UsageError(f"{path}, line {number}: not a JSON object")
        yield {"id": str(number), **item, "where": f"{path}, line {number}"}


def _text(item: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = item.get(name, default)
    if not isinstance(value, str):
        raise UsageError(f"{item['where']}: field '{name}' must be a text")
    return storable(value)


def _label(item: Mapping[str, Any], name: str) -> str | None:
    """The label; None where there is none."""
    return None if item.get(name) is None else _text(item, name)


def _answers(
    items: list[dict[str, Any]], rules: Rules, judged: dict[str, list[Judged]]
) -> Iterator[dict[str, Any]]:
    for item in items:
        given = {"answer": _text(item, "answer"), "question": _text(item, "question", "")}
        read = read_answer(given, rules)
        judged["signal"].append(
            Judged(
                str(item["id"]),
                _text(item, "lang", "?"),
                given["answer"],
                _label(item, "label"),
                read["predicted"],
            )
        )
        yield {"id": item["id"], **read}


def _topics(
    items: list[dict[str, Any]], rules: Rules, judged: dict[str, list[Judged]]
) -> Iterator[dict[str, Any]]:
    for item in items:
        topic = _text(item, "topic")
        read = read_topic({"topic": topic}, rules)
        for part in TOPIC_PARTS:
            # Mode and complexity mean something only where a round table is right.
            counts = part == "route" or item.get("route") == "roundtable"
            judged[part].append(
                Judged(
                    str(item["id"]),
                    _text(item, "lang", "?"),
                    topic,
                    _label(item, part) if counts else None,
                    read[part],
                    alternative(part, item.get("note")),
                )
            )
        yield {"id": item["id"], **read}


def _summary(judged: Mapping[str, list[Judged]]) -> dict[str, Any]:
    if "signal" in judged:
        return {**summarise(judged["signal"]), **answer_errors(judged["signal"])}
    return {part: summarise(own) for part, own in judged.items()}


def _show(judged: Mapping[str, list[Judged]]) -> None:
    for part, own in judged.items():
        labelled = [one for one in own if one.label is not None]
        if not labelled:
            counts = ", ".join(f"{name} {n}" for name, n in _read_counts(own))
            print(f"{part}: {len(own)} read, no labels" + (f" ({counts})" if counts else ""))
            continue
        right = sum(one.right for one in labelled)
        print(f"{part}: {right} of {len(labelled)} right ({right / len(labelled):.1%})")
        for one in labelled:
            if not one.right:
                print(f"    {one.id}: {one.label} read as {one.read}: {shorten(one.text, 70)}")
    if "signal" in judged:
        for name, rate in answer_errors(judged["signal"]).items():
            if rate is not None:
                print(f"{name.replace('_', ' ')}: {rate:.1%}")


def _read_counts(judged: list[Judged]) -> list[tuple[str, int]]:
    from collections import Counter

    return Counter(str(one.read) for one in judged).most_common()
