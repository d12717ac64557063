"""The end on disk: report, contract, state and telemetry, each before the next begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ..core.checklist import CheckedPoint, check
from ..core.contract import Contract, make_contract
from ..core.outcome import Outcome
from ..core.ports import Results, Writer
from ..core.records import SCHEMA_VERSION
from ..core.report import Report, make_report
from ..core.session import Session
from ..core.telemetry import SKILL, line_about, timestamp
from .masking import masked_contract, masked_text, report_of


@dataclass(frozen=True)
class End:
    """Everything an ended session gives, computed from it alone."""

    outcome: Outcome
    report: Report
    report_markdown: str
    contract: Contract
    checklist: tuple[CheckedPoint, ...]


def end_of(session: Session, outcome: Outcome, writer: Writer) -> End:
    """The end of a session whose report has been drafted."""
    report = report_of(session, outcome)
    sentences = writer.contract_sentences(session, outcome)
    return End(
        outcome=outcome,
        report=report,
        report_markdown=writer.report(report),
        contract=masked_contract(make_contract(session, outcome, sentences)),
        checklist=check(session, outcome, make_report(session, outcome)),
    )


def close(session: Session, outcome: Outcome, writer: Writer, results: Results) -> None:
    """Writes the end. Doing it again after a crash leaves the same files and one telemetry line."""
    end = end_of(session, outcome, writer)
    report_path = results.write_report(session, end.report_markdown)
    contract_path, _ = results.write_contract(end.contract)
    results.write_state(final_state(session, end, report_path, contract_path))
    results.write_telemetry(finished_line(session, end))


def final_state(session: Session, end: End, report: Path, contract: Path) -> dict[str, Any]:
    """Dotted keys in the order of the skill's own snippet."""
    outcome = end.outcome
    return {
        "current_stage": SKILL,
        "last_decision": outcome.decision,
        "artifacts.roundtable_mode": session.prepared.mode,
        "exit_code": outcome.exit_code,
        "exit_reason": outcome.state_reason,
        "next_skill": outcome.state_next_skill,
        "artifacts.roundtable_contract": end.contract.model_dump(mode="json"),
        "artifacts.roundtable_report": str(report),
        "artifacts.roundtable_session": session.id,
    }


def redirect_state(session: Session) -> dict[str, Any]:
    """A redirect says where to go and nothing else."""
    start = session.start
    return {
        "exit_code": "redirected",
        "exit_reason": masked_text(start.route_reason),
        "next_skill": start.route,
    }


def event_line(
    session: Session, event: Literal["started", "paused", "redirected"]
) -> dict[str, Any]:
    """A telemetry line without a decision. Nothing of what was said is in it."""
    start = session.start
    return line_about(
        event,
        "socratic",
        at=session.last_at,
        session=session.id,
        project=start.project,
        version=start.version,
        model=start.model,
    )


def finished_line(session: Session, end: End) -> dict[str, Any]:
    """The telemetry line of a finished session. Counts and names only, nothing of what was said."""
    outcome = end.outcome
    answers = [t.answer for t in session.turns if t.answer]
    return {
        "skill": SKILL,
        "ts": timestamp(session.last_at),
        "decision": outcome.decision,
        "confidence": outcome.confidence,
        "mode": session.prepared.mode,
        "schema_version": SCHEMA_VERSION,
        "event": "finished",
        "format": "socratic",
        "session": session.id,
        "project": session.start.project,
        "version": session.start.version,
        "exit_reason": session.phase_exit,
        "exit_code": outcome.exit_code,
        "next_skill": outcome.next_skill,
        "escalate": outcome.escalate,
        "forced": outcome.forced,
        "breaker": session.breaker_tripped,
        "confidence_reasons": list(outcome.confidence_reasons),
        "questions": len(session.turns),
        "informative": sum(a.signal == "informative" for a in answers),
        "low_information": sum(a.signal == "low_information" for a in answers),
        "clarifications": sum(len(t.clarifications) for t in session.turns),
        "roles": list(session.prepared.roles),
        "model": session.start.model,
        **usage_counts(session),
        "checklist_failed": sum(p.verdict == "failed" for p in end.checklist),
    }


def usage_counts(session: Session) -> dict[str, Any]:
    """What the session cost, summed over its calls; None where a part is unknown, never 0.

    Without calls the counts are true zeros. A call of which nothing was sent adds nothing.
    """
    asked = [call for call in session.calls if call.requests]
    return {
        "model_calls": len(session.calls),
        "input_tokens": _total([call.input_tokens for call in asked]),
        "output_tokens": _total([call.output_tokens for call in asked]),
        "cost_usd": _total([0.0, *(call.cost_usd for call in asked)]),
        "seconds": round(session.active_s, 3),
    }


def _total(counts: Sequence[float | None]) -> float | None:
    known = [count for count in counts if count is not None]
    return round(sum(known), 6) if len(known) == len(counts) else None
