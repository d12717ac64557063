"""What can be told only by looking at every file: sessions span months, and folders are copied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from .facts import Facts, Part, is_later, unpacked
from .identities import PARTS, ends_of, pairs

SILENT_S = 7 * 24 * 3600
"""A session without a sign of life for as long is abandoned, unless it ended."""


@dataclass
class Across:
    """What all files together tell."""

    abandoned: int = 0
    outcomes: Counter[tuple[int, str]] = field(default_factory=Counter)
    """The last one of each session, by step of confidence, -1 where none is stated, and result."""
    repeated: dict[int, set[int]] = field(default_factory=dict)
    """Of each file, by its number, the events that a file before it holds too."""


def look_across(files: Sequence[Facts], as_of_s: int) -> Across:
    """`files` in the order in which they count; of two outcomes at one moment the latter stands."""
    found = Across()
    for number in range(PARTS):
        parts = [facts.part(number) for facts in files]
        events: set[int] = set()
        for part in parts:
            events.update(part.events)
        if len(events) < sum(len(part.events) for part in parts):
            _find_repeated(parts, found.repeated)
        found.abandoned += sum(
            at < as_of_s - SILENT_S and events.isdisjoint(ends_of(session))
            for session, at in _signs(parts).items()
        )
        found.outcomes.update(map(unpacked, _latest(parts).values()))
    return found


def _find_repeated(parts: Sequence[Part], repeated: dict[int, set[int]]) -> None:
    claimed: set[int] = set()
    for number, part in enumerate(parts):
        again = claimed.intersection(part.events)
        if again:
            repeated.setdefault(number, set()).update(again)
        claimed.update(part.events)


def _signs(parts: Sequence[Part]) -> dict[int, int]:
    """The last sign of life of each session that started and, in its own file, did not end."""
    signs: dict[int, int] = {}
    for part in parts:
        for session, at in pairs(part.open):
            signs[session] = max(at, signs.get(session, 0))
    for part in parts:
        for session, at in pairs(part.paused):
            if at > signs.get(session, at):
                signs[session] = at
    return signs


def _latest(parts: Sequence[Part]) -> dict[int, int]:
    latest: dict[int, int] = {}
    for part in parts:
        for session, outcome in pairs(part.outcomes):
            if is_later(outcome, latest.get(session, 0)):
                latest[session] = outcome
    return latest
