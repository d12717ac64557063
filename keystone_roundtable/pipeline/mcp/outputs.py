"""What a tool gives: the step protocol's responses, as one type each, and the list of decisions."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, RootModel

from ..responses import AnswerNeeded, ConfirmNeeded, Failed, ModelNeeded, NothingNeeded
from .ports import Decided

_PAUSED = Field(description="why the call ended with this still open; it was no answer")

# Up to 2025-11-25 an output schema has to say that it is an object.
_AN_OBJECT = ConfigDict(frozen=True, json_schema_extra={"type": "object"})


class AnswerPaused(AnswerNeeded):
    """The question is still open, and the session paused."""

    paused: str = _PAUSED


class ConfirmPaused(ConfirmNeeded):
    """The confirmation is still open, and the session paused."""

    paused: str = _PAUSED


class StepResult(RootModel[AnswerNeeded | ModelNeeded | ConfirmNeeded | NothingNeeded | Failed]):
    """What the session needs next, or an error."""

    model_config = _AN_OBJECT


class HoldResult(
    RootModel[
        NothingNeeded
        | AnswerPaused
        | ConfirmPaused
        | AnswerNeeded
        | ModelNeeded
        | ConfirmNeeded
        | Failed
    ]
):
    """The end; or what is still open where the call did not get there."""

    model_config = _AN_OBJECT


class Decisions(BaseModel):
    """The finished sessions, newest first."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sessions: tuple[Decided, ...]


def paused(response: dict[str, Any], why: str) -> dict[str, Any]:
    """`response` with the pause said, where something is open that the user was asked."""
    return (
        {**response, "paused": why} if response.get("need") in ("answer", "confirm") else response
    )
