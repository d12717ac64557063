"""When the question phase ends, and what may still be asked in it: the first reason that holds."""

from __future__ import annotations

from .agenda import asking_id, next_question
from .convergence import convergence, scope_question_due
from .errors import IllegalEventError
from .records import ExitReason, Question
from .session import Session


def exit_reason(session: Session) -> ExitReason | None:
    """Why the question phase must end now; None while another question is due."""
    if session.reask is not None:
        return None
    if session.breaker_tripped:
        return "circuit_breaker"
    if session.stopped:
        return "user_stopped"
    if session.deferred:
        return "user_deferred"
    reason = convergence(session)
    if reason is not None and not scope_question_due(session):
        return reason
    return "question_limit" if next_question(session) is None else None


def check_question(session: Session, question: Question, asking: str) -> None:
    """Raises `IllegalEventError` unless exactly this question may be put now."""
    if (reason := exit_reason(session)) is not None:
        raise IllegalEventError(f"no further question may be asked ({reason})")
    due = next_question(session)
    if due is None or _identity(due) != _identity(question):
        raise IllegalEventError(f"'{question.template}' is not the question that is due")
    if asking != asking_id(session):
        raise IllegalEventError(f"'{asking}' is not a fresh asking id")


def _identity(question: Question) -> tuple[str, str, str, tuple[str, ...]]:
    """What may not change between the question that is due and the one that is put."""
    return question.id, question.template, question.slot, question.conflict
