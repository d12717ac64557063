"""How well the reading does on labelled lines; shared by `eval` and the project's measuring."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .rules import Rules

_ALTERNATIVE: Final = re.compile(r"alt (mode|route) ok: ([\w-]+)")


@dataclass(frozen=True)
class Judged:
    """One reading beside its label; None where none was given. `also` is a second fitting label.

    `firm` is False for a reading that the session does not act on as a non-answer.
    """

    id: str
    language: str
    text: str
    label: str | None
    read: str | None
    also: str | None = None
    firm: bool = True

    @property
    def right(self) -> bool:
        return self.read in (self.label, self.also)


def read_answer(item: Mapping[str, str], rules: Rules) -> dict[str, Any]:
    """`predicted`, `confidence` and `reason` for an item with `answer` and `question`."""
    read = rules.signal(item["answer"], item.get("question", ""), ())
    return {
        "predicted": read.signal,
        "confidence": read.confidence,
        "firm": read.firm,
        "reason": read.reason,
    }


def read_topic(item: Mapping[str, str], rules: Rules) -> dict[str, Any]:
    """`route`, `mode` (None off the round table), `complexity` and `options` for a `topic`."""
    topic = item["topic"]
    route, reason = rules.route(topic)
    return {
        "route": route,
        "mode": rules.mode(topic).mode if route == "roundtable" else None,
        "complexity": rules.complexity(topic),
        "options": [option.text for option in rules.options(topic).options],
        "reason": reason,
    }


def alternative(kind: str, note: object) -> str | None:
    """The second label that a note allows ("alt mode ok: align")."""
    if not isinstance(note, str):
        return None
    return next((found for what, found in _ALTERNATIVE.findall(note) if what == kind), None)


def summarise(judged: Sequence[Judged]) -> dict[str, Any]:
    """Accuracy, confusion (label, then what was read) and the same per language."""
    labelled = [one for one in judged if one.label is not None]
    languages = sorted({one.language for one in labelled})
    return {
        "items": len(judged),
        "labelled": len(labelled),
        "accuracy": share(labelled),
        "confusion": _confusion(labelled),
        "languages": {
            language: {
                "items": len(own),
                "accuracy": share(own),
            }
            for language in languages
            if (own := [one for one in labelled if one.language == language])
        },
    }


def answer_errors(judged: Sequence[Judged]) -> dict[str, float | None]:
    """The two errors that matter, and how surely leaving is told from content."""
    labels = [one for one in judged if one.label is not None]
    content = [one for one in labels if one.label == "informative"]
    empty = [one for one in labels if one.label == "low_information"]
    leaving = [one for one in labels if one.label in ("stop", "defer")]
    return {
        "informative_as_low_information": _rate(content, lambda o: o.read == "low_information"),
        "low_information_missed": _rate(empty, lambda o: not o.right),
        "stop_defer_found": _rate(leaving, lambda o: o.right),
        "informative_as_stop_defer": _rate(content, lambda o: o.read in ("stop", "defer")),
    }


def share(judged: Sequence[Judged]) -> float | None:
    """How many are right, 0 to 1; None of none."""
    return _rate(judged, lambda one: one.right)


def _rate(judged: Sequence[Judged], counts: Any) -> float | None:
    return round(sum(map(counts, judged)) / len(judged), 4) if judged else None


def _confusion(judged: Iterable[Judged]) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = {}
    for one in judged:
        found.setdefault(str(one.label), Counter())[str(one.read)] += 1
    return {label: dict(counts.most_common()) for label, counts in sorted(found.items())}
