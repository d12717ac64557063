"""What is wrong with a request or a file, in plain words; nothing of what was sent is repeated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

_FAULTS_TOLD = 3

_WORDS: Mapping[str, str] = {
    "missing": "it is missing",
    "extra_forbidden": "no such field",
    "string_type": "must be a text",
    "string_too_short": "it is empty",
    "string_too_long": "must have at most {max_length} characters",
    "string_unicode": "must be text that UTF-8 can hold",
    "too_short": "must have at least {min_length} entries",
    "too_long": "must have at most {max_length} entries",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "literal_error": "must be {expected}",
    "json_invalid": "it is no JSON that can be read",
    "union_tag_not_found": "it is missing; one of {tags}",
    "union_tag_invalid": "no such one; one of {tags}",
}
"""By pydantic's types of errors; the names in braces are of its context or `tags`."""


def faults_told(
    error: ValidationError, *, tag: str = "", tags: Iterable[str] = (), whole: str = "the request"
) -> str:
    """The first faults in a few words.

    `tag` is the field that tells the shapes apart, and `tags` what it may be: pydantic puts it
    first in the place of every other fault. `whole` names what has no field.
    """
    told: dict[str, str] = {}
    for fault in error.errors(include_url=False, include_input=False):
        place = [str(part)[:40] for part in fault["loc"]]
        if tag:
            place = [tag] if fault["type"].startswith("union_tag") else place[1:]
        if place[:1] == ["reply"]:  # two shapes are possible, and each would tell its own fault
            told["reply"] = "must be an object, or JSON in a text"
            continue
        named = {**fault.get("ctx", {}), "tags": ", ".join(tags)}
        told.setdefault(".".join(place) or whole, fault_words(fault["type"], fault["msg"], named))
    return "; ".join(f"{place}: {words}" for place, words in list(told.items())[:_FAULTS_TOLD])


def fault_words(kind: str, otherwise: str, named: Mapping[str, Any]) -> str:
    """Of pydantic's type of an error; its own message where none is known."""
    return _WORDS[kind].format_map(named) if kind in _WORDS else otherwise
