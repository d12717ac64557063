"""What can be asked of a session from outside: one JSON object, told apart by `op`.

Unknown fields and wrong types are refused. `for` names what is open: the id of the question, of
the call, or of the confirmation that the last response brought.
"""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ..core.faults import faults_told
from ..core.plain import is_blank
from ..core.records import Author, ModeId
from .errors import StepError

PROTOCOL = 1
MAX_CONTEXT_BYTES = 200_000

Text = Annotated[str, Field(description="passed on word for word; blank text is no answer")]
For = Annotated[str, Field(alias="for", description="the id of what is open", max_length=100)]
SessionId = Annotated[str, Field(max_length=100)]


class _Request(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    protocol: int = Field(PROTOCOL, ge=PROTOCOL, le=PROTOCOL)


class Start(_Request):
    """Begins a session. The same `request_id` with the same contents never begins a second one."""

    op: Literal["start"]
    topic: str = Field(description="the question, in the user's words", min_length=1)
    context: str = Field("", description="a proposal or brief that goes with it, up to 200 kB")
    mode: ModeId | None = None
    roles: tuple[str, ...] = Field((), description="ids of roles to seat", max_length=20)
    force: bool = Field(False, description="enter even where the topic belongs to another skill")
    model: str | None = Field(
        None, description="'host' (the calling agent), 'offline', or KIND:NAME; null: as configured"
    )
    request_id: str | None = Field(None, min_length=1, max_length=200)


class GiveAnswer(_Request):
    """Answers the open question. The commands of a prompt (`/skip`, `/note ...`) work in it."""

    op: Literal["answer"]
    session: SessionId
    for_: For
    text: Text
    by: Author = Field("agent", description="'user' only for the user's own words")


class ModelReply(_Request):
    """The reply to a call of the model, as an object or as JSON in a text."""

    op: Literal["model_reply"]
    session: SessionId
    for_: For
    reply: dict[str, Any] | str

    @property
    def text(self) -> str:
        reply = self.reply
        return reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)


class Confirm(_Request):
    """What the user typed where a direction that cannot be undone was to be typed."""

    op: Literal["confirm"]
    session: SessionId
    for_: For
    text: Text


class Stop(_Request):
    """No more questions: conclude now. Where a confirmation is open: conclude without it."""

    op: Literal["stop"]
    session: SessionId
    for_: For


class Defer(_Request):
    """Decide another day."""

    op: Literal["defer"]
    session: SessionId
    for_: For


class Back(_Request):
    """Take the previous answer back; its question comes again."""

    op: Literal["back"]
    session: SessionId
    for_: For


class Status(_Request):
    """What is open, whole; also the way to go on after `model_failed` or `io`."""

    op: Literal["status"]
    session: SessionId


Deed = GiveAnswer | ModelReply | Confirm | Stop | Defer | Back
"""What is done to something that is open."""

Request = Annotated[Start | Deed | Status, Field(discriminator="op")]

REQUEST: TypeAdapter[Start | Deed | Status] = TypeAdapter(
    Request, config=ConfigDict(defer_build=True)
)


def read_request(data: bytes) -> Start | Deed | Status:
    """The request in one JSON object. Raises `StepError` `bad_request`, or `too_new`."""
    try:
        value = json.loads(data, parse_int=_digits)
    except (ValueError, RecursionError) as error:
        raise StepError("bad_request", f"the request is no JSON: {error}", _SEE) from error
    if not isinstance(value, dict):
        raise StepError("bad_request", "the request is no JSON object", _SEE)
    protocol = value.get("protocol", PROTOCOL)
    if type(protocol) is int and protocol > PROTOCOL:
        raise StepError(
            "too_new",
            f"the request speaks protocol {protocol}; this version speaks {PROTOCOL}",
            "Upgrade keystone-roundtable, or leave protocol out",
        )
    try:
        request = REQUEST.validate_json(data)
    except ValidationError as error:
        raise StepError("bad_request", faults_told(error, tag="op", tags=_OPS), _SEE) from error
    if isinstance(request, Start):
        _check_start(request)
    return request


def digest_of(request: Start | Deed | Status) -> str:
    """The same for requests that say the same, whatever the order of their fields."""
    said = json.dumps(request.model_dump(mode="json"), sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()


_SEE = "The requests are described by: keystone-roundtable step --schema"
_OPS = ("start", "answer", "model_reply", "confirm", "stop", "defer", "back", "status")


_MOST_DIGITS = 4300  # that Python reads


def _digits(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise StepError(
            "bad_request", "a number has too many digits", "A text stands in quotation marks"
        )
    return int(digits)


def _check_start(request: Start) -> None:
    if is_blank(request.topic):
        raise StepError("bad_request", "topic: it is blank", "Ask the user for the question")
    size = len(request.context.encode("utf-8", "surrogatepass"))
    if size > MAX_CONTEXT_BYTES:
        raise StepError(
            "bad_request",
            f"context: {size:,} bytes, at most {MAX_CONTEXT_BYTES:,}",
            "Give the part that matters",
        )
