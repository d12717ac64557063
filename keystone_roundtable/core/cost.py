"""Wrong-choice cost: which option hurts least if it turns out wrong.

Lowest first: reversible, unknown, irreversible; then the cost an answer states; then keeping
things as they are; then the order of listing.
"""

from __future__ import annotations

from collections.abc import Iterable

from .records import Option, Reversibility
from .session import Session

_BY_REVERSIBILITY: dict[Reversibility, int] = {"reversible": 0, "unknown": 1, "irreversible": 2}

CostRank = tuple[int, int, float, int]


def cost_rank(session: Session, option: Option) -> CostRank:
    """Comparable cost of having chosen `option` wrongly; equal ranks mean no known difference.

    Amounts count only where all that were stated have one unit: days and euros do not compare.
    """
    costs = [cost for _, assessment in session.assessments for cost in assessment.costs]
    units = {cost.unit for cost in costs if cost.amount is not None}
    stated = [cost for cost in costs if cost.option == option.id]
    amount = max((c.amount or 0.0 for c in stated), default=0.0) if len(units) == 1 else 0.0
    return (
        _BY_REVERSIBILITY[option.reversibility],
        1 if stated else 0,
        amount,
        0 if option.status_quo else 1,
    )


def lowest_cost(session: Session, among: Iterable[Option]) -> Option | None:
    """The option with the lowest wrong-choice cost, the first listed where equal; None if empty."""
    return min(among, key=lambda option: cost_rank(session, option), default=None)
