"""What a file tells of sessions that lines in other files may complete or repeat."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from .identities import (
    ONCE,
    event_number,
    in_parts,
    moment_number,
    pairs,
    part_of,
    part_of_event,
    put_events,
    session_number,
    session_numbers,
)
from .tally import RESULTS, Kind, Result

_STEP_BITS, _RESULT_BITS = 14, 2
_MOMENT_SHIFT = _STEP_BITS + _RESULT_BITS


@dataclass(frozen=True)
class Part:
    """A sixteenth of a file's facts: always the same sessions, in whatever file.

    `events` are numbers of events, each there once. The others are pairs that begin with
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

    `watched` are numbers of events that are known to be repeated: only the first of each is new,
    and none that `claimed` holds, because it stands in a file before.
    """

    def __init__(self, watched: frozenset[int], claimed: frozenset[int]) -> None:
        self.watches = bool(watched)
        self.started: list[str] = []
        self.started_at: list[str] = []
        """Sessions that started, and the moment of each as a text."""
        self.finished: list[str] = []
        """Sessions that finished."""
        self._watched, self._seen = watched, set(claimed)
        self._events = in_parts()
        self._open: dict[int, str] = {}
        self._paused: dict[int, str] = {}
        self._outcomes = in_parts()

    def is_repeated(self, session: str, kind: Kind, moment: str) -> bool:
        """Whether the event stood before; to be asked once of each."""
        if not self.watches:
            return False
        event = _number_of(session_number(session), kind, moment)
        if event not in self._watched:
            return False
        repeated = event in self._seen
        self._seen.add(event)
        return repeated

    def happened(self, session: str, kind: Kind, moment: str, outcome: int | None) -> None:
        """An event that is not in the lists; `outcome` is what `packed` made."""
        number = session_number(session)
        event = _number_of(number, kind, moment)
        self._events[part_of_event(event)].append(event)
        if outcome is not None:
            self._outcomes[part_of(number)].extend((number, outcome))
        elif kind == "started":
            self._open[number] = moment
        elif kind == "paused":
            self._paused[number] = max(moment, self._paused.get(number, ""))
        else:
            self._end((number,))

    def work_off(self) -> None:
        """Takes down what stands in the lists, and empties them. To be done before long.

        A session that ends before it starts, as the lists may have it, counts as ended all the
        same when files are looked at together.
        """
        started, finished = session_numbers(self.started), session_numbers(self.finished)
        put_events(self._events, started, "started")
        put_events(self._events, finished, "finished")
        self._open.update(zip(started, self.started_at, strict=True))
        self._end(finished)
        self.started.clear()
        self.started_at.clear()
        self.finished.clear()

    def _end(self, sessions: Iterable[int]) -> None:
        for number in sessions:
            self._open.pop(number, None)
            self._paused.pop(number, None)

    def facts(self) -> tuple[FactsInMemory, frozenset[int]]:
        """The facts, and the events that happened more than once. Empties the book."""
        for number in self._open.keys() & self._paused.keys():
            self._open[number] = max(self._open[number], self._paused.pop(number))
        open_, paused, parts, repeated = _flat(self._open), _flat(self._paused), [], set[int]()
        for number, events in enumerate(self._events):
            apart = set(events)
            if len(apart) < len(events):
                repeated.update(event for event, count in Counter(events).items() if count > 1)
                events = array("Q", apart)
            latest = _latest(self._outcomes[number])
            parts.append(Part(events, open_[number], paused[number], latest))
            self._events[number] = self._outcomes[number] = array("Q")
        return FactsInMemory(tuple(parts)), frozenset(repeated)


def _number_of(session: int, kind: Kind, moment: str) -> int:
    return event_number(session, kind) if kind in ONCE else moment_number(session, kind, moment)


def _flat(signs: dict[int, str]) -> list[array[int]]:
    """Sessions with their last sign of life in epoch seconds, in parts."""
    parts = in_parts()
    for number, ts in signs.items():
        parts[part_of(number)].extend((number, _seconds(ts)))
    return parts


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
