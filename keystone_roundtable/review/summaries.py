"""A file of events, summarised: what was counted in it, and of which bytes."""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .counting import FileCount
from .facts import Facts
from .lines import CHUNK_BYTES, whole_lines
from .span import EVERYTHING, Span
from .tally import Tally

_SETTLED_NS = 2 * 10**9
"""A file that changed less than this before it was read may change again with the same times: the
clock of a file system ticks in steps, of up to two seconds."""


@dataclass(frozen=True)
class Stamp:
    """By what a file is known again. `read_at_ns` is when reading it began."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    read_at_ns: int

    def is_sure_of(self, now: Stamp) -> bool:
        """Whether a file that looks like `now` holds the bytes that were read.

        The change time is set by the system alone, so that nothing is written without moving it.
        """
        same = (self.size, self.mtime_ns, self.ctime_ns, self.inode) == (
            now.size,
            now.mtime_ns,
            now.ctime_ns,
            now.inode,
        )
        return same and max(self.mtime_ns, self.ctime_ns) + _SETTLED_NS < self.read_at_ns


@dataclass(frozen=True)
class Summary:
    """What a file holds for one skill; `days` are the first and the last on which it tells."""

    stamp: Stamp
    sha256: str
    days: tuple[str, str] | None
    tally: Tally
    facts: Facts


@contextmanager
def opened(path: Path) -> Iterator[tuple[int, Stamp]]:
    """A descriptor for reading, and the stamp. Raises `OSError`, also where it is no file."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(0, "not a file", str(path))
        yield (
            descriptor,
            Stamp(
                found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, time.time_ns()
            ),
        )
    finally:
        os.close(descriptor)


def summarise(path: Path, skill: str, span: Span = EVERYTHING) -> Summary:
    """Reads the file. Raises `OSError`."""
    with opened(path) as (descriptor, stamp):
        digest = hashlib.sha256()
        count = FileCount(str(path), skill, span)
        _take_all(count, descriptor, stamp.size, digest.update)
        facts, repeated = count.facts()
        if repeated:
            again = FileCount(str(path), skill, span, watched=repeated)
            _take_all(again, descriptor, stamp.size, lambda chunk: None)
            return Summary(stamp, digest.hexdigest(), count.days(), again.counted(), facts)
        return Summary(stamp, digest.hexdigest(), count.days(), count.counted(), facts)


def recount(path: Path, size: int, skill: str, span: Span, claimed: frozenset[int]) -> Tally:
    """The tally of the first `size` bytes without the events of `claimed`. Raises `OSError`."""
    with opened(path) as (descriptor, _):
        count = FileCount(str(path), skill, span)
        _take_all(count, descriptor, size, lambda chunk: None)
        _, repeated = count.facts()
        again = FileCount(str(path), skill, span, watched=repeated | claimed, claimed=claimed)
        _take_all(again, descriptor, size, lambda chunk: None)
        return again.counted()


def _take_all(
    count: FileCount, descriptor: int, size: int, seen: Callable[[bytes], object]
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
