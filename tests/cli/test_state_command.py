"""`state init|get|set|show`, and sessions whose state goes through another program."""

from __future__ import annotations

import json
import shlex
import sys

import pytest


def test_init_makes_what_is_missing_and_touches_nothing_else(call, project):
    assert call("state", "init").status == 0
    state = project / ".keystone" / "state.json"
    assert json.loads(state.read_text()) == {}
    assert (project / ".keystone" / "telemetry" / "events").is_dir()
    state.write_text('{"mine": 1}')
    assert call("state", "init").status == 0
    assert state.read_text() == '{"mine": 1}'


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("roundtable", '"roundtable"'),
        ("0.9", "0.9"),
        ("12", "12"),
        ("-3", "-3"),
        ("true", "true"),
        ("null", "null"),
        ("", '""'),
        ("True", '"True"'),
        ('{"a": 1}', '"{\\"a\\": 1}"'),
        ("[1]", '"[1]"'),
        ('"quoted"', '"\\"quoted\\""'),
        ("NaN", '"NaN"'),
        ("1e999", '"1e999"'),
        ("ภาษาไทย 中文", '"ภาษาไทย 中文"'),
        ("Direction converged", '"Direction converged"'),
    ],
)
def test_a_value_keeps_its_type(call, typed, stored):
    assert call("state", "set", "key", "--", typed).status == 0
    assert call("state", "get", "key").out == stored + "\n"


def test_dotted_keys_reach_into_objects(call):
    call("state", "set", "artifacts.roundtable_mode", "align")
    assert call("state", "get", "artifacts").out == '{"roundtable_mode": "align"}\n'
    assert call("state", "get", "artifacts.roundtable_mode").out == '"align"\n'
    assert call("state", "get", "artifacts.gone.deeper").out == "null\n"
    assert json.loads(call("state", "show").out) == {"artifacts": {"roundtable_mode": "align"}}


def test_get_makes_nothing(call, project):
    assert call("state", "get", "exit_code").out == "null\n"
    assert call("state", "show").out == "{}\n"
    assert list(project.iterdir()) == []


@pytest.mark.parametrize("key", ["", ".", "a.", ".a", "a..b"])
def test_a_key_that_is_none_is_bad_usage(call, key):
    ran = call("state", "set", key, "v")
    assert ran.status == 2
    assert "is no state key" in ran.one_line


def test_a_key_through_a_text_is_refused(call):
    call("state", "set", "a", "text")
    ran = call("state", "set", "a.b", "v")
    assert ran.status == 1
    assert "'a' is not an object" in ran.one_line
    assert call("state", "get", "a").out == '"text"\n'


# -- KEYSTONE_CLI ----------------------------------------------------------------------


@pytest.fixture
def recorder(tmp_path, monkeypatch):
    """A program named by KEYSTONE_CLI that writes down its arguments; fails on a key if told so."""

    def make(failing: str = "") -> object:
        record = tmp_path / "record.jsonl"
        program = tmp_path / "my keystone"
        program.write_text(
            f"#!{sys.executable}\n"
            "import json, sys\n"
            f"with open({str(record)!r}, 'a') as record:\n"
            "    print(json.dumps(sys.argv[1:]), file=record)\n"
            f"if sys.argv[3] == {failing!r}:\n"
            "    sys.exit('keystone: the state is frozen')\n"
        )
        program.chmod(0o700)
        monkeypatch.setenv("KEYSTONE_CLI", shlex.quote(str(program)))
        return lambda: [json.loads(line) for line in record.read_text().splitlines()]

    return make


def test_each_scalar_goes_through_the_other_program_in_the_skills_order(hold, recorder, project):
    calls_of = recorder()
    shown = hold("finished", "--json").object
    assert shown["exit"]["status"] == 0
    calls = calls_of()
    assert all(call[:2] == ["state", "set"] and len(call) == 4 for call in calls)
    assert [call[2:] for call in calls] == [
        ["exit_code", "null"],
        ["exit_reason", "null"],
        ["next_skill", "null"],
        ["current_stage", "roundtable"],
        ["last_decision", "roundtable-aligned"],
        ["artifacts.roundtable_mode", shown["mode"]],
        ["exit_code", "ok"],
        ["exit_reason", "Direction converged"],
        ["next_skill", "writing-plan"],
        ["artifacts.roundtable_report", shown["paths"]["report"]],
        ["artifacts.roundtable_session", shown["session"]],
    ]
    state = json.loads((project / ".keystone" / "state.json").read_text())
    assert state == {"artifacts": {"roundtable_contract": shown["contract"]}}


def test_an_escalation_sets_an_empty_next_skill(hold, recorder):
    calls_of = recorder()
    assert hold("escalated").status == 3
    assert ["state", "set", "next_skill", ""] in calls_of()


def test_a_program_that_fails_names_the_keys_not_written_and_the_contract_stays(
    hold, call, recorder, session_of, telemetry_of
):
    calls_of = recorder(failing="last_decision")
    ran = hold("finished", "--json")
    assert ran.status == 1
    assert ran.out == ""
    complaint = ran.err.splitlines()[-1]
    assert (
        "state keys not written: last_decision, artifacts.roundtable_mode, exit_code, exit_reason, "
        "next_skill, artifacts.roundtable_report, artifacts.roundtable_session" in complaint
    )
    assert "keystone: the state is frozen" in complaint
    contract = json.loads((session_of() / "contract.json").read_text())
    assert contract["decision"] == "roundtable-aligned"
    assert [line["event"] for line in telemetry_of()] == ["started"]
    # Mended, the session ends where it stood.
    recorder()
    again = call("resume", "--answers", "-", "--json")
    assert again.status == 0
    assert again.object["contract"] == contract
    assert [line["event"] for line in telemetry_of()] == ["started", "finished"]
    assert calls_of()[-1][2] == "artifacts.roundtable_session"


def test_a_program_that_is_not_there_is_told_before_the_first_question(hold, monkeypatch):
    monkeypatch.setenv("KEYSTONE_CLI", "/no/such/keystone")
    ran = hold("finished")
    assert ran.status == 1
    assert "Mode:" not in ran.err
    assert "not written: exit_code, exit_reason, next_skill" in ran.one_line


@pytest.mark.parametrize(
    "command",
    ["keystone-roundtable", "roundtable", f"{shlex.quote(sys.executable)} -m keystone_roundtable"],
)
def test_this_very_program_writes_directly(hold, project, monkeypatch, command):
    monkeypatch.setenv("KEYSTONE_CLI", command)
    monkeypatch.setenv("PATH", "/nowhere")  # starting it would fail
    assert hold("finished").status == 0
    state = json.loads((project / ".keystone" / "state.json").read_text())
    assert state["exit_code"] == "ok"


def test_a_program_named_keystone_in_the_folder_is_never_run(hold, project):
    program = project / "keystone"
    program.write_text("#!/bin/sh\ntouch ran-it\n")
    program.chmod(0o755)
    assert hold("finished").status == 0
    assert not (project / "ran-it").exists()


# -- a state that cannot be written ----------------------------------------------------


FOREIGN = {
    "no JSON": b"current_stage: roundtable\n",
    "empty": b"",
    "a list": b"[1, 2]",
    "no UTF-8": b'{"a": "\xff"}',
    "torn": b'{"current_stage": "round',
    "a text where the artifacts go": b'{"artifacts": "none yet"}',
    "a list where the artifacts go": b'{"artifacts": []}',
}


@pytest.mark.parametrize("through", ["", "/bin/true"])
@pytest.mark.parametrize("kind", FOREIGN)
def test_a_foreign_state_is_told_before_the_first_question_and_left_as_it_is(
    hold, call, project, monkeypatch, script_of, kind, through
):
    monkeypatch.setenv("KEYSTONE_CLI", through)
    state = project / ".keystone" / "state.json"
    state.parent.mkdir()
    state.write_bytes(FOREIGN[kind])
    ran = hold("finished")
    assert ran.status == 1
    assert "state" in ran.one_line  # nothing else was said: no question was put
    assert state.read_bytes() == FOREIGN[kind]
    # The session waits: with the state moved away it is held as if nothing had been.
    state.rename(state.with_suffix(".old"))
    rest = "".join(f"{answer}\n" for answer in script_of("finished").answers)
    again = call("resume", "--answers", "-", "--json", stdin=rest)
    assert again.status == 0
    assert len(again.object["questions"]) == 4


@pytest.mark.parametrize("value", ["-5", "--help", "-", "-x", "--root"])
def test_a_value_may_begin_with_a_dash(call, project, value):
    assert call("state", "set", "key", value).status == 0
    stored = json.loads((project / ".keystone" / "state.json").read_text())["key"]
    assert str(stored) == value


@pytest.mark.parametrize("key", ["--help", "-h"])
def test_help_is_no_key(call, project, key):
    ran = call("state", "set", key, "1")
    assert ran.status == 0 and ran.out.startswith("usage: keystone-roundtable state set")
    assert not (project / ".keystone").exists()


@pytest.mark.parametrize("key", ["--nonsense", "-x", "--root"])
def test_an_option_is_no_key_either(call, project, key):
    ran = call("state", "set", key, "1")
    assert ran.status == 2 and ran.one_line
    assert not (project / ".keystone").exists()


@pytest.mark.parametrize("words", [["get", "a"], ["set", "a", "b"], ["show"]])
def test_a_foreign_state_is_told_by_the_state_command_too(call, project, words):
    state = project / ".keystone" / "state.json"
    state.parent.mkdir()
    state.write_bytes(b"mine")
    ran = call("state", *words)
    assert ran.status == 1
    assert f"{state} is not JSON" in ran.one_line
    assert state.read_bytes() == b"mine"
