"""Counts the lines of one file. `FileCount` decides what counts and what is broken.

Most lines are counted in bulk; the others one by one, field by field.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic_core import from_json

from ..core.telemetry import REHEARSAL
from .bulk import Bulk
from .facts import FactsBook, FactsInMemory, packed, unpacked
from .fields import (
    MAX_NAME,
    MAX_QUESTIONS,
    BrokenLineError,
    amount_of,
    count_of,
    flag_of,
    is_blank,
    moment_of,
    name_of,
    object_of,
    result_of,
    step_of,
)
from .identities import session_number
from .span import Span
from .sums import Finished, Sums
from .tally import Kind, Tally

_OTHERS: dict[str, Kind] = {
    "started": "started",
    "paused": "paused",
    "redirected": "redirected",
    "outcome": "outcome",
}


class FileCount:
    """Takes the lines of a file in their order; `book` is where its events are taken down."""

    def __init__(self, file: str, skill: str, span: Span, book: FactsBook | None = None) -> None:
        self._book = book or FactsBook()
        self._file, self._skill = file, skill
        self._tally = Tally()
        self._sums = Sums(self._tally)
        self._bulk = Bulk(skill, span, self._tally, self._sums, self._book)

    def take(self, lines: list[bytes], first: int) -> None:
        """Counts some lines; `first` is the number of the first of them in the file."""
        left = self._bulk.take(lines)
        for place in range(len(lines)) if left is None else left:
            try:
                self._foreign(lines[place])
            except (ValueError, LookupError, TypeError):
                self._any(lines[place], first + place)
        self._book.spill()

    def counted(self) -> Tally:
        """The tally, after the last line."""
        self._sums.settle()
        return self._tally

    def facts(self) -> tuple[FactsInMemory, frozenset[int]]:
        """The facts, and the numbers of events that were counted more than once."""
        return self._book.facts()

    def days(self) -> tuple[str, str] | None:
        """The first and the last day on which something happened; None where nothing did."""
        days = self._bulk.months
        return (min(days), max(days)) if days else None

    def _foreign(self, line: bytes) -> None:
        """Counts a line of another skill as most are.

        Raises `ValueError`, `LookupError`, `TypeError` for any other line.
        """
        event = from_json(line)
        ts, skill = event["ts"], event["skill"]
        datetime.fromisoformat(ts)
        if ts[10::9] != "TZ" or skill == self._skill or len(skill) > MAX_NAME:
            raise ValueError
        if self._bulk.months[ts[:10]]:
            self._tally.other_skills[skill] += 1
            self._tally.lines += 1

    def _any(self, line: bytes, number: int) -> None:
        """Counts a line whatever it is, or names it where it is broken."""
        if is_blank(line):
            return
        try:
            event = object_of(line)
            ts = moment_of(event["ts"]).strftime("%Y-%m-%dT%H:%M:%SZ")
            month = self._bulk.meet(ts[:10])
            if not month:
                return
            self._count(event, month, ts)
        except BrokenLineError as error:
            self._tally.name_broken(self._file, number, error.reason)
        self._tally.lines += 1

    def _count(self, event: dict[str, Any], month: str, ts: str) -> None:
        if event["skill"] != self._skill:
            self._tally.other_skills[event["skill"]] += 1
            return
        kind = event.get("event")
        named = None if kind is None else name_of("event", kind)
        if named == "finished" or (named is None and event.get("decision") is not None):
            finished = _finished(event)
            is_new = self._is_new(event, "finished", ts, None)
            if is_new and event.get("exit_reason") != REHEARSAL:
                self._sums.add([month], [[value] for value in finished])
        elif named in _OTHERS:
            self._other(event, _OTHERS[named], month, ts)
        else:
            self._tally.unknown_events += 1

    def _other(self, event: dict[str, Any], kind: Kind, month: str, ts: str) -> None:
        """A line without a decision."""
        moment, outcome = ts, None
        if kind == "outcome":
            result, step = result_of(event.get("outcome")), step_of(event.get("confidence"))
            told = count_of("revision", event.get("revision"))
            moment, outcome = f"{ts}\n{result}\n{told}", packed(ts, step, result)
        if self._is_new(event, kind, moment, outcome):
            self._tally.events[month, kind] += 1
            if outcome is not None and event.get("session") is None:
                # Nothing can follow it: it stands for a session of its own.
                self._tally.outcomes[unpacked(outcome)] += 1

    def _is_new(self, event: dict[str, Any], kind: Kind, moment: str, outcome: int | None) -> bool:
        """Takes down what happened to a session; False where that is repeated."""
        session = event.get("session")
        if session is None:
            return True
        number = session_number(name_of("session", session))
        if self._book.happened(number, kind, moment, outcome):
            return True
        self._tally.repeated += 1
        return False


def _finished(event: dict[str, Any]) -> Finished:
    """The fields of a finished line. Raises `BrokenLineError`."""
    get = event.get

    def name(field: str) -> str | None:
        return None if get(field) is None else name_of(field, get(field))

    step_of(get("confidence"))
    return Finished(
        decision=name_of("decision", get("decision")),
        mode=name("mode"),
        format=name("format"),
        model=name("model"),
        confidence=get("confidence"),
        escalate=flag_of("escalate", get("escalate")),
        questions=count_of("questions", get("questions"), MAX_QUESTIONS),
        forced=flag_of("forced", get("forced")),
        breaker=flag_of("breaker", get("breaker")),
        session=name("session"),
        seconds=amount_of("seconds", get("seconds")),
        model_calls=count_of("model_calls", get("model_calls")),
        input_tokens=count_of("input_tokens", get("input_tokens")),
        output_tokens=count_of("output_tokens", get("output_tokens")),
        cost_usd=amount_of("cost_usd", get("cost_usd")),
    )
