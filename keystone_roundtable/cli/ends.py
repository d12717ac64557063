"""The end of a session, computed from its log."""

from __future__ import annotations

from pathlib import Path

from ..core.outcome import outcome_of
from ..core.session import Session
from ..runtime.closing import End, end_of
from .wiring import Project, replayed


def session_in(root: Path, session_id: str) -> Session:
    """Raises `KeystoneError` where the log tells of none."""
    return replayed(Project(root).store.read(session_id).events, session_id)


def end_in(root: Path, session_id: str) -> End:
    """The end of a finished session. Raises `KeystoneError` where the log does not add up."""
    session = session_in(root, session_id)
    return end_of(session, outcome_of(session), Project(root).writer)
