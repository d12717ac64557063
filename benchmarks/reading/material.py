"""The labelled lines under `seen/` (training) and `unseen/` (measuring only).

A line of an answers file is a group: a family of phrasing, its label, one question and several
answers; `counts` says how much each of them weighs in training, 1 where it is missing. A line of a
topics file is one topic. No line is in both folders.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

HERE = Path(__file__).resolve().parent
Half = Literal["seen", "unseen"]


@dataclass(frozen=True)
class AnswerLine:
    """One answer to one question. `family` holds its language too, and is unique in its half."""

    language: str
    family: str
    question: str
    answer: str
    label: str
    counts: float = 1.0


@dataclass(frozen=True)
class TopicLine:
    """One topic. `note` may hold "alt mode ok: X" or "alt route ok: X"."""

    language: str
    family: str
    topic: str
    route: str
    mode: str | None
    complexity: str
    note: str


def answer_lines(half: Half) -> list[AnswerLine]:
    return [
        AnswerLine(
            language,
            f"{language}/{group['family']}",
            group["question"],
            text,
            group["label"],
            group.get("counts", 1.0),
        )
        for language, group in _groups(half, "answers")
        for text in group["answers"]
    ]


def topic_lines(half: Half) -> list[TopicLine]:
    return [
        TopicLine(
            language,
            f"{language}/{one['family']}",
            one["topic"],
            one["route"],
            one["mode"],
            one["complexity"],
            one.get("note", ""),
        )
        for language, one in _groups(half, "topics")
    ]


def digest(half: Half, kind: Literal["answers", "topics"]) -> str:
    """What the material holds, as one number: another one where a line was changed."""
    found = hashlib.sha256()
    for path in sorted((HERE / half / kind).glob("*.jsonl")):
        found.update(path.name.encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def _groups(half: Half, kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted((HERE / half / kind).glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                yield path.stem, json.loads(line)
