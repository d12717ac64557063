"""Counts the lines of one file: the loop through which every event goes.

A line may cost little more than its parsing. So the loop takes lines that look as ours do, read by
`shaped`, in a few steps, and leaves every other to `_look_closer`, which decides what counts; and
what finished sessions have in common is counted once for all that are alike.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any

from pydantic_core import from_json

from .facts import FactsBook, FactsInMemory, packed, unpacked
from .fields import (
    MAX_NAME,
    MAX_QUESTIONS,
    BrokenLineError,
    amount_of,
    as_utc,
    count_of,
    flag_of,
    is_blank,
    moment_of,
    name_of,
    object_of,
    result_of,
    step_of,
)
from .identities import CODE_BITS, CODES, PRIME, SPREAD
from .profiles import Profiles
from .shaped import COURSE, PROFILE, REST, readers_of
from .span import Span
from .tally import MICRO, NANO, Kind, Tally

_FINISHED, _STARTED = CODES["finished"], CODES["started"]
_OTHERS: dict[str, Kind] = {
    "started": "started",
    "paused": "paused",
    "redirected": "redirected",
    "outcome": "outcome",
}


_MANY = 4096
"""Seconds that are counted together."""


class FileCount:
    """Takes the lines of a file in their order; `book` is where its events are taken down."""

    def __init__(self, file: str, skill: str, span: Span, book: FactsBook | None = None) -> None:
        self.book = book or FactsBook()
        self._file, self._skill, self._span = file, skill, span
        self._readers = readers_of(skill)
        self._tally = Tally()
        self._months: dict[str, str] = {}  # of each day that was met; "" for a day outside
        self._started: dict[str, int] = {}  # sessions by month
        self._profiles = Profiles(self._tally)
        self._seconds: list[float] = []
        self._digits: Counter[str] = Counter()

    def take(self, lines: list[bytes], first: int) -> None:
        """Counts some lines; `first` is the number of the first of them in the file."""
        ours, read, other = self._readers
        months, started, profiles = self._months, self._started, self._profiles.by_month
        seen, opened, paused = self.book.seen, self.book.open, self.book.paused
        fromisoformat, from_bytes = datetime.fromisoformat, int.from_bytes
        courses, put_seconds = self._profiles.courses, self._seconds.append
        happened = self.book.happened
        counted = repeated = swap_at = 0
        for number, line in enumerate(lines, first):
            try:
                try:
                    event = read(line)
                except ValueError:
                    if ours not in line:
                        self._foreign(line)
                        continue
                    event = other(line)
                    if number == swap_at:  # two in a row: the next is likely to be of their kind
                        read, other = other, read
                    swap_at = number + 1
                ts = event["ts"]
                fromisoformat(ts)
                day = ts[:10]
                if len(ts) != 20 or ts[19] != "Z" or day not in months:
                    ts, day = self._meet(ts)
            except (ValueError, LookupError, TypeError):
                self._look_closer(line, number)
                continue
            month = months[day]
            if not month:
                continue
            counted += 1
            kind = event["event"]
            if kind == "started":
                session = event["session"]
                # As `identities` has it, without the calls.
                whose = from_bytes(session.encode(), "little") * SPREAD % PRIME
                which = whose << CODE_BITS | _STARTED
                if which in seen:
                    repeated += 1
                else:
                    seen.add(which)
                    opened[whose] = ts
                    started[month] += 1
            elif kind == "finished":
                values = tuple(event.values())
                key, course = values[PROFILE], values[COURSE]
                session, seconds, calls, tokens_in, tokens_out, cost = values[REST]
                if session is not None:
                    whose = from_bytes(session.encode(), "little") * SPREAD % PRIME
                    which = whose << CODE_BITS | _FINISHED
                    if which in seen:
                        repeated += 1
                        continue
                    seen.add(which)
                    opened.pop(whose, None)
                    if paused:
                        paused.pop(whose, None)
                try:
                    profile = profiles[month][key]
                except KeyError:
                    profile = self._profiles.new(month, key)
                profile.count += 1
                courses[course] = courses.get(course, 0) + 1
                if seconds is not None:
                    put_seconds(seconds)
                if calls or tokens_in or tokens_out or cost:
                    profile.calls += calls or 0
                    profile.input_tokens += tokens_in or 0
                    profile.output_tokens += tokens_out or 0
                    profile.cost += round((cost or 0.0) * NANO)
                if tokens_in is None or tokens_out is None:
                    profile.unknown_tokens += 1
                if cost is None:
                    profile.unknown_cost += 1
            else:
                told_apart, outcome = ts, None
                if kind == "outcome":
                    result = event["outcome"]
                    told_apart = f"{ts}\n{result}"
                    outcome = packed(ts, step_of(event["confidence"]), result)
                if happened(event["session"], kind, told_apart, outcome):
                    self._tally.events[month, kind] += 1
                else:
                    repeated += 1
        self._tally.lines += counted
        self._tally.repeated += repeated
        if len(self._seconds) > _MANY:
            self._work_off()
        self.book.spill()

    def counted(self) -> Tally:
        """The tally, after the last line."""
        self._profiles.settle()
        self._work_off()
        for month, count in self._started.items():
            if count:
                self._tally.events[month, "started"] += count
        for digits, count in self._digits.items():
            self._tally.seconds[float(digits)] += count
        self._started.clear()
        self._digits.clear()
        return self._tally

    def facts(self) -> tuple[FactsInMemory, frozenset[int]]:
        """The facts, and the numbers of events that were counted more than once."""
        return self.book.facts()

    def days(self) -> tuple[str, str] | None:
        """The first and the last day on which something happened; None where nothing did."""
        return (min(self._months), max(self._months)) if self._months else None

    def _meet(self, ts: str) -> tuple[str, str]:
        """The moment in UTC, to the second, and its day, whose month is known from now on."""
        ts = as_utc(datetime.fromisoformat(ts)).strftime("%Y-%m-%dT%H:%M:%SZ")
        day, month = ts[:10], ts[:7]
        self._months.setdefault(day, month if self._span.holds(day) else "")
        self._started.setdefault(month, 0)
        return ts, day

    def _work_off(self) -> None:
        """Counts what was put aside for many lines at once."""
        self._tally.seconds_sum += sum([round(seconds * MICRO) for seconds in self._seconds])
        self._digits.update(map("%.3g".__mod__, self._seconds))
        self._seconds.clear()

    def _foreign(self, line: bytes) -> None:
        """Counts a line of another skill as most are.

        Raises `ValueError`, `LookupError`, `TypeError` for any other line.
        """
        event = from_json(line)
        ts, skill = event["ts"], event["skill"]
        datetime.fromisoformat(ts)
        if len(ts) != 20 or ts[19] != "Z" or skill == self._skill or len(skill) > MAX_NAME:
            raise ValueError
        if self._months[ts[:10]]:
            self._tally.other_skills[skill] += 1
            self._tally.lines += 1

    def _look_closer(self, line: bytes, number: int) -> None:
        """Counts any line, or names it where it is broken."""
        if is_blank(line):
            return
        try:
            event = object_of(line)
            moment_of(event["ts"])
            ts, day = self._meet(event["ts"])
            if month := self._months[day]:
                self._count(event, month, ts)
                self._tally.lines += 1
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
            self._finished(event, month, ts)
        elif named in _OTHERS:
            self._other(event, _OTHERS[named], month, ts)
        else:
            self._tally.unknown_events += 1

    def _finished(self, event: dict[str, Any], month: str, ts: str) -> None:
        get = event.get
        step_of(get("confidence"))
        names: list[str | None] = [name_of("decision", get("decision"))]
        for field in ("mode", "format", "model"):
            names.append(None if get(field) is None else name_of(field, get(field)))
        questions = count_of("questions", get("questions"), MAX_QUESTIONS)
        course = (questions, flag_of("forced", get("forced")), flag_of("breaker", get("breaker")))
        escalate = flag_of("escalate", get("escalate"))
        seconds, cost = amount_of("seconds", get("seconds")), amount_of("cost_usd", get("cost_usd"))
        calls = count_of("model_calls", get("model_calls"))
        tokens = [count_of(name, get(name)) for name in ("input_tokens", "output_tokens")]
        if not self._is_new(event, "finished", ts, None):
            return
        profile = self._profiles.new(month, (*names, get("confidence"), escalate))
        profile.count += 1
        self._profiles.courses[course] = self._profiles.courses.get(course, 0) + 1
        profile.calls += calls or 0
        profile.input_tokens += tokens[0] or 0
        profile.output_tokens += tokens[1] or 0
        profile.unknown_tokens += None in tokens
        profile.unknown_cost += cost is None
        profile.cost += round((cost or 0.0) * NANO)
        if seconds is not None:
            self._seconds.append(seconds)

    def _other(self, event: dict[str, Any], kind: Kind, month: str, ts: str) -> None:
        """A line without a decision."""
        moment, outcome = ts, None
        if kind == "outcome":
            result, step = result_of(event.get("outcome")), step_of(event.get("confidence"))
            moment, outcome = f"{ts}\n{result}", packed(ts, step, result)
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
        if self.book.happened(name_of("session", session), kind, moment, outcome):
            return True
        self._tally.repeated += 1
        return False
