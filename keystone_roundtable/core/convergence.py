"""Whether enough was said for one direction, and what the scope question waits for."""

from __future__ import annotations

from .limits import MAX_ASKED, MIN_ANSWERED
from .preference import preference, unshown_conflict
from .records import ExitReason
from .session import Session


def roles_disagree(session: Session) -> bool:
    """Whether at least two roles prefer different options."""
    return len({view.prefers for view in session.views if view.prefers is not None}) > 1


def convergence(session: Session) -> ExitReason | None:
    """The reason that enough was said, if it was; the scope question apart.

    Answers that contradict each other are first shown in a question of their own.
    """
    if len(session.answered) < MIN_ANSWERED:
        return None
    current = preference(session)
    if current.option is not None and not session.unfilled_needed:
        return "enough_information"
    if current.excluded and not unshown_conflict(session) and roles_disagree(session):
        return "exclusions_clear"
    return None


def scope_question_due(session: Session) -> bool:
    """Whether the one scope question must come before a converged session may leave (E3)."""
    return (
        convergence(session) is not None
        and session.scope_soft
        and not session.scope_asked
        and len(session.turns) < MAX_ASKED
    )
