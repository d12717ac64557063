"""`modes`, `roles` and `contract-schema`: what is in force, and from where."""

from __future__ import annotations

import json
from argparse import Namespace
from typing import Any

from ...content.catalog import load_catalog
from ...core.catalog import Catalog
from ..wiring import root_of


def list_catalog(options: Namespace) -> int:
    catalog = load_catalog(root_of(options.root))
    entries = _modes(catalog) if options.verb == "modes" else _roles(catalog)
    if options.json:
        print(json.dumps({options.verb: entries}, ensure_ascii=False, indent=2))
        return 0
    for entry in entries:
        print(f"{entry['id']}: {entry['summary']}")
        print(f"    from {entry['origin']}")
    return 0


def _modes(catalog: Catalog) -> list[dict[str, Any]]:
    return [
        {
            "id": mode.id,
            "summary": f"{mode.goal} ({mode.when})",
            "needed": list(mode.needed),
            "scope_slot": mode.scope_slot,
            "questions": [
                {"template": q.key, "slot": q.slot, "text": q.text} for q in mode.questions
            ],
            "origin": catalog.origins.get(f"modes/{mode.id}", ""),
        }
        for mode in catalog.modes.values()
    ]


def _roles(catalog: Catalog) -> list[dict[str, Any]]:
    return [
        {
            "id": role.id,
            "summary": role.responsibility,
            "typical_question": role.typical_question,
            "on_demand": not role.default,
            "origin": catalog.origins.get(f"roles/{role.id}", ""),
        }
        for role in catalog.roles.values()
    ]


def print_contract_schema() -> int:
    from ...content.schemas import contract_schema

    print(json.dumps(contract_schema(), indent=2))
    return 0
