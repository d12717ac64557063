"""The things a session is made of: options, views, questions, answers, assessments, conclusions.

Every record is frozen and refuses unknown fields. Ids: options `o1`..., questions `Q1`...,
the answer in force to `Q2` is `A2`, notes `N1`..., askings `k1`... (a fresh one each time a
question is put).
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from .limits import MAX_TOPIC
from .limits import SCHEMA_VERSION as SCHEMA_VERSION

ModeId = Literal["brainstorm", "align", "challenge"]
Route = Literal["roundtable", "diagnose", "verify", "writing-plan"]
Complexity = Literal["small", "normal", "complex"]
Signal = Literal["informative", "low_information", "clarify", "stop", "defer"]
Reversibility = Literal["reversible", "unknown", "irreversible"]
OptionSource = Literal["topic", "context", "answer", "implied"]
Author = Literal["user", "agent"]
ExitReason = Literal[
    "circuit_breaker",
    "user_stopped",
    "user_deferred",
    "enough_information",
    "exclusions_clear",
    "question_limit",
]
PauseCause = Literal["quit", "interrupt", "end_of_input", "answers_ran_out", "declined", "failure"]

MODES: tuple[ModeId, ...] = ("brainstorm", "align", "challenge")


class Record(BaseModel):
    """A frozen value that refuses fields it does not know."""

    # Validators are built when a record is first made: most commands make few of them.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Option(Record):
    """A path open to the decision."""

    id: str
    text: str
    source: OptionSource
    reversibility: Reversibility = "unknown"
    reversibility_words: str = ""
    """The person's words that tell so; empty when nothing was said."""
    status_quo: bool = False
    """True for keeping things as they are."""


class RoleView(Record):
    """What one role holds, in its own terms."""

    role: str
    position: str
    reason: str
    risk: str
    prefers: str | None = None
    cannot_accept: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    """What it rests on: `topic`, `context`, answers `A2`, notes `N1`."""


class Suggestion(Record):
    """A suggested answer, picked by its number or word for word."""

    text: str
    option: str | None = None
    recommended: bool = False


class Question(Record):
    """A question as it is shown. `lead` is the line above it that names the topic."""

    id: str
    template: str
    slot: str
    text: str
    lead: str = ""
    stakes: str = ""
    explanation: str = ""
    suggestions: tuple[Suggestion, ...] = ()
    conflict: tuple[str, ...] = ()
    """Ids of the answers that contradict each other and are shown side by side."""


class Answer(Record):
    """What was said to one asking, and how it was read."""

    question: str
    asking: str
    text: str
    by: Author = "user"
    signal: Signal
    firm: bool = True
    confidence: float = 1.0
    """How likely the reading is, 0 to 1."""
    reason: str = ""
    picked: bool = False
    """True when a suggestion was taken by number or word for word: agreement, not input."""


class Fact(Record):
    """One usable thing that was said, quoted, with where it was said."""

    kind: Literal["choice", "exclusion", "refusal", "limit", "support", "objection", "statement"]
    """A `refusal` calls its options unacceptable; `support` and `objection` are a role's position
    as the person reports it."""
    text: str
    ref: str
    options: tuple[str, ...] = ()
    role: str | None = None
    """Whose position a `support` or an `objection` is."""


class Reassessment(Record):
    """An answer changed what is known of an option's reversibility."""

    option: str
    reversibility: Reversibility
    words: str


class StatedCost(Record):
    """What an answer says a wrong choice of this option costs; `amount` in `unit`, if named."""

    option: str
    words: str
    amount: float | None = None
    unit: str = ""


class SignalOpinion(Record):
    """How a model reads an answer, beside the rules. `quote` is the answer's words that say so."""

    signal: Signal
    reason: str
    quote: str = ""


class Assessment(Record):
    """What one answer taught: computed after it, never shown as such."""

    asking: str
    source: str = "offline"
    fallback: str = ""
    """Why the built-in rules made this although a model was asked; empty when they were not."""
    opinion: SignalOpinion | None = None
    contradicts: tuple[str, ...] = ()
    """Earlier answers that a model holds this one to contradict."""
    choices: tuple[str, ...] = ()
    exclusions: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    options: tuple[Option, ...] = ()
    """Options this answer brought in."""
    reassessed: tuple[Reassessment, ...] = ()
    costs: tuple[StatedCost, ...] = ()
    views: tuple[RoleView, ...] = ()
    """Every role's view after this answer; empty when none moved."""
    questions: tuple[Question, ...] = ()
    """Questions of the bank reworded by what is now known, by template key."""
    agenda: tuple[str, ...] = ()
    """Template keys in the order they are now worth asking."""
    decision_topic: str | None = Field(default=None, max_length=MAX_TOPIC)
    """A sharper compression, where the answer allows one that the topic did not."""


class Preview(Record):
    """The internal preparation: made before the first question, never printed while it runs."""

    decision_topic: str = Field(max_length=MAX_TOPIC)
    vague: bool
    mode: ModeId
    mode_reason: str
    complexity: Complexity
    roles: tuple[str, ...]
    views: tuple[RoleView, ...]
    options: tuple[Option, ...]
    lean: str | None = None
    facts: tuple[Fact, ...] = ()
    bank: tuple[Question, ...]
    scope_question: Question
    needed: tuple[str, ...]
    scope_slot: str
    source: str = "offline"
    fallback: str = ""


class Line(Record):
    """One line of a conclusion and what it rests on: `A2`, `N1`, `topic`, `context`, role ids."""

    text: str
    refs: tuple[str, ...] = ()


class RoleLine(Record):
    role: str
    text: str


class Conclusion(Record):
    """The report's own words, written by the moderator for an outcome that code computed."""

    role_views: tuple[RoleLine, ...]
    consensus: Line
    disagreement: Line
    decision: Line
    why: Line
    excluded_paths: Line
    wrong_choice_cost: Line
    entry_condition: Line
    risk_disclosure: Line | None = None
    missing_points: tuple[Line, ...] = ()
    simulated_by: str = Field(description="one line: who or what played the roles")
    source: str = "offline"
    fallback: str = ""


Step = Literal["preview", "assess", "conclude"]
CallResult = Literal["ok", "invalid", "breach", "failed", "cancelled"]


class ModelCall(Record):
    """One request to a model for one step, its retries included. Unknown counts are None."""

    step: Step
    asking: str = ""
    model: str
    result: CallResult
    reason: str = ""
    requests: int = 1
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    seconds: float = 0.0
