"""The folders that a run's seats work in: outside of everything else, and gone afterwards."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock

from ..core.engine_entries import EVIDENCE
from .clearing import clear
from .evidence import copy_evidence

PREFIX = "keystone-seats-"
_LOCK = "lock"
_HELD = (errno.EAGAIN, errno.EACCES)
_TRIES = 10  # a sweep may take away a folder that is not locked yet
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Workspace:
    """One owner-only folder for a run, with one for each invocation in it.

    It holds a lock for as long as its process lives. The next run takes away those of the same user
    whose lock nobody holds: what a killed one left.
    """

    def __init__(self) -> None:
        self._held: tuple[Path, int, int] | None = None  # the folder, itself and its lock open
        self._guard = Lock()

    def make(
        self,
        files: Mapping[str, str],
        evidence: Sequence[str] = (),
        sealed: Sequence[Path] = (),
        is_over: Callable[[], bool] = lambda: False,
    ) -> Path:
        """A new folder for one invocation, by the path that no link is part of. Blocks.

        Raises `OSError`, `EvidenceGoneError` and `TooMuchEvidenceError`; `close` or `clear` takes
        away what it came to by then.
        """
        folder = Path(tempfile.mkdtemp(prefix="seat-", dir=self._opened()))
        for name, content in files.items():
            target = folder / name
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            target.write_text(content, encoding="utf-8")
        copy_evidence(evidence, folder / EVIDENCE, sealed, is_over)
        return folder

    def clear(self, folder: Path) -> None:
        """Takes one of its folders away. Blocks; raises nothing."""
        with self._guard:
            if self._held is not None:
                clear(self._held[1], folder.name)

    def close(self) -> None:
        """Takes away all that is left. Blocks; raises nothing; it can be used again."""
        with self._guard:
            held, self._held = self._held, None
        if held is not None:
            _take_away(*held)

    def _opened(self) -> Path:
        with self._guard:
            if self._held is None:
                parent = Path(tempfile.gettempdir()).resolve()
                sweep(parent)
                self._held = _locked_folder(parent)
            return self._held[0]


def sweep(parent: Path) -> int:
    """Takes away the folders that killed runs of this user left here; gives how many."""
    taken = 0
    with suppress(OSError):
        taken = sum(_swept(one) for one in parent.iterdir() if one.name.startswith(PREFIX))
    return taken


def _swept(path: Path) -> bool:
    try:
        folder = os.open(path, _FOLDER)
    except OSError:
        return False
    lock = None
    try:
        if os.fstat(folder).st_uid != os.getuid():
            return False
        lock = _lock_in(folder, os.O_RDWR)
    except FileNotFoundError:
        with suppress(OSError):  # of a run that was killed as it began, or that begins now
            path.rmdir()
        return False
    except OSError:  # somebody holds it
        return False
    finally:
        if lock is None:
            os.close(folder)
    _take_away(path, folder, lock)
    return True


def _locked_folder(parent: Path) -> tuple[Path, int, int]:
    for _ in range(_TRIES):
        path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        with suppress(OSError):
            folder = os.open(path, _FOLDER)
            try:
                return path, folder, _lock_in(folder, os.O_RDWR | os.O_CREAT)
            except OSError:
                os.close(folder)
    raise OSError(errno.EBUSY, f"no folder can be made in {parent}")


def _lock_in(folder: int, how: int) -> int:
    """The folder's lock, held and still there. Raises `OSError`."""
    lock = os.open(_LOCK, how | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder)
    try:
        held = os.fstat(lock)
        if not stat.S_ISREG(held.st_mode):
            raise OSError(errno.EINVAL, "no lock")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in _HELD or not how & os.O_CREAT:
                raise
            # This file system knows no locks: nobody gets this one, and so nobody takes it away.
        there = os.stat(_LOCK, dir_fd=folder, follow_symlinks=False)
        if not os.path.samestat(there, held):
            raise OSError(errno.ESTALE, "another lock lies there now")
    except OSError:
        os.close(lock)
        raise
    return lock


def _take_away(path: Path, folder: int, lock: int) -> None:
    """The lock goes last: as long as anything is left, the next run finds it."""
    try:
        with suppress(OSError):
            os.fchmod(folder, 0o700)
            for name in _names(folder) - {_LOCK}:
                clear(folder, name)
            if _names(folder) == {_LOCK}:
                os.unlink(_LOCK, dir_fd=folder)
            path.rmdir()
    finally:
        os.close(lock)
        os.close(folder)


def _names(folder: int) -> set[str]:
    return {entry.name for entry in os.scandir(folder)}
