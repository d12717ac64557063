"""Files opened for what they hold: never a pipe, which might keep one waiting for ever."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from .errors import IrregularFileError

PRIVATE_FILE = 0o600


def open_ordinary(path: Path, flags: int = os.O_RDONLY) -> int:
    """A descriptor of the ordinary file at `path`; one that is made is its owner's alone.

    Never waits. Raises `IrregularFileError` for a pipe, a device or a socket, and any `OSError`.
    """
    try:
        descriptor = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC, PRIVATE_FILE)
    except OSError as error:
        if error.errno in (errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP):
            raise IrregularFileError from error
        raise
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISREG(kind):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise IrregularFileError


def opened(path: Path) -> BinaryIO:
    """The ordinary file, open for reading. Raises as `open_ordinary` does."""
    return os.fdopen(open_ordinary(path), "rb")


def read_ordinary(path: Path) -> bytes:
    """What the ordinary file holds. Raises as `open_ordinary` does."""
    with opened(path) as file:
        return file.read()
