"""The JSON Schemas that ship with the package."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def contract_schema() -> dict[str, Any]:
    """The JSON Schema of `contract.json` (draft 2020-12)."""
    text = (files(__package__) / "contract.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
