"""What a file tells of sessions that lines in other files may complete or repeat."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from .identities import (
    ONCE,
    event_number,
    in_parts,
    moment_number,
    pairs,
    part_of,
    part_of_event,
    session_number,
)
from .tally import RESULTS, Kind, Result

_STEP_BITS, _RESULT_BITS = 14, 2
_MOMENT_SHIFT = _STEP_BITS + _RESULT_BITS


@dataclass(frozen=True)
class Part:
    """A sixteenth of a file's facts: always the same sessions, in whatever file.

    `events` are numbers of events in order, each there once. The others are pairs that begin with
    the number of a session: `open` ones started and did not end in the file, with their last sign
    of life in epoch seconds; `paused` the same for those that neither started nor ended in it;
    `outcomes` with what `packed` makes.
    """

    events: array[int]
    open: array[int]
    paused: array[int]
    outcomes: array[int]


class Facts(Protocol):
    """A file's facts, in memory or on disk."""

    def part(self, number: int) -> Part: ...


@dataclass(frozen=True)
class FactsInMemory:
    parts: tuple[Part, ...]

    def part(self, number: int) -> Part:
        return self.parts[number]


def packed(at: int, step: int | None, result: Result) -> int:
    """An outcome as one number, for `unpacked` and `is_later`."""
    stated = 0 if step is None else step + 1
    return (max(at, 0) << _STEP_BITS | stated) << _RESULT_BITS | RESULTS.index(result)


def unpacked(outcome: int) -> tuple[int | None, Result]:
    """The step of confidence that was stated, and the result."""
    stated = outcome >> _RESULT_BITS & ((1 << _STEP_BITS) - 1)
    return (stated - 1 if stated else None), RESULTS[outcome & ((1 << _RESULT_BITS) - 1)]


def is_later(outcome: int, than: int) -> bool:
    """Whether one outcome counts instead of another that stands on an earlier line."""
    return outcome >> _MOMENT_SHIFT >= than >> _MOMENT_SHIFT


class FactsBook:
    """Takes down the events of a file's sessions, in the order of its lines.

    `watched` are numbers of events that are known to be repeated: only the first of each is new,
    and none that `claimed` holds, because it stands in a file before.
    """

    def __init__(self, watched: frozenset[int], claimed: frozenset[int]) -> None:
        self._watched, self._seen = watched, set(claimed)
        self._events = in_parts()
        self._open: dict[int, int] = {}
        self._paused: dict[int, int] = {}
        self._outcomes = in_parts()

    def happened(self, session: str, kind: Kind, moment: str) -> int | None:
        """The session's number; None where the event is repeated."""
        number = session_number(session)
        once = kind in ONCE
        event = event_number(number, kind) if once else moment_number(session, kind, moment)
        if event in self._watched:
            if event in self._seen:
                return None
            self._seen.add(event)
        self._events[part_of_event(event)].append(event)
        return number

    def started(self, number: int, at: int) -> None:
        self._open[number] = max(at, self._open.get(number, 0), self._paused.pop(number, 0))

    def paused(self, number: int, at: int) -> None:
        signs = self._open if number in self._open else self._paused
        signs[number] = max(at, signs.get(number, 0))

    def ended(self, number: int) -> None:
        self._open.pop(number, None)
        self._paused.pop(number, None)

    def outcome(self, number: int, outcome: int) -> None:
        self._outcomes[part_of(number)].extend((number, outcome))

    def facts(self) -> tuple[FactsInMemory, frozenset[int]]:
        """The facts, and the events that happened more than once. Empties the book."""
        open_, paused, outcomes = _flat(self._open), _flat(self._paused), self._outcomes
        parts, repeated = [], set[int]()
        for number, events in enumerate(self._events):
            ordered = sorted(events)
            twice = {a for a, b in pairwise(ordered) if a == b}
            repeated |= twice
            parts.append(
                Part(
                    array("Q", sorted(set(ordered)) if twice else ordered),
                    open_[number],
                    paused[number],
                    _latest(outcomes[number]),
                )
            )
            self._events[number] = outcomes[number] = array("Q")
        return FactsInMemory(tuple(parts)), frozenset(repeated)


def _flat(signs: dict[int, int]) -> list[array[int]]:
    parts = in_parts()
    for number in sorted(signs):
        parts[part_of(number)].extend((number, signs[number]))
    return parts


def _latest(outcomes: array[int]) -> array[int]:
    """The last outcome of each session."""
    latest: dict[int, int] = {}
    for number, outcome in pairs(outcomes):
        if is_later(outcome, latest.get(number, 0)):
            latest[number] = outcome
    return array("Q", (number for pair in sorted(latest.items()) for number in pair))
