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
    """Comparable cost of having chosen `option` wrongly; equal ranks mean no known difference."""
    stated = [c for _, a in session.assessments for c in a.costs if c.option == option.id]
    amount = max((c.amount or 0.0 for c in stated), default=0.0)
    return (
        _BY_REVERSIBILITY[option.reversibility],
        1 if stated else 0,
        amount,
        0 if option.status_quo else 1,
    )


def lowest_cost(session: Session, among: Iterable[Option]) -> Option | None:
    """The option with the lowest wrong-choice cost, the first listed where equal; None if empty."""
    return min(among, key=lambda option: cost_rank(session, option), default=None)
