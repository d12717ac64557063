"""Past sessions searched: the whole command against a bare query of the same index through Python.

Both are processes of their own, from start to end, taken in turns; both get the same rows out of
the same file. The bare one imports `sqlite3`, asks and prints, and knows of no session folders.

Alone: `python -m benchmarks.decisions [--sessions N] [--runs N]`.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from keystone_roundtable.review.decisions_index import FOUND, DecisionIndex
from keystone_roundtable.review.decisions_text import terms_of
from keystone_roundtable.stores.places import CONTRACT_NAME, LOG_NAME, sessions_folder

from .measuring import Cost, Ratio, process_cost

SESSIONS = 10_000
RUNS = 15
AT_MOST = 3

_READING = Path(__file__).resolve().parent / "reading"
_SHOWN = 20
_QUERIES = {"a rare word": "postgres", "words in quotes": '"next year"', "two letters": "设置"}
_NEW_TOPIC = "Which of the two violins should the orchestra lend to the new student?"
_PROGRAM = ("-m", "keystone_roundtable")
_BARE = """\
import sqlite3
connection = sqlite3.connect({path!r})
for row in connection.execute({sql!r}, ({match!r}, False, {rows})):
    print(row)
"""


def decisions_ratios(folder: Path, held: Path, sessions: int, runs: int = RUNS) -> list[Ratio]:
    """Searches a project made in `folder` of so many sessions like the one that `held` holds."""
    from .run import first_question_cost

    (original,) = sessions_folder(held).iterdir()
    project, empty = folder / "searched", folder / "nothing_past"
    empty.mkdir(parents=True)
    write_sessions(project, original, sessions)
    index, made = DecisionIndex(project), once(project)
    costs: dict[str, list[float]] = {}

    def measure(name: str, cost: Callable[[Sequence[str], Path], Cost], *words: str) -> None:
        where = empty if name == "without" else project
        costs.setdefault(name, []).append(cost(words, where).wall_s)

    for _ in range(runs):
        for query in _QUERIES.values():
            match = " AND ".join(terms_of(query))
            bare = _BARE.format(path=str(index.path), sql=FOUND, match=match, rows=_SHOWN + 1)
            measure(f"bare {query}", process_cost, "-c", bare)
            measure(query, process_cost, *_PROGRAM, "decisions", query)
    for _ in range(runs):  # afterwards: each of them leaves a session behind
        for name in ("with", "without"):
            measure(name, first_question_cost, *_PROGRAM, "run", _NEW_TOPIC)
    median = {name: statistics.median(values) for name, values in costs.items()}
    return [
        *made,
        *(
            Ratio(
                f"decisions, {sessions:,} sessions, {name} / a bare query",
                median[query] / median[f"bare {query}"],
                AT_MOST,
            )
            for name, query in _QUERIES.items()
        ),
        Ratio(
            f"first question with {sessions:,} past sessions / with none",
            median["with"] / median["without"],
        ),
    ]


def once(project: Path) -> list[Ratio]:
    """Makes the index, and says what that costs."""
    index = DecisionIndex(project)
    read_s = seconds(lambda: [file.read_bytes() for file in project.rglob("*.json*")])
    made_s = seconds(index.refresh)
    time.sleep(2.1)  # what was written a moment ago is looked at again; no project is that young
    index.refresh()
    text = sum(file.stat().st_size for file in project.rglob(LOG_NAME))
    return [
        Ratio(f"making the index ({made_s:.1f} s) / reading the same files", made_s / read_s),
        Ratio("  its size / that of the logs", index.path.stat().st_size / text),
    ]


def seconds(deed: Callable[[], object]) -> float:
    began = time.perf_counter()
    deed()
    return time.perf_counter() - began


def write_sessions(project: Path, original: Path, count: int) -> None:
    """Sessions like the one in `original`, in the labelled words of fourteen languages."""
    lines = (original / LOG_NAME).read_text(encoding="utf-8").splitlines()
    contract = json.loads((original / CONTRACT_NAME).read_text(encoding="utf-8"))
    topics = [one["topic"] for one in _labelled("topics")]
    said = [text for one in _labelled("answers") for text in one["answers"]]
    draw = random.Random(7)
    for number in range(count):
        topic = draw.choice(topics)[:200]
        folder = sessions_folder(project) / f"2026{number % 10 + 1:02}01-{number:08x}"
        folder.mkdir(parents=True)
        events = [_reworded(json.loads(line), topic, draw, said) for line in lines]
        other = contract | {"session": folder.name, "topic": topic, "option": draw.choice(said)}
        _write(folder / LOG_NAME, events)
        _write(folder / CONTRACT_NAME, [other])


def _reworded(
    event: dict[str, Any], topic: str, draw: random.Random, said: Sequence[str]
) -> dict[str, Any]:
    match event["type"]:
        case "session_started":
            event["topic"] = topic
        case "answer_given":
            event["answer"]["text"] = draw.choice(said)
        case "report_drafted":
            for name in ("decision", "why"):
                event["conclusion"][name]["text"] = " ".join(draw.choices(said, k=3))
    return event


def _write(path: Path, values: Sequence[Mapping[str, Any]]) -> None:
    text = "".join(f"{json.dumps(value, ensure_ascii=False)}\n" for value in values)
    path.write_text(text, encoding="utf-8")


def _labelled(what: str) -> Iterator[dict[str, Any]]:
    for path in sorted(_READING.glob(f"*/{what}/*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def main(arguments: Sequence[str] | None = None) -> int:
    from .run import hold_one

    parser = argparse.ArgumentParser(prog="python -m benchmarks.decisions", description=__doc__)
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    parser.add_argument("--runs", type=int, default=RUNS)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        held = Path(folder, "held")
        held.mkdir()
        hold_one(held)
        ratios = decisions_ratios(Path(folder), held, options.sessions, options.runs)
    for ratio in ratios:
        print(ratio)
    return 0 if all(ratio.holds for ratio in ratios) else 1


if __name__ == "__main__":
    sys.exit(main())
