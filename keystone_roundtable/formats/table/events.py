"""What can happen to a table. A table is the list of these, in order; nothing else is kept."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from ...core.records import Record
from ...core.seating import Receipt
from ...core.spending_plan import Limits
from ..inspecting import Inspection
from ..table_state import Aggregator
from ..voting import VoteOutcome
from .records import (
    TABLE_VERSION,
    Agreement,
    Ballot,
    Missed,
    OptionsSource,
    RoundReply,
    SaidBy,
    Soul,
)


class TableEvent(Record):
    at: str
    """ISO 8601 in UTC; comes in from outside."""


class TableStarted(TableEvent):
    type: Literal["table_started"] = "table_started"
    schema_version: int = TABLE_VERSION
    table: str
    """Opaque id."""
    name: str
    """What its files are to be called: the date, and the question's words. Another table may
    have taken that by the time this one is convened."""
    question: str
    options: tuple[str, ...]
    options_source: OptionsSource
    aggregator: Aggregator
    values_keywords: tuple[str, ...] | None = None
    souls: tuple[Soul, ...]
    model: str
    """Whoever draws up the axes: a model spec, or "offline"."""
    facts: str = ""
    """What is known before the person is asked for more."""
    facts_given: bool = False
    """Whether they came with the question, so that nobody is asked for them."""
    limits: Limits | None = None
    """Those given with the question: what is asked to be agreed to, whenever that comes."""
    from_session: str | None = None
    oracle_root: str = ""
    """The Oracle repository that keeps the minute; "" where it stays in the project."""
    project: str = ""
    version: str = ""
    telemetry: bool = True


class OptionsConfirmed(TableEvent):
    """These were agreed to; they may be others than those proposed."""

    type: Literal["options_confirmed"] = "options_confirmed"
    options: tuple[str, ...]
    by: SaidBy = "person"


class FactNoted(TableEvent):
    """One fact more, as the person entered it."""

    type: Literal["fact_noted"] = "fact_noted"
    fact: str


class FactsSettled(TableEvent):
    """Everything that the souls may use; nothing is added from here on."""

    type: Literal["facts_settled"] = "facts_settled"
    facts: str


class TableConvened(TableEvent):
    """A yes was said to the table and to what it may cost."""

    type: Literal["table_convened"] = "table_convened"
    name: str = ""
    """What its files are called from here on; "" where that is the name it began with."""
    agreed: Agreement | None = None


class TableDeclined(TableEvent):
    type: Literal["table_declined"] = "table_declined"
    reason: str = ""


class ReceiptTaken(TableEvent):
    """An engine was invoked, whatever came of it."""

    type: Literal["receipt_taken"] = "receipt_taken"
    receipt: Receipt


class SoulAnswered(TableEvent):
    type: Literal["soul_answered"] = "soul_answered"
    round: int
    seat: str
    reply: RoundReply


class BallotCast(TableEvent):
    type: Literal["ballot_cast"] = "ballot_cast"
    seat: str
    ballot: Ballot


class SoulMissed(TableEvent):
    type: Literal["soul_missed"] = "soul_missed"
    missed: Missed


class RoundClosed(TableEvent):
    """Every soul was asked. `inspection` is None after the first round."""

    type: Literal["round_closed"] = "round_closed"
    round: int
    inspection: Inspection | None = None


class TableStalled(TableEvent):
    """Too few souls answered; who was missing is asked again when the table is resumed."""

    type: Literal["table_stalled"] = "table_stalled"
    round: int


class NoEvidenceConfirmed(TableEvent):
    """Whether the person agreed that nothing new came, so that round 3 is skipped."""

    type: Literal["no_evidence_confirmed"] = "no_evidence_confirmed"
    skip: bool
    asked: bool = True
    """False where nobody was there to be asked."""


class DeferenceAnswered(TableEvent):
    """Whether the person wants to go to the vote because one expert stands alone."""

    type: Literal["deference_answered"] = "deference_answered"
    short_circuit: bool
    asked: bool = True
    """False where nobody was there to be asked."""


class AxesDrawn(TableEvent):
    """What the souls disagree on, a line each. `source` is a model spec or "offline"; `fallback`
    says why the built-in rules drew them although a model was asked.
    """

    type: Literal["axes_drawn"] = "axes_drawn"
    axes: tuple[str, ...]
    source: str
    fallback: str = ""


class VotesCounted(TableEvent):
    """The code counted. The second count empties the seats whose vote still cannot be used."""

    type: Literal["votes_counted"] = "votes_counted"
    outcome: VoteOutcome | Literal["TOO-FEW"]


class HumanRuled(TableEvent):
    """The person broke the deadlock, or left it open (`option` None)."""

    type: Literal["human_ruled"] = "human_ruled"
    option: str | None


class TableFinished(TableEvent):
    """Minute, decision, contract, state and telemetry are on disk."""

    type: Literal["table_finished"] = "table_finished"


class TableFailed(TableEvent):
    """Fewer souls than a table needs are left after the vote; the minute says so."""

    type: Literal["table_failed"] = "table_failed"


class TablePaused(TableEvent):
    type: Literal["table_paused"] = "table_paused"
    cause: Literal["interrupt", "end_of_input", "declined"]


class TableResumed(TableEvent):
    type: Literal["table_resumed"] = "table_resumed"
    agreed: Agreement | None = None
    """What holds from here on; None where that is what held before."""
    model: str = ""
    """Whoever draws up the axes from here on; "" where that is whoever did."""


Event = Annotated[
    TableStarted
    | OptionsConfirmed
    | FactNoted
    | FactsSettled
    | TableConvened
    | TableDeclined
    | ReceiptTaken
    | SoulAnswered
    | BallotCast
    | SoulMissed
    | RoundClosed
    | TableStalled
    | NoEvidenceConfirmed
    | DeferenceAnswered
    | AxesDrawn
    | VotesCounted
    | HumanRuled
    | TableFinished
    | TableFailed
    | TablePaused
    | TableResumed,
    Field(discriminator="type"),
]

EVENT: TypeAdapter[Event] = TypeAdapter(Event, config=ConfigDict(defer_build=True))
"""Validates one event from its JSON form."""
