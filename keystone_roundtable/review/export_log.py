"""All decisions of a project as the rows of a decision log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..core.plain import one_line
from ..core.secrets import mask
from ..stores.held import WORDS, Held, all_held
from ..stores.places import FOLDERS
from ..stores.summaries import SessionSummary, summarise
from .aftermath import Aftermaths
from .export_record import status_of


@dataclass(frozen=True)
class LogEntry:
    """One decision. Texts are one line each, safe and masked; "" where there is none."""

    session: str
    """The id, of a table or a room too."""
    word: str
    """`session`, `table` or `room`."""
    date: str
    topic: str
    option: str
    status: str
    confidence: str
    outcome: str
    outcome_date: str
    links: tuple[str, ...]


def decision_log(root: Path) -> Iterator[LogEntry]:
    """The finished sessions, tables and rooms, newest first. Raises `StoreError`."""
    after = Aftermaths(root)
    held = [one for of in FOLDERS for one in all_held(root, of)]
    summaries = [(one, summarise(one.folder, one.format)) for one in held]
    ended = [pair for pair in summaries if pair[1].status == "finished"]
    for one, summary in sorted(ended, key=_age, reverse=True):
        came = after.of(one.id, one.folder)
        told = came.outcome
        yield LogEntry(
            session=one.id,
            word=WORDS[one.format],
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


def _age(pair: tuple[Held, SessionSummary]) -> tuple[str, str, str]:
    one, summary = pair
    return one.id[:8], summary.last_at, one.id
