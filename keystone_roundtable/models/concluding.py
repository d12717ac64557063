"""The conclusion by rules, each line with what it rests on.

The outcome is given; what is written here says why, in the person's own words. Nothing is
claimed that nobody said.
"""

from __future__ import annotations

from ..core.catalog import Catalog
from ..core.outcome import Outcome
from ..core.records import Conclusion
from ..core.session import Session
from ..reading.rules import Rules
from .missing import missing_points
from .said import Said
from .telling_direction import DirectionTold
from .telling_rest import RestTold
from .telling_roles import RolesTold
from .wording import Wording

SIMULATED_BY = (
    "The roles were played by the built-in rules over what was said; "
    "no language model was consulted."
)


def conclude(
    session: Session, outcome: Outcome, rules: Rules, catalog: Catalog, wording: Wording
) -> Conclusion:
    """The report's words for this outcome."""
    told_from = (session, outcome, rules, catalog, wording, Said(session))
    roles, direction, rest = (
        RolesTold(*told_from),
        DirectionTold(*told_from),
        RestTold(*told_from),
    )
    return Conclusion(
        role_views=roles.role_views(),
        consensus=roles.consensus(),
        disagreement=roles.disagreement(),
        decision=direction.decision(),
        why=direction.why(),
        excluded_paths=rest.excluded_paths(),
        wrong_choice_cost=rest.wrong_choice_cost(),
        entry_condition=rest.entry_condition(),
        risk_disclosure=rest.risk_disclosure(),
        missing_points=missing_points(session, outcome),
        simulated_by=SIMULATED_BY,
    )
