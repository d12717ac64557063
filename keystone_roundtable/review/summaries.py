"""A file of events, summarised: what was counted in it, and of which bytes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .counting import FileCount
from .facts import Facts, FactsBook
from .files import Stamp, named, opened
from .lines import CHUNK_BYTES, whole_lines
from .span import EVERYTHING, Span
from .tally import Tally


@dataclass(frozen=True)
class Summary:
    """What a file holds for one skill; `days` are the first and the last on which it tells."""

    stamp: Stamp
    sha256: str
    days: tuple[str, str] | None
    tally: Tally
    facts: Facts


def summarise(path: Path, skill: str, span: Span = EVERYTHING) -> Summary:
    """Reads the file. Raises `OSError`."""
    with opened(path) as (descriptor, stamp):
        digest = hashlib.sha256()
        count = FileCount(named(path), skill, span)
        _take_all(count, descriptor, stamp.size, digest.update)
        facts, repeated = count.facts()
        days, tally = count.days(), count.counted()
        if repeated:
            again = FileCount(named(path), skill, span, FactsBook(watched=repeated))
            _take_all(again, descriptor, stamp.size)
            tally = again.counted()
        return Summary(stamp, digest.hexdigest(), days, tally, facts)


def recount(path: Path, size: int, skill: str, span: Span, claimed: frozenset[int]) -> Tally:
    """The tally of the first `size` bytes without the events of `claimed`. Raises `OSError`."""
    with opened(path) as (descriptor, _):
        count = FileCount(named(path), skill, span, FactsBook(claimed))
        _take_all(count, descriptor, size)
        _, repeated = count.facts()
        if repeated:
            count = FileCount(
                named(path), skill, span, FactsBook(claimed, watched=claimed | repeated)
            )
            _take_all(count, descriptor, size)
        return count.counted()


def _take_all(
    count: FileCount, descriptor: int, size: int, seen: Callable[[bytes], object] | None = None
) -> None:
    first = 1
    for lines in whole_lines(descriptor, size, seen):
        count.take(lines, first)
        first += len(lines)


def sha256_of(descriptor: int, size: int) -> str:
    """The hash of the first `size` bytes."""
    digest, offset = hashlib.sha256(), 0
    while offset < size and (chunk := os.pread(descriptor, CHUNK_BYTES, offset)):
        digest.update(chunk[: size - offset])
        offset += len(chunk)
    return digest.hexdigest()
