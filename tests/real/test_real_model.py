"""One session with a language model that somebody serves: opt-in, since no machine has one.

    KEYSTONE_TEST_BASE_URL=http://127.0.0.1:8182/v1 KEYSTONE_TEST_MODEL=qwen2.5 \
        pytest tests/real/test_real_model.py

A small model may fail every step. What is asserted is what holds whoever made each step: the
session ends with a whole report, and the log says who did what and why.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pydantic_ai", reason="the extra 'openai' is not installed")

BASE_URL = os.environ.get("KEYSTONE_TEST_BASE_URL", "")
MODEL = os.environ.get("KEYSTONE_TEST_MODEL", "")

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(
        not (BASE_URL and MODEL), reason="needs KEYSTONE_TEST_BASE_URL and KEYSTONE_TEST_MODEL"
    ),
]

REPOSITORY = Path(__file__).resolve().parents[2]
TIMEOUT_S = int(os.environ.get("KEYSTONE_TEST_TIMEOUT", "300"))  # seconds a request may take
TOPIC = "Should I repair my old car for the winter or buy a used electric one?"
ANSWERS = (
    "I get to work every day without wondering whether the car starts",
    "repair the old car, because it costs 900 euros and the electric one 14000",
    "A new car on credit; I will not borrow for it",
    "/stop",
)
STEPS = {"preview", "assess", "conclude"}
LINES = ("consensus", "disagreement", "decision", "why", "excluded_paths", "wrong_choice_cost")


def test_a_whole_session_ends_with_a_report_whoever_made_each_step(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()  # a project of its own
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(REPOSITORY),
        "XDG_CONFIG_HOME": str(tmp_path / "settings"),
        "OPENAI_BASE_URL": BASE_URL,
    }
    if key := os.environ.get("KEYSTONE_TEST_API_KEY"):
        environment["OPENAI_API_KEY"] = key
    spec = f"openai-chat:{MODEL}"
    ended = subprocess.run(
        [
            *(sys.executable, "-m", "keystone_roundtable", "run", TOPIC, "--answers", "-"),
            *("--model", spec, "--timeout", str(TIMEOUT_S), "--fallback", "offline", "--json"),
        ],
        cwd=tmp_path,
        env=environment,
        input="".join(f"{answer}\n" for answer in ANSWERS),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S * 3 * (len(ANSWERS) + 2),
    )
    assert ended.returncode in (0, 3, 4), ended.stderr  # aligned, escalated, deferred
    told = json.loads(ended.stdout)
    (log,) = tmp_path.glob(".keystone/roundtable/sessions/*/events.jsonl")
    events = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    calls = [event["call"] for event in events if event["type"] == "model_called"]
    for call in calls:
        print(json.dumps(call, ensure_ascii=False))  # shown with -s
    print(told["report_markdown"])

    assert events[-1]["type"] == "session_finished"
    assert told["contract"]["decision"].startswith("roundtable-")
    assert all(told["report"][line].strip() for line in LINES)
    assert {view["role"] for view in told["report"]["role_views"]} == set(told["roles"])
    assert told["report"]["simulated_by"]
    assert {call["step"] for call in calls} == STEPS, "every kind of step was put to the model"
    assert len(calls) <= len(ANSWERS) + 2
    assert all(call["reason"] for call in calls if call["result"] != "ok")
