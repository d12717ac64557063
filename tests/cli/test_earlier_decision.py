"""An earlier close decision is told of before a session; nothing waits for an answer to that."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from loopback.session import ANSWERS, TOPIC

AGAIN = "Is it time to build the notifications, or do we still wait for the settings refactoring?"
OTHER = "Which caterer do we book for the summer party?"


@pytest.fixture
def earlier(hold: Callable[..., Any], call: Callable[..., Any]) -> str:
    """A finished session on the usual topic, which the index knows."""
    session = hold("finished", "--json").object["session"]
    call("decisions")
    return str(session)


def answered(call: Callable[..., Any], topic: str, *options: str) -> Any:
    stdin = "".join(f"{answer}\n" for answer in ANSWERS)
    return call("run", topic, "--answers", "-", *options, stdin=stdin)


def test_a_script_is_told_on_standard_error_and_goes_on(call, earlier):
    ran = answered(call, AGAIN)
    assert ran.status == 0
    first, second, third, *_ = ran.err.splitlines()
    assert first.startswith("Something close was here before, on 20") and TOPIC in first
    assert second.startswith("It was decided with confidence 0.9: defer the notification system")
    assert third.endswith(f"keystone-roundtable reopen {earlier}")
    assert "Something close" not in ran.out


def test_the_json_object_stays_as_it_is(call, earlier, hold):
    plain = set(hold("paused", "--json").object)
    ran = answered(call, AGAIN, "--json")
    assert "Something close" in ran.err
    assert set(ran.object) == plain
    assert not ran.object["contract"]["notes"]


def test_another_topic_is_told_nothing(call, earlier):
    assert "Something close" not in answered(call, OTHER, "--force").err


def test_without_an_index_nothing_is_looked_for(call, hold, project):
    hold("finished")
    assert "Something close" not in answered(call, AGAIN).err
    assert not (project / ".keystone" / "roundtable" / "decisions.db").exists()


def test_what_came_after_is_told_too(call, earlier, hold, project):
    call("outcome", earlier, "partly")
    later = hold("deferred", "--json").object["session"]
    call("decisions", "link", later, "supersedes", earlier)
    err = answered(call, AGAIN).err
    assert "Outcome: partly (20" in err
    assert f"Superseded by {later} (20" in err


def test_an_old_one_without_outcome_is_asked_for(call, earlier, project):
    log = project / ".keystone/roundtable/sessions" / earlier / "events.jsonl"
    events = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    for event in events:
        event["at"] = "2026-04-11" + event["at"][10:]
    log.write_text("".join(json.dumps(event) + "\n" for event in events), "utf-8")
    call("decisions")
    assert f"outcome {earlier} held|reversed|partly|unknown" in answered(call, AGAIN).err


def test_a_damaged_index_or_link_file_stops_nothing(call, earlier, project):
    folder = project / ".keystone" / "roundtable"
    (folder / "decisions.db").write_bytes(b"no database" * 999)
    assert answered(call, AGAIN).status == 0
    call("decisions")
    (folder / "links.jsonl").mkdir()
    assert answered(call, AGAIN).status == 0


def test_an_agent_is_told_on_standard_error_and_its_response_stays_as_it_is(
    process, earlier, project
):
    def step(topic: str) -> tuple[dict[str, Any], str]:
        request = {"op": "start", "topic": topic, "force": True}
        ran = process("step", stdin=json.dumps(request).encode())
        response = json.loads(ran.stdout)
        assert isinstance(response, dict) and "error" not in response, response
        return response, ran.stderr.decode()

    told, err = step(AGAIN)
    silent, none = step(OTHER)
    assert "Something close was here before" in err and earlier in err
    assert "Something close" not in none
    assert set(told) == set(silent)
    assert earlier not in json.dumps(told)


def test_a_dry_run_tells_nothing(call, earlier):
    ran = call("run", AGAIN, "--dry-run")
    assert ran.status == 0
    assert "Something close" not in ran.err + ran.out


def test_a_reopened_session_says_how_to_let_it_take_the_place_of_the_first(call, earlier):
    stdin = "".join(f"{answer}\n" for answer in ANSWERS)
    ran = call("reopen", earlier, "--answers", "-", stdin=stdin)
    assert ran.status == 0
    words = ran.err.splitlines()[-1].split("keystone-roundtable ")[1].split()
    assert call(*words).out.startswith("Linked: ")
    assert call("show", earlier, "--json").object["superseded_by"]["session"] == words[2]
