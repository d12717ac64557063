"""What can happen to a session. A session is the list of these, in order; nothing else is kept.

Each event carries `at`, the moment it happened (ISO 8601, UTC), which comes in from outside.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from .records import (
    SCHEMA_VERSION,
    Answer,
    Assessment,
    Author,
    Conclusion,
    ExitReason,
    Fact,
    ModeId,
    ModelCall,
    PauseCause,
    Preview,
    Question,
    Record,
    Route,
    Step,
)


class Happened(Record):
    at: str


class SessionStarted(Happened):
    type: Literal["session_started"] = "session_started"
    schema_version: int = SCHEMA_VERSION
    session: str
    topic: str
    context: str = ""
    context_name: str = ""
    route: Route
    route_reason: str = ""
    mode: ModeId | None = None
    """Asked for by the person; None leaves it to the moderator."""
    roles: tuple[str, ...] = ()
    force: bool = False
    model: str = "offline"
    version: str = ""
    project: str = ""
    telemetry: bool = True
    reopens: str | None = None
    facts: tuple[Fact, ...] = ()
    """What a reopened session had already said."""


class Redirected(Happened):
    type: Literal["redirected"] = "redirected"


class EnteredAnyway(Happened):
    type: Literal["entered_anyway"] = "entered_anyway"


class PreviewMade(Happened):
    type: Literal["preview_made"] = "preview_made"
    preview: Preview


class QuestionAsked(Happened):
    type: Literal["question_asked"] = "question_asked"
    question: Question
    asking: str


class AnswerGiven(Happened):
    type: Literal["answer_given"] = "answer_given"
    answer: Answer


class AnswerAssessed(Happened):
    type: Literal["answer_assessed"] = "answer_assessed"
    assessment: Assessment


class AssessmentPostponed(Happened):
    """The next question does not wait for what this answer teaches; it is told later."""

    type: Literal["assessment_postponed"] = "assessment_postponed"
    asking: str


class ModelCalled(Happened):
    """A model was asked, whatever came of it."""

    type: Literal["model_called"] = "model_called"
    call: ModelCall


class ModelAsked(Happened):
    """The calling agent was asked to play a step; its reply comes from outside, maybe much later.

    `call` is the fresh id of this attempt (`c1`...), `key` the same for every attempt at one
    prompt, `problem` why the attempt before it could not be used ("" for the first).
    """

    type: Literal["model_asked"] = "model_asked"
    call: str
    key: str
    step: Step
    asking: str = ""
    attempt: int = Field(ge=1)
    prompt: str
    reply_schema: dict[str, Any]
    problem: str = ""


class ModelReplied(Happened):
    """The reply as it came; whether it can be used is found out when the step is done."""

    type: Literal["model_replied"] = "model_replied"
    call: str
    reply: str


class ModelChanged(Happened):
    """From here on another model plays the roles, or the built-in rules do ("offline")."""

    type: Literal["model_changed"] = "model_changed"
    model: str


class NoteAdded(Happened):
    type: Literal["note_added"] = "note_added"
    text: str
    by: Author = "user"


class ModeChanged(Happened):
    type: Literal["mode_changed"] = "mode_changed"
    mode: ModeId


class BackTaken(Happened):
    type: Literal["back_taken"] = "back_taken"


class StopRequested(Happened):
    type: Literal["stop_requested"] = "stop_requested"


class DeferRequested(Happened):
    type: Literal["defer_requested"] = "defer_requested"


class QuestionPhaseEnded(Happened):
    type: Literal["question_phase_ended"] = "question_phase_ended"
    reason: ExitReason


class ReportDrafted(Happened):
    type: Literal["report_drafted"] = "report_drafted"
    conclusion: Conclusion


class ReportAccepted(Happened):
    type: Literal["report_accepted"] = "report_accepted"


class DirectionConfirmed(Happened):
    type: Literal["direction_confirmed"] = "direction_confirmed"
    text: str
    by: Author = "user"


class DirectionUnconfirmed(Happened):
    """No confirmation could be had; the session ends with the lower confidence."""

    type: Literal["direction_unconfirmed"] = "direction_unconfirmed"
    reason: str


class SessionFinished(Happened):
    """Report, contract, state and telemetry are on disk."""

    type: Literal["session_finished"] = "session_finished"


class Paused(Happened):
    type: Literal["paused"] = "paused"
    cause: PauseCause
    draft: str = ""


class Resumed(Happened):
    type: Literal["resumed"] = "resumed"


Event = Annotated[
    SessionStarted
    | Redirected
    | EnteredAnyway
    | PreviewMade
    | QuestionAsked
    | AnswerGiven
    | AnswerAssessed
    | AssessmentPostponed
    | ModelCalled
    | ModelAsked
    | ModelReplied
    | ModelChanged
    | NoteAdded
    | ModeChanged
    | BackTaken
    | StopRequested
    | DeferRequested
    | QuestionPhaseEnded
    | ReportDrafted
    | ReportAccepted
    | DirectionConfirmed
    | DirectionUnconfirmed
    | SessionFinished
    | Paused
    | Resumed,
    Field(discriminator="type"),
]

EVENT: TypeAdapter[Event] = TypeAdapter(Event, config=ConfigDict(defer_build=True))
"""Validates one event from its JSON form."""
