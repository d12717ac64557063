"""What an engine is given: the parts it works with, and what a session begins with."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from ..core.ports import Clock, Moderator, Reader, Results, Writer
from ..core.records import Fact, ModeId

Waiting = Callable[[str], AbstractContextManager[object]]


def unseen(what: str) -> AbstractContextManager[object]:
    """Waits without a word."""
    return nullcontext()


@dataclass(frozen=True)
class Services:
    """What the engine works with, handed in by the command line."""

    clock: Clock
    moderator: Moderator
    offline: Moderator
    """The built-in rules, which stand in where the moderator's own step cannot be used."""
    reader: Reader
    writer: Writer
    results: Results
    moderator_for: Callable[[str], Moderator]
    """The moderator of a model spec. Raises `KeystoneError` where it cannot be used."""
    patience_s: float | None = 0.0
    """Seconds that the next question waits for what an answer teaches.

    None waits for all of it, however long that takes: nobody sits there.
    """
    in_background: bool = True
    """Whether an answer is assessed while the person types on; else before the next question."""
    waiting: Waiting = unseen
    """Shows what is waited for while it lasts."""


@dataclass(frozen=True)
class Beginning:
    """What a session is started with. `session` and `project` are opaque ids."""

    session: str
    topic: str
    project: str
    version: str
    context: str = ""
    context_name: str = ""
    mode: ModeId | None = None
    roles: tuple[str, ...] = ()
    force: bool = False
    telemetry: bool = True
    reopens: str | None = None
    facts: tuple[Fact, ...] = ()
