"""All decisions of a project as the rows of a decision log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..core.plain import one_line
from ..core.secrets import mask
from ..stores.sessions import SessionStore
from .aftermath import Aftermaths
from .export_record import status_of


@dataclass(frozen=True)
class LogEntry:
    """One finished session. Texts are one line each, safe and masked; "" where there is none."""

    session: str
    date: str
    topic: str
    option: str
    status: str
    confidence: str
    outcome: str
    outcome_date: str
    links: tuple[str, ...]


def decision_log(root: Path) -> Iterator[LogEntry]:
    """The finished sessions, newest first."""
    after = Aftermaths(root)
    for summary in SessionStore(root).summaries():
        if summary.status != "finished":
            continue
        came = after.of(summary.id)
        told = came.outcome
        yield LogEntry(
            session=summary.id,
            date=summary.last_at[:10],
            topic=one_line(mask(summary.topic)),
            option=one_line(mask(summary.option or "")),
            status=status_of(summary.decision, came),
            confidence="" if summary.confidence is None else f"{summary.confidence:g}",
            outcome=told.outcome if told else "",
            outcome_date=told.at[:10] if told else "",
            links=tuple(
                f"{link.source} {link.relation} {link.target}"
                for link in came.links
                if link is not came.superseded
            ),
        )
