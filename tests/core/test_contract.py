"""The contract for machines, and the JSON Schema that ships with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic import ValidationError

import keystone_roundtable.content
from keystone_roundtable.core.contract import Contract, ContractSentences, make_contract
from keystone_roundtable.core.errors import IllegalEventError

from .builders import Held, converged, held, preview

GOLDEN = Path(__file__).parents[1] / "golden" / "contract.json"
SCHEMA_FILE = Path(keystone_roundtable.content.__file__).with_name("contract.schema.json")
SENTENCES = ContractSentences(
    rationale="It was said so.", fallback="Reopen it.", next_action="Enter writing-plan."
)


def contract_of(standing: Held) -> Contract:
    return make_contract(standing.session, standing.outcome, SENTENCES)


def as_json(contract: Contract) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(contract.model_dump_json())
    return value


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    value: dict[str, Any] = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    return value


def test_the_shipped_schema_is_the_one_the_model_gives(schema: dict[str, Any]) -> None:
    """Without the titles and defaults of fields: a written contract has every field."""
    given = Contract.model_json_schema()
    fields = {
        name: {key: value for key, value in field.items() if key not in ("title", "default")}
        for name, field in given["properties"].items()
    }
    assert schema == {
        **given,
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "keystone-roundtable decision contract",
        "properties": fields,
        "required": list(Contract.model_fields),
    }
    assert list(schema["properties"]) == list(Contract.model_fields)


def test_the_shipped_schema_is_itself_valid(schema: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize(
    "make",
    [
        lambda: converged().end(),
        lambda: held().shrug().shrug().end(),
        lambda: held(preview(options=())).until_the_end(),
        lambda: held().say().defer().end(),
        lambda: held(reopens="20261129-beef").until_the_end(),
    ],
    ids=["converged", "forced", "escalated", "deferred", "with a note"],
)
def test_a_contract_of_every_kind_of_end_validates(make: Any, schema: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator(schema).validate(as_json(contract_of(make())))


@pytest.mark.parametrize(
    "change",
    [
        {"confidence": 1.5},
        {"decision": "roundtable-maybe"},
        {"surplus": 1},
        {"option": 3},
        {"topic": "x" * 201},
    ],
)
def test_the_schema_refuses_what_is_no_contract(
    change: dict[str, Any], schema: dict[str, Any]
) -> None:
    broken = {**as_json(contract_of(converged().end())), **change}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate(broken)
    with pytest.raises(ValidationError):
        Contract.model_validate_json(json.dumps(broken))


@pytest.mark.parametrize("name", list(Contract.model_fields))
def test_the_schema_misses_what_is_left_out(name: str, schema: dict[str, Any]) -> None:
    broken = as_json(contract_of(converged().end()))
    del broken[name]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate(broken)


def test_the_contract_says_what_the_outcome_and_the_session_say() -> None:
    standing = converged().end()
    assert as_json(contract_of(standing)) == {
        "schema_version": 1,
        "session": "20261130-abcd",
        "format": "socratic",
        "mode": "challenge",
        "topic": "Should we take path o1 or path o2?",
        "decision": "roundtable-aligned",
        "option": "take path o1",
        "confidence": 0.9,
        "confidence_reasons": ["converged"],
        "rationale": "It was said so.",
        "fallback": "Reopen it.",
        "escalate": False,
        "next_skill": "writing-plan",
        "next_action": "Enter writing-plan.",
        "exit_code": "ok",
        "exit_reason": "enough_information",
        "notes": [],
    }


def test_an_end_without_a_direction_has_no_option() -> None:
    contract = contract_of(held().say().defer().end())
    assert (contract.option, contract.escalate, contract.exit_code) == (None, False, "deferred")


def test_no_contract_while_questions_are_asked() -> None:
    standing = converged()
    outcome = converged().end().outcome
    with pytest.raises(IllegalEventError, match="has not ended"):
        make_contract(standing.session, outcome, SENTENCES)


def test_the_golden_contract_still_loads_and_says_the_same(schema: dict[str, Any]) -> None:
    text = GOLDEN.read_text(encoding="utf-8")
    contract = Contract.model_validate_json(text)
    assert as_json(contract).items() >= json.loads(text).items()
    jsonschema.Draft202012Validator(schema).validate(json.loads(text))
