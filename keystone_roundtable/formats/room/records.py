"""What a room is made of: motion, seats, turns, absences, claims, the decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from pydantic import Field

from ...core.records import Record
from ...core.seating import AbsentReason, Seat

ROOM_VERSION = 1  # of every event of a room's log

MIN_SEATS, MAX_SEATS = 2, 8
MIN_OPTIONS, MAX_OPTIONS = 2, 4
MIN_CLAIMS, MAX_CLAIMS = 5, 8  # roundtable, 4
WORD_CAP = 250
READING_SHARE = 0.7  # of the time limit, for reading the evidence (roundtable, 1)
MAX_CONFIDENCE = 10
QUORUM = 2
"""Fewer answers are never an agreement."""

RoundName: TypeAlias = Literal["opening", "cross", "converge"]
Preset: TypeAlias = Literal["panel", "red-team", "trial"]
Part: TypeAlias = Literal["decision", "options", "constraints", "settles"]
VoteWord: TypeAlias = Literal["agree", "disagree", "silent"]
Author: TypeAlias = str
"""Who drew something up: `rules`, `host`, `editor`, or a model or engine."""


class Motion(Record):
    """The question made decidable. `drafted` names the parts that the user did not give."""

    question: str
    """As it was typed."""
    decision: str
    """A fork in one line."""
    options: tuple[str, ...]
    constraints: str = ""
    settles: str = ""
    """What would end the argument."""
    drafted: tuple[Part, ...] = ()
    points: tuple[str, ...] = ()
    """What the chair pressed, in order."""


class RoomSeat(Record):
    """A seat, who makes what speaks for it, and whether it can read the evidence."""

    seat: Seat
    vendor: str
    reads: bool = False
    judge: bool = False

    @property
    def name(self) -> str:
        return self.seat.name


class Turn(Record):
    """What a seat said in a round, word for word, with where it stands.

    `confidence` is 1 to 10. `changed` says what changed since its last turn and why, "" where
    nothing did; `moved_by` is the seat whose text did it.
    """

    position: str
    confidence: int = Field(ge=1, le=10)
    text: str
    changed: str = ""
    moved_by: str = ""
    would_change: str = ""


class Said(Record):
    """One turn. `number` is the step; `letters` is under which letter it read whose text."""

    number: int
    seat: str
    turn: Turn
    letters: Mapping[str, str] = Field(default_factory=dict)


class Missed(Record):
    number: int
    seat: str
    reason: AbsentReason
    detail: str = ""


class Quote(Record):
    """Words that stand in a seat's turn of a step."""

    quote: str
    seat: str
    turn: int


class CastVote(Record):
    """`quote` and `turn` are empty where the vote is `silent`."""

    seat: str
    vote: VoteWord
    quote: str = ""
    turn: int = 0


class Claim(Record):
    claim: str
    source: Quote
    votes: tuple[CastVote, ...]


class Dissent(Record):
    seat: str
    text: str


class Reason(Record):
    """Why, in a seat's words. `alone` says that no other seat holds the call, or the claim."""

    text: str
    source: Quote
    alone: bool = False


class RoomDecision(Record):
    call: str
    """One of the options."""
    why: tuple[Reason, ...]
    cost: str
    """What it costs if this is wrong."""
    signal: str
    """The earliest that would show it."""
    dissent: tuple[Dissent, ...] = ()
    by: Author = "rules"
