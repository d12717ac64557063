"""What can happen to a room. A room is the list of these, in order; nothing else is kept."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from ...core.records import Record
from ...core.seating import Receipt
from .records import (
    ROOM_VERSION,
    WORD_CAP,
    Author,
    Claim,
    Missed,
    Motion,
    Preset,
    RoomDecision,
    RoomSeat,
    RoundName,
    Said,
)


class RoomEvent(Record):
    at: str
    """ISO 8601 in UTC; comes in from outside."""


class RoomOpened(RoomEvent):
    type: Literal["room_opened"] = "room_opened"
    schema_version: int = ROOM_VERSION
    room: str
    """Opaque id."""
    motion: Motion
    preset: Preset = "panel"
    seats: tuple[RoomSeat, ...]
    evidence: tuple[str, ...] = ()
    """Paths, read-only to the seats."""
    word_cap: int = WORD_CAP
    seed: str
    """By which letters are shuffled."""
    from_session: str | None = None
    project: str = ""
    version: str = ""
    telemetry: bool = True


class RoundRun(RoomEvent):
    """These seats are asked now. A new number is a new step of the room, an old one a re-run."""

    type: Literal["round_run"] = "round_run"
    number: int
    round: RoundName
    seats: tuple[str, ...]
    time_limit_s: float


class ReceiptTaken(RoomEvent):
    type: Literal["receipt_taken"] = "receipt_taken"
    receipt: Receipt


class TurnTaken(RoomEvent):
    type: Literal["turn_taken"] = "turn_taken"
    said: Said


class SeatMissed(RoomEvent):
    type: Literal["seat_missed"] = "seat_missed"
    missed: Missed


class ClaimsDrawn(RoomEvent):
    """The claim map; `draft` where votes that it leaves silent were not read by anybody."""

    type: Literal["claims_drawn"] = "claims_drawn"
    claims: tuple[Claim, ...]
    by: Author
    draft: bool = False


class PointPressed(RoomEvent):
    type: Literal["point_pressed"] = "point_pressed"
    point: str


class SeatExcused(RoomEvent):
    """The chair goes on without this seat, and it shows."""

    type: Literal["seat_excused"] = "seat_excused"
    seat: str
    why: str = ""


class DecisionMade(RoomEvent):
    type: Literal["decision_made"] = "decision_made"
    decision: RoomDecision


class RoomClosed(RoomEvent):
    """Contract, state and telemetry are on disk."""

    type: Literal["room_closed"] = "room_closed"


Event = Annotated[
    RoomOpened
    | RoundRun
    | ReceiptTaken
    | TurnTaken
    | SeatMissed
    | ClaimsDrawn
    | PointPressed
    | SeatExcused
    | DecisionMade
    | RoomClosed,
    Field(discriminator="type"),
]

EVENT: TypeAdapter[Event] = TypeAdapter(Event, config=ConfigDict(defer_build=True))
"""Validates one event from its JSON form."""
