"""What a session leaves behind: telemetry without a word of it, and files for the owner alone."""

from __future__ import annotations

import json
import os
import re
import stat

import pytest

FINISHED = [
    "skill",
    "ts",
    "decision",
    "confidence",
    "mode",
    "schema_version",
    "event",
    "format",
    "session",
    "project",
    "version",
    "exit_reason",
    "exit_code",
    "next_skill",
    "escalate",
    "forced",
    "breaker",
    "confidence_reasons",
    "questions",
    "informative",
    "low_information",
    "clarifications",
    "roles",
    "model",
    "model_calls",
    "input_tokens",
    "output_tokens",
    "cost_usd",
    "seconds",
    "checklist_failed",
]


@pytest.mark.parametrize("end", ["finished", "forced", "escalated", "deferred"])
def test_an_end_is_one_line_with_the_documented_keys(hold, telemetry_of, end):
    hold(end)
    lines = telemetry_of()
    assert [line["event"] for line in lines] == ["started", "finished"]
    assert list(lines[1]) == FINISHED
    assert "decision" not in lines[0]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", lines[1]["ts"])


@pytest.mark.parametrize(
    ("end", "events"), [("redirected", ["redirected"]), ("paused", ["started", "paused"])]
)
def test_no_end_is_a_line_without_a_decision(hold, telemetry_of, end, events):
    hold(end)
    lines = telemetry_of()
    assert [line["event"] for line in lines] == events
    assert not any("decision" in line for line in lines)


@pytest.mark.parametrize("end", ["finished", "forced", "escalated", "deferred", "paused"])
def test_no_word_of_topic_answers_or_options_is_in_the_telemetry(
    hold, telemetry_of, script_of, project, end
):
    script = script_of(end)
    shown = hold(end, "--json").object
    said = [script.topic, *script.answers, *(option["text"] for option in shown["options"])]
    words = {word for text in said for word in re.findall(r"\w{6,}", text.casefold())}
    values = [value for line in telemetry_of() for value in line.values()]
    told = json.dumps(values, ensure_ascii=False).casefold()
    assert words
    assert not {word for word in words if word in told}
    assert project.name not in told


def test_two_sessions_of_one_folder_share_an_opaque_project(hold, telemetry_of):
    hold("finished")
    hold("paused")
    lines = telemetry_of()
    assert len({line["project"] for line in lines}) == 1
    assert len({line["session"] for line in lines}) == 2


def test_telemetry_can_be_switched_off_for_good(hold, call, project):
    hold("paused", "--no-telemetry")
    assert call("resume", "--answers", "-", stdin="/stop\n").status == 0
    assert not (project / ".keystone" / "telemetry").exists()


@pytest.mark.parametrize("end", ["finished", "paused", "redirected"])
def test_files_and_folders_are_for_the_owner_alone(hold, project, end):
    before = os.umask(0)
    try:
        hold(end)
    finally:
        os.umask(before)
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (project / ".keystone").rglob("*")}
    modes[project / ".keystone"] = stat.S_IMODE((project / ".keystone").stat().st_mode)
    assert len(modes) > 6
    wrong = {p: oct(m) for p, m in modes.items() if m != (0o700 if p.is_dir() else 0o600)}
    assert not wrong


def test_a_finished_session_leaves_no_temporary_file(hold, session_of):
    hold("finished")
    assert sorted(path.name for path in session_of().iterdir()) == [
        "contract.json",
        "contract.yaml",
        "events.jsonl",
        "report.md",
    ]
