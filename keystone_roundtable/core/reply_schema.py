"""The JSON schema of a reply, as it goes out with a prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

Ids = Mapping[str, Sequence[str]]


def schema_of(shape: type[BaseModel], ids: Ids | None = None) -> dict[str, Any]:
    """The JSON schema a reply has to fit, without what pydantic adds for readers.

    Every field is required, as OpenAI's strict form wants it, and so that small models leave none
    out; a reply without those that have a default is accepted all the same. A field named in `ids`
    takes those ids and no other; one that has none to take is left open.
    """
    schema: dict[str, Any] = _tidied(shape.model_json_schema(), ids or {})
    return schema


def _tidied(node: Any, ids: Ids) -> Any:
    if isinstance(node, list):
        return [_tidied(item, ids) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {
        # The keys of these two are names, which may be "title" or "default".
        key: {name: _tidied(part, ids) for name, part in value.items()}
        if key in ("properties", "$defs")
        else _tidied(value, ids)
        for key, value in node.items()
        if key not in ("title", "default")
    }
    if "properties" in kept:
        kept["required"] = list(kept["properties"])
        for name, part in kept["properties"].items():
            if allowed := ids.get(name):
                kept["properties"][name] = _limited(part, list(allowed))
    return kept


def _limited(part: dict[str, Any], allowed: list[str]) -> dict[str, Any]:
    """The part with its strings, alone, in a list or beside null, held to those allowed."""
    if part.get("type") == "string":
        return {**part, "enum": allowed}
    if isinstance(part.get("items"), dict):
        return {**part, "items": _limited(part["items"], allowed)}
    if "anyOf" in part:
        return {**part, "anyOf": [_limited(one, allowed) for one in part["anyOf"]]}
    return part
