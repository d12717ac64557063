"""Reads the telemetry of one or many projects and gives the review."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.telemetry import SKILL
from ..stores.telemetry import Telemetry
from .across import look_across
from .cache import ChangedCacheError, SummaryCache
from .files import event_files, named, unreadable
from .span import EVERYTHING, Span
from .summaries import Summary, recount, summarise
from .tally import Tally, total

if TYPE_CHECKING:
    from .figures import Review


@dataclass(frozen=True)
class Wanted:
    """What is to be reviewed. `roots` are project folders."""

    roots: Sequence[Path]
    span: Span = EVERYTHING
    skill: str = SKILL


@dataclass
class _Read:
    """One file that counts, what was counted in it within the span, and its project's cache."""

    path: Path
    whole: Summary
    within: Summary
    cache: SummaryCache | None

    @property
    def is_whole(self) -> bool:
        return self.within is self.whole

    def tally_without(self, claimed: frozenset[int], wanted: Wanted) -> Tally:
        if self.is_whole and self.cache is not None:
            return self.cache.tally_without(self.path, self.whole, claimed)
        span = EVERYTHING if self.is_whole else wanted.span
        return recount(self.path, self.within.stamp.size, wanted.skill, span, claimed)


def review(wanted: Wanted, now: datetime) -> Review:
    """The review as of `now`, or of the end of the span where that is earlier."""
    try:
        return _review(wanted, now, cached=True)
    except ChangedCacheError:  # another review has just summarised a file anew
        return _review(wanted, now, cached=False)


def _review(wanted: Wanted, now: datetime, *, cached: bool) -> Review:
    roots = _apart(wanted.roots)
    rest = Tally()
    files: list[_Read] = []
    copies = _Copies()
    for root in roots:
        cache = SummaryCache(root, wanted.skill) if cached else None
        for path in _event_files(root, rest):
            try:
                summary = cache.summary(path) if cache else summarise(path, wanted.skill)
                if not copies.is_one(root, summary):
                    within = _within(path, summary, wanted)
                    files += [_Read(path, summary, within, cache)] if within else []
            except OSError as error:
                rest.name_broken(named(path), 0, unreadable(error))
    across = look_across([file.within.facts for file in files], _as_of(wanted.span, now))
    tallies = [file.within.tally for file in files]
    for number, claimed in across.repeated.items():
        tallies[number] = files[number].tally_without(frozenset(claimed), wanted)
    for file, tally in zip(files, tallies, strict=True):
        if wanted.span.misses_file(file.path.name):
            tally.forget_broken()
    # While files are read the memory is better used than for pydantic.
    from .reporting import Scope, Sessions, make_review

    scope = Scope(
        roots=tuple(map(named, roots)),
        since=wanted.span.since,
        until=wanted.span.until,
        skill=wanted.skill,
        copied_files=copies.count,
    )
    return make_review(total([*tallies, rest]), Sessions(across.abandoned, across.outcomes), scope)


def _event_files(root: Path, rest: Tally) -> list[Path]:
    try:
        return event_files(root)
    except OSError as error:
        rest.name_broken(named(Telemetry(root).folder), 0, unreadable(error))
        return []


def _within(path: Path, whole: Summary, wanted: Wanted) -> Summary | None:
    """What counts of the file: all of it, what lies within the span, or nothing."""
    span, days = wanted.span, whole.days
    if days is None or span.holds_all(*days):
        return whole
    if span.misses_all(*days) and span.misses_file(path.name):
        return None
    return summarise(path, wanted.skill, span)


def _apart(roots: Sequence[Path]) -> list[Path]:
    """Each folder once, however it was named."""
    return list(dict.fromkeys(root.resolve() for root in roots))


class _Copies:
    """Tells files that hold what a file of another project holds too."""

    def __init__(self) -> None:
        self._roots: dict[tuple[int, str], Path] = {}
        self.count = 0

    def is_one(self, root: Path, summary: Summary) -> bool:
        size = summary.stamp.size
        first = self._roots.setdefault((size, summary.sha256), root)
        copied = size > 0 and first != root
        self.count += copied
        return copied


def _as_of(span: Span, now: datetime) -> int:
    """The moment from which silence is counted back, in epoch seconds."""
    at = int(now.timestamp())
    if span.until is None:
        return at
    after = date.fromisoformat(span.until) + timedelta(days=1)
    return min(at, int(datetime.combine(after, time(), UTC).timestamp()))
