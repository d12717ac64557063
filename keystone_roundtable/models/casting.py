"""Which roles sit in: the mode's mix, swapped and widened by what the topic is about."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..core.catalog import Catalog, ModeSpec, RoleSpec
from ..core.records import Complexity

SEATS: dict[Complexity, int] = {"small": 2, "normal": 3, "complex": 4}
MOST_SEATS = 5
ENGINEERS = ("frontend-engineer", "backend-engineer")
FEASIBILITY = "delivery-owner"  # asks what can be done, where nothing is to be engineered


def complexity_of(seats: int) -> Complexity:
    """How complex a topic is taken to be that has so many roles, two or more."""
    return next((c for c, fewest in reversed(SEATS.items()) if seats >= fewest), "small")


def cast_roles(
    topic: str, mode: ModeSpec, complexity: Complexity, catalog: Catalog, asked: tuple[str, ...]
) -> tuple[str, ...]:
    """Role ids in order of speaking; at least two.

    Roles that the person asked for are taken as they stand; a lone one gets the mode's first other
    role beside it.
    """
    if asked:
        chosen = list(dict.fromkeys(asked))
        if len(chosen) < 2:
            chosen.append(next(r for r in mode.default_roles if r not in chosen))
        return tuple(chosen)
    called = _called(topic, catalog.roles.values())
    default = [_fitting(role, called) for role in mode.default_roles]
    seats = SEATS[complexity]
    if seats < len(default):
        # Few chairs: those the topic calls for come first, then the one who speaks for its users.
        default.sort(key=lambda role: (role not in called, role != "product-manager"))
    extra = [role for role in called if role not in default]
    if complexity == "complex" and len(extra) > 1:
        seats = MOST_SEATS
    return tuple(_seat(default, extra, called, seats, mode, catalog))


def _called(topic: str, roles: Iterable[RoleSpec]) -> list[str]:
    """Roles whose triggers the topic holds, most hits first."""
    folded = topic.casefold()
    hits = {role.id: sum(_holds(folded, t) for t in role.triggers) for role in roles}
    return sorted((r for r, n in hits.items() if n), key=lambda r: -hits[r])


def _holds(folded: str, trigger: str) -> bool:
    if trigger not in folded or not trigger.isascii():
        return trigger in folded  # most triggers end here, before a pattern is made
    return re.search(rf"(?<!\w){re.escape(trigger)}(?:s|es)?(?!\w)", folded) is not None


def _fitting(role: str, called: list[str]) -> str:
    """The engineer that the topic is about, or the one who asks for feasibility."""
    if role not in ENGINEERS or role in called:
        return role
    other = next((e for e in ENGINEERS if e in called), None)
    if other is not None:
        return other
    return role if "software-architect" in called else FEASIBILITY


def _seat(
    default: list[str],
    extra: list[str],
    called: list[str],
    seats: int,
    mode: ModeSpec,
    catalog: Catalog,
) -> list[str]:
    """Seats the default mix; a called role takes the chair of one that nothing calls for."""
    seated = list(dict.fromkeys(default))
    for role in extra:
        if len(seated) < seats:
            seated.append(role)
            continue
        idle = next((r for r in reversed(seated[1:]) if r not in called), None)
        if idle is not None:
            seated[seated.index(idle)] = role
    pool = [r.id for r in catalog.roles.values() if r.default and r.id not in seated]
    while len(seated) < seats and pool:
        seated.append(pool.pop(0))
    return seated[:seats]
