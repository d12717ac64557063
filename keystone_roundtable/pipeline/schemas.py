"""The JSON Schemas of the step protocol (draft 2020-12): what `step --schema` prints."""

from __future__ import annotations

from typing import Any

from .requests import PROTOCOL, REQUEST
from .responses import RESPONSE

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def step_schemas() -> dict[str, Any]:
    """One schema that every request fits, one that every response fits."""
    return {
        "protocol": PROTOCOL,
        "request": {"$schema": _DRAFT, **REQUEST.json_schema(mode="validation")},
        "response": {"$schema": _DRAFT, **RESPONSE.json_schema(mode="serialization")},
    }
