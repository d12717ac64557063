"""The sessions of a project, as the step protocol wants them."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from .. import __version__
from ..core.errors import UsageError
from ..core.events import Event
from ..core.plain import plain
from ..core.recovery import Fallback
from ..core.session import Session
from ..pipeline.errors import StepError
from ..pipeline.ports import Opened
from ..pipeline.requests import Start
from ..runtime.services import Beginning, Services
from ..stores.errors import SessionBusyError, UnknownSessionError
from ..stores.journal import ExchangeJournal
from ..stores.session_log import SessionLog
from ..stores.started import Started, StartedSessions
from .earlier import tell_earlier
from .moderators import Moderators
from .presenting import session_object
from .settings import Settings, resolve
from .wiring import Project, new_session_id, replayed

_END = ("report_markdown", "contract", "paths", "exit")


@dataclass(frozen=True)
class ProjectTable:
    """The `Table` of the step protocol below one root. `tell` gets lines for standard error."""

    project: Project
    say: Any

    # -- sessions ----------------------------------------------------------------------

    @contextmanager
    def open(self, session_id: str) -> Iterator[Opened]:
        with self._log_of(session_id) as log:
            opened = _opened(session_id, log)
            if not opened.events:
                raise _unknown(session_id)
            yield opened

    @contextmanager
    def begin(self, request: Start, digest: str) -> Iterator[Opened]:
        """Raises `StepError` before anything is written where the request cannot be carried out."""
        self.beginning(request, "")
        tell_earlier(self.project.root, request.topic, self, may_choose=False)
        with self._new_log(request, digest) as log:
            try:
                yield _opened(log.folder.name, log)
            finally:
                log.discard()  # only where nothing was written to it

    def _new_log(self, request: Start, digest: str) -> SessionLog:
        session_id = new_session_id()
        if request.request_id is None:
            return self.project.store.create(session_id)
        started = StartedSessions(self.project.root)
        with started.of(request.request_id, Started(session_id, digest)) as found:
            if found.digest != digest:
                raise StepError(
                    "bad_request",
                    "this request_id was given to a start with other contents",
                    f"Give a fresh one, or go on with session {found.session}",
                )
            if self.project.store.exists(found.session):
                return self._log_of(found.session)
            return self.project.store.create(found.session)

    def _log_of(self, session_id: str) -> SessionLog:
        try:
            return self.project.store.open(session_id)
        except UnknownSessionError as error:
            raise _unknown(session_id) from error
        except SessionBusyError as error:
            raise StepError(
                "busy", error.message, "Send the same request again when it is done there"
            ) from error

    # -- parts -------------------------------------------------------------------------

    def beginning(self, request: Start, session_id: str) -> Beginning:
        unknown = [role for role in request.roles if role not in self.project.catalog.roles]
        if unknown:
            raise UsageError(
                "roles: there is no such role",
                f"Choose from {', '.join(self.project.catalog.roles)}",
            )
        if request.model is not None:
            self._settings(request.model)  # a wrong spec is told before a session is made
        return Beginning(
            session=session_id,
            topic=request.topic.strip(),
            project=self.project.opaque_id,
            version=__version__,
            context=request.context,
            mode=request.mode,
            roles=tuple(dict.fromkeys(request.roles)),
            force=request.force,
            telemetry=self.project.telemetry,
        )

    def services(self, session: Session, model: str | None) -> Services:
        """A session that has begun keeps its model, and whether it is counted."""
        settings = self._settings(model)
        begun = session.started is not None
        spec = session.model if begun else settings.model.value
        project = self.project
        if begun and not session.start.telemetry:
            project = replace(project, telemetry=False)
        moderators = Moderators(project, settings, os.environ, spent=session.calls)
        moderator = moderators.host() if spec == "host" else moderators.named(spec)
        services = project.services(moderator, moderators, patience_s=0.0, say=self.tell)
        return replace(services, in_background=False)

    @property
    def fallback(self) -> Fallback:
        return self._settings(None).fallback.value

    def _settings(self, model: str | None) -> Settings:
        if model is None:
            return self._configured
        try:
            return resolve(Namespace(model=model), self.project.root)
        except UsageError as error:
            raise UsageError(error.message.replace("--model", "model", 1), error.hint) from error

    @cached_property
    def _configured(self) -> Settings:
        return resolve(None, self.project.root)

    # -- what is told ------------------------------------------------------------------

    def end(self, session: Session) -> dict[str, Any]:
        shown = session_object(session, self.project)
        return {name: shown[name] for name in _END}

    def tell(self, message: str) -> None:
        self.say(plain(message))


def _opened(session_id: str, log: SessionLog) -> Opened:
    events: Sequence[Event] = log.read().events
    session = replayed(events, session_id) if events else Session()
    return Opened(session_id, log, ExchangeJournal(log.folder), events, session)


def _unknown(session_id: str) -> StepError:
    known = UnknownSessionError(session_id[:60])
    return StepError("unknown_session", known.message, known.hint)
