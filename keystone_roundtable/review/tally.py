"""Counts over telemetry lines that add up: the tally of two files is the sum of their tallies.

Every sum is of whole numbers (steps of confidence, microseconds, billionths of a dollar), so that
it does not matter in which order files are read. The tally of a file can be kept and read again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["finished", "started", "paused", "redirected", "outcome"]
KINDS: tuple[Kind, ...] = ("finished", "started", "redirected", "paused", "outcome")

Result = Literal["held", "reversed", "partly", "unknown"]
RESULTS: tuple[Result, ...] = ("held", "reversed", "partly", "unknown")

Flag = Literal["forced", "breaker", "escalated", "deferred"]
FLAGS: tuple[Flag, ...] = ("forced", "breaker", "escalated", "deferred")

MAX_NAMED = 100
"""Broken lines that are named; the rest are counted."""

MICRO, NANO = 10**6, 10**9


@dataclass
class Usage:
    """What the finished sessions of one model used; `cost` in billionths of a US dollar."""

    sessions: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: int = 0
    unknown_tokens: int = 0
    unknown_cost: int = 0

    def add(self, other: Usage) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


@dataclass
class Tally:
    """Counts of lines. Months are `YYYY-MM`, confidences steps of 1/10,000."""

    lines: int = 0
    broken_count: int = 0
    broken: list[tuple[str, int, str]] = field(default_factory=list)
    """File, line and reason of the first hundred."""
    repeated: int = 0
    unknown_events: int = 0
    other_skills: Counter[str] = field(default_factory=Counter)
    events: Counter[tuple[str, str]] = field(default_factory=Counter)
    decisions: Counter[tuple[str, str]] = field(default_factory=Counter)
    modes: Counter[tuple[str, str]] = field(default_factory=Counter)
    confidence: Counter[tuple[str, int]] = field(default_factory=Counter)
    """By month and step."""
    formats: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[tuple[int, str]] = field(default_factory=Counter)
    """Of lines that name no session, by step (-1 where none is stated) and result."""
    questions: Counter[float] = field(default_factory=Counter)
    seconds: Counter[float] = field(default_factory=Counter)
    """By three significant digits, which keeps any number of lines small."""
    seconds_sum: int = 0
    """In microseconds, of the seconds as they are told."""
    models: dict[str, Usage] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Counts what `other` has counted too."""
        for name in _NUMBERS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in _COUNTERS:
            getattr(self, name).update(getattr(other, name))
        self.broken += other.broken[: MAX_NAMED - len(self.broken)]
        for model, usage in other.models.items():
            self.models.setdefault(model, Usage()).add(usage)

    def name_broken(self, file: str, line: int, reason: str) -> None:
        """Counts a broken line, and names it while few are named."""
        self.broken_count += 1
        if len(self.broken) < MAX_NAMED:
            self.broken.append((file, line, reason))

    def forget_broken(self) -> None:
        """As if the broken lines were not there."""
        self.lines -= self.broken_count
        self.broken_count = 0
        self.broken = []

    def dump(self) -> dict[str, Any]:
        """JSON that `load` reads; the same for the same counts."""
        return {
            **{name: getattr(self, name) for name in _NUMBERS},
            **{name: _pairs(getattr(self, name)) for name in _COUNTERS},
            "broken": [[line, reason] for _, line, reason in self.broken],
            "models": [[model, *vars(usage).values()] for model, usage in self.models.items()],
        }

    @classmethod
    def load(cls, kept: Mapping[str, Any], file: str) -> Tally:
        """The tally of `file` that `dump` gave. Raises `LookupError`, `TypeError`, `ValueError`."""
        tally = cls()
        for name in _NUMBERS:
            setattr(tally, name, int(kept[name]))
        for name in _COUNTERS:
            counter: Counter[Any] = getattr(tally, name)
            for key, count in kept[name]:
                counter[tuple(key) if isinstance(key, list) else key] = int(count)
        tally.broken = [(file, int(line), str(reason)) for line, reason in kept["broken"]]
        tally.models = {model: Usage(*map(int, numbers)) for model, *numbers in kept["models"]}
        return tally


def total(tallies: Iterable[Tally]) -> Tally:
    """The sum of them all."""
    summed = Tally()
    for tally in tallies:
        summed.add(tally)
    return summed


def _pairs(counter: Counter[Any]) -> list[list[Any]]:
    return [[key, count] for key, count in sorted(counter.items())]


_NUMBERS = ("lines", "broken_count", "repeated", "unknown_events", "seconds_sum")
_COUNTERS = (
    "other_skills", "events", "decisions", "modes", "confidence", "formats", "flags", "outcomes",
    "questions", "seconds",
)  # fmt: skip
