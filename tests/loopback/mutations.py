"""What a model must not get away with, each put into an otherwise proper reply."""

from __future__ import annotations

import re
from typing import Any

from .dialects import Asked
from .schema import choices_of

HOSTILE = "\x1b[31m<script>alert(1)</script> [x](javascript:1) {{ 7*7 }} | \u202e"
_ID = re.compile(r"[A-Za-z]{0,2}\d*|[a-z_]+")


def two_questions_in_one(value: Any, request: Asked) -> Any:
    def ask_twice(node: dict[str, Any], path: tuple[str, ...]) -> None:
        if any("question" in part for part in path) and isinstance(node.get("text"), str):
            node["text"] = "Which of the two matters more? And who would pay for it?"

    return _each_object(value, ask_twice)


def role_dropped(value: Any, request: Asked) -> Any:
    """The last role's view or line is gone."""

    def drop(node: dict[str, Any], path: tuple[str, ...]) -> None:
        for key, items in node.items():
            if isinstance(items, list) and items and all(_has(item, "role") for item in items):
                node[key] = items[:-1]

    return _each_object(value, drop)


def option_from_nowhere(value: Any, request: Asked) -> Any:
    def name(node: dict[str, Any], path: tuple[str, ...]) -> None:
        for key in ("option", "lean", "prefers"):
            if key in node:
                node[key] = "o99"
        options = node.get("options")
        if isinstance(options, list):
            if all(isinstance(option, str) for option in options) and options:
                node["options"] = ["o99"]
            elif options:
                options[0] |= {"text": "Buy a castle in Spain", "quote": "a castle in Spain"}

    return _each_object(value, name)


def evidence_from_nowhere(value: Any, request: Asked) -> Any:
    def cite(node: dict[str, Any], path: tuple[str, ...]) -> None:
        for key in node:
            if key == "refs":
                node[key] = ["A99"]
            elif key == "quote" or key.endswith("_quote"):
                node[key] = "words that nobody ever said"

    return _each_object(value, cite)


def certain(value: Any, request: Asked) -> Any:
    """Takes the decision, and is sure of it."""
    return {**value, "confidence": 1.0, "decision": "Do it", "escalate": False}


def hostile_strings(value: Any, request: Asked) -> Any:
    """Terminal escapes and markup in front of every string but ids and words of an `enum`."""
    kept = choices_of(request.schema)

    def spoil(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: spoil(part) for key, part in node.items()}
        if isinstance(node, list):
            return [spoil(part) for part in node]
        if isinstance(node, str) and node not in kept and not _ID.fullmatch(node):
            return HOSTILE + node
        return node

    return spoil(value)


def _has(item: Any, key: str) -> bool:
    return isinstance(item, dict) and key in item


def _each_object(value: Any, change: Any, path: tuple[str, ...] = ()) -> Any:
    if isinstance(value, dict):
        change(value, path)
        for key, part in value.items():
            _each_object(part, change, (*path, key))
    elif isinstance(value, list):
        for part in value:
            _each_object(part, change, path)
    return value
