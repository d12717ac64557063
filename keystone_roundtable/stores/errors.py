"""What can go wrong on disk: the stores' branch of the expected errors."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..core.errors import KeystoneError, UnsupportedSchemaError

_OTHER_ROOT = "choose another folder with --root"

_HINTS = {
    errno.ENOSPC: "Free some disk space",
    errno.EDQUOT: "Free some of your disk quota",
    errno.EFBIG: "Raise the limit on file sizes",
    errno.EROFS: f"The file system is read-only: {_OTHER_ROOT}",
    errno.EACCES: f"Check its owner and permissions, or {_OTHER_ROOT}",
    errno.EPERM: f"Check its owner and permissions, or {_OTHER_ROOT}",
    errno.ENOTDIR: f"A file stands where a folder is needed: move it away, or {_OTHER_ROOT}",
    errno.EEXIST: f"A file stands where a folder is needed: move it away, or {_OTHER_ROOT}",
    errno.EISDIR: f"A folder stands where a file is needed: move it away, or {_OTHER_ROOT}",
    errno.ENOENT: f"Check that the folder is still there, or {_OTHER_ROOT}",
}


class IrregularFileError(OSError):
    """What stands there is a pipe, a device or a socket: reading it might wait for ever."""

    def __init__(self) -> None:
        super().__init__("it is no ordinary file")


class StoreError(KeystoneError):
    """Something could not be read from disk or written to it."""

    @classmethod
    def of(cls, deed: str, path: Path, error: OSError) -> StoreError:
        """The error in one line: what was tried, where, the system's reason, what to do."""
        reason = os.strerror(error.errno) if error.errno else str(error)
        hint = _HINTS.get(error.errno or 0, "")
        if isinstance(error, IrregularFileError):
            hint = "Move it away"
        return cls(f"cannot {deed} {path}: {reason}", hint)


class CorruptStateError(StoreError):
    """The state file holds something else than one JSON object; it was left untouched."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"{path} {reason}; it was left untouched",
            "Repair it, or move it away",
        )
        self.path = path


class CorruptLogError(StoreError):
    """A line of a session's log, not the last one, is no event."""

    def __init__(self, path: Path, line: int, reason: str) -> None:
        super().__init__(
            f"{path}, line {line}: {reason}; the log was left untouched",
            "Repair or remove that line to read the session again",
        )
        self.path = path
        self.line = line


class NewerLogError(UnsupportedSchemaError):
    """A session's log was written by a newer version than this one."""

    def __init__(self, path: Path, found: int, supported: int) -> None:
        super().__init__(
            f"{path} has schema version {found}; this version reads up to {supported}",
            "Upgrade keystone-roundtable to read it",
        )
        self.found = found
        self.supported = supported


class UnknownSessionError(StoreError):
    """No session has this id, or nothing at all in the project that is named."""

    def __init__(self, session_id: str, root: Path | None = None) -> None:
        hint = "`keystone-roundtable list` shows the ids"
        told, where = "session", ""
        if root is not None:
            told, where = "session, table or room", f" in {root}"
            hint += ", `table list` and `room list` those of the others"
            hint += "; one of another project needs its --root DIR"
        super().__init__(f"there is no {told} {session_id!a}{where}", hint)
        self.session_id = session_id


_CANDIDATES_SHOWN = 10


class AmbiguousIdError(StoreError):
    """Several begin so; `what` they are is a plural, such as "sessions"."""

    def __init__(
        self, what: str, prefix: str, found: Sequence[str], hint: str = "Give more of the id"
    ) -> None:
        more = ", ..." if len(found) > _CANDIDATES_SHOWN else ""
        super().__init__(
            f"{len(found)} {what} start with {prefix!a}: "
            f"{', '.join(found[:_CANDIDATES_SHOWN])}{more}",
            hint,
        )


class SessionBusyError(StoreError):
    """Another process has the session open for writing."""

    def __init__(self, session_id: str) -> None:
        super().__init__(
            f"session {session_id} is open in another process", "Close or pause it there first"
        )
        self.session_id = session_id


@contextmanager
def doing(deed: str, path: Path, *, named: bool = False) -> Iterator[None]:
    """Turns an `OSError` inside into a `StoreError` that says what was tried on which path.

    `named` says that somebody named the path: then that is what may be wrong.
    """
    try:
        yield
    except OSError as error:
        told = StoreError.of(deed, path, error)
        if named and isinstance(error, FileNotFoundError | IsADirectoryError | NotADirectoryError):
            told.hint = "Check the path"
        raise told from error
