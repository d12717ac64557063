"""Finished sessions summed up, one by one or many at a time.

What sessions have in common is counted as one profile, and taken apart when there are many: a line
costs less than ten counters would.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from .fields import step_of
from .tally import MICRO, NANO, Tally, Usage

_MAX_PROFILES = 4096
"""Profiles held before they are taken apart: what strange lines can fill is bounded."""


class Finished(NamedTuple):
    """What is counted of a finished session; None where it is not told."""

    decision: str
    mode: str | None
    format: str | None
    model: str | None
    confidence: float | None
    escalate: bool | None
    questions: int | None
    forced: bool | None
    breaker: bool | None
    session: str | None
    seconds: float | None
    model_calls: int | None
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None


class Sums:
    """What becomes part of `tally` with `settle`."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._profiles: Counter[tuple[Any, ...]] = Counter()
        """By month, decision, mode, format, model, confidence, and whether it escalated."""
        self._questions: Counter[int | None] = Counter()
        self._digits: Counter[str] = Counter()

    def add(self, months: Iterable[str], columns: Sequence[Sequence[Any]]) -> None:
        """Counts sessions, given by the month of each and a column for each field of `Finished`."""
        _, _, _, names, _, _, questions, forced, breaker, _, told, *used = columns
        self._profiles.update(zip(months, *columns[:6], strict=True))
        self._questions.update(questions)
        self._tally.flags["forced"] += forced.count(True)
        self._tally.flags["breaker"] += breaker.count(True)
        seconds = [each for each in told if each is not None]
        self._tally.seconds_sum += sum([round(each * MICRO) for each in seconds])
        self._digits.update(map("%.3g".__mod__, seconds))
        models = self._tally.models
        for model, calls, tokens_in, tokens_out, cost in zip(names, *used, strict=True):
            if calls == tokens_in == tokens_out == cost == 0 or model is None:
                continue
            usage = models.get(model) or models.setdefault(model, Usage())
            usage.calls += calls or 0
            if tokens_in is None or tokens_out is None:
                usage.unknown_tokens += 1
            usage.input_tokens += tokens_in or 0
            usage.output_tokens += tokens_out or 0
            if cost is None:
                usage.unknown_cost += 1
            else:
                usage.cost += round(cost * NANO)
        if len(self._profiles) > _MAX_PROFILES:
            self._take_apart()

    def settle(self) -> None:
        self._take_apart()
        for questions, count in self._questions.items():
            if questions is not None:
                self._tally.questions[questions] += count
        for digits, count in self._digits.items():
            self._tally.seconds[float(digits)] += count
        self._questions.clear()
        self._digits.clear()

    def _take_apart(self) -> None:
        tally = self._tally
        for profile, count in self._profiles.items():
            month, decision, mode, format_, model, confidence, escalate = profile
            tally.events[month, "finished"] += count
            tally.decisions[month, decision] += count
            if mode is not None:
                tally.modes[month, mode] += count
            if format_ is not None:
                tally.formats[format_] += count
            if model is not None:
                tally.models.setdefault(model, Usage()).sessions += count
            if (step := step_of(confidence)) is not None:
                tally.confidence[month, step] += count
            if decision.endswith("escalate") if escalate is None else escalate:
                tally.flags["escalated"] += count
            if decision.endswith("deferred"):
                tally.flags["deferred"] += count
        self._profiles.clear()
