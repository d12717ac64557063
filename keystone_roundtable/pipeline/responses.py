"""What comes back: what the session needs next, or an error."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from ..core.contract import Contract
from ..core.records import Route, Step
from .errors import Code, StepError


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class OpenQuestion(_Part):
    """One question, to be shown to the user word for word."""

    id: str = Field(description="goes into 'for'; each asking has a fresh one")
    text: str
    stakes: str = Field(description="one line on what hangs on the answer")
    explanation: str = Field(description="what is meant, for a user who asks")
    suggestions: tuple[str, ...] = Field(description="0 to 4; picked by number or word for word")


class Progress(_Part):
    """How far the questions are: informative answers, and how many there will be."""

    answered: int
    at_least: int
    at_most: int


class AnswerNeeded(_Part):
    """The user has to answer a question. `clarification` is what to say above it."""

    session: str
    need: Literal["answer"] = "answer"
    question: OpenQuestion
    progress: Progress
    clarification: str | None = None


class ModelNeeded(_Part):
    """The calling agent has to play the model: `prompt` is complete, the reply fits `schema`."""

    session: str
    need: Literal["model"] = "model"
    id: str
    call: Step
    prompt: str
    schema_: dict[str, Any] = Field(alias="schema")
    attempt: int = Field(ge=1)
    problem: str | None = Field(None, description="why the attempt before cannot be used")


class ConfirmNeeded(_Part):
    """A direction that cannot be undone: the user has to type `text`."""

    session: str
    need: Literal["confirm"] = "confirm"
    id: str
    text: str


class ExitWord(_Part):
    """The end as a name, and as the status that `run` would have ended with."""

    name: str
    status: int


class Redirect(_Part):
    """The topic belongs to another skill."""

    route: Route
    reason: str


class NothingNeeded(_Part):
    """The session has ended. A redirected one has neither report nor contract."""

    session: str
    need: Literal["nothing"] = "nothing"
    report_markdown: str | None = None
    contract: Contract | None = None
    paths: dict[str, str | None]
    exit: ExitWord
    redirect: Redirect | None = None


class Fault(_Part):
    code: Code
    message: str
    hint: str


class Failed(_Part):
    """Nothing was changed, unless the code is `model_failed` or `io`: then `status` tells."""

    error: Fault


Response = AnswerNeeded | ModelNeeded | ConfirmNeeded | NothingNeeded | Failed

RESPONSE: TypeAdapter[Response] = TypeAdapter(
    Annotated[Response, Field()], config=ConfigDict(defer_build=True)
)


def failed(error: StepError) -> Failed:
    return Failed(error=Fault(code=error.code, message=error.message, hint=error.hint))


def written(response: Response) -> dict[str, Any]:
    """The response as JSON has it. What does not apply is left out, and not null."""
    value: dict[str, Any] = response.model_dump(mode="json", by_alias=True)
    return {name: part for name, part in value.items() if part is not None}


def open_id(response: Response) -> str | None:
    """The id of what is open; None where nothing is."""
    match response:
        case AnswerNeeded():
            return response.question.id
        case ModelNeeded() | ConfirmNeeded():
            return response.id
        case _:
            return None
