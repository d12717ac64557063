"""The JSON schema of a reply, as it goes out with a prompt."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

Ids = Mapping[str, Sequence[str]]
_SHARED = 80  # characters from which a list that stands twice is put in one place


def schema_of(shape: type[BaseModel], ids: Ids | None = None) -> dict[str, Any]:
    """The JSON schema a reply has to fit, without what pydantic adds for readers.

    Every field is required, as OpenAI's strict form wants it, and so that small models leave none
    out; a reply without those that have a default is accepted all the same. A field named in `ids`,
    as `field` or for one shape alone as `Shape.field`, takes those words and no other. Where there
    are none to take, a list stays empty and any other field is left open.
    """
    schema: dict[str, Any] = _tidied(shape.model_json_schema(), ids or {}, shape.__name__)
    return _shared(schema)


def _tidied(node: Any, ids: Ids, shape: str) -> Any:
    if isinstance(node, list):
        return [_tidied(item, ids, shape) for item in node]
    if not isinstance(node, dict):
        return node
    # The keys of these two are names, which may be "title" or "default".
    kept = {
        key: {name: _tidied(part, ids, name) for name, part in value.items()}
        if key == "$defs"
        else {name: _tidied(part, ids, shape) for name, part in value.items()}
        if key == "properties"
        else _tidied(value, ids, shape)
        for key, value in node.items()
        if key not in ("title", "default")
    }
    if "properties" in kept:
        kept["required"] = list(kept["properties"])
        for name, part in kept["properties"].items():
            allowed = ids.get(f"{shape}.{name}", ids.get(name))
            if allowed is not None:
                kept["properties"][name] = _limited(part, list(allowed))
    return kept


def _limited(part: dict[str, Any], allowed: list[str]) -> dict[str, Any]:
    """The part with its strings, alone, in a list or beside null, held to those allowed."""
    if part.get("type") == "array" and part["items"].get("type") == "string":
        if not allowed:
            return {**part, "maxItems": 0}
        return {**part, "items": _limited(part["items"], allowed)}
    if "anyOf" in part:
        return {**part, "anyOf": [_limited(one, allowed) for one in part["anyOf"]]}
    if part.get("type") == "string" and allowed:
        lengths = ("minLength", "maxLength")  # the words tell
        return {**{k: v for k, v in part.items() if k not in lengths}, "enum": allowed}
    return part


def _shared(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with each long list of words written once, however many fields take it."""
    counted = Counter(_lists(schema))
    names = {
        told: f"Words{number}"
        for number, told in enumerate((t for t, n in counted.items() if n > 1), 1)
    }
    if not names:
        return schema
    shared = {name: {"type": "string", "enum": json.loads(told)} for told, name in names.items()}
    replaced: dict[str, Any] = _referring(schema, names)
    return {**replaced, "$defs": {**replaced.get("$defs", {}), **shared}}


def _lists(node: Any) -> list[str]:
    if isinstance(node, list):
        return [told for item in node for told in _lists(item)]
    if not isinstance(node, dict):
        return []
    return [*_long(node), *(told for part in node.values() for told in _lists(part))]


def _long(node: dict[str, Any]) -> list[str]:
    words = node.get("enum")
    if node.get("type") != "string" or not isinstance(words, list):
        return []
    told = json.dumps(words, ensure_ascii=False)
    return [told] if len(told) >= _SHARED else []


def _referring(node: Any, names: Mapping[str, str]) -> Any:
    if isinstance(node, list):
        return [_referring(item, names) for item in node]
    if not isinstance(node, dict):
        return node
    for told in _long(node):
        if told in names:  # OpenAI's strict form takes no description beside a reference
            return {"$ref": f"#/$defs/{names[told]}"}
    return {key: _referring(value, names) for key, value in node.items()}
