"""What a telemetry line looks like: the schema that ships, and the check against it.

Every line, also of other tools, has the five fields of the skill's own snippet, of which `skill`
and `ts` must be there. Lines of this program that name their event have more. Fields that are not
listed may be there; fields that are listed have the type that is written here.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic.json_schema import models_json_schema

from ..core.telemetry import SKILL
from .fields import (
    MAX_AMOUNT,
    MAX_NAME,
    MAX_QUESTIONS,
    BrokenLineError,
    moment_of,
    name_of,
    object_of,
)


def _is_moment(ts: str) -> str:
    try:
        moment_of(ts)
    except BrokenLineError as error:
        raise ValueError(error.reason) from error
    return ts


Name = Annotated[str, Field(max_length=MAX_NAME)]
Moment = Annotated[
    str,
    AfterValidator(_is_moment),
    Field(description="ISO 8601; UTC where no offset is told"),
    Field(json_schema_extra={"format": "date-time"}),
]
Confidence = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0, le=int(MAX_AMOUNT))]
Amount = Annotated[float, Field(ge=0, le=MAX_AMOUNT)]


class TelemetryLine(BaseModel):
    """The five fields that any tool may write."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)

    skill: Name
    ts: Moment
    decision: Name | None = None
    confidence: Confidence | None = None
    mode: Name | None = None


class UnnamedLine(TelemetryLine):
    """A line of this program that names no event: a decision, where it has one.

    Counts are null where they are not known, which is not 0.
    """

    schema_version: Annotated[int, Field(ge=1)] | None = None
    event: Name | None = None
    session: Name | None = Field(None, description="opaque id")
    format: Name | None = None
    project: Name | None = Field(None, description="opaque id")
    version: Name | None = None
    model: Name | None = None
    exit_reason: Name | None = None
    exit_code: Name | None = None
    next_skill: Name | None = None
    escalate: bool | None = None
    forced: bool | None = None
    breaker: bool | None = None
    confidence_reasons: list[Name] | None = None
    questions: Annotated[int, Field(ge=0, le=MAX_QUESTIONS)] | None = None
    informative: Count | None = None
    low_information: Count | None = None
    clarifications: Count | None = None
    roles: list[Name] | None = None
    model_calls: Count | None = None
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cost_usd: Amount | None = None
    seconds: Amount | None = Field(None, description="active time")
    checklist_failed: Count | None = None


class FinishedLine(UnnamedLine):
    """A decision."""

    schema_version: Annotated[int, Field(ge=1)]
    event: Literal["finished"]
    session: Name = Field(description="opaque id")
    decision: Name
    confidence: Confidence


class OwnLine(TelemetryLine):
    """What every other line of this program has beside the five."""

    schema_version: Annotated[int, Field(ge=1)]
    event: Name
    session: Name = Field(description="opaque id")
    format: Name | None = None
    project: Name | None = Field(None, description="opaque id")
    version: Name | None = None
    model: Name | None = None


class StartedLine(OwnLine):
    event: Literal["started"]


class PausedLine(OwnLine):
    event: Literal["paused"]


class RedirectedLine(OwnLine):
    event: Literal["redirected"]


class OutcomeLine(OwnLine):
    """What became of a decision; `confidence` is the one that was stated when it was taken."""

    event: Literal["outcome"]
    outcome: Literal["held", "reversed", "partly", "unknown"]
    revision: Count | None = Field(None, description="1 for the first that was told, then 2...")


_OWN: dict[str, type[TelemetryLine]] = {
    "started": StartedLine,
    "paused": PausedLine,
    "redirected": RedirectedLine,
    "finished": FinishedLine,
    "outcome": OutcomeLine,
}


def check_line(line: bytes) -> str | None:
    """Why the line does not fit the schema; None where it does."""
    try:
        value = object_of(line)
        _model_of(value).model_validate(value)
    except BrokenLineError as error:
        return error.reason
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return None


def _model_of(line: dict[str, Any]) -> type[TelemetryLine]:
    """What a line has to be. Raises `BrokenLineError` where its event is no name."""
    if line["skill"] != SKILL:
        return TelemetryLine
    if line.get("event") is None:
        return UnnamedLine
    return _OWN.get(name_of("event", line["event"]), TelemetryLine)


def telemetry_schema() -> dict[str, Any]:
    """The JSON Schema of one line (draft 2020-12)."""
    models: list[type[BaseModel]] = [TelemetryLine, UnnamedLine, *_OWN.values()]
    _, shared = models_json_schema([(model, "validation") for model in models])
    own = {"skill": {"const": SKILL}}
    rules: list[dict[str, Any]] = [
        {
            "if": {"properties": own, "required": ["skill"]},
            "then": {"properties": {"event": {"type": ["string", "null"], "maxLength": MAX_NAME}}},
        },
        {
            "if": {"properties": {**own, "event": {"const": None}}, "required": ["skill"]},
            "then": {"$ref": "#/$defs/UnnamedLine"},
        },
    ]
    rules += (
        {
            "if": {
                "properties": {**own, "event": {"const": event}},
                "required": ["skill", "event"],
            },
            "then": {"$ref": f"#/$defs/{model.__name__}"},
        }
        for event, model in _OWN.items()
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "a line of .keystone/telemetry/events/YYYY-MM.jsonl",
        "$ref": "#/$defs/TelemetryLine",
        "allOf": rules,
        **shared,
    }
