"""Lines as this program writes them, parsed and checked in one go.

pydantic-core builds only the fields that are counted and checks their types on the way, which
costs about what parsing alone does. What it refuses may still be a line that counts: `counting`
looks at it again, field by field, and says what is wrong where something is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from pydantic_core import CoreSchema, SchemaValidator
from pydantic_core import core_schema as cs

from .fields import MAX_AMOUNT, MAX_NAME, MAX_QUESTIONS
from .tally import RESULTS

Read = Callable[[bytes], dict[str, Any]]
"""The fields of a line in the order of its kind below. Raises `ValueError` where it is refused."""

_NAME = cs.str_schema(strict=True, max_length=MAX_NAME)
_COUNT = cs.int_schema(strict=True, ge=0, le=int(MAX_AMOUNT))
_AMOUNT = cs.float_schema(strict=True, ge=0, le=MAX_AMOUNT)
_SHARE = cs.float_schema(strict=True, ge=0, le=1)
_FLAG = cs.bool_schema(strict=True)


_TS = cs.str_schema(
    strict=True,
    pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?(Z|\+00:00)$",
)
"""A moment of UTC. Whether the month has such a day is left to see."""


def _maybe(schema: CoreSchema) -> CoreSchema:
    return cs.with_default_schema(cs.nullable_schema(schema), default=None)


_FINISHED: dict[str, CoreSchema] = {
    "decision": _NAME,
    **{name: _maybe(_NAME) for name in ("mode", "format", "model")},
    "confidence": _maybe(_SHARE),
    "escalate": _maybe(_FLAG),
    "questions": _maybe(cs.int_schema(strict=True, ge=0, le=MAX_QUESTIONS)),
    **{name: _maybe(_FLAG) for name in ("forced", "breaker")},
    "session": _maybe(_NAME),
    "seconds": _maybe(_AMOUNT),
    **{name: _maybe(_COUNT) for name in ("model_calls", "input_tokens", "output_tokens")},
    "cost_usd": _maybe(_AMOUNT),
}
FINISHED_FIELDS = ("event", "skill", "ts", *_FINISHED)
"""The fields of a finished line, in the order in which they are read: those of `sums.Finished`."""

_OUTCOME: dict[str, CoreSchema] = {
    "session": _NAME,
    "outcome": cs.literal_schema(list(RESULTS)),
    "confidence": _maybe(_SHARE),
    "revision": _maybe(_COUNT),
}


class Readers(NamedTuple):
    """How lines of one skill are read; a finished line need not name its event.

    Lines in which `ours` is not found are none of them.
    """

    ours: bytes
    with_event: Read
    finished: Read


@cache
def readers_of(skill: str) -> Readers:
    def lines(event: CoreSchema, fields: dict[str, CoreSchema]) -> CoreSchema:
        begin = {"event": event, "skill": cs.literal_schema([skill]), "ts": _TS}
        return cs.typed_dict_schema(
            {name: cs.typed_dict_field(schema) for name, schema in {**begin, **fields}.items()},
            extra_behavior="ignore",
        )

    kinds: dict[str, dict[str, CoreSchema]] = {
        "finished": _FINISHED,
        "started": {"session": _NAME},
        "paused": {"session": _NAME},
        "redirected": {"session": _NAME},
        "outcome": _OUTCOME,
    }
    with_event = cs.tagged_union_schema(
        {kind: lines(cs.literal_schema([kind]), fields) for kind, fields in kinds.items()},
        discriminator="event",
    )
    implied = cs.with_default_schema(cs.literal_schema(["finished"]), default="finished")
    return Readers(
        f'"{skill}"'.encode(),
        SchemaValidator(with_event).validate_json,
        SchemaValidator(lines(implied, _FINISHED)).validate_json,
    )
