"""Which question comes next, and which may not be asked at all."""

from __future__ import annotations

from .convergence import scope_question_due
from .limits import MAX_ASKED
from .preference import conflict_to_show
from .records import Question
from .session import Session


def next_question(session: Session) -> Question | None:
    """The question to put next, numbered; None where nothing is left to ask.

    A question that comes again goes first; then the scope question where a converged session
    still has a soft scope; then the bank in the moderator's order, never the same slot twice.
    """
    if session.reask is not None:
        return session.reask
    if len(session.turns) >= MAX_ASKED:
        return None
    scope = session.prepared.scope_question
    if scope_question_due(session):
        return _numbered(session, scope)
    for template in _ranked(session):
        question = next(q for q in session.bank if q.template == template)
        if question.slot not in session.asked_slots:
            return _numbered(session, question)
    if session.scope_soft and not session.scope_asked:
        return _numbered(session, scope)
    return None


def _ranked(session: Session) -> tuple[str, ...]:
    """The moderator's order first; what it left out follows in the bank's own order."""
    own = tuple(q.template for q in session.bank)
    ranked = tuple(t for t in session.agenda if t in own)
    return (*ranked, *(t for t in own if t not in ranked))


def _numbered(session: Session, question: Question) -> Question:
    return question.model_copy(
        update={"id": f"Q{len(session.turns) + 1}", "conflict": conflict_to_show(session)}
    )


def asking_id(session: Session) -> str:
    """A fresh id for the next asking."""
    return f"k{session.askings + 1}"


def call_id(session: Session) -> str:
    """A fresh id for the next call of the model that is the calling agent."""
    return f"c{session.model_askings + 1}"
