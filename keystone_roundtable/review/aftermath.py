"""What came after a decision: what it was linked to, and how it turned out.

What reads links and outcomes is loaded where there are any: most have none.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ..stores.errors import StoreError
from ..stores.places import LINKS_NAME, OUTCOMES_NAME, roundtable_folder

if TYPE_CHECKING:
    from .links import Link
    from .outcomes import Recorded

_Read = TypeVar("_Read")

DECIDED = "roundtable-aligned"

# Chosen by judgement: what was decided this month has seldom shown how it turns out.
ASKED_AFTER_DAYS = 30


class Aftermath(NamedTuple):
    """`superseded` is the link that says by what; `links` are all that name the decision."""

    superseded: Link | None
    links: tuple[Link, ...]
    outcomes: tuple[Recorded, ...]

    @property
    def outcome(self) -> Recorded | None:
        """The outcome that counts."""
        return self.outcomes[-1] if self.outcomes else None

    def as_object(self) -> dict[str, Any]:
        """What machines read of it: `superseded_by`, `links`, `outcome` and every earlier one."""
        by = self.superseded
        return {
            "superseded_by": {"session": by.source, "at": by.at} if by else None,
            "links": [link._asdict() for link in self.links],
            "outcome": _told(self.outcome) if self.outcome else None,
            "earlier_outcomes": [_told(one) for one in self.outcomes[:-1]],
        }


class Aftermaths:
    """What came after the decisions of one project; links are read once, outcomes as asked for."""

    def __init__(self, root: Path, passed_over: list[str] | None = None) -> None:
        """What cannot be read is named in `passed_over`; without one it raises `StoreError`."""
        self._base, self._passed_over = roundtable_folder(root), passed_over
        self._links: tuple[Link, ...] = ()
        if os.path.lexists(self._base / LINKS_NAME):
            from .links import read_links

            self._links = self._read(lambda: read_links(root))

    def of(self, held_id: str, folder: Path) -> Aftermath:
        """Of what has this id and lies in `folder`. Raises `StoreError`."""
        links = tuple(one for one in self._links if held_id in (one.source, one.target))
        by = [one for one in links if one.relation == "supersedes" and one.target == held_id]
        return Aftermath(by[-1] if by else None, links, self._read(lambda: _outcomes(folder)))

    def at(self, held_id: str, place: str) -> Aftermath:
        """The same; `place` is the folder below `roundtable_folder`."""
        return self.of(held_id, self._base / place)

    def _read(self, read: Callable[[], tuple[_Read, ...]]) -> tuple[_Read, ...]:
        try:
            return read()
        except StoreError as error:
            if self._passed_over is None:
                raise
            self._passed_over.append(error.message)
            return ()


def _outcomes(folder: Path) -> tuple[Recorded, ...]:
    if not (folder / OUTCOMES_NAME).exists():
        return ()
    from .outcomes import read_outcomes

    return read_outcomes(folder)


def _told(one: Recorded) -> dict[str, str]:
    return {"outcome": one.outcome, "at": one.at, "note": one.note}


def wants_outcome(decision: str | None, at: str, after: Aftermath, now_s: float) -> bool:
    """Whether to ask how a decision of this moment turned out: it is old, and nobody has said."""
    if decision != DECIDED or after.outcomes:
        return False
    oldest = time.gmtime(now_s - ASKED_AFTER_DAYS * 86_400)
    return at[:10] < time.strftime("%Y-%m-%d", oldest)
