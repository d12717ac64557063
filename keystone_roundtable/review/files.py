"""The files of events of a project, and by what one is known again."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..stores.telemetry import Telemetry

_SETTLED_NS = 2 * 10**9
"""A file that changed less than this before it was read may change again with the same times: the
clock of a file system ticks in steps, of up to two seconds."""


@dataclass(frozen=True)
class Stamp:
    """How a file looked; `read_at_ns` is when reading it began."""

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


def event_files(root: Path) -> list[Path]:
    """The project's files of events, in the order of their names; none where there is no folder.

    Raises `OSError` where the folder cannot be looked into.
    """
    try:
        found = list(Telemetry(root).folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(path for path in found if path.suffix == ".jsonl")


@contextmanager
def opened(path: Path) -> Iterator[tuple[int, Stamp]]:
    """A descriptor for reading, and the stamp. Raises `OSError`, also where it is no file."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(0, "it is no file", str(path))
        times = found.st_mtime_ns, found.st_ctime_ns
        yield descriptor, Stamp(found.st_size, *times, found.st_ino, time.time_ns())
    finally:
        os.close(descriptor)


def named(path: Path) -> str:
    """The path as a text that JSON can hold: bytes that are no UTF-8 are escaped."""
    return str(path).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def unreadable(error: OSError) -> str:
    """Why a file or folder could not be read."""
    return f"cannot be read: {error.strerror or error}"
