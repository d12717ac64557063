"""The four results of a session, where other tools look for them."""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from keystone_roundtable.core.contract import Contract
from keystone_roundtable.core.fold import replay
from keystone_roundtable.core.ports import Results
from keystone_roundtable.runtime.processes import ProcessRunner
from keystone_roundtable.stores.errors import StoreError
from keystone_roundtable.stores.results import ProjectResults
from keystone_roundtable.stores.state import KeystoneState

ID = "20261130-abcd"
STATE = {
    "current_stage": "roundtable",
    "artifacts.roundtable_mode": "align",
    "exit_code": "ok",
    "next_skill": "",
    "artifacts.roundtable_contract": {"decision": "roundtable-aligned"},
}


def as_lines(content: Mapping[str, Any]) -> str:
    return "".join(f"{key}: {value}\n" for key, value in content.items())


@pytest.fixture
def make(tmp_path):
    def make_results(**options: Any) -> ProjectResults:
        return ProjectResults(tmp_path, as_lines, run=ProcessRunner(), **options)

    return make_results


@pytest.fixture
def contract() -> Contract:
    return Contract(
        session=ID,
        mode="align",
        topic="ใช้ Postgres หรือไม่",
        decision="roundtable-aligned",
        option="使用 Postgres",
        confidence=0.9,
        confidence_reasons=("converged",),
        rationale="r",
        fallback="f",
        escalate=False,
        next_skill="writing-plan",
        next_action="n",
        exit_code="ok",
        exit_reason="enough_information",
    )


def test_the_results_port_is_met(make):
    results: Results = make()
    assert results


def test_the_report_stands_in_the_sessions_folder(make, started, tmp_path):
    session = replay([started()])
    path = make().write_report(session, "# Roundtable Final Report\n")
    assert path == tmp_path / ".keystone" / "roundtable" / "sessions" / ID / "report.md"
    assert path.read_text() == "# Roundtable Final Report\n"
    assert make().write_report(session, "# Again\n").read_text() == "# Again\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_both_contracts_hold_the_same(make, contract):
    as_json, as_yaml = make().write_contract(contract)
    assert (as_json.name, as_yaml.name) == ("contract.json", "contract.yaml")
    text = as_json.read_text("utf-8")
    assert Contract.model_validate_json(text) == contract
    assert "使用 Postgres" in text
    assert text.endswith("}\n")
    assert as_yaml.read_text("utf-8") == as_lines(json.loads(text))


@pytest.mark.parametrize("command", ["", "  ", "keystone-roundtable"])
def test_the_state_is_written_directly_where_no_other_program_is_named(make, tmp_path, command):
    path = make(keystone_cli=command).write_state(STATE)
    assert path == tmp_path / ".keystone" / "state.json"
    state = KeystoneState(tmp_path)
    assert all(state.get(key) == value for key, value in STATE.items())


CLI = """#!{python}
import sys
if "exit_code" in sys.argv and {fails}:
    sys.exit("no such stage")
with open({calls!r}, "a", encoding="utf-8") as calls:
    calls.write("|".join(sys.argv[1:]) + "\\n")
"""


@pytest.fixture
def other_program(tmp_path):
    """A program that writes down its arguments; it may refuse `exit_code`."""
    calls = tmp_path / "calls"

    def make_program(*, fails: bool = False) -> str:
        path = tmp_path / "keystone"
        path.write_text(CLI.format(python=sys.executable, calls=str(calls), fails=fails))
        path.chmod(0o700)
        return str(path)

    return make_program


def test_scalars_go_through_the_other_program_and_objects_directly(make, other_program, tmp_path):
    make(keystone_cli=other_program()).write_state(STATE)
    assert (tmp_path / "calls").read_text().splitlines() == [
        "state|set|current_stage|roundtable",
        "state|set|artifacts.roundtable_mode|align",
        "state|set|exit_code|ok",
        "state|set|next_skill|",
    ]
    assert KeystoneState(tmp_path).show() == {
        "artifacts": {"roundtable_contract": {"decision": "roundtable-aligned"}}
    }


def test_a_program_that_refuses_a_key_names_what_is_missing(make, other_program):
    with pytest.raises(StoreError, match=r"not written: exit_code, next_skill .*no such stage"):
        make(keystone_cli=other_program(fails=True)).write_state(STATE)


def test_a_program_that_is_not_there_names_all_scalars(make, tmp_path):
    with pytest.raises(StoreError) as caught:
        make(keystone_cli=str(tmp_path / "gone")).write_state(STATE)
    assert "current_stage, artifacts.roundtable_mode, exit_code, next_skill" in str(caught.value)


def telemetry(event: str, ts: str = "2026-11-30T10:00:00Z") -> dict[str, Any]:
    return {"skill": "roundtable", "ts": ts, "event": event, "session": ID}


@pytest.mark.parametrize(("event", "lines"), [("finished", 1), ("started", 1), ("paused", 2)])
def test_a_start_and_an_end_stand_once_in_the_telemetry(make, event, lines):
    first = make().write_telemetry(telemetry(event))
    again = make().write_telemetry(telemetry(event))
    assert first == again
    assert len(first.read_text().splitlines()) == lines


def test_an_end_repeated_in_the_next_month_is_not_counted_twice(make):
    first = make().write_telemetry(telemetry("finished"))
    assert make().write_telemetry(telemetry("finished", "2026-12-01T10:00:00Z")) == first
    assert [p.name for p in first.parent.iterdir()] == ["2026-11.jsonl"]


def test_without_telemetry_nothing_is_written(make, tmp_path):
    assert make(telemetry=False).write_telemetry(telemetry("finished")) is None
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_names_the_result_that_is_missing(small_disk, contract):
    results = ProjectResults(small_disk, lambda _: "y" * 100_000, run=ProcessRunner())
    with pytest.raises(StoreError, match=r"contract\.yaml: No space left on device"):
        results.write_contract(contract)
    folder = small_disk / ".keystone" / "roundtable" / "sessions" / ID
    assert [p.name for p in folder.iterdir()] == ["contract.json"]
