"""An assessment made from an older state of the session, fitted to the present one.

Two answers may be assessed at the same time; each can bring in an option, and both would call it
by the next free id.
"""

from __future__ import annotations

from typing import Any

from .records import Assessment, Option
from .session import Session

_NAMES_ONE = ("option", "prefers")
_NAMES_SEVERAL = ("choices", "exclusions", "cannot_accept")

Names = dict[str, str | None]
"""New ids by old; None for an option that a later answer has brought in already."""


def rebased(assessment: Assessment, session: Session) -> Assessment:
    """The assessment with its new options under free ids; one that is listed already is left out.

    Raises `IllegalEventError` where no answer waits for it.
    """
    names = _names(assessment.options, session)
    if all(old == new for old, new in names.items()):
        return assessment
    dumped = assessment.model_dump()
    dumped["options"] = [
        {**option, "id": names[option["id"]]}
        for option in dumped["options"]
        if names[option["id"]] is not None
    ]
    return Assessment.model_validate(_renamed(dumped, names))


def _names(brought: tuple[Option, ...], session: Session) -> Names:
    names: Names = {}
    texts = {option.text.casefold() for option in session.options}
    taken = {option.id for option in session.options}
    for option in brought:
        fresh = option.id if option.id not in taken else _free(taken)
        names[option.id] = None if option.text.casefold() in texts else fresh
        taken.add(fresh)
    return names


def _free(taken: set[str]) -> str:
    number = len(taken) + 1
    while f"o{number}" in taken:
        number += 1
    return f"o{number}"


def _renamed(value: Any, names: Names) -> Any:
    """A dumped record with every option under its new name; texts stay as they are."""
    if isinstance(value, list | tuple):
        parts = (_renamed(part, names) for part in value)
        return tuple(part for part in parts if part is not None)
    if not isinstance(value, dict):
        return value
    if value.get("option") in names and names[value["option"]] is None:
        return None  # a cost, a reassessment or a suggestion of what was left out
    return {key: _part(key, part, names) for key, part in value.items()}


def _part(key: str, part: Any, names: Names) -> Any:
    if key in _NAMES_ONE:
        return names.get(part, part)
    if key in _NAMES_SEVERAL or (key == "options" and part and isinstance(part[0], str)):
        renamed = (names.get(one, one) for one in part)
        return tuple(one for one in renamed if one is not None)
    return _renamed(part, names) if isinstance(part, list | tuple | dict) else part
