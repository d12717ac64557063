"""What a file tells of sessions that lines in other files may complete or repeat."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from .identities import (
    event_number,
    in_parts,
    pairs,
    part_of,
    put_events,
)
from .tally import RESULTS, Kind, Result

_MAX_SEEN = 60_000
"""Events held as a set, of 64 bytes each, before they are kept in eight: more than a month has.
What is repeated among fewer is found on the way; else the file is read a second time."""

_STEP_BITS, _RESULT_BITS = 14, 2
_MOMENT_SHIFT = _STEP_BITS + _RESULT_BITS


@dataclass(frozen=True)
class Part:
    """A sixteenth of a file's facts: always the same sessions, in whatever file.

    `events` are numbers of events, each there once. The others are pairs that begin with
    the number of a session: `open` ones started and, as far as the file was seen, did not end, with
    the moment in epoch seconds; `paused` ones the same; `outcomes` with what `packed` makes.
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

    @classmethod
    def none(cls) -> FactsInMemory:
        return cls(tuple(map(Part, in_parts(), in_parts(), in_parts(), in_parts())))

    def part(self, number: int) -> Part:
        return self.parts[number]


def packed(ts: str, step: int | None, result: Result) -> int:
    """An outcome as one number, for `unpacked` and `is_later`."""
    stated = 0 if step is None else step + 1
    return (_seconds(ts) << _STEP_BITS | stated) << _RESULT_BITS | RESULTS.index(result)


def unpacked(outcome: int) -> tuple[int, Result]:
    """The step of confidence that was stated, -1 where none was, and the result."""
    stated = outcome >> _RESULT_BITS & ((1 << _STEP_BITS) - 1)
    return stated - 1, RESULTS[outcome & ((1 << _RESULT_BITS) - 1)]


def is_later(outcome: int, than: int) -> bool:
    """Whether one outcome counts instead of another that stands on an earlier line."""
    return outcome >> _MOMENT_SHIFT >= than >> _MOMENT_SHIFT


class FactsBook:
    """Takes down the events of a file's sessions, in the order of its lines.

    Events of `claimed` stand in a file before, and are none of this one. With `watched` only
    events that are in it are looked at for repetitions.
    """

    def __init__(
        self, claimed: frozenset[int] = frozenset(), watched: frozenset[int] | None = None
    ) -> None:
        self._claimed, self._watched = claimed, watched
        self._seen = set(claimed)
        """Events that need not be new; with `watched` those of them that were met."""
        self._open: dict[int, str] = {}
        """Sessions that started and did not end, each with its last sign of life."""
        self._paused: dict[int, str] = {}
        self._has_spilt = False
        self._events, self._opened, self._halted = in_parts(), in_parts(), in_parts()
        self._outcomes = in_parts()

    def sift(self, events: list[int]) -> list[bool] | None:
        """Takes down events; says of each whether it is new, None where all are."""
        apart = set(events)
        if (
            len(apart) == len(events)
            and self._seen.isdisjoint(apart)
            and (self._watched is None or self._watched.isdisjoint(apart))
        ):
            if self._watched is None:
                self._seen |= apart
            return None
        return [self._is_new(event) for event in events]

    def start(self, sessions: Iterable[tuple[int, str]]) -> None:
        """Sessions that started, by number, each with the moment."""
        self._open.update(sessions)

    def finish(self, sessions: Iterable[int]) -> None:
        forget = self._open.pop
        for number in sessions:
            forget(number, None)

    def happened(self, number: int, kind: Kind, moment: str, outcome: int | None) -> bool:
        """Takes down any event of a session; `outcome` is what `packed` made.

        False where it is repeated.
        """
        event = event_number(number, kind, moment)
        if not self._is_new(event):
            return False
        if outcome is not None:
            self._outcomes[part_of(number)].extend((number, outcome))
        elif kind == "started":
            self._open[number] = moment
        elif kind == "paused":
            self._paused[number] = max(moment, self._paused.get(number, ""))
        else:
            self._open.pop(number, None)
            self._paused.pop(number, None)
        return True

    def _is_new(self, event: int) -> bool:
        if event in self._seen:
            return False
        if self._watched is None or event in self._watched:
            self._seen.add(event)
        return True

    def spill(self) -> None:
        """Keeps what was taken down in less room, where it is much; to be called now and then.

        From then on repetitions of what was seen before are found only at the end.
        """
        if len(self._seen) > _MAX_SEEN:
            self._has_spilt = True
            self._spill()

    def _spill(self) -> None:
        put_events(self._events, self._seen.difference(self._claimed))
        _put_signs(self._opened, self._open)
        ended = [n for n in self._paused if event_number(n, "finished", "") in self._seen]
        for number in ended:
            del self._paused[number]
        _put_signs(self._halted, self._paused)
        self._seen.intersection_update(self._claimed)

    def facts(self) -> tuple[FactsInMemory, frozenset[int]]:
        """The facts, and the events that happened more than once and were counted each time."""
        self._spill()
        parts, repeated = [], set[int]()
        for number, events in enumerate(self._events):
            if self._has_spilt and len(apart := set(events)) < len(events):
                repeated.update(event for event, count in Counter(events).items() if count > 1)
                events = array("Q", apart)
            latest = _latest(self._outcomes[number])
            parts.append(Part(events, self._opened[number], self._halted[number], latest))
            self._events[number] = self._outcomes[number] = array("Q")
        return FactsInMemory(tuple(parts)), frozenset(repeated)


def _put_signs(parts: list[array[int]], signs: dict[int, str]) -> None:
    """Puts sessions with their last sign of life, in epoch seconds, into their parts."""
    for number, ts in signs.items():
        parts[part_of(number)].extend((number, _seconds(ts)))
    signs.clear()


def _seconds(ts: str) -> int:
    """Epoch seconds; 0 for what lies before."""
    return max(int(datetime.fromisoformat(ts).timestamp()), 0)


def _latest(outcomes: array[int]) -> array[int]:
    """The last outcome of each session."""
    latest: dict[int, int] = {}
    for number, outcome in pairs(outcomes):
        if is_later(outcome, latest.get(number, 0)):
            latest[number] = outcome
    return array("Q", (number for pair in latest.items() for number in pair))
