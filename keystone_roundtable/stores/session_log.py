"""One session's log: a line per event, on disk before the session goes on.

A crash can leave only the last line broken. Such a torn tail is an event that never counted: it
is passed over on reading and cut away before the next event is added.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from pydantic import ValidationError

from ..core.events import EVENT, Event
from ..core.records import SCHEMA_VERSION
from .errors import CorruptLogError, NewerLogError, SessionBusyError, UnknownSessionError, doing
from .files import (
    PRIVATE_FOLDER,
    make_private_dir,
    remove_leftovers,
    sync_folder,
    write_line,
)
from .json_text import from_json, to_json
from .ordinary import open_ordinary, read_ordinary
from .places import LOG_NAME as LOG_NAME

_LOOKED_FOR_S = (0.02, 0.05)  # `is_held` takes microseconds; chosen by judgement
_OPEN = os.O_RDWR | os.O_APPEND


@dataclass(frozen=True)
class LogContents:
    """What a log holds, in order. `torn_tail` says that a broken last line was passed over."""

    events: tuple[Event, ...]
    torn_tail: bool


class SessionLog:
    """A session's log, open for writing: no other process can write to it until it is closed.

    The lock goes with the process, however it ends.
    """

    def __init__(self, folder: Path, descriptor: int) -> None:
        self.folder = folder
        self.path = folder / LOG_NAME
        self._descriptor: int | None = descriptor
        self._mended = False

    @classmethod
    def create(cls, folder: Path) -> SessionLog:
        """A new session's log. Raises `StoreError` where the session's folder exists."""
        make_private_dir(folder.parent)
        with doing("make session folder", folder):
            folder.mkdir(PRIVATE_FOLDER)
            sync_folder(folder.parent)
        log = cls(folder, _open_locked(folder, os.O_CREAT | os.O_EXCL))
        with doing("write to", folder):
            sync_folder(folder)
        return log

    @classmethod
    def open(cls, folder: Path) -> SessionLog:
        """The log of a session that exists. Raises `UnknownSessionError`, `SessionBusyError`.

        What a killed process left half-written beside it is taken away.
        """
        log = cls(folder, _open_locked(folder))
        remove_leftovers(folder)
        return log

    def append(self, event: Event) -> None:
        """Returns when the event is on disk; on failure the log is as before."""
        line = to_json(event.model_dump(mode="json"))
        with doing("write to", self.path):
            if self._descriptor is None:
                raise ValueError("the log is closed")
            self._mend()
            write_line(self._descriptor, line, durable=True)

    def read(self) -> LogContents:
        """All events so far. Raises as `read_log` does."""
        return read_log(self.path)

    def discard(self) -> None:
        """Takes away a session that never began; one that holds an event stays."""
        with suppress(OSError):
            if self.path.stat().st_size == 0:
                self.path.unlink()
                self.folder.rmdir()

    def close(self) -> None:
        """Gives the lock back; closing again does nothing."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> SessionLog:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _mend(self) -> None:
        """Cuts a torn tail away, once: after it only whole lines are written."""
        if self._mended or self._descriptor is None:
            return
        data = read_ordinary(self.path)
        sound = _sound_part(data)
        if len(sound) < len(data):
            os.ftruncate(self._descriptor, len(sound))
        self._mended = True


def read_log(path: Path) -> LogContents:
    """All events of the log at `path`, without locking it: a writer may be at work.

    Raises `UnknownSessionError` where there is no log, `CorruptLogError` for a broken line that
    is not the last, `NewerLogError` for a newer schema.
    """
    with doing("read", path):
        try:
            data = read_ordinary(path)
        except FileNotFoundError as error:
            raise UnknownSessionError(path.parent.name) from error
    sound = _sound_part(data)
    return LogContents(tuple(_events(path, sound)), torn_tail=len(sound) < len(data))


def _open_locked(folder: Path, flags: int = 0) -> int:
    """A descriptor of the log that no other one shares its lock with."""
    path = folder / LOG_NAME
    with doing("open", path):
        try:
            descriptor = open_ordinary(path, _OPEN | flags)
        except FileNotFoundError as error:
            raise UnknownSessionError(folder.name) from error
        try:
            _lock(descriptor)
        except OSError as error:
            os.close(descriptor)
            if isinstance(error, BlockingIOError):
                raise SessionBusyError(folder.name) from error
            raise
    return descriptor


def _lock(descriptor: int) -> None:
    """Raises `BlockingIOError` where another process holds the log, and not only looks whether
    somebody does.
    """
    for pause_s in _LOOKED_FOR_S:
        with suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        time.sleep(pause_s)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_held(folder: Path) -> bool:
    """Whether a process has the log in `folder` open for writing."""
    try:
        descriptor = open_ordinary(folder / LOG_NAME, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _sound_part(data: bytes) -> bytes:
    """`data` without its last line where that one is unterminated or no JSON."""
    end = data.rfind(b"\n") + 1
    if end < len(data) or not data:
        return data[:end]
    start = data.rfind(b"\n", 0, end - 1) + 1
    try:
        from_json(data[start:])
    except ValueError:
        return data[:start]
    return data


def _events(path: Path, data: bytes) -> Iterator[Event]:
    for number, line in enumerate(data.split(b"\n")[:-1], start=1):
        yield _event(path, number, line)


def _event(path: Path, number: int, line: bytes) -> Event:
    try:
        value = from_json(line)
    except ValueError as error:
        raise CorruptLogError(path, number, f"no JSON ({error})") from error
    version = value.get("schema_version") if isinstance(value, dict) else None
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise NewerLogError(path, version, SCHEMA_VERSION)
    try:
        return EVENT.validate_python(value)
    except ValidationError as error:
        raise CorruptLogError(path, number, _what_is_wrong(error)) from error


def _what_is_wrong(error: ValidationError) -> str:
    """The first fault in a few words, with the field it is in."""
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] == "union_tag_invalid":
        return f"unknown event type {first['ctx']['tag']!a}"
    where = ".".join(str(part) for part in first["loc"])
    return f"no event ({where}: {first['msg']})" if where else f"no event ({first['msg']})"
