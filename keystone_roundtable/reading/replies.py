"""The typed value in a model's reply, whatever it is wrapped in: fences, prose, reasoning."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from ..core.plain import is_blank, plain

Shape = TypeVar("Shape", bound=BaseModel)

# Where reasoning ends in a text that does not keep it apart.
_REASONING_ENDS = ("</think>", "</thinking>", "</reasoning>", "<|message|>")
_PROSE_BRACES = 1000  # braces in prose that are tried as the start of an object
_OBJECT_START = re.compile(r'\{\s*(?:"|\Z)')
_FENCE = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)^[ \t]*```", re.MULTILINE | re.DOTALL)
_ERRORS_TOLD = 8
_DECODER = json.JSONDecoder(strict=False)  # small models put plain line breaks into strings


class ReplyFaultError(Exception):
    """A reply that does not fit; `reason` is in words for the model."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read_object(text: str, shape: type[Shape]) -> Shape:
    """The text as `shape`: the whole where it is JSON, else the one object in it that fits.

    An object in a fence comes before others, an earlier one before a later; of objects inside
    each other only the outermost counts. Raises `ReplyFaultError`, also for a blank text.
    """
    if is_blank(text):
        raise ReplyFaultError("the reply was empty")
    try:
        return shape.model_validate_json(text)
    except ValidationError:
        pass
    fault: ReplyFaultError | None = None
    for part in _parts(text):
        try:
            return _fitting(part, shape)
        except ReplyFaultError as error:
            fault = fault or error
    assert fault is not None
    raise fault


def _parts(text: str) -> Iterator[str]:
    """The texts that the reply may stand in, the likeliest first.

    The last one is for colours that a command puts between the parts of an object.
    """
    answer = _after_reasoning(text)
    yield answer
    if answer != text:  # the mark may have stood in a string of the reply
        yield text
    if (bare := plain(text)) != text:
        yield bare


def _fitting(text: str, shape: type[Shape]) -> Shape:
    fault: ValidationError | None = None
    found: list[dict[str, Any]] = []
    for fenced in _FENCE.findall(text):
        found += _objects(fenced)[0]
    outside, broken = _objects(text)
    for value in (*found, *outside):
        try:
            # As JSON, so that what JSON cannot say (a lone surrogate) is refused as well.
            return shape.model_validate_json(json.dumps(value))
        except ValidationError as error:
            fault = fault or error
        except RecursionError:
            broken = broken or "it is nested too deeply"
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
    """The outermost JSON objects in order, and why the last one is broken, or "".

    What begins like an object and breaks off ends the search: an object inside it is no reply.
    """
    found: list[dict[str, Any]] = []
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
            found.append(value)
            start = end
    return found, why


def _said(message: str) -> str:
    """What the library says, without the names of its own classes."""
    return message.removeprefix("Value error, ")


def _told(error: ValidationError) -> str:
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [
        f"{'.'.join(str(part) for part in e['loc']) or 'the reply'}: {_said(e['msg'])}"
        for e in errors[:_ERRORS_TOLD]
    ]
    if len(errors) > _ERRORS_TOLD:
        lines.append(f"and {len(errors) - _ERRORS_TOLD} more")
    return "; ".join(lines)
