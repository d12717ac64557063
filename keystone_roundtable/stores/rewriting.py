"""A file of lines rewritten while others may add to it: nothing that they write is lost."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from .errors import doing
from .files import locked_for_lines, remove_leftovers, sync_folder

_CHUNK_BYTES = 1 << 16

Rewrite = Callable[[int, int, BinaryIO], bool]
"""Gets a descriptor of the old file, how many of its bytes count, and the new file to write to.
False where the old one should stay."""


def rewrite(path: Path, write: Rewrite) -> bool:
    """Puts in the place of the file what `write` makes of it, in one step; False where it stays.

    Writers that take the file's lock (`append_line`) wait, and go on in the new file. What one
    that takes none adds meanwhile is carried over as it stands. Killed at any moment, the old file
    is there or the new one. Raises `StoreError`; a missing file is one.
    """
    real = path.resolve()  # a link stays a link
    with doing("rewrite", path), locked_for_lines(real, create=False) as descriptor:
        remove_leftovers(real.parent, real.name)
        temporary, name = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.", suffix=".tmp")
        try:
            with os.fdopen(temporary, "wb") as new:
                old = os.fstat(descriptor)
                if not write(descriptor, old.st_size, new):
                    Path(name).unlink()
                    return False
                carried = _carry_over(descriptor, old.st_size, new)
                os.fchmod(new.fileno(), stat.S_IMODE(old.st_mode))
                new.flush()
                os.fsync(new.fileno())
            Path(name).replace(real)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        sync_folder(real.parent)
        _carry_late_lines(descriptor, carried, real)
        return True


def _carry_over(descriptor: int, offset: int, new: BinaryIO) -> int:
    """Copies what the old file holds from `offset` on; gives where that ends."""
    while chunk := os.pread(descriptor, _CHUNK_BYTES, offset):
        new.write(chunk)
        offset += len(chunk)
    return offset


def _carry_late_lines(descriptor: int, offset: int, path: Path) -> None:
    """Adds to the new file what came to the old one until its name was gone."""
    if os.fstat(descriptor).st_size == offset:
        return
    with locked_for_lines(path, create=False) as new, os.fdopen(os.dup(new), "ab") as file:
        _carry_over(descriptor, offset, file)
        file.flush()
        os.fsync(file.fileno())
