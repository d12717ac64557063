"""How a table ends, in the words of a session's end: decision, confidence, contract."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...core.contract import Contract, ContractSentences, TableExitReason
from ...core.limits import MAX_TOPIC
from ...core.outcome import Decision, ExitCode, ExitStatus
from ...core.plain import one_line
from ...core.report import shorten
from ...core.seating import OFFLINE
from ...core.telemetry import REHEARSAL
from ..voting import Count
from .table import Table

ESCALATED_CONFIDENCE = 0.5  # as of a session that escalates


@dataclass(frozen=True)
class Ending:
    """`option` is None where nothing was decided; `confidence`, 0 to 1, has two places."""

    decision: Decision
    option: str | None
    confidence: float
    confidence_reasons: tuple[str, ...]
    exit_reason: TableExitReason
    exit_code: ExitCode
    status: ExitStatus
    next_skill: str
    state_next_skill: str
    notes: tuple[str, ...]

    @property
    def escalates(self) -> bool:
        return self.decision == "roundtable-escalate"


def ending_of(table: Table, count: Count) -> Ending:
    """The end of a table whose votes were counted.

    A human's ruling decides what the table left open. It has the confidence of an escalation: the
    souls did not agree. A rehearsal decides nothing, whatever was counted; its status alone is the
    count's, so that a course can be tried out.
    """
    ending = _counted(table, count)
    if not is_rehearsal(table):
        return ending
    return replace(
        ending,
        decision="roundtable-escalate",
        option=None,
        confidence=0.0,
        confidence_reasons=(REHEARSAL,),
        exit_reason=REHEARSAL,
        exit_code="escalate",
        next_skill="none",
        state_next_skill="",
    )


def _counted(table: Table, count: Count) -> Ending:
    notes = _notes(table)
    if count.outcome == "DECIDED":
        return _aligned(count.winner, round(count.share, 2), ("vote_decided",), notes)
    kinds = tuple(reason.kind for reason in count.reasons)
    if table.ruling is not None:
        return _aligned(table.ruling, ESCALATED_CONFIDENCE, ("human_ruling", *kinds), notes)
    return Ending(
        decision="roundtable-escalate",
        option=None,
        confidence=ESCALATED_CONFIDENCE,
        confidence_reasons=kinds,
        exit_reason=kinds[0],
        exit_code="escalate",
        status=ExitStatus.ESCALATED,
        next_skill="orchestrate",
        state_next_skill="",
        notes=notes,
    )


def _aligned(
    option: str | None,
    confidence: float,
    reasons: tuple[TableExitReason, ...],
    notes: tuple[str, ...],
) -> Ending:
    return Ending(
        decision="roundtable-aligned",
        option=option,
        confidence=confidence,
        confidence_reasons=reasons,
        exit_reason=reasons[0],
        exit_code="ok",
        status=ExitStatus.OK,
        next_skill="writing-plan",
        state_next_skill="writing-plan",
        notes=notes,
    )


def table_contract(table: Table, ending: Ending, sentences: ContractSentences) -> Contract:
    return Contract(
        session=table.id,
        format="table",
        mode=None,
        topic=shorten(one_line(table.start.question), MAX_TOPIC),
        decision=ending.decision,
        option=ending.option,
        confidence=ending.confidence,
        confidence_reasons=ending.confidence_reasons,
        rationale=sentences.rationale,
        fallback=sentences.fallback,
        escalate=ending.escalates,
        next_skill=ending.next_skill,
        next_action=sentences.next_action,
        exit_code=ending.exit_code,
        exit_reason=ending.exit_reason,
        notes=ending.notes,
    )


def _notes(table: Table) -> tuple[str, ...]:
    notes = []
    if table.start.from_session:
        notes.append(f"from session {table.start.from_session}")
    if table.empty:
        notes.append(f"emptied seats: {', '.join(one_line(name) for name in table.empty)}")
    names = rehearsed(table)
    if len(names) == len(table.souls):
        notes.append("a rehearsal: no model was consulted")
    elif names:
        notes.append(f"rehearsed seats: {', '.join(map(one_line, names))}")
    return tuple(notes)


def is_rehearsal(table: Table) -> bool:
    """Whether a vote counts for which no model spoke, or none spoke at all: nothing is decided."""
    names = set(rehearsed(table))
    voted = {cast.seat for cast in table.casts} - table.empty.keys()
    return bool(names & voted) or len(names) == len(table.souls)


def rehearsed(table: Table) -> tuple[str, ...]:
    """The souls for which no model spoke, by their receipts; before any, as they are seated."""
    told = {soul.name: soul.seat.engine == OFFLINE for soul in table.souls}
    for receipt in table.receipts:
        if receipt.outcome == "answered" and receipt.seat in told:
            told[receipt.seat] = receipt.rehearsal
    return tuple(name for name, is_one in told.items() if is_one)


def voices(table: Table) -> tuple[str, ...]:
    """What spoke for the souls, each model or engine once."""
    return tuple(dict.fromkeys(soul.seat.model or soul.seat.engine for soul in table.souls))
