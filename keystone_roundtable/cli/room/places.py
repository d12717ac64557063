"""Which room a command line means, and the room as its log on disk tells it."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from ...core.errors import IllegalEventError, KeystoneError, UsageError
from ...formats.room.events import EVENT, Event
from ...formats.room.fold import replay
from ...formats.room.records import ROOM_VERSION
from ...formats.room.room import Room
from ...stores.errors import NewerLogError
from ...stores.rooms import RoomFolder, RoomStore, UnknownRoomError


def folder_of(options: Namespace, root: Path) -> RoomFolder:
    """Raises `StoreError` where there is no such room."""
    if options.dir is not None:
        folder = RoomFolder(Path(options.dir).absolute())
        if not folder.log_path.is_file():
            raise UnknownRoomError(folder.path)
        return folder
    store = RoomStore(root)
    return store.latest() if options.room is None else store.named(options.room)


def read_room(folder: RoomFolder) -> Room:
    """Raises `KeystoneError` where the log does not add up."""

    def event_of(value: Any) -> Event:
        version = value.get("schema_version") if isinstance(value, dict) else None
        if isinstance(version, int) and version > ROOM_VERSION:
            raise NewerLogError(folder.log_path, version, ROOM_VERSION)
        return EVENT.validate_python(value)

    events = folder.read(event_of)
    if not events:
        raise UsageError(f"the room in {folder.path} was never opened", "Open another one")
    try:
        return replay(events)
    except (IllegalEventError, UsageError) as error:
        raise KeystoneError(
            f"the log of the room in {folder.path} does not add up: {error.message}",
            "It was changed by hand or by another program; nothing was written to it",
        ) from error
