"""Every row and cap of the outcome table, from topic and answers to status, contract and state."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from in_process import carried_out
from outcome_cases import CASES, Case

ROUTING = {
    0: ("roundtable-aligned", "writing-plan", "writing-plan", "ok"),
    3: ("roundtable-escalate", "orchestrate", "", "escalate"),
    4: ("roundtable-deferred", "roundtable", "roundtable", "deferred"),
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_end_is_what_the_table_says(case: Case, tmp_path: Path) -> None:
    held = _hold(case, tmp_path)
    decision, next_skill, state_next_skill, exit_code = ROUTING[case.status]

    contract = held["contract"]
    assert held["exit"] == {"name": exit_code, "status": case.status}
    assert held["exit_reason"] == contract["exit_reason"] == case.exit_reason
    assert contract["decision"] == decision
    assert contract["confidence"] == case.confidence
    assert tuple(contract["confidence_reasons"]) == case.reasons
    assert contract["option"] == case.option
    assert contract["escalate"] is (case.status == 3)
    assert contract["next_skill"] == next_skill
    assert tuple(contract["notes"]) == case.notes
    assert contract["rationale"] and contract["fallback"] and contract["next_action"]

    state = json.loads((tmp_path / ".keystone" / "state.json").read_text("utf-8"))
    assert state["last_decision"] == decision
    assert (state["exit_code"], state["next_skill"]) == (exit_code, state_next_skill)
    assert state["exit_reason"] == case.state_reason
    assert state["artifacts"]["roundtable_contract"] == contract

    (finished,) = _telemetry(tmp_path, "finished")
    assert finished["decision"] == decision
    assert finished["confidence"] == case.confidence
    assert tuple(finished["confidence_reasons"]) == case.reasons
    assert finished["exit_reason"] == case.exit_reason
    assert finished["breaker"] is (case.exit_reason == "circuit_breaker")
    assert finished["checklist_failed"] == 0

    decided = held["report"]["decision"]
    if case.option is None:
        assert decided.startswith("None: ")
    else:
        assert case.option.casefold() in decided.casefold()


def test_every_row_and_cap_has_a_case() -> None:
    from keystone_roundtable.core import outcome

    named = {reason for case in CASES for reason in case.reasons}
    assert named == {entry.name for entry in (*outcome._ROWS, *outcome._CAPS)}


def _hold(case: Case, folder: Path) -> dict[str, Any]:
    lines = (
        json.dumps(answer if isinstance(answer, dict) else {"text": answer})
        for answer in case.answers
    )
    status, out, err = carried_out(
        *("run", case.topic, "--model", "offline"),
        *("--answers", "-", "--json", "--root", str(folder)),
        stdin="\n".join(lines),
    )
    assert status == case.status, out + err
    held: dict[str, Any] = json.loads(out)
    return held


def _telemetry(folder: Path, event: str) -> list[dict[str, Any]]:
    (month,) = (folder / ".keystone" / "telemetry" / "events").glob("*.jsonl")
    lines = [json.loads(line) for line in month.read_text("utf-8").splitlines()]
    return [line for line in lines if line["event"] == event]
