"""What a model is asked to fill in, one shape a step, bounded; unknown fields are ignored.

There is no field for a decision, a confidence, an escalation or a next skill: those are computed.
Options are named by their ids, what was said by the ids of the ledger.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from ...core.limits import MAX_TOPIC
from ...core.records import ModeId, Reversibility, Signal

MAX_SENTENCE = 400
Sentence = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=2, max_length=MAX_SENTENCE)
]
Phrase = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=160)]
Quote = Annotated[str, StringConstraints(strip_whitespace=True, max_length=400)]
Asked = Annotated[str, StringConstraints(strip_whitespace=True, min_length=8, max_length=300)]


MAX_OPTIONS = 6
MAX_NEW_OPTIONS = 2


class Draft(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


class OptionDraft(Draft):
    """A path that is open. `quote` holds the words that name it, "" for one that is implied."""

    id: str = Field(description="o1, o2, ... in order")
    text: Phrase = Field(description="a path as a short action, in the person's words")
    quote: Quote = Field("", description="copied from the topic or context: the words that name it")
    status_quo: bool = Field(False, description="true for keeping things as they are")
    reversibility_quote: Quote = Field("", description="the words on undoing it, else empty")


class NewOptionDraft(Draft):
    """A path that an answer brought."""

    id: str
    text: Phrase = Field(description="the path as a short action")
    quote: Quote = Field(description="the answer's words that name it")


class ViewDraft(Draft):
    """What one role holds, in its own terms."""

    role: str
    position: Sentence
    reason: Sentence
    risk: Sentence = Field(description="what breaks if this role is ignored")
    refs: tuple[str, ...] = Field((), description="ledger ids it rests on")


class QuestionDraft(Draft):
    """One question for one slot."""

    slot: str
    text: Asked = Field(description="exactly one question, about this topic")
    stakes: Sentence = Field(description="one line on what hangs on the answer")
    explanation: Sentence = Field(description="one or two sentences with an example answer")
    suggestions: tuple[Phrase, ...] = Field((), max_length=4, json_schema_extra={"maxItems": 3})
    recommended: int | None = Field(
        None, description="number of the recommended suggestion, null without one"
    )


def _listed(value: Any, key: str) -> Any:
    """`{"sre": {...}}` as `[{"role": "sre", ...}]`, as which the rules know it."""
    if not isinstance(value, dict):
        return value
    return [{**part, key: name} for name, part in value.items() if isinstance(part, dict)]


_ByRole = BeforeValidator(lambda value: _listed(value, "role"))


class KnownDraft(Draft):
    """One usable thing that was said."""

    kind: Literal["choice", "exclusion", "refusal", "limit", "support", "objection", "statement"]
    quote: Quote = Field(min_length=2, description="copied word for word from what was said")
    options: tuple[str, ...] = Field((), description="ids of the options it speaks of")


class PreviewDraft(Draft):
    """The preparation, never shown to the person while it runs."""

    decision_topic: str = Field(min_length=8, max_length=MAX_TOPIC)
    mode: ModeId
    mode_reason: Sentence
    options: tuple[OptionDraft, ...] = Field((), max_length=MAX_OPTIONS)
    lean: str | None = Field(None, description="id of the option the topic leans to, if any")
    lean_quote: Quote = ""
    known: tuple[KnownDraft, ...] = Field((), max_length=8, json_schema_extra={"maxItems": 5})
    views: Annotated[tuple[ViewDraft, ...], _ByRole] = Field(
        min_length=2, max_length=5, description="2 if small, 3 if normal, 4 or 5 if complex"
    )
    questions: tuple[QuestionDraft, ...] = Field(min_length=6, max_length=10)

    @model_validator(mode="before")
    @classmethod
    def _bank_of_one_mode(cls, value: Any) -> Any:
        """The mode may stand with its questions, these by the names of their slots."""
        if not isinstance(value, dict) or not isinstance(value.get("questions"), dict):
            return value
        bank = value["questions"]
        told = {key: bank[key] for key in ("mode", "mode_reason") if key in bank}
        return {**value, **told, "questions": _listed(bank, "slot")}

    @property
    def roles(self) -> tuple[str, ...]:
        """Who sits in: whoever was given a view."""
        return tuple(view.role for view in self.views)


class CostDraft(Draft):
    """What the answer says a wrong choice of an option costs."""

    option: str
    quote: Quote = Field(min_length=2)


class ReversalDraft(Draft):
    """What the answer says about undoing an option."""

    option: str
    reversibility: Reversibility
    quote: Quote = Field(min_length=2)


class AssessDraft(Draft):
    """What one answer taught."""

    signal: Signal
    signal_reason: Phrase
    signal_quote: Quote = Field("", description="the answer's words that say so")
    learned: tuple[KnownDraft, ...] = Field((), max_length=8, json_schema_extra={"maxItems": 4})
    options: tuple[NewOptionDraft, ...] = Field(
        (), max_length=MAX_NEW_OPTIONS, description="only paths that the list lacks; usually none"
    )
    costs: tuple[CostDraft, ...] = Field((), max_length=4, json_schema_extra={"maxItems": 2})
    reversals: tuple[ReversalDraft, ...] = Field(
        (), max_length=4, json_schema_extra={"maxItems": 2}
    )
    contradicts: tuple[str, ...] = Field((), description="ledger ids of earlier answers")
    views: Annotated[tuple[ViewDraft, ...], _ByRole] = Field(min_length=2, max_length=5)
    next_questions: tuple[QuestionDraft, ...] = Field(
        (), max_length=6, json_schema_extra={"maxItems": 2}
    )


class LineDraft(Draft):
    """One line of the report and the ledger or role ids it rests on."""

    text: Sentence
    refs: tuple[str, ...] = Field(min_length=1, json_schema_extra={"maxItems": 3})


class RoleLineDraft(Draft):
    role: str
    text: Sentence


class ConcludeDraft(Draft):
    """The report's words for an outcome that is given."""

    role_views: Annotated[tuple[RoleLineDraft, ...], _ByRole] = Field(min_length=2, max_length=5)
    consensus: LineDraft
    disagreement: LineDraft
    decision: LineDraft
    why: LineDraft
    excluded_paths: LineDraft
    wrong_choice_cost: LineDraft
    entry_condition: LineDraft
    risk_disclosure: LineDraft | None = None
