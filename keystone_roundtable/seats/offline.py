"""The engine of rehearsals: no model is asked, and every reply says so.

It fills in whatever schema a round wants. Where an option is to be chosen, it takes the one whose
words the soul's own words stand nearest to; no other field holds more than that, so that nothing is
made up.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..core.engines import EngineFailureError, EngineReply, EngineUse, Invocation
from .leaning import Leaning, leaning

VERSION = "rehearsal, no model was consulted"
MARK = "Rehearsal, no model was consulted"

_AT_MOST = {0: 1, 1: 3, 2: 4}
_MANY = 6
"""Confidence by how many words an option leads. Low, since shared words are weak grounds; never 5,
which a vote may not have. Chosen by judgement."""


class OfflineEngine:
    """An `Engine` that answers at once, and the same again for the same invocation."""

    @property
    def sends_to(self) -> str:
        return ""

    def price_of(self, tokens: int) -> float | None:
        return 0.0

    def prepare(self) -> None:
        """Nothing is to be loaded."""

    async def invoke(self, invocation: Invocation) -> EngineReply:
        """Raises `EngineFailureError` for a schema that it cannot fill in."""
        try:
            value = _Filling(invocation).value(invocation.schema, "")
        except (LookupError, TypeError, ValueError) as error:
            raise EngineFailureError(
                f"the rehearsal cannot fill in the schema of round '{invocation.round}': {error}",
                reason="crashed",
                use=_NOTHING,
                version=VERSION,
            ) from error
        text = json.dumps(value, ensure_ascii=False)
        return EngineReply(text, _NOTHING, VERSION, rehearsal=True)

    async def close(self) -> None:
        """Nothing is held."""


_NOTHING = EngineUse(requests=1, input_tokens=0, cached_tokens=0, output_tokens=0, cost_usd=0.0)


class _Filling:
    """One reply, made along its schema. Raises `ValueError` for what it does not know."""

    def __init__(self, invocation: Invocation) -> None:
        self._schema = invocation.schema
        self._given = invocation.material.given
        self._options = tuple(invocation.material.options)
        seat = invocation.seat
        self._leaning: Leaning | None = None
        if self._options:
            self._leaning = (
                Leaning(seat.stance, (), 0)
                if seat.stance in self._options
                else leaning(f"{seat.stance or ''}\n{seat.soul or ''}", self._options)
            )
        self._by_stance = seat.stance is not None and seat.stance in self._options

    def value(self, node: Mapping[str, Any], name: str) -> Any:
        if name and name in self._given:
            return self._given[name]
        node = self._resolved(node)
        if "const" in node:
            return node["const"]
        if "enum" in node:
            return self._chosen(node["enum"])
        for key in ("anyOf", "oneOf"):
            if key in node:
                return self._first_possible(node[key], name)
        kind = node.get("type")
        match kind:
            case "object":
                fields = node.get("properties", {})
                return {field: self.value(part, field) for field, part in fields.items()}
            case "array":
                return [self.value(node["items"], name) for _ in range(node.get("minItems", 0))]
            case "string":
                return self._told(node)
            case "integer" | "number":
                return self._number(node)
            case "boolean":
                return False
            case "null":
                return None
        raise ValueError(f"field '{name}' has a type it does not know")

    def _resolved(self, node: Mapping[str, Any]) -> Mapping[str, Any]:
        seen = 0
        while "$ref" in node:
            seen += 1
            if seen > 20:
                raise ValueError("a reference leads round in a circle")
            definitions = self._schema.get("$defs", {})
            name = str(node["$ref"]).rpartition("/")[2]
            node = {**definitions[name], **{k: v for k, v in node.items() if k != "$ref"}}
        return node

    def _first_possible(self, parts: Sequence[Mapping[str, Any]], name: str) -> Any:
        """The option where one of them offers it; else nothing where that is allowed."""
        for part in map(self._resolved, parts):
            if self._leaning and self._leaning.option in part.get("enum", ()):
                return self._leaning.option
        if any(self._resolved(part).get("type") == "null" for part in parts):
            return None
        return self.value(parts[0], name)

    def _chosen(self, possible: Sequence[Any]) -> Any:
        if self._leaning and self._leaning.option in possible:
            return self._leaning.option
        return possible[0]

    def _told(self, node: Mapping[str, Any]) -> str:
        text = f"{MARK}: {self._grounds()}"
        text = text.ljust(node.get("minLength", 0), ".")
        most = node.get("maxLength", len(text))
        return text if len(text) <= most else text[: max(0, most - 1)] + "…"[:most]

    def _grounds(self) -> str:
        lean = self._leaning
        if lean is None:
            return "nothing is said here."
        if self._by_stance:
            return f"“{lean.option}” is the stance this seat was given."
        if not lean.shared:
            return f"the words of this seat favour no option; “{lean.option}” stands first."
        words = ", ".join(lean.shared[:5])
        return f"the words of this seat stand nearest to “{lean.option}” (in common: {words})."

    def _number(self, node: Mapping[str, Any]) -> int | float:
        wanted = _AT_MOST.get(self._leaning.lead, _MANY) if self._leaning else 1
        low, high = node.get("minimum"), node.get("maximum")
        if "exclusiveMinimum" in node:
            low = node["exclusiveMinimum"] + (1 if node["type"] == "integer" else 1e-3)
        if node["type"] == "number" and high == 1:
            return wanted / 10
        number: int | float = wanted
        number = number if low is None else max(number, low)
        return number if high is None else min(number, high)
