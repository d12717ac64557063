"""From which day to which: the bounds of a review, both included, UTC."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date

from ..core.errors import UsageError

_MONTH = re.compile(r"([0-9]{4})-([0-9]{2})")
_MONTH_FILE = re.compile(r"([0-9]{4}-[0-9]{2})\.jsonl")


@dataclass(frozen=True)
class Span:
    """Days as `YYYY-MM-DD`; None leaves that side open."""

    since: str | None = None
    until: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether everything lies within."""
        return self.since is None and self.until is None

    def holds(self, day: str) -> bool:
        return (self.since is None or self.since <= day) and (
            self.until is None or day <= self.until
        )

    def holds_all(self, first: str, last: str) -> bool:
        return self.holds(first) and self.holds(last)

    def misses_all(self, first: str, last: str) -> bool:
        return (self.since is not None and last < self.since) or (
            self.until is not None and self.until < first
        )

    def misses_file(self, name: str) -> bool:
        """Whether the file's name is a month that lies outside: its broken lines do not count."""
        month = _MONTH_FILE.fullmatch(name)
        return month is not None and self.misses_all(f"{month[1]}-01", f"{month[1]}-31")


EVERYTHING = Span()


def make_span(since: str | None, until: str | None) -> Span:
    """Bounds as they are typed: a month or a day. Raises `UsageError`."""
    first = None if since is None else _day(since, "--since", last=False)
    final = None if until is None else _day(until, "--until", last=True)
    if first is not None and final is not None and final < first:
        raise UsageError(f"--until {until} lies before --since {since}", "Swap them")
    return Span(first, final)


def _day(typed: str, flag: str, *, last: bool) -> str:
    try:
        if month := _MONTH.fullmatch(typed):
            year, number = int(month[1]), int(month[2])
            return date(
                year, number, calendar.monthrange(year, number)[1] if last else 1
            ).isoformat()
        if len(typed) == len("YYYY-MM-DD"):
            return date.fromisoformat(typed).isoformat()
    except ValueError:  # calendar's own error for a month is one too
        pass
    raise UsageError(
        f"{flag} {typed}: no month or day", "Write it like 2026-09 or 2026-09-30 (UTC)"
    )
