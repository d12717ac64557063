"""A script's answers lie ready: how slow the model is decides nothing of how its session ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pydantic_ai", reason="the extra 'openai' is not installed")
pytest.importorskip("openai", reason="the extra 'openai' is not installed")

from loopback import replies
from loopback.player import in_step, playing
from loopback.server import LoopbackServer
from loopback.session import ANSWERS

Call = Callable[..., Any]
FAULTS = {
    "401": replies.unauthorized(),
    "500": replies.failing(500, "oops", Retry_After="0"),
    "429": replies.limited("0"),
}


def events(project: Path) -> list[dict[str, Any]]:
    (log,) = project.glob(".keystone/roundtable/sessions/*/events.jsonl")
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()]


def happened(project: Path) -> list[str]:
    return [event["type"] for event in events(project)]


def test_no_patience_changes_nothing(hold_with: Call, project: Path, tmp_path: Path) -> None:
    """With a person, no patience at all lets the next question come before the model has read."""
    held = hold_with("--patience", "0", "--json")
    assert held.status == 0, held.err
    types = happened(project)
    assert "assessment_postponed" not in types
    order = [t for t in types if t in ("answer_given", "answer_assessed", "question_asked")]
    assert order == ["question_asked", "answer_given", "answer_assessed"] * len(ANSWERS)


@pytest.mark.parametrize("patience", ["0", "1.5"])
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("given", [1, 2, 4])
def test_a_model_that_fails_is_told_whether_or_not_answers_are_left(
    hold_with: Call, server: LoopbackServer, project: Path, patience: str, fault: str, given: int
) -> None:
    server.default = in_step("assess", FAULTS[fault])
    held = hold_with("--patience", patience, answers=ANSWERS[:given])
    assert held.status == 1
    assert f"127.0.0.1:{server.port}" in held.err.splitlines()[-1]
    assert "The session is kept; go on with: keystone-roundtable resume " in held.err
    assert happened(project).count("answer_given") == 1


@pytest.mark.parametrize("patience", ["0", "1.5"])
@pytest.mark.parametrize("fault", FAULTS)
def test_the_rules_go_on_alike_however_the_model_fails(
    hold_with: Call, server: LoopbackServer, project: Path, patience: str, fault: str
) -> None:
    server.default = in_step("assess", FAULTS[fault])
    held = hold_with("--patience", patience, "--fallback", "offline", "--json")
    assert held.status == 0
    assert held.err.count("going on with the built-in rules") == 1
    assert happened(project).count("answer_given") == len(ANSWERS)


def test_what_a_resumed_session_still_owes_is_waited_for_too(
    hold_with: Call, call: Call, server: LoopbackServer, project: Path
) -> None:
    """The answer given before a failure is read before it is decided what comes next."""
    server.default = in_step("assess", replies.unauthorized())
    assert hold_with(answers=ANSWERS[:1]).status == 1
    server.default = playing()
    went_on = call("resume", "--answers", "-", "--patience", "0", stdin="")
    assert went_on.status == 6, went_on.err
    types = happened(project)
    assert types.count("answer_assessed") == types.count("answer_given") == 1
