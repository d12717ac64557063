"""What the machine wants done next. Exactly one command follows from a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..inspecting import Inspection
from ..voting import Count, VoteOutcome
from .records import Soul


@dataclass(frozen=True)
class ConfirmOptions:
    """Show the options that were read from the question; the person may give others."""

    proposed: tuple[str, ...]


@dataclass(frozen=True)
class GatherFacts:
    """Ask for every fact the souls may use. `known` came with the question."""

    known: str


@dataclass(frozen=True)
class AskConsent:
    """Show the roster and what it may cost; nothing is sent before a yes."""


@dataclass(frozen=True)
class AskSouls:
    """Ask these souls, all at once. `problems` says by name why a soul is asked again."""

    round: int
    attempt: int
    souls: tuple[Soul, ...]
    problems: dict[str, str]


@dataclass(frozen=True)
class CloseRound:
    """Flush state and minute, and say that the round is over."""

    round: int
    inspection: Inspection | None


@dataclass(frozen=True)
class Stall:
    """Too few souls answered this round: stop, and keep what was answered."""

    round: int
    answered: int


@dataclass(frozen=True)
class AskNoEvidence:
    """Nobody moved: has new evidence come?"""


@dataclass(frozen=True)
class AskDeference:
    expert: str


@dataclass(frozen=True)
class DrawAxes:
    """Let the convener say in 2 to 4 lines what the souls disagree on."""


@dataclass(frozen=True)
class CountVotes:
    """The event says what the count gave."""

    outcome: VoteOutcome | Literal["TOO-FEW"]


@dataclass(frozen=True)
class AskRuling:
    """The table leaves it to the human."""

    count: Count


@dataclass(frozen=True)
class CloseTable:
    """Write minute, decision, contract, state and telemetry, in that order."""

    count: Count


@dataclass(frozen=True)
class FailTable:
    """Write the minute: too few souls are left."""

    left: int


@dataclass(frozen=True)
class Rest:
    """Nothing to do: over, or paused."""


Command = (
    ConfirmOptions
    | GatherFacts
    | AskConsent
    | AskSouls
    | CloseRound
    | Stall
    | AskNoEvidence
    | AskDeference
    | DrawAxes
    | CountVotes
    | AskRuling
    | CloseTable
    | FailTable
    | Rest
)
