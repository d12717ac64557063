"""What has to be said above a question before it is asked."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.limits import MIN_ANSWERED
from ..core.preference import preference
from ..core.records import Question
from ..core.report import shorten
from ..core.session import Session

NO_PREFERENCE_YET = "No path is preferred so far; if you lean one way, say so here: “I lean to …”."


def led(question: Question, session: Session) -> Question:
    """The question with its lead.

    Answers that contradict each other are put side by side; and where enough was answered and no
    path is preferred yet, the person is told that a leaning can be named here.
    """
    if session.reask is not None:
        return question
    if question.conflict:
        above = _side_by_side(session, question.conflict)
    elif len(session.answered) >= MIN_ANSWERED and _undecided(session):
        above = NO_PREFERENCE_YET
    else:
        return question
    return question.model_copy(update={"lead": f"{question.lead} {above}".strip()})


def _undecided(session: Session) -> bool:
    return len(session.options) > 1 and preference(session).option is None


def _side_by_side(session: Session, answers: Sequence[str]) -> str:
    """The answers with what they were taken for: in the same words they may say opposite things."""
    said = {turn.answer_id: turn.words for turn in session.turns}
    taken = {fact.ref: _TAKEN_AS[fact.kind] for fact in session.facts if fact.kind in _TAKEN_AS}
    pairs = "; ".join(f"{taken.get(a, '')}“{shorten(said[a])}” ({a})" for a in answers)
    return f"Two of your answers pull apart: {pairs}. Say here which one holds."


_TAKEN_AS = {"choice": "chosen, ", "exclusion": "ruled out, ", "refusal": "ruled out, "}
