"""Files that are written whole or not at all, on disk when the call returns."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .errors import doing
from .ordinary import PRIVATE_FILE as PRIVATE_FILE
from .ordinary import open_ordinary, read_ordinary

PRIVATE_FOLDER = 0o700

_APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT


def make_private_dir(path: Path) -> None:
    """Makes the folder and its missing parents, owner-only; one that exists is left as it is."""
    with doing("make folder", path):
        if path.is_dir():
            return
    make_private_dir(path.parent)
    with doing("make folder", path):
        try:
            path.mkdir(PRIVATE_FOLDER)
        except FileExistsError:
            if not path.is_dir():  # another process may have made it just now
                raise
        else:
            sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Returns when the folder's entries are on disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_bytes(path: Path) -> bytes | None:
    """What the file holds; None where there is none."""
    with doing("read", path):
        try:
            return read_ordinary(path)
        except FileNotFoundError:
            return None


def atomic_write(
    path: Path, content: bytes | bytearray | str, mode: int = PRIVATE_FILE, *, durable: bool = True
) -> None:
    """Puts `content` (text as UTF-8) at `path` in one step: readers see the old file or the new.

    The folder must exist. `durable` returns only when the new file is on disk; without it a crash
    of the machine may leave a damaged one. On failure the old one stands and nothing else is left
    behind.
    """
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    with doing("write", path):
        temporary = _write_beside(path, data, mode, durable)
        try:
            temporary.replace(path)
        except BaseException:
            temporary.unlink()
            raise
        if durable:
            sync_folder(path.parent)


def write_new(path: Path, content: str, mode: int = PRIVATE_FILE) -> None:
    """Puts `content` as UTF-8 at `path`, where nothing may be yet.

    Raises `StoreError`, also for a file that is there; nothing is left behind then.
    """
    with doing("write", path):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content.encode("utf-8", "backslashreplace"))
                file.flush()
                os.fsync(descriptor)
        except BaseException:
            path.unlink(missing_ok=True)
            raise


def _write_beside(path: Path, data: bytes | bytearray, mode: int, durable: bool) -> Path:
    """A temporary file next to `path` that holds `data`."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, mode)
            file.write(data)
            file.flush()
            if durable:
                os.fsync(descriptor)
    except BaseException:
        Path(name).unlink()
        raise
    return Path(name)


def remove_leftovers(folder: Path, name: str = "*") -> None:
    """Takes away the temporary files that killed writers left of `name`, by default of any file.

    The caller holds the lock under which the files are written.
    """
    with doing("clear", folder):
        for leftover in folder.glob(f".{name}.*.tmp"):
            leftover.unlink(missing_ok=True)


def append_line(path: Path, line: bytes, *, durable: bool = False) -> None:
    """Adds `line` (without its newline) as a whole line, also beside other writers.

    The folder must exist. `durable` returns only when the line is on disk. On failure the file is
    as before.
    """
    with doing("write to", path), locked_for_lines(path) as descriptor:
        if durable and os.fstat(descriptor).st_size == 0:
            sync_folder(path.parent)
        write_line(descriptor, line, durable=durable)


@contextmanager
def locked_for_lines(path: Path, *, create: bool = True) -> Iterator[int]:
    """A descriptor of the file, open for appending and locked; waits for the lock.

    It is the file that has the name: one that was put in its place while waiting is opened anew.
    Raises `OSError`.
    """
    flags = _APPEND if create else _APPEND & ~os.O_CREAT
    while True:
        descriptor = open_ordinary(path, flags)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if _is_still_at(path, descriptor):
                yield descriptor
                return
        finally:
            os.close(descriptor)


def _is_still_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def write_line(descriptor: int, line: bytes, *, durable: bool) -> None:
    """Adds one line to a file open for appending and locked by the caller.

    An unterminated line before it is ended first. Raises `OSError`, the file then being as before.
    """
    if b"\n" in line:
        raise ValueError("a line holds no newline")
    size = os.fstat(descriptor).st_size
    unterminated = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
    data = (b"\n" if unterminated else b"") + line + b"\n"
    try:
        _write_whole(descriptor, data)
        if durable:
            os.fsync(descriptor)
    except OSError:
        with suppress(OSError):  # the first error is the one to tell
            os.ftruncate(descriptor, size)
        raise


def _write_whole(descriptor: int, data: bytes) -> None:
    """Writes with one call, so that no other writer's bytes come in between.

    A short write means that the disk is full or a limit reached; writing the rest says which.
    """
    written = os.write(descriptor, data)
    while written < len(data):
        written += os.write(descriptor, data[written:])


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds the lock of the file at `path`, kept in `<name>.lock` beside it; waits for it."""
    beside = path.with_name(path.name + ".lock")
    with doing("lock", beside):
        descriptor = open_ordinary(beside, os.O_RDWR | os.O_CREAT)
    try:
        with doing("lock", beside):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
