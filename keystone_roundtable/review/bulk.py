"""Many lines at a time, as long as nothing is odd about them.

Takes lines as this program writes them, read by `shaped`, field by field over all of them. What it
does not take it leaves untouched to whoever calls, who goes line by line; the sums are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from itertools import compress
from typing import Any

from ..core.telemetry import REHEARSAL
from .facts import FactsBook, packed
from .fields import step_of
from .identities import event_numbers, session_numbers
from .shaped import FINISHED_FIELDS, readers_of
from .span import Span
from .sums import Finished, Sums
from .tally import Tally

_Event = dict[str, Any]
_SESSION = Finished._fields.index("session")
_REHEARSAL = f'"{REHEARSAL}"'.encode()


class Bulk:
    """Counts into the tally, the sums and the book that it is given."""

    def __init__(self, skill: str, span: Span, tally: Tally, sums: Sums, book: FactsBook) -> None:
        self._readers = readers_of(skill)
        self._span, self._tally, self._sums, self._book = span, tally, sums, book
        self.months: dict[str, str] = {}
        """The month of each day that was met; "" for a day outside of the span."""

    def take(self, lines: Sequence[bytes]) -> list[int] | None:
        """Counts the lines but those whose places it gives back; None where it counts none."""
        started, finished, others, left = self._sorted(lines)
        columns = list(zip(*finished, strict=True)) or [()] * len(FINISHED_FIELDS)
        moments = tuple(
            _in_seconds(column)
            for column in (
                [event["ts"] for event in started],
                columns[2],
                [event["ts"] for event in others],
            )
        )
        within = self._are_within(moments)
        if within is None:
            return None
        if not within:
            return left
        started_at, finished_at, others_at = moments
        self._take_started(session_numbers([event["session"] for event in started]), started_at)
        if finished:
            self._take_finished(columns[3:], finished_at)
        if others:
            self._take_others(others, others_at)
        self._tally.lines += len(started) + len(finished) + len(others)
        return left

    def meet(self, day: str) -> str:
        """The month of a day; "" for one outside of the span."""
        month = self.months[day] = day[:7] if self._span.holds(day) else ""
        return month

    def _sorted(
        self, lines: Sequence[bytes]
    ) -> tuple[list[_Event], list[Any], list[_Event], list[int]]:
        """Started ones, the values of finished ones, others, and the places of the rest."""
        ours, read, other = self._readers
        started: list[_Event] = []
        finished: list[Any] = []
        others: list[_Event] = []
        left: list[int] = []
        swap_at = 0
        for place, line in enumerate(lines):
            try:
                event = read(line)
            except ValueError:
                if ours not in line:
                    left.append(place)
                    continue
                try:
                    event = other(line)
                except ValueError:
                    left.append(place)
                    continue
                if place == swap_at:  # two in a row: the next is likely to be of their kind
                    read, other = other, read
                swap_at = place + 1
            kind = event["event"]
            if kind == "finished":
                if event["confidence"] == 0 and _REHEARSAL in line:
                    left.append(place)
                    continue
                finished.append(event.values())
            elif kind == "started":
                started.append(event)
            else:
                others.append(event)
        return started, finished, others, left

    def _are_within(self, moments: Sequence[Sequence[str]]) -> bool | None:
        """Whether all lie within the span (True) or none does (False).

        None where some do, or where there is no such day.
        """
        found = set()
        for day in {ts[:10] for each in moments for ts in each}:
            month = self.months.get(day)
            if month is None:
                if not _is_day(day):
                    return None
                month = self.meet(day)
            found.add(bool(month))
        return None if len(found) > 1 else found != {False}

    def _take_started(self, sessions: list[int], moments: Sequence[str]) -> None:
        new = self._book.sift(event_numbers(sessions, "started"))
        if new is not None:
            sessions, moments = list(compress(sessions, new)), list(compress(moments, new))
            self._tally.repeated += new.count(False)
        self._book.start(zip(sessions, moments, strict=True))
        for month, count in Counter([ts[:7] for ts in moments]).items():
            self._tally.events[month, "started"] += count

    def _take_finished(self, columns: Sequence[Sequence[Any]], moments: Sequence[str]) -> None:
        """`columns` are those of `Finished`."""
        sessions = columns[_SESSION]
        known = [each for each in sessions if each is not None] if None in sessions else sessions
        numbers = session_numbers(known)
        new = self._book.sift(event_numbers(numbers, "finished"))
        if new is not None:
            self._tally.repeated += new.count(False)
            told = iter(new)
            rows = [session is None or next(told) for session in sessions]
            columns = [list(compress(column, rows)) for column in columns]
            moments = list(compress(moments, rows))
        self._book.finish(numbers)
        self._sums.add([ts[:7] for ts in moments], columns)

    def _take_others(self, events: Sequence[_Event], moments: Sequence[str]) -> None:
        happened, counts = self._book.happened, self._tally.events
        numbers = session_numbers([event["session"] for event in events])
        for event, number, ts in zip(events, numbers, moments, strict=True):
            kind, told_apart, outcome = event["event"], ts, None
            if kind == "outcome":
                told_apart = f"{ts}\n{event['outcome']}\n{event['revision']}"
                outcome = packed(ts, step_of(event["confidence"]), event["outcome"])
            if happened(number, kind, told_apart, outcome):
                counts[ts[:7], kind] += 1
            else:
                self._tally.repeated += 1


def _in_seconds(moments: Sequence[str]) -> Sequence[str]:
    """Moments of UTC as `2026-11-30T10:00:00Z`."""
    if {ts[19:] for ts in moments} <= {"Z"}:
        return moments
    return [f"{ts[:19]}Z" for ts in moments]


def _is_day(day: str) -> bool:
    try:
        return date.fromisoformat(day).isoformat() == day
    except ValueError:
        return False
