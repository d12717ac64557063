"""Finished sessions that were alike, counted as one: what their lines say but for the numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .fields import step_of
from .tally import Tally, Usage

_MAX_PROFILES = 4096
"""Profiles held before they are counted: what strange lines can fill is bounded."""

Key = tuple[Any, ...]
"""Decision, mode, format, model, confidence, and whether it escalated; all but the decision may be
None."""

Course = tuple[int | None, bool | None, bool | None]
"""How many questions were asked, and whether the end was forced, and by the breaker."""


@dataclass(slots=True)
class Profile:
    """How many finished sessions were alike, and what their model used."""

    count: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: int = 0
    unknown_tokens: int = 0
    unknown_cost: int = 0


class Profiles:
    """The profiles of one file by month, counted into `tally` in the end."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._count = 0
        self.by_month: dict[str, dict[Key, Profile]] = {}
        self.courses: dict[Course, int] = {}

    def new(self, month: str, key: Key) -> Profile:
        """A profile that was not met before, or not since the last were counted."""
        if self._count >= _MAX_PROFILES:
            self.settle()
        self._count += 1
        return self.by_month.setdefault(month, {}).setdefault(key, Profile())

    def settle(self) -> None:
        """Counts what the profiles hold, and empties them."""
        for month, profiles in self.by_month.items():
            for key, profile in profiles.items():
                if profile.count:
                    _settle_one(self._tally, month, key, profile)
            profiles.clear()
        self._count = 0
        for (questions, forced, breaker), count in self.courses.items():
            if questions is not None:
                self._tally.questions[questions] += count
            if forced:
                self._tally.flags["forced"] += count
            if breaker:
                self._tally.flags["breaker"] += count
        self.courses.clear()


def _settle_one(tally: Tally, month: str, key: Key, profile: Profile) -> None:
    decision, mode, format_, model, confidence, escalate = key
    count, step = profile.count, step_of(confidence)
    tally.events[month, "finished"] += count
    tally.decisions[month, decision] += count
    if mode is not None:
        tally.modes[month, mode] += count
    if format_ is not None:
        tally.formats[format_] += count
    if step is not None:
        tally.confidence[month, step] += count
    if decision.endswith("escalate") if escalate is None else escalate:
        tally.flags["escalated"] += count
    if decision.endswith("deferred"):
        tally.flags["deferred"] += count
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
