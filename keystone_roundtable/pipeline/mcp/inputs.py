"""What a tool takes: the fields of the step protocol's request, without its `op`.

Arguments are read by `read_request` alone, so that what is wrong with them is told the same way.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...core.faults import faults_told
from ..errors import StepError
from ..incoming import MAX_BYTES
from ..requests import (
    Back,
    Confirm,
    Deed,
    Defer,
    GiveAnswer,
    ModelReply,
    Start,
    Status,
    Stop,
    read_request,
)

Op = Literal["start", "answer", "model_reply", "confirm", "stop", "defer", "back", "status"]
Arguments = dict[str, Any]

_REQUESTS: dict[Op, type[BaseModel]] = {
    "start": Start,
    "answer": GiveAnswer,
    "model_reply": ModelReply,
    "confirm": Confirm,
    "stop": Stop,
    "defer": Defer,
    "back": Back,
    "status": Status,
}
_NOT_GIVEN = ("op", "protocol")
"""The tool says the one, the MCP connection stands for the other."""


class ListWanted(BaseModel):
    """What `decisions` takes."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    limit: int = Field(20, ge=1, le=200, description="at most so many, the newest")


def request_of(op: Op, arguments: Arguments) -> Start | Deed | Status:
    """Raises `StepError` `bad_request`."""
    for name in _NOT_GIVEN:
        if name in arguments:
            raise StepError("bad_request", f"{name}: no argument of this tool", "Leave it out")
    try:
        text = json.dumps({"op": op, **arguments}, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise StepError("bad_request", "the arguments are no JSON", _SEE) from error
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > MAX_BYTES:
        raise StepError(
            "bad_request", f"the arguments are longer than {MAX_BYTES:,} bytes", "Say it shorter"
        )
    try:
        return read_request(data)
    except StepError as error:
        raise StepError(error.code, error.message, error.hint and _SEE) from error


def first_request_of(arguments: Arguments) -> Start | Deed | Status:
    """What `hold` begins with: a new session, or a look at one. Raises `StepError`."""
    return request_of("status" if "session" in arguments else "start", arguments)


def list_wanted(arguments: Arguments) -> ListWanted:
    """Raises `StepError` `bad_request`."""
    try:
        return ListWanted.model_validate(arguments)
    except ValidationError as error:
        raise StepError("bad_request", faults_told(error), _SEE) from error


def schema_of(op: Op) -> dict[str, Any]:
    """The JSON Schema of the arguments."""
    schema = _REQUESTS[op].model_json_schema()
    schema.pop("description", None)
    for name in _NOT_GIVEN:
        schema["properties"].pop(name, None)
    schema["required"] = [name for name in schema["required"] if name not in _NOT_GIVEN]
    return schema


def hold_schema() -> dict[str, Any]:
    """The arguments of `hold`: those of `start`, or `session` alone."""
    schema = schema_of("start")
    session = {"type": "string", "maxLength": 100, "description": "go on with it; nothing else"}
    schema["properties"] = {"session": session, **schema["properties"]}
    del schema["required"]
    return schema


_SEE = "The tool's input schema says what it takes; nothing was changed"
