"""One question as an elicitation, and what came back as a deed, as silence, or as a pause."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult
from pydantic import BaseModel, ConfigDict

from ...core.errors import UsageError
from ...core.inputs import Back, Defer, Pause, Stop, parse_input
from ...core.plain import plain
from . import wording
from .inputs import Arguments, Op

FIELD = "answer"


class Asked(BaseModel):
    """What the user was asked. Between two rounds of a call it travels, sealed, with the client."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    session: str
    need: Literal["answer", "confirm"]
    id: str
    times: int
    """How many times this call has asked, this time included."""


@dataclass(frozen=True)
class Deed:
    """A step request that the reply stands for."""

    op: Op
    arguments: Arguments


@dataclass(frozen=True)
class Paused:
    """The user did not answer; `why` says how it went."""

    why: str


def asked_of(response: dict[str, Any], times: int) -> Asked | None:
    """None where the response needs nothing from the user."""
    session = response.get("session", "")
    match response.get("need"):
        case "answer":
            id_ = response["question"]["id"]
            return Asked(session=session, need="answer", id=id_, times=times)
        case "confirm":
            return Asked(session=session, need="confirm", id=response["id"], times=times)
        case _:
            return None


def elicitation_of(response: dict[str, Any], complaint: str) -> ElicitRequest:
    """The question word for word. No default stands in the form: none is ever taken."""
    if response["need"] == "confirm":
        message = _parts(
            complaint, wording.CONFIRM_LINE, response["text"], wording.CONFIRM_COMMANDS
        )
        title, told = wording.CONFIRM_TITLE, wording.CONFIRM_HELP
    else:
        message = _question(response, complaint)
        title, told = wording.ANSWER_TITLE, wording.ANSWER_HELP
    schema = {
        "type": "object",
        "properties": {FIELD: {"type": "string", "title": title, "description": told}},
        "required": [FIELD],
    }
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def read_reply(asked: Asked, reply: object) -> Deed | Paused | None:
    """None for silence: an accepted form without words, or a reply that is none."""
    if not isinstance(reply, ElicitResult):
        return None
    match reply.action:
        case "decline":
            return Paused(wording.DECLINED)
        case "cancel":
            return Paused(wording.CANCELLED)
        case _:
            text = (reply.content or {}).get(FIELD)
            if not isinstance(text, str) or not text.strip():
                return None
            return _deed(asked, text)


def _deed(asked: Asked, text: str) -> Deed | Paused:
    about: Arguments = {"session": asked.session, "for": asked.id}
    try:
        said = parse_input(text)
    except UsageError:
        said = None  # a command that lacks something: the step core says what
    if isinstance(said, Pause):
        return Paused(wording.QUIT)
    if asked.need == "answer":
        return Deed("answer", {**about, "text": text, "by": "user"})
    match said:
        case Back():
            return Deed("back", about)
        case Stop():
            return Deed("stop", about)
        case Defer():
            return Deed("defer", about)
        case _:
            return Deed("confirm", {**about, "text": text})


def _question(response: dict[str, Any], complaint: str) -> str:
    question, progress = response["question"], response["progress"]
    suggestions = [f"{n}. {text}" for n, text in enumerate(question["suggestions"], start=1)]
    count = f"({progress['answered']} of {progress['at_least']} to {progress['at_most']} answered)"
    return _parts(
        complaint,
        response.get("clarification", ""),
        question["text"],
        question["stakes"],
        "\n".join(suggestions),
        f"{count} {wording.COMMANDS_LINE}",
    )


def _parts(*parts: str) -> str:
    return plain("\n\n".join(part for part in parts if part))
