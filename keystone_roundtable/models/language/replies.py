"""The typed value in a model's reply, whatever it is wrapped in: fences, prose, reasoning."""

from __future__ import annotations

import json
import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from .transport import RawReply

Shape = TypeVar("Shape", bound=BaseModel)

# Where reasoning ends in a text that does not keep it apart.
_REASONING_ENDS = ("</think>", "</thinking>", "</reasoning>", "<|message|>")
_PROSE_BRACES = 1000  # braces in prose that are tried as the start of an object
_OBJECT_START = re.compile(r'\{\s*(?:"|\Z)')
_ERRORS_TOLD = 8
_DECODER = json.JSONDecoder(strict=False)  # small models put plain line breaks into strings


class ReplyFaultError(Exception):
    """A reply that does not fit; `reason` is in words for the model."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read_reply(reply: RawReply, shape: type[Shape]) -> Shape:
    """The reply as `shape`: the whole text where it is JSON, else the outermost object in it.

    Raises `ReplyFaultError`, also for an empty or a truncated reply.
    """
    if reply.ending == "truncated":
        raise ReplyFaultError("the reply was cut off at the length limit; reply more briefly")
    if reply.ending == "filtered":
        raise ReplyFaultError("the provider's content filter held the reply back")
    if not reply.text.strip():
        raise ReplyFaultError("the reply was empty")
    try:
        return shape.model_validate_json(reply.text)
    except ValidationError:
        pass
    found, broken = _objects(_after_reasoning(reply.text))
    fault: ValidationError | None = None
    for value in found:
        try:
            # As JSON, so that what JSON cannot say (a lone surrogate) is refused as well.
            return shape.model_validate_json(json.dumps(value))
        except ValidationError as error:
            fault = fault or error
    if broken:
        raise ReplyFaultError(f"the JSON object is broken: {broken}")
    if fault is None:
        raise ReplyFaultError("the reply holds no JSON object")
    raise ReplyFaultError(_told(fault))


def _after_reasoning(text: str) -> str:
    """What follows the reasoning, where an object follows it."""
    start = max(text.rfind(mark) for mark in _REASONING_ENDS)
    return text[start:] if start >= 0 and "{" in text[start:] else text


def _objects(text: str) -> tuple[list[dict[str, Any]], str]:
    """The outermost JSON objects, the longest first, and why the last one is broken, or "".

    What begins like an object and breaks off ends the search: an object inside it is no reply.
    """
    found: list[tuple[int, dict[str, Any]]] = []
    start = broken = 0
    why = ""
    while (start := text.find("{", start)) >= 0 and broken < _PROSE_BRACES:
        try:
            value, end = _DECODER.raw_decode(text, start)
        except RecursionError:
            why = "it is nested too deeply"
            break
        except ValueError as error:
            if _OBJECT_START.match(text, start):
                why = str(error)
                break
            broken += 1
            start += 1
        else:
            found.append((end - start, value))
            start = end
    return [value for _, value in sorted(found, key=lambda item: -item[0])], why


def _told(error: ValidationError) -> str:
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [
        f"{'.'.join(str(part) for part in e['loc']) or 'the reply'}: {e['msg']}"
        for e in errors[:_ERRORS_TOLD]
    ]
    if len(errors) > _ERRORS_TOLD:
        lines.append(f"and {len(errors) - _ERRORS_TOLD} more")
    return "; ".join(lines)
