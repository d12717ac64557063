"""A project's rooms: each a folder with its log, and the files that tell of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .errors import SessionBusyError, StoreError, doing
from .files import atomic_write, make_private_dir, read_bytes
from .format_logs import FormatLog, Happening, read_events
from .json_text import to_json
from .places import LOG_NAME, file_name, roundtable_folder
from .session_log import is_held

ROUNDS = "rounds"
_LONGEST_NAME = 120  # bytes of a file's name; file systems take 255


class UnknownRoomError(StoreError):
    """There is no room in this folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"there is no room in {folder}",
            'See them with: keystone-roundtable room list; open one: room open "QUESTION"',
        )


class RoomBusyError(StoreError):
    """Another process works on the room."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"another process works on the room in {folder}", "Wait until it has ended"
        )


class RoomFolder:
    """One room's folder; it need not exist yet."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def log_path(self) -> Path:
        return self.path / LOG_NAME

    def create(self) -> FormatLog:
        """Raises `StoreError` where the folder exists and holds something."""
        with suppress(OSError):
            self.path.rmdir()  # somebody may have made it, and nothing more
        if self.path.exists() or self.path.is_symlink():
            raise StoreError(
                f"{self.path} is there already", "Name a folder that is empty or not there yet"
            )
        return FormatLog.create(self.path)

    def open(self) -> FormatLog:
        """Raises `UnknownRoomError`, and `SessionBusyError` where it is open elsewhere."""
        if not self.log_path.exists():
            raise UnknownRoomError(self.path)
        try:
            return FormatLog.open(self.path)
        except SessionBusyError as error:
            raise RoomBusyError(self.path) from error

    def is_worked_on(self) -> bool:
        """Whether a process has the room open for writing."""
        return is_held(self.path)

    def read(self, event_of: Callable[[Any], Happening]) -> tuple[Happening, ...]:
        """The events; a torn last line is passed over. `event_of` makes one of its JSON value and
        raises `ValueError` for none.

        Raises `CorruptLogError` for a broken line that is not the last.
        """
        with doing("read", self.log_path):
            try:
                return read_events(self.log_path, event_of)[0]
            except FileNotFoundError as error:
                raise UnknownRoomError(self.path) from error

    def put(self, name: str, content: str) -> Path:
        """Writes one of the room's files; one that holds just that is left alone."""
        path = self.path / name
        for folder in path.relative_to(self.path).parents:
            if (self.path / folder).is_symlink() and folder != Path():
                raise StoreError(
                    f"{self.path / folder} is a link, and no folder of this room", "Take it away"
                )
        make_private_dir(path.parent)
        if read_bytes(path) != content.encode("utf-8", "backslashreplace"):
            atomic_write(path, content)
        return path

    def put_json(self, name: str, value: Mapping[str, Any]) -> Path:
        return self.put(name, to_json(dict(value), indent=2).decode() + "\n")

    def turn_path(self, step: str, seat: str) -> Path:
        """Where a turn lies; a name that is no file name is written as in an address, and one that
        is too long for a file by its beginning and a hash.
        """
        name = quote(seat, safe=" ")
        if len(name) > _LONGEST_NAME:
            digest = hashlib.sha256(seat.encode("utf-8", "backslashreplace")).hexdigest()
            name = f"{name[:_LONGEST_NAME]}-{digest[:12]}"
        return self.path / ROUNDS / step / f"{name}.md"

    def put_turn(self, step: str, seat: str, content: str) -> Path:
        path = self.turn_path(step, seat)
        return self.put(str(path.relative_to(self.path)), content)

    def stamp(self) -> str:
        """Another one whenever the log has grown, or somebody begins or ends to work on it."""
        try:
            found = self.log_path.stat()
        except OSError:
            return "0"
        return f"{found.st_size}-{found.st_mtime_ns}-{int(self.is_worked_on())}"


class RoomStore:
    """The rooms below one root; nothing need exist yet."""

    def __init__(self, root: Path) -> None:
        self.path = roundtable_folder(root) / "rooms"

    def free(self, slug: str) -> RoomFolder:
        """A folder of that name, numbered where another room has it."""
        number, name = 1, slug
        while (self.path / file_name(name)).exists():
            number += 1
            name = f"{slug}-{number}"
        return RoomFolder(self.path / file_name(name))

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
                found = [path for path in self.path.iterdir() if _was_opened(path)]
            except FileNotFoundError:
                return ()
        return tuple(RoomFolder(path) for path in sorted(found, key=_written, reverse=True))

    def latest(self) -> RoomFolder:
        """Raises `UnknownRoomError` where there is none."""
        found = self.all()
        if not found:
            raise UnknownRoomError(self.path)
        return found[0]


def _was_opened(path: Path) -> bool:
    """Whether it holds anything: a process that is killed while it opens a room leaves none."""
    try:
        return (path / LOG_NAME).is_file() and (path / LOG_NAME).stat().st_size > 0
    except OSError:
        return False


def _written(path: Path) -> tuple[float, str]:
    try:
        return (path / LOG_NAME).stat().st_mtime, path.name
    except OSError:
        return 0.0, path.name
