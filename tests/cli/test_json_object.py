"""`run --json`: one object with the same keys whatever the end."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

KEYS = [
    "session",
    "route",
    "mode",
    "decision_topic",
    "options",
    "roles",
    "questions",
    "exit_reason",
    "report",
    "report_markdown",
    "contract",
    "checklist",
    "paths",
    "usage",
    "exit",
]
CONTRACT_KEYS = {
    "decision",
    "confidence",
    "rationale",
    "fallback",
    "escalate",
    "next_skill",
    "next_action",
    "schema_version",
    "session",
    "format",
    "mode",
    "topic",
    "option",
    "exit_code",
    "exit_reason",
    "confidence_reasons",
    "notes",
}
ENDED = ["finished", "forced", "escalated", "deferred"]
NAMES = {
    "finished": "ok",
    "forced": "ok",
    "escalated": "escalate",
    "deferred": "deferred",
    "redirected": "redirected",
    "paused": "paused",
}


@pytest.mark.parametrize("end", NAMES)
def test_the_object_has_its_keys_and_nothing_else_is_printed(hold, end):
    ran = hold(end, "--json")
    shown = ran.object
    assert list(shown) == KEYS
    assert shown["exit"] == {"name": NAMES[end], "status": ran.status}
    assert list(shown["paths"]) == [
        "session",
        "report",
        "contract",
        "contract_yaml",
        "state",
        "telemetry",
    ]
    assert list(shown["usage"]) == [
        "model",
        "model_calls",
        "input_tokens",
        "output_tokens",
        "cost_usd",
        "seconds",
    ]
    assert ran.out.count("\n}\n") == 1 and ran.out.endswith("}\n")
    assert ran.err  # the messages went there


@pytest.mark.parametrize("end", NAMES)
def test_options_and_questions_have_their_fields(hold, end):
    shown = hold(end, "--json").object
    for option in shown["options"]:
        assert list(option) == ["id", "text", "source"]
    for question in shown["questions"]:
        assert list(question) == ["id", "template", "slot", "text", "answers"]
        for answer in question["answers"]:
            assert list(answer) == ["text", "signal", "by"]


@pytest.mark.parametrize("end", ENDED)
def test_an_end_has_a_report_a_contract_and_fourteen_checked_points(hold, call, end):
    shown = hold(end, "--json").object
    assert set(shown["contract"]) == CONTRACT_KEYS
    jsonschema.validate(shown["contract"], json.loads(call("contract-schema").out))
    assert shown["report_markdown"].startswith("## Roundtable Final Report\n")
    assert shown["report"]["mode"] == shown["mode"] == shown["contract"]["mode"]
    assert len(shown["checklist"]) == 14
    assert {point["verdict"] for point in shown["checklist"]} <= {"ok", "waived"}


@pytest.mark.parametrize("end", ENDED)
def test_what_was_printed_is_what_stands_on_disk(hold, project, end):
    shown = hold(end, "--json").object
    texts = {
        name: Path(path).read_text("utf-8")
        for name, path in shown["paths"].items()
        if name != "session"
    }
    assert texts["report"] == shown["report_markdown"]
    assert json.loads(texts["contract"]) == shown["contract"]
    state = json.loads(texts["state"])
    assert state["artifacts"]["roundtable_contract"] == shown["contract"]
    assert state["artifacts"]["roundtable_session"] == shown["session"]
    assert state["artifacts"]["roundtable_report"] == shown["paths"]["report"]
    assert state["artifacts"]["roundtable_mode"] == shown["mode"]
    assert state["last_decision"] == shown["contract"]["decision"]
    assert state["current_stage"] == "roundtable"
    assert state["exit_code"] == shown["exit"]["name"]


@pytest.mark.parametrize("end", ["redirected", "paused"])
def test_without_an_end_there_is_no_report_and_no_contract(hold, end):
    shown = hold(end, "--json").object
    assert shown["report"] is None
    assert shown["report_markdown"] is None
    assert shown["contract"] is None
    assert shown["exit_reason"] is None
    assert shown["checklist"] == []
    assert shown["paths"]["report"] is None
    assert shown["paths"]["contract"] is None


def test_a_redirect_tells_the_state_where_to_go_and_nothing_else(hold, call):
    call("state", "set", "exit_code", "ok")
    call("state", "set", "mine", "kept")
    shown = hold("redirected", "--json").object
    assert shown["route"] == "diagnose"
    assert shown["mode"] is None and shown["roles"] == [] and shown["questions"] == []
    state = json.loads(call("state", "show").out)
    assert list(state) == ["exit_code", "mine", "exit_reason", "next_skill"]
    assert state["exit_code"] == "redirected"
    assert state["next_skill"] == "diagnose"


def test_force_enters_where_the_topic_belongs_elsewhere_and_the_contract_says_so(call, script_of):
    topic = script_of("redirected").topic
    ran = call("run", topic, "--answers", "-", "--json", "--force", stdin="/stop\n")
    assert ran.object["route"] == "diagnose"
    assert any("diagnose" in note for note in ran.object["contract"]["notes"])


def test_a_paused_session_leaves_no_old_ok_in_the_state(hold, call):
    call("state", "set", "exit_code", "ok")
    call("state", "set", "next_skill", "writing-plan")
    hold("paused")
    for key in ("exit_code", "exit_reason", "next_skill"):
        assert call("state", "get", key).out == "null\n"


def test_mode_and_roles_can_be_asked_for(call, script_of):
    script = script_of("finished")
    options = ["--mode", "align", "--role", "sre", "--role", "code-reviewer", "--json"]
    shown = call("run", script.topic, "--answers", "-", *options, stdin="").object
    assert shown["mode"] == "align"
    assert {"sre", "code-reviewer"} <= set(shown["roles"])


def test_the_root_can_be_named(call, project, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    ran = call("run", "Should we move?", "--answers", "-", "--json", "--root", str(other))
    assert ran.object["paths"]["session"].startswith(str(other / ".keystone"))
    assert not (project / ".keystone").exists()
    assert call("list", "--root", str(other), "--json").object["sessions"]
    assert not call("list", "--json").object["sessions"]


def test_the_project_is_found_from_a_folder_below(hold, call, project, monkeypatch):
    hold("paused")
    (project / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(project / "deep" / "er")
    assert len(call("list", "--json").object["sessions"]) == 1
