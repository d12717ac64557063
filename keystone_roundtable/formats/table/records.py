"""What a table is made of: souls, what they answered, what they missed."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ...core.records import Record
from ...core.seating import AbsentReason, Seat
from ...core.spending_plan import Limits

TABLE_VERSION = 1  # of every event of a table's log

MIN_SOULS, MAX_SOULS = 3, 8  # round-table, step 1
MIN_OPTIONS, MAX_OPTIONS = 2, 4  # round-table, step 0
MIN_AXES, MAX_AXES = 2, 4  # round-table, step 2

OPEN, DEEPEN, CONVERGE, VOTE = 1, 2, 3, 4
ROUND_NAMES = {OPEN: "OPEN", DEEPEN: "DEEPEN", CONVERGE: "CONVERGE", VOTE: "VOTE"}

SoulKind = Literal["file", "persona", "oracle", "person", "lens"]
"""A file given by path; one found by name in a persona folder; an Oracle that `maw` located; one
confirmed line about a real person; a shipped role."""

OptionsSource = Literal["given", "question", "session"]


OUTAGES: frozenset[AbsentReason] = frozenset(
    {"timeout", "crashed", "unauthenticated", "missing", "over_budget"}
)
"""Why a soul brought nothing without having said anything: it may answer another time."""


SaidBy = Literal["person", "flag"]
"""Who agreed: somebody at a terminal, or `--yes`, and then nobody was asked."""


class Voice(Record):
    """What speaks for a seat, and the host that its prompts go to; "" where nothing is sent."""

    seat: str
    speaks: str
    sends_to: str = ""


class Agreement(Record):
    """What a yes was said to: it holds until another one is."""

    by: SaidBy = "person"
    limits: Limits
    voices: tuple[Voice, ...]


class Soul(Record):
    """A seat and where its persona was read from: a path, or the person's own words for it."""

    seat: Seat
    kind: SoulKind
    source: str

    @property
    def name(self) -> str:
        return self.seat.name


class RoundReply(Record):
    """What a soul answered in rounds 1 to 3. `challenges` is the soul it challenged by name."""

    position: str
    confidence: int = Field(ge=1, le=10)
    argument: str
    challenges: str = ""
    self_update: str = ""


class Ballot(Record):
    """What a soul answered in the vote, as it came: it may be off the options, or a 5."""

    vote: str
    confidence: int
    rationale: str = ""
    dissent_note: str = ""


class Missed(Record):
    """A soul that brought nothing, and why. `attempt` is 2 where it was asked again."""

    seat: str
    round: int
    attempt: int = 1
    reason: AbsentReason
    detail: str = ""
