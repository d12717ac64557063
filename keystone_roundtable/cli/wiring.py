"""Puts the parts together: the one place that knows all of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ..content.catalog import load_catalog
from ..content.lexicons import (
    load_option_lexicons,
    load_signal_lexicons,
    load_stance_lexicons,
    load_topic_lexicons,
)
from ..content.rendering import TemplateWriter
from ..content.trained import load_weights
from ..content.yaml_files import to_yaml
from ..core.catalog import Catalog
from ..core.errors import IllegalEventError, KeystoneError, UnknownOptionError, UsageError
from ..core.events import Event
from ..core.fold import replay
from ..core.ports import Moderator
from ..core.session import Session
from ..reading.rules import Rules
from ..runtime.processes import ProcessRunner
from ..runtime.services import Services, Waiting, unseen
from ..stores.results import ProjectResults
from ..stores.sessions import SessionStore
from . import saying
from .roots import root_of as root_of

if TYPE_CHECKING:
    from .moderators import Moderators


class SystemClock:
    def now(self) -> str:
        return datetime.now(UTC).isoformat(timespec="microseconds")


def load_rules() -> Rules:
    """The reading rules with the lexicons of every language."""
    return Rules(
        load_signal_lexicons(),
        load_topic_lexicons(),
        load_option_lexicons(),
        load_stance_lexicons(),
        load_weights,
    )


@dataclass(frozen=True)
class Project:
    """One project's parts, each made when it is first needed."""

    root: Path
    telemetry: bool = True

    @cached_property
    def store(self) -> SessionStore:
        return SessionStore(self.root)

    @cached_property
    def catalog(self) -> Catalog:
        return load_catalog(self.root)

    @cached_property
    def rules(self) -> Rules:
        return load_rules()

    @cached_property
    def writer(self) -> TemplateWriter:
        return TemplateWriter(self.root)

    @property
    def opaque_id(self) -> str:
        """The same for every session of one folder, and tells nothing of it."""
        return hashlib.sha256(str(self.root).encode("utf-8", "surrogateescape")).hexdigest()[:16]

    def services(
        self,
        moderator: Moderator,
        moderators: Moderators,
        patience_s: float | None,
        waiting: Waiting | None = None,
        say: Callable[[str], None] | None = None,
    ) -> Services:
        """`say` gets lines for whoever runs the program, by default on standard error."""
        return Services(
            clock=SystemClock(),
            moderator=moderator,
            offline=moderators.offline,
            reader=self.rules,
            writer=self.writer,
            results=ProjectResults(
                self.root,
                to_yaml,
                run=ProcessRunner(),
                keystone_cli=os.environ.get("KEYSTONE_CLI", ""),
                telemetry=self.telemetry,
                say=say or saying.say,
            ),
            moderator_for=moderators.named,
            patience_s=patience_s,
            waiting=waiting or unseen,
        )


def replayed(events: Sequence[Event], session_id: str) -> Session:
    """The session that a log tells of. Raises `KeystoneError` where it tells of none."""
    if not events:
        raise UsageError(
            f"session {session_id} was stopped before it began",
            "Start another one with: keystone-roundtable run",
        )
    try:
        return replay(events)
    except (IllegalEventError, UnknownOptionError) as error:
        reason = error.message
    except (ArithmeticError, LookupError, TypeError, ValueError, StopIteration) as error:
        reason = f"{type(error).__name__}: {error}"
    raise KeystoneError(
        f"the log of session {session_id} does not add up: {reason}",
        "It was changed by hand or by another program; nothing was written to it",
    )


def new_session_id() -> str:
    """The UTC date and eight random characters."""
    return f"{datetime.now(UTC):%Y%m%d}-{os.urandom(4).hex()}"
