"""What a session comes to where the model fails or breaks a rule, in each of the three steps."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pydantic_ai", reason="the extra 'openai' is not installed")
pytest.importorskip("openai", reason="the extra 'openai' is not installed")

from loopback import mutations, replies
from loopback.player import in_step, playing
from loopback.server import LoopbackServer
from loopback.session import ANSWERS, MODEL

STEPS = ("preview", "assess", "conclude")
SAID_OF = {"preview": "the preparation", "assess": "the reading of A1", "conclude": "this report"}
Call = Callable[..., Any]

# What the server does, and what the one line tells one to do.
TRANSPORT = {
    "401": (replies.unauthorized(), "Set OPENAI_API_KEY"),
    "404": (replies.failing(404, "no such model"), "Check the model's name"),
    "429": (replies.limited("0"), "Try again later"),
    "429 for an hour": (replies.limited("3600"), "Try again in 3600 s"),
    "500": (replies.failing(500, "oops", Retry_After="0"), "Try again later"),
    "hanging": (replies.hanging(), "Set a longer --timeout"),
    "dropped": (replies.dropped(), "Check the network, and OPENAI_BASE_URL"),
    "a web page": (replies.page(), "Check the network, and OPENAI_BASE_URL"),
}
UNUSABLE = {
    "malformed": replies.malformed(),
    "wrong schema": replies.wrong_schema(),
    "empty": replies.empty(),
    "truncated": replies.truncated(),
}
MUTATIONS = {
    "two questions in one": mutations.two_questions_in_one,
    "a role dropped": mutations.role_dropped,
    "an option from nowhere": mutations.option_from_nowhere,
    "evidence from nowhere": mutations.evidence_from_nowhere,
    "certain": mutations.certain,
    "hostile strings": mutations.hostile_strings,
}


def limit_for(fault: str) -> tuple[str, ...]:
    """No longer than it takes to be sure that good replies come in time on a busy machine."""
    return ("--timeout", "0.8") if fault == "hanging" else ()


def events(project: Path) -> list[dict[str, Any]]:
    (log,) = project.glob(".keystone/roundtable/sessions/*/events.jsonl")
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()]


def given(project: Path) -> tuple[str, ...]:
    told = [event["answer"]["text"] for event in events(project) if event["type"] == "answer_given"]
    return tuple(told)


# -- the transport ---------------------------------------------------------------------


EVERYWHERE = ("401", "429", "500", "hanging", "dropped")


@pytest.mark.parametrize(
    ("step", "fault"),
    [(step, fault) for step in STEPS for fault in EVERYWHERE]
    + [("preview", fault) for fault in TRANSPORT if fault not in EVERYWHERE],
)
def test_a_failed_call_keeps_every_answer_and_the_session_goes_on_later(
    step: str, fault: str, hold_with: Call, call: Call, server: LoopbackServer, project: Path
) -> None:
    reaction, what_to_do = TRANSPORT[fault]
    server.default = in_step(step, reaction)
    held = hold_with(*limit_for(fault))
    assert (held.status, held.out) == (1, "")
    *before, last = held.err.splitlines()
    assert len(before) == (1 if step == "preview" else 2), "where it goes, and the mode"
    assert last.startswith("keystone-roundtable: ") and what_to_do in last
    assert "The session is kept; go on with: keystone-roundtable resume " in last
    assert "sk-proj-" not in held.err
    said = given(project)
    assert said == ANSWERS[: {"preview": 0, "assess": 1, "conclude": 4}[step]]
    assert events(project)[-1]["type"] == "paused"

    server.default = playing()
    rest = "".join(f"{answer}\n" for answer in ANSWERS[len(said) :])
    went_on = call("resume", "--answers", "-", "--json", stdin=rest)
    assert went_on.status == 0, went_on.err
    asked = went_on.object["questions"]
    assert tuple(question["answers"][-1]["text"] for question in asked) == ANSWERS
    assert MODEL in went_on.object["report"]["simulated_by"]


@pytest.mark.parametrize("fault", ["401", "hanging"])
@pytest.mark.parametrize("step", STEPS)
def test_the_rules_go_on_where_that_is_allowed(
    step: str, fault: str, hold_with: Call, server: LoopbackServer, project: Path
) -> None:
    server.default = in_step(step, TRANSPORT[fault][0])
    held = hold_with("--fallback", "offline", "--json", *limit_for(fault))
    assert held.status == 0
    assert "; going on with the built-in rules" in held.err
    assert given(project) == ANSWERS
    told = held.object["report"]["simulated_by"]
    why = {"401": "refuses the request", "hanging": "gave no reply within 0.8 s"}[fault]
    assert held.object["usage"]["model_calls"] > 0 and "no language model" not in told
    played = {
        "preview": f"by the built-in rules: nothing that {MODEL} replied could be used. They did ",
        "assess": f"by {MODEL}: their agreement is one mind's and weak evidence. The built-in "
        "rules did ",
        "conclude": f"by {MODEL}: their agreement is one mind's and weak evidence. The built-in "
        "rules did ",
    }[step]
    assert told.startswith(f"The roles were played {played}{SAID_OF[step]} (") and why in told
    after = {
        "preview": "the reading of A1, the reading of A2, the reading of A3, the reading of A4, ",
        "assess": "the reading of A2, the reading of A3, the reading of A4, ",
        "conclude": "",
    }[step]
    if after:
        assert told.endswith(f"; {after}this report (the session went on without a model).")


def test_a_server_that_is_not_there_is_told_in_one_line(
    hold_with: Call, server: LoopbackServer
) -> None:
    server.stop()
    held = hold_with()
    assert held.status == 1
    assert f"127.0.0.1:{server.port} cannot be reached. Check the network" in held.err


@pytest.mark.parametrize("step", STEPS)
def test_a_chain_that_ends_offline_needs_nobody_to_say_so(
    step: str, hold_with: Call, server: LoopbackServer
) -> None:
    server.default = in_step(step, replies.unauthorized())
    held = hold_with("--json", model=f"{MODEL},offline")
    assert held.status == 0
    told = held.object["report"]["simulated_by"]
    assert f"The built-in rules did {SAID_OF[step]} (" in told and "refuses the request" in told


def test_a_failure_is_in_the_record_of_calls(hold_with: Call, project: Path) -> None:
    hold_with("--max-calls", "3")
    calls = [event["call"] for event in events(project) if event["type"] == "model_called"]
    assert [call["result"] for call in calls] == ["ok"] * 3


# -- replies that cannot be used -------------------------------------------------------


@pytest.mark.parametrize("fault", UNUSABLE)
@pytest.mark.parametrize("step", STEPS)
def test_what_cannot_be_read_goes_back_twice_then_the_rules_do_the_step_and_say_so(
    step: str, fault: str, hold_with: Call, server: LoopbackServer, project: Path
) -> None:
    server.default = in_step(step, UNUSABLE[fault])
    held = hold_with("--json")
    assert held.status == 0
    told = held.object["report"]["simulated_by"]
    assert f"The built-in rules did {SAID_OF[step]} (" in told
    assert f"The roles were played by {MODEL}" in told
    calls = [event["call"] for event in events(project) if event["type"] == "model_called"]
    assert {c["requests"] for c in calls if c["step"] == step} == {3}
    assert {c["result"] for c in calls if c["step"] == step} == {"invalid"}
    assert {c["result"] for c in calls if c["step"] != step} == {"ok"}


COMPUTED = ("decision", "confidence", "confidence_reasons", "escalate", "next_skill", "exit_code",
            "option")  # fmt: skip


def computed(contract: dict[str, Any]) -> dict[str, Any]:
    return {field: contract[field] for field in COMPUTED}


@pytest.fixture
def by_rules(hold_with: Call) -> dict[str, Any]:
    """The contract of the same session without a model."""
    contract: dict[str, Any] = hold_with("--json", "--mode", "brainstorm", model="offline").object[
        "contract"
    ]
    return contract


@pytest.mark.parametrize("mutation", MUTATIONS)
@pytest.mark.parametrize("step", STEPS)
def test_whatever_a_schema_made_reply_says_the_end_is_the_rules_own(
    step: str, mutation: str, hold_with: Call, by_rules: dict[str, Any], server: LoopbackServer
) -> None:
    """Replies made from the schema know nothing of the session: each of them breaks a rule."""
    server.default = in_step(step, replies.mutated(MUTATIONS[mutation]))
    held = hold_with("--json", "--mode", "brainstorm")
    contract = held.object["contract"]
    assert f"The built-in rules did {SAID_OF[step]} (" in held.object["report"]["simulated_by"]
    told = json.dumps(held.object, ensure_ascii=False)
    assert "castle" not in json.dumps(held.object["options"])
    assert "\x1b" not in told and "\\u001b" not in told
    assert computed(contract) == computed(by_rules)


# What the good player says, with one thing wrong in it, by step.
SPOILT: dict[str, tuple[str, Callable[[dict[str, Any]], Any], str]] = {
    "two questions in one": (
        "preview",
        lambda v: v["questions"][0].update(text="Which matters more? Who pays?"),
        "is more than one question",
    ),
    "a role seated twice": (
        "preview",
        lambda v: v["views"].append(v["views"][0]),
        "a role has two views",
    ),
    "an option from nowhere": (
        "preview",
        lambda v: v["options"][0].update(text="buy a castle", quote=""),
        "'buy a castle' comes from nowhere",
    ),
    "a role dropped from an assessment": (
        "assess",
        lambda v: v["views"].pop(),
        "exactly one view for each",
    ),
    "words that the answer does not hold": (
        "assess",
        lambda v: v.update(learned=[{"kind": "choice", "quote": "take the first", "options": []}]),
        "'take the first' does not stand word for word in the answer",
    ),
    "a slot that nobody knows": (
        "assess",
        lambda v: v.update(next_questions=[{**q, "slot": "x"} for q in v["next_questions"]]),
        "there is no slot 'x'",
    ),
    "another decision": (
        "conclude",
        lambda v: v["decision"].update(text="Build the notification system now."),
        "the decision must name",
    ),
    "a role dropped from the report": (
        "conclude",
        lambda v: v["role_views"].pop(),
        "exactly one view for each",
    ),
    "evidence from nowhere": (
        "conclude",
        lambda v: v["why"].update(refs=["F99"]),
        "nothing with the id 'F99'",
    ),
}


@pytest.mark.parametrize("name", SPOILT)
def test_a_breach_goes_back_once_then_the_rules_do_the_step_and_say_so(
    name: str, hold_with: Call, server: LoopbackServer, project: Path
) -> None:
    step, spoil, reason = SPOILT[name]

    def spoilt(value: dict[str, Any], seen: Any) -> dict[str, Any]:
        if seen.step == step:
            spoil(value)
        return value

    server.default = playing(spoilt)
    held = hold_with("--json")
    assert held.status == 0
    told = held.object["report"]["simulated_by"]
    assert f"The built-in rules did {SAID_OF[step]} (" in told and reason in told
    calls = [event["call"] for event in events(project) if event["type"] == "model_called"]
    first = next(call for call in calls if call["step"] == step)
    assert (first["result"], first["requests"]) == ("breach", 2)


def test_a_breach_that_is_mended_leaves_the_step_to_the_model(
    hold_with: Call, server: LoopbackServer
) -> None:
    server.script(playing(lambda value, seen: {**value, "roles": ["wizard", "sre", "sre"]}))
    told = hold_with("--json").object["report"]["simulated_by"]
    assert "built-in rules" not in told
