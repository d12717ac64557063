"""A session that was named on the command line, and what its contract stated."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ..core.errors import UsageError
from ..stores.errors import StoreError, UnknownSessionError
from ..stores.sessions import SessionStore
from ..stores.summaries import SessionSummary, summarise
from .typed import as_typed


class Named(NamedTuple):
    folder: Path
    summary: SessionSummary

    @property
    def id(self) -> str:
        return self.summary.id


def named(root: Path, prefix: str) -> Named:
    """The session whose id begins so.

    Raises `UnknownSessionError` that names the project, `StoreError` where several begin so.
    """
    store = SessionStore(root)
    try:
        folder = store.folder(store.resolve(prefix))
    except UnknownSessionError as error:
        if table := _table_named(root, prefix):
            raise UsageError(
                f"{table} is a table, and no session",
                f"See: keystone-roundtable table show {table}",
            ) from error
        raise UnknownSessionError(as_typed(prefix)[:60], root) from error
    return Named(folder, summarise(folder))


def _table_named(root: Path, prefix: str) -> str:
    """The table whose id begins so; "" where not just one does."""
    from ..stores.tables import TableStore  # seldom needed

    try:
        return TableStore(root).resolve(prefix)
    except StoreError:
        return ""


def finished(root: Path, prefix: str) -> Named:
    """The session, which has come to an end. Raises `UsageError` where it has not."""
    found = named(root, prefix)
    summary = found.summary
    if summary.problem:
        raise UsageError(
            f"session {found.id} cannot be read: {summary.problem}",
            "Repair its log, or name another",
        )
    match summary.status:
        case "finished":
            return found
        case "redirected":
            raise UsageError(
                f"session {found.id} was sent elsewhere: nothing was decided in it",
                f"Look at it: keystone-roundtable show {found.id}",
            )
        case _:
            raise UsageError(
                f"session {found.id} is {summary.status}: nothing is decided in it yet",
                f"Go on with it: keystone-roundtable resume {found.id}",
            )
