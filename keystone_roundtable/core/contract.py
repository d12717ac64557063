"""The decision contract: the same end, for machines."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .errors import IllegalEventError
from .limits import MAX_TOPIC
from .outcome import Decision, ExitCode, Outcome
from .records import SCHEMA_VERSION, ExitReason, ModeId, Record
from .session import Session

TableExitReason = Literal[
    "vote_decided",
    "human_ruling",
    "tie",
    "low_share",
    "opposing_tens",
    "value_dissent",
    "not_unanimous",
    "rehearsal",
]
"""Why a table's vote ended as it did: decided, ruled by the human, or the first reason for which
it was left to the human; or that no model was consulted, and so nothing was decided.
"""

RoomExitReason = Literal["chair_decided", "rehearsal"]
"""A room ends when its chair has decided; whether it agreed is in the notes. A rehearsal decides
nothing.
"""


class ContractSentences(Record):
    """The sentences of one kind of end."""

    rationale: str
    fallback: str
    next_action: str


class Contract(Record):
    """What a pipeline reads after a session, a table or a room. Its field names are stable."""

    schema_version: int = SCHEMA_VERSION
    session: str = Field(description="opaque id of the session, table or room")
    format: Literal["socratic", "table", "room"] = "socratic"
    mode: ModeId | None = Field(description="null where the format has no modes")
    topic: str = Field(max_length=MAX_TOPIC, description="the decision in one sentence")
    decision: Decision
    option: str | None = Field(description="text of the direction taken; null when none was")
    confidence: float = Field(ge=0, le=1)
    confidence_reasons: tuple[str, ...] = Field(description="the row and every cap that applied")
    rationale: str
    fallback: str
    escalate: bool
    next_skill: str
    next_action: str
    exit_code: ExitCode
    exit_reason: ExitReason | TableExitReason | RoomExitReason
    notes: tuple[str, ...] = ()


def make_contract(session: Session, outcome: Outcome, sentences: ContractSentences) -> Contract:
    """The contract of a session whose question phase has ended."""
    if session.phase_exit is None:
        raise IllegalEventError("the question phase has not ended")
    return Contract(
        session=session.id,
        mode=session.prepared.mode,
        topic=session.decision_topic,
        decision=outcome.decision,
        option=outcome.option.text if outcome.option else None,
        confidence=outcome.confidence,
        confidence_reasons=outcome.confidence_reasons,
        rationale=sentences.rationale,
        fallback=sentences.fallback,
        escalate=outcome.escalate,
        next_skill=outcome.next_skill,
        next_action=sentences.next_action,
        exit_code=outcome.exit_code,
        exit_reason=session.phase_exit,
        notes=outcome.notes,
    )
