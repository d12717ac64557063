"""A project's sessions: finding, making, opening and listing them.

Reading a log takes far more than listing does, and is imported where it is done.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import AmbiguousIdError, UnknownSessionError, doing
from .places import LOG_NAME, SESSION_ID, sessions_folder
from .summaries import SessionSummary, summarise

if TYPE_CHECKING:
    from .session_log import LogContents, SessionLog

_ID_PREFIX = re.compile(r"[0-9a-z-]+")


class SessionStore:
    """The sessions below `<root>/.keystone/roundtable/sessions`; nothing need exist yet."""

    def __init__(self, root: Path) -> None:
        self.path = sessions_folder(root)

    def folder(self, session_id: str) -> Path:
        """The session's folder, whether or not it exists.

        Raises `UnknownSessionError` for anything that is no id, so that no id leads elsewhere.
        """
        if not SESSION_ID.fullmatch(session_id):
            raise UnknownSessionError(session_id)
        return self.path / session_id

    def create(self, session_id: str) -> SessionLog:
        """A new session's log, open for writing. Raises `StoreError` where the session exists."""
        from .session_log import SessionLog

        return SessionLog.create(self.folder(session_id))

    def open(self, session_id: str) -> SessionLog:
        """The session's log, open for writing.

        Raises `UnknownSessionError`, and `SessionBusyError` where it is open elsewhere.
        """
        from .session_log import SessionLog

        return SessionLog.open(self.folder(session_id))

    def read(self, session_id: str) -> LogContents:
        """The session's events, also while another process writes to it."""
        from .session_log import read_log

        return read_log(self.folder(session_id) / LOG_NAME)

    def exists(self, session_id: str) -> bool:
        path = self.folder(session_id) / LOG_NAME
        with doing("read", path):
            return path.is_file()

    def ids(self) -> tuple[str, ...]:
        """All ids, newest first: by the id's date, then by the last write to the log."""
        return tuple(sorted(self._names(), key=self._age_key, reverse=True))

    def summaries(self) -> Iterator[SessionSummary]:
        """A line of the listing for each session, newest first; broken ones say what is wrong."""
        return (summarise(self.path / session_id) for session_id in self.ids())

    def resolve(self, prefix: str) -> str:
        """The id that starts with `prefix`.

        Raises `UnknownSessionError` where none does, `AmbiguousIdError` with the candidates where
        several do.
        """
        if not _ID_PREFIX.fullmatch(prefix):
            raise UnknownSessionError(prefix)
        if SESSION_ID.fullmatch(prefix) and self.exists(prefix):
            return prefix
        found = [session_id for session_id in self.ids() if session_id.startswith(prefix)]
        if not found:
            raise UnknownSessionError(prefix)
        if len(found) > 1:
            raise AmbiguousIdError("sessions", prefix, found)
        return found[0]

    def resumable(self) -> list[SessionSummary]:
        """The sessions that can be resumed, the one worked on last first."""
        found = (s for s in self.summaries() if s.status in ("open", "paused"))
        return sorted(found, key=lambda s: (s.last_at, s.id), reverse=True)

    def _names(self) -> list[str]:
        with doing("list", self.path):
            try:
                return [
                    path.name for path in self.path.iterdir() if SESSION_ID.fullmatch(path.name)
                ]
            except FileNotFoundError:
                return []

    def _age_key(self, session_id: str) -> tuple[str, int, str]:
        try:
            written_ns = (self.path / session_id / LOG_NAME).stat().st_mtime_ns
        except OSError:  # no log yet: listed all the same
            written_ns = 0
        return session_id[:8], written_ns, session_id
