"""`resume`, `reopen`, `list` and `show`: going on with a session and looking back at it."""

from __future__ import annotations

import json

import pytest

from keystone_roundtable.core.contract import Contract


def rest_of(script, given):
    return "".join(f"{answer}\n" for answer in script.answers[given:])


def test_a_resumed_session_asks_nothing_twice_and_ends_as_if_uninterrupted(hold, call, script_of):
    whole = hold("finished", "--json").object
    hold("paused")
    ran = call("resume", "--answers", "-", "--json", stdin=rest_of(script_of("finished"), 2))
    assert ran.status == 0
    assert ran.object["questions"] == whole["questions"]
    assert ran.object["report"] == whole["report"]


def test_the_latest_open_session_is_resumed_and_an_id_or_its_beginning_names_another(hold, call):
    first = hold("paused", "--json").object["session"]
    second = hold("paused", "--json").object["session"]
    assert call("resume", "--answers", "-", "--json").object["session"] == second
    assert call("resume", first, "--answers", "-", "--json").object["session"] == first
    unique = next(n for n in range(9, 18) if not second.startswith(first[:n]))
    assert call("resume", first[:unique], "--answers", "-", "--json").status == 6


@pytest.mark.parametrize("end", ["finished", "redirected"])
def test_what_has_ended_cannot_be_resumed(hold, call, end):
    session = hold(end, "--json").object["session"]
    ran = call("resume", session, "--answers", "-")
    assert ran.status == 2
    assert f"session {session} has ended" in ran.one_line


def test_reopening_starts_anew_with_what_was_said_and_the_excluded_paths(hold, call, script_of):
    earlier = hold("finished", "--json").object
    ran = call("reopen", earlier["session"], "--answers", "-", "--json", stdin="/stop\n")
    assert ran.status == 0
    reopened = ran.object
    assert reopened["session"] != earlier["session"]
    assert [o["text"] for o in reopened["options"]][:2] == [o["text"] for o in earlier["options"]][
        :2
    ]
    assert f"reopens {earlier['session']}" in reopened["contract"]["notes"]
    assert call("show", earlier["session"], "--json").object["contract"] == earlier["contract"]


def test_a_script_must_say_which_session_to_reopen(hold, call):
    hold("finished")
    ran = call("reopen", "--answers", "-")
    assert ran.status == 2
    assert "reopen needs the session's ID" in ran.one_line


def test_without_a_finished_session_there_is_nothing_to_reopen(hold, call):
    hold("paused")
    ran = call("reopen", "--answers", "-")
    assert ran.status == 2
    assert "no session is finished here" in ran.one_line


def test_only_a_finished_session_can_be_reopened(hold, call):
    session = hold("paused", "--json").object["session"]
    ran = call("reopen", session, "--answers", "-")
    assert ran.status == 2
    assert f"resume {session}" in ran.one_line


def test_the_list_shows_every_session_newest_first(hold, call):
    assert call("list").out == "No sessions yet. Start one with: keystone-roundtable\n"
    ids = [hold(end, "--json").object["session"] for end in ("finished", "paused", "redirected")]
    listed = call("list", "--json").object["sessions"]
    assert [entry["id"] for entry in listed] == ids[::-1]
    assert [entry["status"] for entry in listed] == ["redirected", "paused", "finished"]
    assert [entry["decision"] for entry in listed] == [None, None, "roundtable-aligned"]
    lines = call("list").out.splitlines()
    assert [line.split()[0] for line in lines] == ids[::-1]
    assert len(call("list", "--limit", "1").out.splitlines()) == 1


def test_a_finished_session_shows_its_report(hold, call):
    ran = hold("finished")
    (line,) = call("list").out.splitlines()
    assert call("show", line.split()[0]).out.strip() == ran.out.strip()


def test_the_preview_is_shown_on_request_only_and_never_while_the_session_runs(hold, call):
    ran = hold("paused", "--json")
    session = ran.object["session"]
    preview = json.loads(json.dumps(ran.object))
    plain = call("show", session).out
    internal = call("show", session, "--internal").out
    assert "Position:" not in ran.err + ran.out + plain
    assert "Position:" in internal and "Decision topic:" in internal
    for role in preview["roles"]:
        assert role in internal


def test_an_open_session_shows_what_was_said_so_far(hold, call, script_of):
    session = hold("paused", "--json").object["session"]
    shown = call("show", session).out
    assert script_of("paused").answers[0] in shown
    assert "(open)" in shown
    assert "Status: paused" in shown


def test_modes_and_roles_tell_what_is_in_force_and_from_where(call, project):
    own = project / ".keystone" / "roundtable" / "roles"
    own.mkdir(parents=True)
    (own / "sre.yaml").write_text("responsibility: the night shift\n")
    modes = call("modes", "--json").object["modes"]
    assert [mode["id"] for mode in modes] == ["brainstorm", "align", "challenge"]
    assert all(len(mode["questions"]) >= 6 for mode in modes)
    roles = {role["id"]: role for role in call("roles", "--json").object["roles"]}
    assert roles["sre"]["summary"] == "the night shift"
    assert roles["sre"]["origin"] == str(own / "sre.yaml")
    assert len(roles) == 10
    assert f"from {own / 'sre.yaml'}" in call("roles").out
    assert "brainstorm: " in call("modes").out


def test_a_broken_role_of_the_user_is_named_with_line_and_field(call, project):
    own = project / ".keystone" / "roundtable" / "roles"
    own.mkdir(parents=True)
    (own / "sre.yaml").write_text("title: x\nresponsibilty: misspelt\n")
    for words in (["roles"], ["run", "Should we move?", "--answers", "-"]):
        ran = call(*words)
        assert ran.status == 1
        assert "sre.yaml, line 2, field 'responsibilty': " in ran.one_line
    assert not (project / ".keystone" / "roundtable" / "sessions").exists()


def test_the_contract_schema_names_every_field_of_a_contract(call):
    schema = json.loads(call("contract-schema").out)
    assert list(schema["properties"]) == schema["required"] == list(Contract.model_fields)
    assert schema["additionalProperties"] is False
