"""What came after a session: what it was linked to, and how it turned out."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from ..stores.places import sessions_folder
from .links import Link, read_links, superseding
from .outcomes import ASKED_AFTER_DAYS, Recorded, read_outcomes

DECIDED = "roundtable-aligned"


class Aftermath(NamedTuple):
    """`superseded` is the link that says by what; `links` are all that name the session."""

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
    """What came after the sessions of one project; links are read once, outcomes as asked for."""

    def __init__(self, root: Path) -> None:
        self._sessions = sessions_folder(root)
        self._links = read_links(root)
        self._superseding = superseding(self._links)

    def of(self, session_id: str) -> Aftermath:
        """Raises `StoreError`."""
        return Aftermath(
            superseded=self._superseding.get(session_id),
            links=_naming(session_id, self._links),
            outcomes=read_outcomes(self._sessions / session_id),
        )


def _told(one: Recorded) -> dict[str, str]:
    return {"outcome": one.outcome, "at": one.at, "note": one.note}


def _naming(session_id: str, links: Iterable[Link]) -> tuple[Link, ...]:
    return tuple(link for link in links if session_id in (link.source, link.target))


def wants_outcome(decision: str | None, at: str, after: Aftermath, now_s: float) -> bool:
    """Whether to ask how a decision of this moment turned out: it is old, and nobody has said."""
    if decision != DECIDED or after.outcomes:
        return False
    oldest = time.gmtime(now_s - ASKED_AFTER_DAYS * 86_400)
    return at[:10] < time.strftime("%Y-%m-%d", oldest)
