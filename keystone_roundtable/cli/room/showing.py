"""What is printed of a room: four lines, or one JSON object."""

from __future__ import annotations

from typing import Any

from ...formats.room.ending import verdict_of
from ...formats.room.room import Room
from ...formats.room.showing import changes, show
from ...stores.rooms import RoomFolder
from ...terminal import room_lines as words
from ..json_lines import json_text
from ..saying import print_wrapped
from ..typed import as_typed
from .records import seating


def present(room: Room, folder: RoomFolder, *, as_json: bool) -> None:
    """Where the room stands; never the transcript, which is on the page."""
    if as_json:
        print(json_text(room_object(room, folder)))
        return
    for line in words.room_lines(show(room), changes(room), as_typed(str(folder.path))):
        print_wrapped(line)


def room_object(room: Room, folder: RoomFolder) -> dict[str, Any]:
    """The one object of every `room ... --json`."""
    shown = show(room)
    return {
        **seating(room),
        "folder": as_typed(str(folder.path)),
        "rows": [row.model_dump(mode="json") for row in shown.rows],
        "claims": [claim.model_dump(mode="json") for claim in shown.claims],
        "claims_draft": shown.claims_draft,
        "split": list(shown.split),
        "changes": list(changes(room)),
        "decision": room.decision.model_dump(mode="json") if room.decision else None,
        "verdict": verdict_of(room),
        "receipts": [receipt.model_dump(mode="json") for receipt in room.receipts],
        "next": shown.next,
    }
