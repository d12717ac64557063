"""What the session needs from outside, as Protocols. `runtime` talks to the rest through these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from . import events as ev
from .contract import Contract, ContractSentences
from .outcome import Outcome
from .records import Assessment, Conclusion, ModelCall, Preview, Route, Signal
from .report import Report
from .session import Session


class Clock(Protocol):
    def now(self) -> str:
        """The present moment, ISO 8601 in UTC with microseconds."""
        ...


class Moderator(Protocol):
    """Who plays the roles: rules, a model, or the calling agent."""

    @property
    def name(self) -> str:
        """The model spec, "offline" for the built-in rules."""
        ...

    @property
    def instant(self) -> bool:
        """Whether it answers at once and reads answers by the rules alone."""
        ...

    def preview(self, session: Session) -> Preview:
        """Raises `ModelFailureError` where a model cannot be asked, as the others do."""
        ...

    def assess(self, session: Session) -> Assessment:
        """What the last answer taught. May run in a thread of its own."""
        ...

    def conclude(self, session: Session, outcome: Outcome) -> Conclusion: ...

    def take_calls(self) -> tuple[ModelCall, ...]:
        """The calls made since this was last asked."""
        ...

    def cancel(self) -> None:
        """Ends every call that runs."""
        ...


class SignalReading(Protocol):
    @property
    def signal(self) -> Signal: ...
    @property
    def firm(self) -> bool: ...
    @property
    def reason(self) -> str: ...
    @property
    def confidence(self) -> float: ...


class Reader(Protocol):
    """Reads texts by rules."""

    def route(self, topic: str) -> tuple[Route, str]:
        """The route and why, in a few words."""
        ...

    def signal(self, text: str, question: str, suggestions: Iterable[str]) -> SignalReading: ...


class Log(Protocol):
    """One session's events on disk."""

    def append(self, event: ev.Event) -> None:
        """Returns when the event is on disk. Raises a `KeystoneError` when it cannot be."""
        ...


class Writer(Protocol):
    """Words of the end: templates filled in."""

    def report(self, report: Report) -> str:
        """The report as Markdown."""
        ...

    def contract_sentences(self, session: Session, outcome: Outcome) -> ContractSentences: ...


class Results(Protocol):
    """Where the end goes. Each call returns when its file is on disk; calling again is harmless."""

    def write_report(self, session: Session, markdown: str) -> Path: ...

    def write_contract(self, contract: Contract) -> tuple[Path, Path]:
        """Paths of the JSON and the YAML."""
        ...

    def write_state(self, values: Mapping[str, Any]) -> Path:
        """Sets each dotted key, in order."""
        ...

    def write_telemetry(self, line: Mapping[str, Any]) -> Path | None:
        """Adds one line; None where telemetry is off. A line already there is not repeated."""
        ...
