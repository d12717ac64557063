"""What the machine wants done next. Exactly one command follows from a session's state."""

from __future__ import annotations

from dataclasses import dataclass

from .outcome import Outcome
from .records import ExitReason, Option, Question, Route


@dataclass(frozen=True)
class OfferRedirect:
    """The topic belongs elsewhere: leave, or enter anyway."""

    route: Route
    reason: str


@dataclass(frozen=True)
class MakePreview:
    """Let the moderator prepare; the person sees nothing of it."""


@dataclass(frozen=True)
class AskUser:
    """Put this question next. `clarification` is shown above it when it is put again."""

    question: Question
    asking: str
    clarification: str = ""


@dataclass(frozen=True)
class AwaitAnswer:
    """A question is open. `draft` is what the person had typed or answered before."""

    question: Question
    asking: str
    clarification: str = ""
    draft: str = ""


@dataclass(frozen=True)
class AssessAnswer:
    asking: str


@dataclass(frozen=True)
class EndQuestions:
    reason: ExitReason


@dataclass(frozen=True)
class DraftReport:
    outcome: Outcome


@dataclass(frozen=True)
class ReviewReport:
    """The draft stands; the person accepts it, takes it back, or adds a note."""

    outcome: Outcome


@dataclass(frozen=True)
class AskConfirmation:
    """The direction cannot be undone; its text must be typed."""

    option: Option


@dataclass(frozen=True)
class CloseSession:
    """Write report, contract, state and telemetry, in that order."""

    outcome: Outcome


@dataclass(frozen=True)
class Rest:
    """Nothing to do: finished, redirected, or paused."""


Command = (
    OfferRedirect
    | MakePreview
    | AskUser
    | AwaitAnswer
    | AssessAnswer
    | EndQuestions
    | DraftReport
    | ReviewReport
    | AskConfirmation
    | CloseSession
    | Rest
)
