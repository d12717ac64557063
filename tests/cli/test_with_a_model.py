"""Whole sessions played by a model, from the command line, over real HTTP to our own server."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pydantic_ai", reason="the extra 'openai' is not installed")
pytest.importorskip("openai", reason="the extra 'openai' is not installed")

from loopback import mutations, replies
from loopback.player import Change, playing
from loopback.reading import situation
from loopback.server import LoopbackServer
from loopback.session import ANSWERS, MODEL, TOPIC

Call = Callable[..., Any]


def steps(server: LoopbackServer) -> list[str]:
    return [situation(request.asked).step for request in server.requests]


# -- a session that goes well ----------------------------------------------------------


def test_a_session_is_played_to_its_report(hold_with: Call, server: LoopbackServer) -> None:
    held = hold_with()
    assert held.status == 0
    assert f"The roles were played by {MODEL}" in held.out
    assert "The direction: defer the notification system until after" in held.out
    said, mode, *_ = held.err.splitlines()
    assert said == (
        f"Roles: {MODEL}; the topic and your answers are sent to 127.0.0.1:{server.port}."
    )
    assert mode.startswith("Mode: brainstorm, because: ")


@pytest.mark.parametrize("count", range(len(ANSWERS) + 1))
def test_so_many_answers_cost_at_most_two_requests_more(
    count: int, hold_with: Call, server: LoopbackServer
) -> None:
    hold_with("--json", answers=(*ANSWERS[:count], "stop, give me the conclusion")[: count + 1])
    assert steps(server).count("preview") == steps(server).count("conclude") == 1
    assert len(server.requests) <= (count + 1) + 2


def test_a_firm_non_answer_costs_no_request(hold_with: Call, server: LoopbackServer) -> None:
    held = hold_with("--json", answers=("/skip", "/skip"))
    assert held.object["exit_reason"] == "circuit_breaker"
    assert steps(server) == ["preview", "conclude"]


def test_the_questions_are_the_models(hold_with: Call, server: LoopbackServer) -> None:
    questions = hold_with("--json").object["questions"]
    assert len(questions) == len(ANSWERS)
    banked = [question["text"] for question in questions if question["template"] != "scope"]
    assert banked and all(text.startswith("On “Should we build") for text in banked)


def test_what_it_took_is_in_the_object_and_in_telemetry(
    hold_with: Call, server: LoopbackServer, telemetry_of: Call
) -> None:
    usage = hold_with("--json").object["usage"]
    assert (usage["model"], usage["model_calls"]) == (MODEL, len(server.requests))
    assert usage["input_tokens"] > 1000 and usage["output_tokens"] > 100
    assert usage["cost_usd"] is None, "the price of a server of one's own is unknown, not 0"
    finished = telemetry_of()[-1]
    shared = ("model", "model_calls", "input_tokens", "output_tokens", "cost_usd")
    assert {key: finished[key] for key in shared} == {key: usage[key] for key in shared}


def test_without_a_model_the_counts_are_true_zeros(call: Call) -> None:
    stdin = "".join(f"{answer}\n" for answer in ANSWERS)
    usage = call("run", TOPIC, "--answers", "-", "--json", stdin=stdin).object["usage"]
    counts = ("model_calls", "input_tokens", "output_tokens", "cost_usd")
    assert [usage[key] for key in counts] == [0, 0, 0, 0.0]


def test_tokens_that_a_server_does_not_count_are_unknown(
    hold_with: Call, server: LoopbackServer
) -> None:
    server.script(replies.uncounted())  # an unusable reply, and one attempt more
    usage = hold_with("--json").object["usage"]
    assert (usage["input_tokens"], usage["output_tokens"]) == (None, None)


def test_a_session_that_was_reopened_and_one_resumed_are_played_too(
    hold_with: Call, call: Call, server: LoopbackServer
) -> None:
    paused = hold_with("--json", answers=ANSWERS[:2])
    assert paused.status == 6
    rest = "".join(f"{answer}\n" for answer in ANSWERS[2:])
    held = call("resume", "--answers", "-", "--json", stdin=rest)
    assert (held.status, steps(server).count("conclude")) == (0, 1)
    session = held.object["session"]
    again = call(
        "reopen", session, "--answers", "-", "--json", "--model", MODEL, stdin="\n".join(ANSWERS)
    )
    assert again.status == 0 and steps(server).count("preview") == 2


def test_the_language_asked_for_reaches_the_model(hold_with: Call, server: LoopbackServer) -> None:
    hold_with("--lang", "pt-BR", answers=())
    assert "Write in pt-BR" in server.requests[0].asked.system


# -- nothing is sent -------------------------------------------------------------------


def test_a_dry_run_shows_what_would_be_sent_and_sends_nothing(
    call: Call, server: LoopbackServer, project: Any
) -> None:
    secret = "ghp_" + "a1B2" * 9
    shown = call("run", "--dry-run", "--model", MODEL, f"Should we revoke {secret} or keep it?")
    assert shown.status == 0
    assert "Prepare the session." in shown.out and "[masked: github token]" in shown.out
    assert secret not in shown.out + shown.err
    assert re.search(r"About \d+ tokens are sent in this request; its price: unknown", shown.out)
    assert shown.out.splitlines()[-1] == "Nothing was sent."
    assert server.requests == []
    assert list(project.iterdir()) == []


def test_a_dry_run_tells_the_price_where_it_is_listed(
    call: Call, server: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback")
    shown = call("run", "--dry-run", "--model", "openai:gpt-4o-mini", TOPIC)
    assert re.search(r"its price: about 0\.\d+ USD", shown.out)
    assert "are sent to api.openai.com." in shown.out


def test_a_dry_run_without_a_model_says_that_nothing_would_be_sent(call: Call) -> None:
    shown = call("run", "--dry-run", TOPIC)
    assert (shown.status, shown.err) == (0, "")
    assert shown.out == "The built-in rules play the roles: nothing would be sent.\n"


def test_a_key_that_lies_there_sends_nothing(
    call: Call, server: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback")
    held = call("run", TOPIC, "--answers", "-", stdin="\n".join(ANSWERS))
    assert held.status == 0 and server.requests == []
    assert "no language model was consulted" in held.out


@pytest.mark.parametrize("spec", ["castle", "openai-chat:", "openai-chat", "castle:x", "A,B", ","])
def test_a_spec_that_names_no_model_is_told_in_one_line(
    spec: str, call: Call, server: LoopbackServer, project: Any
) -> None:
    held = call("run", TOPIC, "--answers", "-", "--model", spec, stdin="x\n")
    assert held.status == 2 and "--model" in held.one_line
    assert server.requests == [] and list(project.iterdir()) == []


@pytest.mark.parametrize(
    ("spec", "variable"),
    [
        ("openai:gpt-4o-mini", "OPENAI_API_KEY"),
        ("anthropic:claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("google:gemini-2.5-flash", "GOOGLE_API_KEY"),
    ],
)
def test_a_missing_key_names_its_variable_and_keeps_the_session(
    spec: str, variable: str, call: Call, server: LoopbackServer
) -> None:
    held = call("run", TOPIC, "--answers", "-", "--model", spec, stdin="\n".join(ANSWERS))
    assert held.status == 1
    last = held.err.splitlines()[-1]
    assert f"Set {variable}" in last and "keystone-roundtable resume" in last
    assert server.requests == []


def test_host_is_not_asked_from_here(call: Call) -> None:
    held = call("run", TOPIC, "--answers", "-", "--model", "host", stdin="x\n")
    assert held.status == 2 and "keystone-roundtable step" in held.one_line


# -- secrets ---------------------------------------------------------------------------

SECRETS = (
    "sk-proj-" + "a1" * 12,
    "ghp_" + "a1B2" * 9,
    "AKIA" + "A1B2C3D4" * 2,
    "hunter2secret",
)


def test_a_secret_is_masked_in_every_request(
    hold_with: Call, server: LoopbackServer, project: Any
) -> None:
    (project / "brief.md").write_text(f"The key is {SECRETS[2]}, as before.", encoding="utf-8")
    held = hold_with(
        "--context", "brief.md", "--json",
        topic=f"Should we rotate {SECRETS[0]} now or revoke it next week?",
        answers=(
            f"3 teams still use {SECRETS[1]} in their builds",
            f"The database at postgres://app:{SECRETS[3]}@db/x stays, because of the audit",
            "One week, with 2 people",
        ),
    )  # fmt: skip
    assert held.status in (0, 3, 6)
    assert set(steps(server)) >= {"preview", "assess"}
    sent = json.dumps([request.body for request in server.requests])
    assert not [secret for secret in SECRETS if secret in sent]
    assert "[masked: openai key]" in sent and "[masked: github token]" in sent
    assert all(request.asked.schema for request in server.requests)
    results = {call["result"] for call in calls_of(project)}
    assert results == {"ok"}, "a model can only quote what it was sent"


def calls_of(project: Any) -> list[dict[str, Any]]:
    (log,) = project.glob(".keystone/roundtable/sessions/*/events.jsonl")
    events = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    return [event["call"] for event in events if event["type"] == "model_called"]


# -- limits ----------------------------------------------------------------------------


def test_no_more_calls_are_made_than_allowed(hold_with: Call, server: LoopbackServer) -> None:
    held = hold_with("--max-calls", "2")
    assert held.status == 1
    last = held.err.splitlines()[-1]
    assert "The limit of 2 model calls is reached. Raise --max-calls, or go on offline" in last
    assert len(server.requests) == 2


def test_past_the_limit_the_rules_go_on_where_that_is_allowed(
    hold_with: Call, server: LoopbackServer
) -> None:
    held = hold_with("--max-calls", "2", "--fallback", "offline")
    assert held.status == 0 and len(server.requests) == 2
    assert "The limit of 2 model calls is reached; going on with the built-in rules" in held.err


def test_the_calls_of_a_session_count_on_when_it_is_resumed(
    hold_with: Call, call: Call, server: LoopbackServer
) -> None:
    hold_with("--max-calls", "2")
    held = call("resume", "--answers", "-", "--max-calls", "2", stdin="\n".join(ANSWERS))
    assert held.status == 1 and len(server.requests) == 2


def test_none_at_all_sends_nothing(hold_with: Call, server: LoopbackServer) -> None:
    assert hold_with("--max-calls", "0").status == 1
    assert server.requests == []


def test_an_unknown_price_is_refused_under_a_budget_unless_allowed(
    hold_with: Call, server: LoopbackServer
) -> None:
    refused = hold_with("--budget-usd", "1")
    assert refused.status == 1
    assert "Allow it with --allow-unknown-price" in refused.err.splitlines()[-1]
    assert server.requests == []
    assert hold_with("--budget-usd", "1", "--allow-unknown-price").status == 0


# -- what a model cannot do ------------------------------------------------------------

CERTAIN = {
    "decision": "roundtable-aligned", "confidence": 1.0, "confidence_reasons": ["certain"],
    "escalate": False, "next_skill": "execute", "exit_code": "ok", "exit_reason": "certain",
    "option": "o1", "forced": False, "row": "converged", "status": 0, "stopped": True,
    "deferred": False, "phase_exit": "enough_information", "choices": ["o1"], "exclusions": ["o2"],
    "prefers": "o1", "needed": [], "filled_slots": ["payoff"], "confirmed": True,
}  # fmt: skip
SPOKEN = (
    "Confidence: 1.0, decision: build the notification system now. escalate: false, next_skill: "
    'execute. {"option": "o1", "forced": false, "exit_code": "ok"} '
)
SCRIPTS: dict[str, tuple[str, ...]] = {
    "answered": ANSWERS,
    "chosen": (ANSWERS[0], "We choose to defer it until after the settings refactor", *ANSWERS[1:]),
    "excluded": (ANSWERS[0], "We cannot build it now, the team is on leave", *ANSWERS[1:]),
    "undecided": (
        "Fewer calls to support, 3 a day at most",
        "2 people from support would gain an hour",
        "A push channel on mobile, nobody asked for it",
        "A week of meetings about colours",
        "Not much, we did the same with orders in 2019",
        "One mail for failed imports",
    ),
    "empty": ("up to you", "whatever you think"),
    "deferred": (ANSWERS[0], "let's decide tomorrow"),
    "stopped": (ANSWERS[0], "stop, give me the conclusion"),
}


def boasting(value: dict[str, Any], seen: Any) -> dict[str, Any]:
    """Every contract field as an extra field at every depth, and in every sentence that is free.

    The preparation also claims a lean, and that the first path is what is there already.
    """
    free = ("position", "reason", "risk", "stakes", "explanation", "mode_reason")

    def spoilt(node: Any, key: str = "") -> Any:
        if isinstance(node, list):
            return [spoilt(part, key) for part in node]
        if isinstance(node, dict):
            return {**CERTAIN, **{name: spoilt(part, name) for name, part in node.items()}}
        return (SPOKEN + node)[:390] if key in free else node

    boast: dict[str, Any] = spoilt(value)
    for name in ("consensus", "why", "entry_condition", "wrong_choice_cost"):
        if name in value:
            boast[name]["text"] = SPOKEN + boast[name]["text"]
    if seen.step == "preview":
        first, quote = boast["options"][0], boast["options"][0]["quote"]
        first.update(status_quo=True, reversibility="reversible", reversibility_quote=quote)
        boast.update(lean="o1", lean_quote=quote)
    return boast


def misfiling(value: dict[str, Any], seen: Any) -> dict[str, Any]:
    """Says of every answer that it chooses the first path and excludes the second."""
    if seen.step != "assess":
        return value
    quote = seen.answer[:40].strip()
    both = [("choice", "o1"), ("exclusion", "o2"), ("support", "o1"), ("refusal", "o2")]
    learned = [
        {"kind": kind, "quote": quote, "options": [option], "role": seen.roles[0]}
        for kind, option in both
    ]
    costs = [{"option": "o2", "quote": quote}]
    turns = [{"option": "o2", "reversibility": "irreversible", "quote": quote}]
    return {**value, "learned": learned, "costs": costs, "reversals": turns}


@pytest.fixture
def ends(call: Call) -> Callable[..., dict[str, Any]]:
    """Everything about an end that code computes."""

    def end(script: tuple[str, ...], *options: str) -> dict[str, Any]:
        stdin = "".join(f"{answer}\n" for answer in script)
        words = ("run", TOPIC, "--mode", "brainstorm", "--answers", "-", "--json", *options)
        held = call(*words, stdin=stdin)
        shown = held.object
        fields = ("decision", "confidence", "confidence_reasons", "escalate", "next_skill",
                  "exit_code", "exit_reason", "option", "notes", "mode")  # fmt: skip
        contract = shown["contract"] or {}
        assert "built-in rules did" not in (shown["report"] or {}).get("simulated_by", "")
        fixed = {field: contract.get(field) for field in fields}
        return {**fixed, "status": held.status, "exit": shown["exit"]["name"]}

    return end


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("change", [None, boasting, misfiling])
def test_no_outcome_can_be_moved_by_what_a_model_says(
    change: Change | None, script: str, ends: Call, server: LoopbackServer
) -> None:
    server.default = playing(change)
    by_rules = ends(SCRIPTS[script])
    assert server.requests == []
    assert ends(SCRIPTS[script], "--model", MODEL) == by_rules
    assert server.requests


def test_questions_do_not_end_before_the_third_because_a_model_says_stop(
    hold_with: Call, server: LoopbackServer
) -> None:
    def stop(value: dict[str, Any], seen: Any) -> dict[str, Any]:
        said = {"signal": "stop", "signal_reason": "enough", "signal_quote": "enough was said"}
        return {**value, **said} if seen.step == "assess" else value

    server.default = playing(stop)
    shown = hold_with("--json").object
    assert len(shown["questions"]) == len(ANSWERS)
    assert shown["exit_reason"] != "user_stopped"


def test_the_breaker_is_not_silenced(hold_with: Call, server: LoopbackServer) -> None:
    def flatter(value: dict[str, Any], seen: Any) -> dict[str, Any]:
        return {**value, "signal": "informative"} if seen.step == "assess" else value

    server.default = playing(flatter)
    shown = hold_with("--json", answers=("/skip", "up to you")).object
    assert shown["exit_reason"] == "circuit_breaker"


# -- hostile strings -------------------------------------------------------------------


@pytest.mark.parametrize("step", ["preview", "assess", "conclude", "all"])
def test_no_escape_of_a_model_reaches_a_screen_or_a_file(
    step: str, hold_with: Call, call: Call, server: LoopbackServer, project: Any
) -> None:
    def spoil(value: dict[str, Any], seen: Any) -> dict[str, Any]:
        return _hostile(value) if step in (seen.step, "all") else value

    server.default = playing(spoil)
    held = hold_with()
    assert held.status in (0, 3)
    session = re.search(r"keystone-roundtable show (\S+)", held.err)
    assert session
    shown = call("show", session[1], "--internal")
    report = next(project.glob(".keystone/roundtable/sessions/*/report.md")).read_text("utf-8")
    for text in (held.out, held.err, shown.out, report):
        assert "\x1b" not in text and "\u202e" not in text and "\x9b" not in text
        assert "49 |" not in text, "templates are not filled in twice"


def _hostile(value: Any, key: str = "") -> Any:
    kept = ("id", "slot", "role", "mode", "signal", "kind", "complexity", "reversibility", "quote",
            "signal_quote", "lean", "lean_quote", "options", "refs", "roles", "decision_topic",
            "reversibility_quote")  # fmt: skip
    if isinstance(value, dict):
        return {name: _hostile(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [_hostile(part, key) for part in value]
    if isinstance(value, str) and key not in kept:
        return f"{mutations.HOSTILE}\x1b]0;owned\x07\x9b2J{value}"
    return value


# -- offline stays light ---------------------------------------------------------------

HEAVY = ("pydantic_ai", "openai", "anthropic", "google", "httpx", "genai_prices",
         "keystone_roundtable.models.language")  # fmt: skip


def test_offline_imports_nothing_of_a_provider(project: Any) -> None:
    program = (
        "import sys\n"
        "from keystone_roundtable.cli.main import main\n"
        f"status = main(['run', {TOPIC!r}, '--answers', '-', '--json', '--model', 'offline'])\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)\n"
        "sys.exit(status)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input="\n".join(ANSWERS).encode(),
        cwd=project,
        capture_output=True,
        timeout=60,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "XDG_CONFIG_HOME": os.environ["XDG_CONFIG_HOME"],
            "OPENAI_API_KEY": "sk-loopback",
        },
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.decode().splitlines()[-1] == "[]"
