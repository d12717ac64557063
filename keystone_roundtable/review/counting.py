"""Counts the lines of one file: the loop through which every event goes.

A line may cost little more than its parsing, so what sessions have in common is looked up as one
profile, whose parts are checked when it is first met and counted one by one at the end.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic_core import from_json

from .facts import FactsBook, FactsInMemory, packed
from .fields import (
    BrokenLineError,
    amount_of,
    as_utc,
    count_of,
    flag_of,
    is_blank,
    name_of,
    object_of,
    step_of,
    three_digits,
)
from .span import Span
from .tally import MICRO, NANO, RESULTS, Kind, Tally, Usage

_MAX_PROFILES = 4096
"""Profiles held before they are counted: what strange lines can fill is bounded."""

_OTHERS: dict[str, Kind] = {
    "started": "started",
    "paused": "paused",
    "redirected": "redirected",
    "outcome": "outcome",
}

_Key = tuple[str, Any, Any, Any, Any, Any, int | None, int | None, bool, bool, bool | None]


@dataclass(slots=True)
class _Profile:
    """How many finished sessions were alike, and what their model used."""

    count: int = 0
    usage: Usage = field(default_factory=Usage)


class FileCount:
    """Takes the lines of a file in their order.

    `watched` and `claimed` are as in `FactsBook`: what is known to be repeated.
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
        self._profiles: dict[_Key, _Profile] = {}
        self._seconds: Counter[float] = Counter()

    def take(self, lines: list[bytes], first: int) -> None:
        """Counts some lines; `first` is the number of the first of them in the file."""
        months, tally, skill = self._months, self._tally, self._skill
        fromisoformat = datetime.fromisoformat
        counted = 0
        for number, line in enumerate(lines, first):
            try:
                event = from_json(line)
                ts = event["ts"]
                moment = fromisoformat(ts)
                if len(ts) != 20 or ts[19] != "Z" or ts[:10] not in months:
                    moment = as_utc(moment)
                    ts = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
                    self._meet(ts[:10])
                month = months[ts[:10]]
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
                    self._finished(event, month, ts)
                elif kind in _OTHERS:
                    self._other(event, _OTHERS[kind], month, ts, moment)
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

    def counted(self) -> Tally:
        """The tally, after the last line."""
        self._settle()
        self._tally.seconds.update(self._seconds)
        self._seconds.clear()
        return self._tally

    def facts(self) -> tuple[FactsInMemory, frozenset[int]]:
        """The facts, and the numbers of events that stand more than once."""
        return self._book.facts()

    def days(self) -> tuple[str, str] | None:
        """The first and the last day on which something happened; None where nothing did."""
        return (min(self._months), max(self._months)) if self._months else None

    def _meet(self, day: str) -> None:
        self._months.setdefault(day, day[:7] if self._span.holds(day) else "")

    def _finished(self, event: dict[str, Any], month: str, ts: str) -> None:
        get = event.get
        step = get("confidence")
        if type(step) is float and 0.0 <= step <= 1.0:
            step = int(step * 10_000 + 0.5)
        else:
            step = step_of(step)
        forced, breaker, escalate = get("forced"), get("breaker"), get("escalate")
        if forced is not True and forced is not False:
            forced = flag_of("forced", forced)
        if breaker is not True and breaker is not False:
            breaker = flag_of("breaker", breaker)
        if escalate is not True and escalate is not False and escalate is not None:
            flag_of("escalate", escalate)
        questions = get("questions")
        if type(questions) is not int or not 0 <= questions < 1000:
            questions = count_of("questions", questions)
        key = (
            month,
            get("decision"),
            get("mode"),
            get("format"),
            get("model"),
            get("exit_code"),
            step,
            questions,
            forced,
            breaker,
            escalate,
        )
        try:
            profile = self._profiles[key]
        except (KeyError, TypeError):  # not met yet, or a list or an object among the names
            profile = self._new_profile(key)
        seconds = get("seconds")
        if type(seconds) is not float or not 0.0 <= seconds < 1e12:
            seconds = amount_of("seconds", seconds)
        calls, cost = get("model_calls"), get("cost_usd")
        tokens_in, tokens_out = get("input_tokens"), get("output_tokens")
        used = calls != 0 or tokens_in != 0 or tokens_out != 0 or cost != 0
        if used or any(n is False for n in (calls, tokens_in, tokens_out, cost)):
            calls = count_of("model_calls", calls)
            tokens_in = count_of("input_tokens", tokens_in)
            tokens_out = count_of("output_tokens", tokens_out)
            cost = amount_of("cost_usd", cost)
        session = get("session")
        if session is not None:
            number = self._book.happened(name_of("session", session), "finished", ts)
            if number is None:
                self._tally.repeated += 1
                return
            self._book.ended(number)
        profile.count += 1
        if seconds is not None:
            self._tally.seconds_sum += round(seconds * MICRO)
            self._seconds[three_digits(seconds)] += 1
        if used:
            usage = profile.usage
            usage.calls += calls or 0
            usage.input_tokens += tokens_in or 0
            usage.output_tokens += tokens_out or 0
            usage.unknown_tokens += tokens_in is None or tokens_out is None
            usage.unknown_cost += cost is None
            usage.cost += round((cost or 0) * NANO)

    def _other(
        self, event: dict[str, Any], kind: Kind, month: str, ts: str, moment: datetime
    ) -> None:
        """A line without a decision."""
        at = int(moment.timestamp())
        session, result, step = event.get("session"), None, None
        if kind == "outcome":
            named = name_of("outcome", event.get("outcome"))
            if named not in RESULTS:
                raise BrokenLineError(f"outcome is none of {', '.join(RESULTS)}")
            result = RESULTS[RESULTS.index(named)]
            step = step_of(event.get("confidence"))
        if session is not None:
            told_apart = ts if result is None else f"{ts}\n{result}"
            number = self._book.happened(name_of("session", session), kind, told_apart)
            if number is None:
                self._tally.repeated += 1
                return
            if result is not None:
                self._book.outcome(number, packed(at, step, result))
            elif kind == "started":
                self._book.started(number, at)
            elif kind == "paused":
                self._book.paused(number, at)
            else:
                self._book.ended(number)
        elif result is not None:  # nothing can follow it: it stands for a session of its own
            self._tally.outcomes[-1 if step is None else step, result] += 1
        self._tally.events[month, kind] += 1

    def _new_profile(self, key: _Key) -> _Profile:
        """A profile that was not met yet. Raises `BrokenLineError` for a name that is none."""
        _, decision, *names, _, _, _, _, _ = key
        name_of("decision", decision)
        for field_name, name in zip(("mode", "format", "model", "exit_code"), names, strict=True):
            if name is not None:
                name_of(field_name, name)
        if len(self._profiles) >= _MAX_PROFILES:
            self._settle()
        profile = self._profiles[key] = _Profile()
        return profile

    def _settle(self) -> None:
        """Counts what the profiles hold, and empties them."""
        tally = self._tally
        for key, profile in self._profiles.items():
            month, decision, mode, format_, model, exit_code, step, questions, *flags = key
            count = profile.count
            if not count:
                continue
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
            forced, breaker, escalate = flags
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
                profile.usage.sessions = count
                tally.models.setdefault(model, Usage()).add(profile.usage)
        self._profiles.clear()


def _reason(line: bytes) -> str:
    """Why a line that the loop could not take is broken."""
    try:
        object_of(line)
    except BrokenLineError as error:
        return error.reason
    return "not what a telemetry line looks like"
