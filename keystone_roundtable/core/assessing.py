"""What an assessment may say: it names only options the session has or brings in itself."""

from __future__ import annotations

from .errors import IllegalEventError
from .records import Assessment
from .session import Session


def check_assessment(session: Session, assessment: Assessment) -> None:
    """Raises `IllegalEventError` where it is for another asking or names what does not exist."""
    if not session.turns or session.turns[-1].asking != assessment.asking:
        raise IllegalEventError(
            f"the assessment is for {assessment.asking}, which is not the last answer"
        )
    known = {o.id for o in session.options} | {o.id for o in assessment.options}
    unknown = sorted(_named_options(assessment) - known)
    if unknown:
        raise IllegalEventError(
            f"the assessment names options the session lacks: {', '.join(unknown)}"
        )
    roles = {view.role for view in assessment.views}
    if roles and roles != set(session.prepared.roles):
        raise IllegalEventError("the assessment drops or adds a role's view")


def _named_options(assessment: Assessment) -> set[str]:
    named = {*assessment.choices, *assessment.exclusions}
    named |= {o for fact in assessment.facts for o in fact.options}
    named |= {change.option for change in assessment.reassessed}
    named |= {cost.option for cost in assessment.costs}
    for view in assessment.views:
        named |= {*view.cannot_accept, *([view.prefers] if view.prefers else [])}
    return named
