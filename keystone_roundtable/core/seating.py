"""Who sits at a table, what a round brings of each seat, and the receipt of every invocation.

All of it is kept on disk, so every shape says its version and refuses to be read by an older
program than the one that wrote it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, Field, SerializeAsAny, field_validator

from .errors import UnsupportedSchemaError
from .plain import is_blank, one_line
from .records import Record

SEATING_VERSION = 1  # of every shape below
MAX_NAME = 80  # characters of a seat's name: it stands in tables; chosen by judgement

API, OFFLINE = "api", "offline"
"""The engines that need no program: any model of the provider layer, and the rehearsal."""

BEGUN = "it was begun, and nothing tells how it ended"
"""The detail of an invocation's first receipt, which stands until another one comes."""

CONVENER = "convener"
"""In a table's receipts, whoever draws up what the souls disagree on; no soul's name."""

AbsentReason = Literal[
    "missing", "unauthenticated", "timeout", "crashed", "empty", "malformed", "over_budget"
]
"""Why a seat brought nothing: its engine is not there or not reached; wants a key or login; took
too long; failed; said nothing; said what does not fit; or would have cost more than is left."""

Shape = TypeVar("Shape", bound=BaseModel)


class SeatingRecord(Record):
    schema_version: int = SEATING_VERSION

    @field_validator("schema_version")
    @classmethod
    def _known(cls, version: int) -> int:
        if version > SEATING_VERSION:
            raise UnsupportedSchemaError(
                f"a record of a seat has version {version}, this program knows {SEATING_VERSION}",
                "Update keystone-roundtable",
            )
        return version


class Seat(SeatingRecord):
    """A name at a table. Engine and stance are apart, so that a split can be read by either."""

    name: str = Field(min_length=1, max_length=MAX_NAME)
    """One line without control characters, no two alike at one table."""
    engine: str
    """A name in the engines file: `api`, `offline`."""
    model: str | None = None
    """Which model the engine runs, `openai-chat:qwen3`; None leaves it to the engine."""
    soul: str | None = None
    """The persona, word for word."""
    stance: str | None = None

    @field_validator("name")
    @classmethod
    def _one_line(cls, name: str) -> str:
        if is_blank(name) or name != one_line(name):
            raise ValueError("a seat's name is one line of text that can be seen")
        return name


class Receipt(SeatingRecord):
    """One invocation of one seat's engine, whatever came of it. Unknown counts are None, not 0.

    An invocation that did not come about, for want of an engine or of budget, has one as well.
    """

    seat: str
    engine: str
    model: str | None = None
    version: str = ""
    """What the engine says of itself; "" where it did not come to that."""
    round: str
    attempt: int = 1
    """2 where the seat was asked again because its first reply could not be used."""
    start: str
    """ISO 8601 in UTC."""
    seconds: float
    outcome: Literal["answered", "absent", "cancelled"]
    """`cancelled` was broken off from outside, as by Ctrl-C: the seat is to be asked again."""
    absent: AbsentReason | None = None
    """Why this invocation brought no usable reply; None unless `outcome` is `absent`."""
    detail: str = ""
    """The same in words, one line, secrets masked; also what went amiss on the way to a reply."""
    exit_status: int | None = None
    """Of the engine's process; None where there was none."""
    requests: int | None = None
    """How often the engine sent it, its own retries included; 0 where nothing was sent."""
    characters_sent: int = 0
    characters: int = 0
    """Of the reply."""
    input_tokens: int | None = None
    cached_tokens: int | None = None
    """Part of `input_tokens`."""
    output_tokens: int | None = None
    cost_usd: float | None = None

    sandboxed: bool | None = None
    """Whether the engine's process ran in a sandbox, in which of what is anybody's own it saw its
    folder, the evidence, its program and its login; None where there was no process, or it is not
    known."""
    rehearsal: bool = False
    """True where no model was asked, and what came was made up along the reply's schema."""


class Reply(SeatingRecord, Generic[Shape]):
    """What a seat brought to a round. Read back as `Reply[TheShape].model_validate_json(...)`."""

    kind: Literal["reply"] = "reply"
    seat: str
    round: str
    value: SerializeAsAny[Shape]
    receipts: tuple[Receipt, ...] = ()
    """In order; the last is the one that answered."""

    @property
    def rehearsal(self) -> bool:
        return any(receipt.rehearsal for receipt in self.receipts)


class Absence(SeatingRecord):
    """A seat that brought nothing to a round, and why."""

    kind: Literal["absence"] = "absence"
    seat: str
    round: str
    reason: AbsentReason
    detail: str = ""
    receipts: tuple[Receipt, ...] = ()
    """In order, at most two."""


Turn: TypeAlias = Reply[Any] | Absence


def seats_to_ask(seats: Iterable[Seat], turns: Sequence[Turn], round_name: str) -> tuple[Seat, ...]:
    """The seats without a turn in the round: all that a re-run has to ask.

    A seat that was absent for want of budget counts as not asked: there may be more by now.
    """
    done = {
        turn.seat
        for turn in turns
        if turn.round == round_name
        and not (isinstance(turn, Absence) and turn.reason == "over_budget")
    }
    return tuple(seat for seat in seats if seat.name not in done)


def with_receipt(receipts: tuple[Receipt, ...], new: Receipt) -> tuple[Receipt, ...]:
    """The receipts with one more; the one that its invocation began with makes way."""
    begun = [
        place
        for place, one in enumerate(receipts)
        if one.detail == BEGUN and _asking(one) == _asking(new)
    ]
    if not begun or new.detail == BEGUN:
        return (*receipts, new)
    return (*receipts[: begun[-1]], *receipts[begun[-1] + 1 :], new)


def _asking(receipt: Receipt) -> tuple[str, str, int]:
    return receipt.seat, receipt.round, receipt.attempt
