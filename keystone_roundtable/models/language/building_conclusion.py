"""Checked words as the session's own conclusion."""

from __future__ import annotations

from ...core.plain import one_line
from ...core.records import (
    Conclusion,
    Line,
    RoleLine,
)
from ...core.session import Session
from .building_parts import refs_of
from .drafts import (
    ConcludeDraft,
    LineDraft,
)
from .ledger import Ledger


def conclusion_of(
    draft: ConcludeDraft, session: Session, by_rules: Conclusion, ledger: Ledger, model: str
) -> Conclusion:
    """The report's words. What is missing, and whether risk is disclosed, stay the rules'."""
    roles = session.prepared.roles

    def line(one: LineDraft) -> Line:
        return Line(text=one_line(one.text), refs=refs_of(one.refs, ledger, roles))

    risk = by_rules.risk_disclosure
    if risk is not None and draft.risk_disclosure is not None:
        risk = line(draft.risk_disclosure)
    told = {view.role: view.text for view in draft.role_views}
    return Conclusion(
        role_views=tuple(RoleLine(role=role, text=one_line(told[role])) for role in roles),
        consensus=line(draft.consensus),
        disagreement=line(draft.disagreement),
        decision=line(draft.decision),
        why=line(draft.why),
        excluded_paths=line(draft.excluded_paths),
        wrong_choice_cost=line(draft.wrong_choice_cost),
        entry_condition=line(draft.entry_condition),
        risk_disclosure=risk,
        missing_points=by_rules.missing_points,
        simulated_by=by_rules.simulated_by,
        source=model,
    )
