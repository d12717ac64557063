"""The log of a table or a room: a session's log whose events are another format's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, TypeVar, cast

from .errors import CorruptLogError
from .json_text import from_json
from .ordinary import read_ordinary
from .session_log import SessionLog


class Dumped(Protocol):
    """What can be put into a log."""

    def model_dump(self, *, mode: str) -> dict[str, Any]: ...


Happening = TypeVar("Happening", bound=Dumped)


class FormatLog:
    """A log open for writing: no other process can write to it until it is closed."""

    def __init__(self, log: SessionLog) -> None:
        self._log = log

    @classmethod
    def create(cls, folder: Path) -> FormatLog:
        """Raises `StoreError` where the folder exists."""
        return cls(SessionLog.create(folder))

    @classmethod
    def open(cls, folder: Path) -> FormatLog:
        """Raises `SessionBusyError` where it is open elsewhere."""
        return cls(SessionLog.open(folder))

    def append(self, event: Dumped) -> None:
        """Returns when the event is on disk; on failure the log is as before."""
        self._log.append(cast(Any, event))

    def discard(self) -> None:
        """Takes away what never began."""
        self._log.discard()

    def __enter__(self) -> FormatLog:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._log.close()


def read_events(
    path: Path, event_of: Callable[[Any], Happening]
) -> tuple[tuple[Happening, ...], bool]:
    """The events of a log, and whether a torn last line was passed over. `event_of` makes one of
    its JSON value and raises `ValueError` for none.

    Raises `FileNotFoundError`, and `CorruptLogError` for a broken line that is not the last.
    """
    values, torn = read_values(path)
    events = []
    for number, value in enumerate(values, 1):
        try:
            events.append(event_of(value))
        except ValueError as error:
            reason = str(error).splitlines()[0]
            raise CorruptLogError(path, number, f"no event ({reason})") from error
    return tuple(events), torn


def read_values(path: Path) -> tuple[list[Any], bool]:
    """Every line's JSON value, and whether a torn last line was passed over. Raises as
    `read_events` does.
    """
    lines = read_ordinary(path).split(b"\n")
    torn = bool(lines[-1])
    values = []
    for number, line in enumerate(lines[:-1], 1):
        try:
            values.append(from_json(line))
        except ValueError as error:
            if number < len(lines) - 1 or torn:
                raise CorruptLogError(path, number, f"no JSON ({error})") from error
            torn = True
    return values, torn
