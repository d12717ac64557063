"""A value that fits a JSON schema, the same each time, of the sort that pydantic writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Schema = dict[str, Any]
Words = Callable[[tuple[str, ...], Schema], Any]
"""Gives the value at a path, `("questions", "0", "text")`; None leaves it to the schema."""


def made(schema: Schema, words: Words | None = None) -> Any:
    """`words` has the first say for every node."""
    return _Maker(schema.get("$defs", {}), words or (lambda path, node: None)).value(schema, ())


class _Maker:
    def __init__(self, definitions: Schema, words: Words) -> None:
        self._definitions, self._words = definitions, words

    def value(self, node: Schema, path: tuple[str, ...]) -> Any:
        if "$ref" in node:
            node = {**self._definitions[node["$ref"].rpartition("/")[2]], **node}
        said = self._words(path, node)
        if said is not None:
            return said
        if "const" in node:
            return node["const"]
        if "enum" in node:
            return node["enum"][0]
        for key in ("anyOf", "oneOf", "allOf"):
            if key in node:
                return self.value(node[key][0], path)
        kind = node.get("type", "object")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "object":
            return {
                name: self.value(part, (*path, name))
                for name, part in node.get("properties", {}).items()
            }
        if kind == "array":
            return self._array(node, path)
        if kind == "string":
            return _string(node, path)
        if kind in ("number", "integer"):
            low = node.get("minimum", node.get("exclusiveMinimum", 0))
            return low if "exclusiveMinimum" not in node else low + 1
        return False if kind == "boolean" else None

    def _array(self, node: Schema, path: tuple[str, ...]) -> list[Any]:
        parts = node.get("prefixItems")
        if parts:
            return [self.value(part, (*path, str(n))) for n, part in enumerate(parts)]
        count = max(node.get("minItems", 0), min(2, node.get("maxItems", 2)))
        return [self.value(node.get("items", {}), (*path, str(n))) for n in range(count)]


def _string(node: Schema, path: tuple[str, ...]) -> str:
    named = " ".join(part.replace("_", " ") if not part.isdigit() else str(int(part) + 1)
                     for part in path) or "text"  # fmt: skip
    text = f"A made {named}"
    text = text.ljust(node.get("minLength", 0), ".")
    return text[: node.get("maxLength", len(text))]


def choices_of(schema: Any) -> set[str]:
    """Every string that an `enum` or a `const` of the schema lists."""
    found: set[str] = set()
    if isinstance(schema, dict):
        listed = [*schema.get("enum", ()), *([schema["const"]] if "const" in schema else [])]
        found |= {value for value in listed if isinstance(value, str)}
        for part in schema.values():
            found |= choices_of(part)
    elif isinstance(schema, list):
        for part in schema:
            found |= choices_of(part)
    return found
