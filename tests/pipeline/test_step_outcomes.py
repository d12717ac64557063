"""Every row of the outcome table through the step protocol, and the same end as `run --answers`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from outcome_cases import CASES, Case

from keystone_roundtable.cli.main import main

from .agent import Agent, Send
from .conftest import sending
from .prepared import prepared

MASKED = {"at", "project", "ts", "seconds", "finished_at"}


def masked(value: Any, session: str, root: Path) -> Any:
    """Without ids, moments and places."""
    if isinstance(value, dict):
        return {k: masked(v, session, root) for k, v in value.items() if k not in MASKED}
    if isinstance(value, list):
        return [masked(one, session, root) for one in value]
    if isinstance(value, str):
        return value.replace(session, "SESSION").replace(str(root), "ROOT")
    return value


def kept(root: Path) -> dict[str, Any]:
    """What a session leaves behind, masked: event log, report, contract, state, telemetry."""
    (folder,) = (root / ".keystone" / "roundtable" / "sessions").iterdir()
    telemetry = next((root / ".keystone" / "telemetry" / "events").iterdir())
    found = {
        "events": lines_of(folder / "events.jsonl"),
        "report": (folder / "report.md").read_text("utf-8"),
        "contract": json.loads((folder / "contract.json").read_bytes()),
        "contract_yaml": (folder / "contract.yaml").read_text("utf-8"),
        "state": json.loads((root / ".keystone" / "state.json").read_bytes()),
        "telemetry": lines_of(telemetry),
    }
    return masked(found, folder.name, root)


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_offline_the_end_is_the_one_of_a_run_with_the_same_answers(
    case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran, stepped = tmp_path / "run", tmp_path / "step"
    ran.mkdir()
    stepped.mkdir()
    answers = [one if isinstance(one, dict) else {"text": one} for one in case.answers]
    script = tmp_path / "answers.jsonl"
    script.write_text("".join(f"{json.dumps(one)}\n" for one in answers), encoding="utf-8")
    options = ("--answers", str(script), "--json", "--model", "offline", "--root", str(ran))
    assert main(["run", case.topic, *options]) == case.status
    run = json.loads(capsys.readouterr().out)

    end = Agent(sending(stepped)).hold(case.topic, case.answers, model="offline")

    assert kept(stepped) == kept(ran)
    for name in ("report_markdown", "contract", "paths", "exit"):
        there = masked(run[name], run["session"], ran)
        assert masked(end[name], end["session"], stepped) == there
    assert end["exit"]["status"] == case.status
    assert tuple(end["contract"]["confidence_reasons"]) == case.reasons


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_with_the_agent_as_the_model_each_row_is_reached(case: Case, send: Send) -> None:
    agent = Agent(send, play=prepared(case.topic))
    end = agent.hold(case.topic, case.answers, model="host")
    assert end["need"] == "nothing"
    assert tuple(end["contract"]["confidence_reasons"]) == case.reasons
    assert end["exit"]["status"] == case.status
    assert "The roles were played by host" in end["report_markdown"]
    calls = [one["call"] for one in agent.got if one.get("need") == "model"]
    assert calls[0] == "preview" and calls[-1] == "conclude"
    ids = [one["id"] for one in agent.got if one.get("need") == "model"]
    assert ids == [f"c{number}" for number in range(1, len(ids) + 1)]
    assert all(one["attempt"] == 1 for one in agent.got if one.get("need") == "model")
