"""What the step protocol needs from outside, handed in by the command line."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from ..core.events import Event
from ..core.ports import Log
from ..core.recovery import Fallback
from ..core.session import Session
from ..runtime.services import Beginning, Services
from .requests import Start


class Taken(Protocol):
    """A request that was taken up before."""

    @property
    def events(self) -> int:
        """How many events the session had then."""
        ...

    @property
    def response(self) -> dict[str, Any] | None:
        """None where the process ended before it answered."""
        ...

    @property
    def overtaken(self) -> bool:
        """A later request was taken up at the same point: this one came to nothing."""
        ...


class Journal(Protocol):
    """The requests of one session and their responses."""

    def find(self, digest: str) -> Taken | None: ...
    def take(self, digest: str, events: int) -> None: ...
    def answer(self, digest: str, response: dict[str, Any]) -> None: ...


@dataclass(frozen=True)
class Opened:
    """A session that no other process can write to meanwhile. A new one has no events."""

    id: str
    log: Log
    journal: Journal
    events: Sequence[Event]
    session: Session


class Table(Protocol):
    """The sessions of one project. Each method raises `KeystoneError`, a `StepError` where fit."""

    def open(self, session_id: str) -> AbstractContextManager[Opened]: ...

    def begin(self, request: Start, digest: str) -> AbstractContextManager[Opened]:
        """A new session, or the one that the `request_id` has started."""
        ...

    def beginning(self, request: Start, session_id: str) -> Beginning:
        """What the session starts with. Raises `UsageError`."""
        ...

    def services(self, session: Session, model: str | None) -> Services:
        """The parts with the moderator of `model`, else of the session, else of the settings."""
        ...

    @property
    def fallback(self) -> Fallback:
        """What to do where the model cannot be asked."""
        ...

    def end(self, session: Session) -> dict[str, Any]:
        """`report_markdown`, `contract`, `paths` and `exit` of a session at rest."""
        ...

    def tell(self, message: str) -> None:
        """A line for the log of whoever calls; never part of the response."""
        ...
