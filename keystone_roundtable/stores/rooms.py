"""A project's rooms: each a folder with its log, and the files that tell of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast
from urllib.parse import quote

from .errors import CorruptLogError, StoreError, doing
from .files import atomic_write, make_private_dir, read_bytes
from .json_text import from_json, to_json
from .ordinary import read_ordinary
from .places import LOG_NAME, roundtable_folder
from .session_log import SessionLog

ROUNDS = "rounds"


class UnknownRoomError(StoreError):
    """There is no room in this folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"there is no room in {folder}", 'Open one: keystone-roundtable room open "QUESTION"'
        )


class Dumped(Protocol):
    """What can be put into a log."""

    def model_dump(self, *, mode: str) -> dict[str, Any]: ...


Happening = TypeVar("Happening", bound=Dumped)


class RoomLog:
    """A room's log, open for writing: no other process can write to it until it is closed."""

    def __init__(self, log: SessionLog) -> None:
        self._log = log

    def append(self, event: Dumped) -> None:
        """Returns when the event is on disk; on failure the log is as before."""
        self._log.append(cast(Any, event))

    def discard(self) -> None:
        """Takes away a room that was never opened."""
        self._log.discard()

    def __enter__(self) -> RoomLog:
        return self

    def __exit__(self, *left: object) -> None:
        self._log.close()


class RoomFolder:
    """One room's folder; it need not exist yet."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def log_path(self) -> Path:
        return self.path / LOG_NAME

    def create(self) -> RoomLog:
        """Raises `StoreError` where the folder exists."""
        return RoomLog(SessionLog.create(self.path))

    def open(self) -> RoomLog:
        """Raises `UnknownRoomError`, and `SessionBusyError` where it is open elsewhere."""
        if not self.log_path.exists():
            raise UnknownRoomError(self.path)
        return RoomLog(SessionLog.open(self.path))

    def read(self, event_of: Callable[[Any], Happening]) -> tuple[Happening, ...]:
        """The events; a torn last line is passed over. `event_of` makes one of its JSON value and
        raises `ValueError` for none.

        Raises `CorruptLogError` for a broken line that is not the last.
        """
        with doing("read", self.log_path):
            try:
                data = read_ordinary(self.log_path)
            except FileNotFoundError as error:
                raise UnknownRoomError(self.path) from error
        lines = data.split(b"\n")
        events = []
        for number, line in enumerate(lines[:-1], 1):
            try:
                value = from_json(line)
            except ValueError as error:
                if number < len(lines) - 1:
                    raise CorruptLogError(self.log_path, number, f"no JSON ({error})") from error
                break
            try:
                events.append(event_of(value))
            except ValueError as error:
                reason = str(error).splitlines()[0]
                raise CorruptLogError(self.log_path, number, f"no event ({reason})") from error
        return tuple(events)

    def put(self, name: str, content: str) -> Path:
        """Writes one of the room's files; one that holds just that is left alone."""
        path = self.path / name
        make_private_dir(path.parent)
        if read_bytes(path) != content.encode("utf-8", "backslashreplace"):
            atomic_write(path, content)
        return path

    def put_json(self, name: str, value: Mapping[str, Any]) -> Path:
        return self.put(name, to_json(dict(value), indent=2).decode() + "\n")

    def turn_path(self, step: str, seat: str) -> Path:
        """Where a turn lies; a name that is no file name is written as in an address."""
        return self.path / ROUNDS / step / f"{quote(seat, safe=' ')}.md"

    def put_turn(self, step: str, seat: str, content: str) -> Path:
        path = self.turn_path(step, seat)
        return self.put(str(path.relative_to(self.path)), content)

    def stamp(self) -> str:
        """Another one whenever the log has grown."""
        try:
            found = self.log_path.stat()
        except OSError:
            return "0"
        return f"{found.st_size}-{found.st_mtime_ns}"


class RoomStore:
    """The rooms below one root; nothing need exist yet."""

    def __init__(self, root: Path) -> None:
        self.path = roundtable_folder(root) / "rooms"

    def free(self, slug: str) -> RoomFolder:
        """A folder of that name, numbered where another room has it."""
        number, name = 1, slug
        while (self.path / name).exists():
            number += 1
            name = f"{slug}-{number}"
        return RoomFolder(self.path / name)

    def named(self, slug: str) -> RoomFolder:
        """The one room whose folder starts so. Raises `StoreError` where not exactly one does."""
        found = [one for one in self.all() if one.path.name.startswith(slug)]
        exact = [one for one in found if one.path.name == slug]
        if exact or len(found) == 1:
            return (exact or found)[0]
        if not found:
            raise UnknownRoomError(self.path / slug)
        names = ", ".join(one.path.name for one in found[:10])
        raise StoreError(
            f"{len(found)} rooms start with {slug!a}: {names}", "Give more of the name"
        )

    def all(self) -> tuple[RoomFolder, ...]:
        """The one that was written to last first."""
        with doing("list", self.path):
            try:
                found = [path for path in self.path.iterdir() if (path / LOG_NAME).is_file()]
            except FileNotFoundError:
                return ()
        return tuple(RoomFolder(path) for path in sorted(found, key=_written, reverse=True))

    def latest(self) -> RoomFolder:
        """Raises `UnknownRoomError` where there is none."""
        found = self.all()
        if not found:
            raise UnknownRoomError(self.path)
        return found[0]


def _written(path: Path) -> tuple[float, str]:
    try:
        return (path / LOG_NAME).stat().st_mtime, path.name
    except OSError:
        return 0.0, path.name
