"""Counts the lines of one file: the loop through which every event goes.

A line may cost little more than its parsing. So the loop takes a line that looks as ours do in a
few steps, and leaves every other to the functions below it; what finished sessions have in common
is looked up as one profile, whose parts are checked when it is first met and counted one by one
at the end; and what each session adds to the facts is worked out for many lines at once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Any

from pydantic_core import from_json

from .facts import FactsBook, FactsInMemory, packed, unpacked
from .fields import (
    MAX_AMOUNT,
    MAX_NAME,
    BrokenLineError,
    amount_of,
    as_utc,
    count_of,
    flag_of,
    is_blank,
    name_of,
    object_of,
    result_of,
    step_of,
)
from .span import Span
from .tally import MICRO, NANO, Kind, Tally, Usage

_MAX_PROFILES = 4096
"""Profiles held before they are counted: what strange lines can fill is bounded."""

_OTHERS: dict[str, Kind] = {
    "started": "started",
    "paused": "paused",
    "redirected": "redirected",
    "outcome": "outcome",
}

_NAMES = (
    "decision", "mode", "format", "model", "exit_code", "confidence", "questions", "forced",
    "breaker", "escalate",
)  # fmt: skip
_NUMBERS = ("session", "seconds", "model_calls", "input_tokens", "output_tokens", "cost_usd")
_names_of, _numbers_of = itemgetter(*_NAMES), itemgetter(*_NUMBERS)

_Key = tuple[Any, ...]
"""The values of `_NAMES`."""


@dataclass(slots=True)
class _Profile:
    """How many finished sessions were alike, and what their model used."""

    count: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: int = 0
    unknown_tokens: int = 0
    unknown_cost: int = 0


class FileCount:
    """Takes the lines of a file in their order.

    `watched` are numbers of events that are known to be repeated: only the first of each counts,
    and none that `claimed` holds, because it stands in a file before.
    """

    def __init__(
        self,
        file: str,
        skill: str,
        span: Span,
        watched: frozenset[int] = frozenset(),
        claimed: frozenset[int] = frozenset(),
    ) -> None:
        self._file, self._skill, self._span = file, skill, span
        self._tally = Tally()
        self._book = FactsBook(watched, claimed)
        self._months: dict[str, str] = {}  # of each day that was met; "" for a day outside
        self._profiles: dict[str, dict[_Key, _Profile]] = {}
        self._profile_count = 0
        self._seconds: list[float] = []
        self._digits: Counter[str] = Counter()

    def take(self, lines: list[bytes], first: int) -> None:
        """Counts some lines; `first` is the number of the first of them in the file."""
        months, profiles, tally, skill = self._months, self._profiles, self._tally, self._skill
        fromisoformat, book, all_seconds = datetime.fromisoformat, self._book, self._seconds
        started, started_at, finished = book.started, book.started_at, book.finished
        watching = book.watches
        counted = 0
        for number, line in enumerate(lines, first):
            try:
                event = from_json(line)
                ts = event["ts"]
                moment = fromisoformat(ts)
                day = ts[:10]
                if len(ts) != 20 or ts[19] != "Z" or day not in months:
                    ts = as_utc(moment).strftime("%Y-%m-%dT%H:%M:%SZ")
                    day = self._meet(ts)
                month = months[day]
                if event["skill"] != skill:
                    name = name_of("skill", event["skill"])
                    if month:
                        tally.other_skills[name] += 1
                        counted += 1
                    continue
                if not month:
                    continue
                kind = event.get("event")
                if kind == "finished" or (kind is None and "decision" in event):
                    try:
                        key = _names_of(event)
                        session, seconds, calls, tokens_in, tokens_out, cost = _numbers_of(event)
                        _, _, _, _, _, confidence, questions, forced, breaker, escalate = key
                        profile = profiles[month][key]
                    except (KeyError, TypeError):  # a field that is not there, or a new profile
                        self._finished(event, month, ts)
                        counted += 1
                        continue
                    if (
                        # Equal keys may still differ in this: 1 == 1.0 == True.
                        type(confidence) is float
                        and type(questions) is int
                        and type(forced) is bool
                        and type(breaker) is bool
                        and type(escalate) is bool
                        and type(session) is str
                        and len(session) <= MAX_NAME
                        and type(seconds) is float
                        and 0.0 <= seconds <= MAX_AMOUNT
                        and type(calls) is int
                        and type(tokens_in) is int
                        and type(tokens_out) is int
                        and type(cost) is float
                        and 0 <= calls <= MAX_AMOUNT
                        and 0 <= tokens_in <= MAX_AMOUNT
                        and 0 <= tokens_out <= MAX_AMOUNT
                        and 0.0 <= cost <= MAX_AMOUNT
                        and not watching
                    ):
                        if calls or cost or tokens_in or tokens_out:
                            profile.calls += calls
                            profile.input_tokens += tokens_in
                            profile.output_tokens += tokens_out
                            profile.cost += round(cost * NANO)
                        profile.count += 1
                        finished.append(session)
                        all_seconds.append(seconds)
                    else:
                        self._finished(event, month, ts)
                elif kind in _OTHERS:
                    session = event.get("session")
                    if (
                        kind == "started"
                        and type(session) is str
                        and len(session) <= MAX_NAME
                        and not watching
                    ):
                        started.append(session)
                        started_at.append(ts)
                    else:
                        self._other(event, _OTHERS[kind], month, ts)
                else:
                    if kind is not None:
                        name_of("event", kind)
                    tally.unknown_events += 1
                counted += 1
            except BrokenLineError as error:
                tally.name_broken(self._file, number, error.reason)
                counted += 1
            except (ValueError, LookupError, TypeError, AttributeError, OverflowError):
                if not is_blank(line):
                    tally.name_broken(self._file, number, _reason(line))
                    counted += 1
        tally.lines += counted
        self._work_off()

    def counted(self) -> Tally:
        """The tally, after the last line."""
        self._settle()
        for digits, count in self._digits.items():
            self._tally.seconds[float(digits)] += count
        self._digits.clear()
        return self._tally

    def facts(self) -> tuple[FactsInMemory, frozenset[int]]:
        """The facts, and the numbers of events that stand more than once."""
        return self._book.facts()

    def days(self) -> tuple[str, str] | None:
        """The first and the last day on which something happened; None where nothing did."""
        return (min(self._months), max(self._months)) if self._months else None

    def _meet(self, ts: str) -> str:
        """The day of a moment, whose month is known from now on."""
        day = ts[:10]
        self._months.setdefault(day, day[:7] if self._span.holds(day) else "")
        return day

    def _work_off(self) -> None:
        """Counts what was put aside for many lines at once."""
        for month, count in Counter([at[:7] for at in self._book.started_at]).items():
            self._tally.events[month, "started"] += count
        self._book.work_off()
        self._tally.seconds_sum += sum([round(seconds * MICRO) for seconds in self._seconds])
        self._digits.update(["%.3g" % seconds for seconds in self._seconds])  # noqa: UP031
        self._seconds.clear()

    def _finished(self, event: dict[str, Any], month: str, ts: str) -> None:
        """A finished session whose line lacks a field, or is the first of its profile."""
        get = event.get
        step_of(get("confidence"))
        for name in ("forced", "breaker", "escalate"):
            flag_of(name, get(name))
        count_of("questions", get("questions"))
        seconds = amount_of("seconds", get("seconds"))
        calls = count_of("model_calls", get("model_calls"))
        tokens_in = count_of("input_tokens", get("input_tokens"))
        tokens_out = count_of("output_tokens", get("output_tokens"))
        cost = amount_of("cost_usd", get("cost_usd"))
        key = tuple(map(get, _NAMES))
        name_of("decision", key[0])
        for field, value in zip(_NAMES[1:5], key[1:5], strict=True):
            if value is not None:
                name_of(field, value)
        session = get("session")
        if session is not None:
            if self._book.is_repeated(name_of("session", session), "finished", ts):
                self._tally.repeated += 1
                return
            self._book.finished.append(session)
        profile = self._profile(month, key)
        profile.count += 1
        profile.calls += calls or 0
        profile.input_tokens += tokens_in or 0
        profile.output_tokens += tokens_out or 0
        profile.unknown_tokens += tokens_in is None or tokens_out is None
        profile.unknown_cost += cost is None
        profile.cost += round((cost or 0) * NANO)
        if seconds is not None:
            self._seconds.append(seconds)

    def _other(self, event: dict[str, Any], kind: Kind, month: str, ts: str) -> None:
        """A line without a decision."""
        session, moment, outcome = event.get("session"), ts, None
        if kind == "outcome":
            result, step = result_of(event.get("outcome")), step_of(event.get("confidence"))
            moment, outcome = f"{ts}\n{result}", packed(ts, step, result)
        if session is not None:
            if self._book.is_repeated(name_of("session", session), kind, moment):
                self._tally.repeated += 1
                return
            self._book.happened(session, kind, moment, outcome)
        elif outcome is not None:  # nothing can follow it: it stands for a session of its own
            self._tally.outcomes[unpacked(outcome)] += 1
        self._tally.events[month, kind] += 1

    def _profile(self, month: str, key: _Key) -> _Profile:
        if self._profile_count >= _MAX_PROFILES:
            self._settle()
        of_month = self._profiles.setdefault(month, {})
        if key not in of_month:
            self._profile_count += 1
        return of_month.setdefault(key, _Profile())

    def _settle(self) -> None:
        """Counts what the profiles hold, and empties them."""
        for month, profiles in self._profiles.items():
            for key, profile in profiles.items():
                _settle_one(self._tally, month, key, profile)
        self._profiles.clear()
        self._profile_count = 0


def _settle_one(tally: Tally, month: str, key: _Key, profile: _Profile) -> None:
    decision, mode, format_, model, exit_code, confidence, questions, *flags = key
    forced, breaker, escalate = flags
    count, step = profile.count, step_of(confidence)
    tally.events[month, "finished"] += count
    tally.decisions[month, decision] += count
    if mode is not None:
        tally.modes[month, mode] += count
    if format_ is not None:
        tally.formats[format_] += count
    if step is not None:
        tally.confidence[month, step] += count
    if questions is not None:
        tally.questions[questions] += count
    if escalate is None:
        escalate = decision.endswith("-escalate")
    deferred = exit_code == "deferred" or decision.endswith("-deferred")
    for name, holds in (
        ("forced", forced),
        ("breaker", breaker),
        ("escalated", escalate),
        ("deferred", deferred),
    ):
        if holds:
            tally.flags[name] += count
    if model is not None:
        usage = Usage(
            count,
            profile.calls,
            profile.input_tokens,
            profile.output_tokens,
            profile.cost,
            profile.unknown_tokens,
            profile.unknown_cost,
        )
        tally.models.setdefault(model, Usage()).add(usage)


def _reason(line: bytes) -> str:
    """Why a line that the loop could not take is broken."""
    try:
        event = object_of(line)
        if event.get("event") is not None:
            name_of("event", event["event"])
    except BrokenLineError as error:
        return error.reason
    return "not what a telemetry line looks like"
