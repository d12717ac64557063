"""`room list`: this project's rooms, the one worked on last first."""

from __future__ import annotations

from typing import Any

from ...core.errors import KeystoneError
from ...core.plain import one_line
from ...formats.room.showing import show
from ...stores.rooms import RoomFolder, RoomStore
from ...terminal.room_lines import NO_ROOMS, listed_room
from ..json_lines import json_text
from ..saying import print_wrapped
from ..typed import as_typed
from .parts import RoomParts
from .places import read_room


def list_rooms(parts: RoomParts) -> int:
    """A room that cannot be read is listed with the reason."""
    rows = [_row(folder) for folder in RoomStore(parts.root).all()]
    if parts.options.json:
        print(json_text({"schema_version": 1, "rooms": rows}))
        return 0
    for row in rows:
        print_wrapped(listed_room(row))
    if not rows:
        print(NO_ROOMS)
    return 0


def _row(folder: RoomFolder) -> dict[str, Any]:
    row: dict[str, Any] = {"room": as_typed(folder.path.name)}
    try:
        room = read_room(folder).at_rest()
        shown = show(room)
    except KeystoneError as error:
        return row | {
            "id": None, "at": "", "preset": None, "decision": None, "ready": False, "call": None,
            "next": None, "problem": one_line(error.message),
        }  # fmt: skip
    return row | {
        "id": shown.id,
        "at": room.last_at,
        "preset": shown.preset,
        "decision": shown.motion.decision,
        "ready": shown.ready,
        "call": shown.decision.call if shown.decision else None,
        "next": shown.next,
        "problem": None,
    }
