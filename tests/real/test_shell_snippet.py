"""The skill's shell snippets, word for word, with this program as their `KEYSTONE_CLI`."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

pytestmark = pytest.mark.real

REPOSITORY = Path(__file__).resolve().parents[2]

SNIPPETS = REPOSITORY / "tests" / "data" / "skill_snippets"
STATE_UPDATE = (SNIPPETS / "state_update.sh").read_text(encoding="utf-8")
TELEMETRY = (SNIPPETS / "telemetry.sh").read_text(encoding="utf-8")


@pytest.fixture
def run_shell(tmp_path: Path):
    """Runs shell lines in a project where `keystone-roundtable` is on the path."""
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "keystone-roundtable"
    python = shlex.quote(sys.executable)
    program.write_text(
        f"#!/bin/sh\nPYTHONPATH={shlex.quote(str(REPOSITORY))} "
        f'exec {python} -m keystone_roundtable "$@"\n'
    )
    program.chmod(0o700)
    project = tmp_path / "project"
    project.mkdir()

    def run(lines: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", "-eu", "-c", lines],
            cwd=project,
            env={
                "PATH": f"{programs}:{os.environ['PATH']}",
                "KEYSTONE_CLI": "keystone-roundtable",
                "TZ": "UTC",
                **variables,
            },
            capture_output=True,
            text=True,
            timeout=60,
        )

    run.project = project  # type: ignore[attr-defined]
    return run


@pytest.mark.parametrize(
    ("decision", "exit_code", "next_skill", "reason"),
    [
        ("roundtable-aligned", "ok", "writing-plan", "Direction converged"),
        pytest.param(
            *("roundtable-deferred", "deferred", "roundtable", "More discussion is still needed"),
            marks=pytest.mark.long,
        ),
        (
            "roundtable-escalate",
            "escalate",
            "",
            "Directional disagreement cannot be resolved safely",
        ),
    ],
)
def test_the_state_update_runs_as_it_stands(run_shell, decision, exit_code, next_skill, reason):
    ran = run_shell(STATE_UPDATE, _DECISION=decision, _ROUNDTABLE_MODE="align")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    state = json.loads((run_shell.project / ".keystone" / "state.json").read_text())
    assert state == {
        "current_stage": "roundtable",
        "last_decision": decision,
        "artifacts": {"roundtable_mode": "align"},
        "exit_code": exit_code,
        "exit_reason": reason,
        "next_skill": next_skill,
    }


def test_the_telemetry_line_runs_as_it_stands_beside_our_own(run_shell):
    topic = "Should we move to Postgres or stay?"
    ran = run_shell(
        f"""
keystone-roundtable state init
keystone-roundtable run {shlex.quote(topic)} --answers /dev/null || test $? = 6
{TELEMETRY}
printf '/stop\\n' | keystone-roundtable resume --answers - >/dev/null
""",
        _DECISION="roundtable-aligned",
        _ROUNDTABLE_MODE="align",
    )
    assert ran.returncode == 0, ran.stderr
    events = run_shell.project / ".keystone" / "telemetry" / "events"
    (month,) = events.iterdir()
    assert month.name == f"{datetime.now(UTC):%Y-%m}.jsonl"
    lines = [json.loads(line) for line in month.read_text().splitlines()]
    assert [line.get("event", "theirs") for line in lines] == [
        "started",
        "paused",
        "theirs",
        "finished",
    ]
    seed = ["skill", "ts", "decision", "confidence", "mode"]
    assert list(lines[2]) == seed == list(lines[3])[:5]


def test_a_session_leaves_the_state_that_the_snippet_would(run_shell):
    """Whoever reads the state need not know which of the two wrote it."""
    topic = "Should we move to Postgres or stay?"
    ran = run_shell(
        f"printf '/defer\\n' | keystone-roundtable run {shlex.quote(topic)} --answers - --json "
        "|| test $? = 4"
    )
    assert ran.returncode == 0, ran.stderr
    ours = json.loads((run_shell.project / ".keystone" / "state.json").read_text())
    mode = json.loads(ran.stdout)["mode"]
    run_shell("rm .keystone/state.json")
    run_shell(STATE_UPDATE, _DECISION="roundtable-deferred", _ROUNDTABLE_MODE=mode)
    theirs = json.loads((run_shell.project / ".keystone" / "state.json").read_text())
    ours["artifacts"] = {"roundtable_mode": ours["artifacts"]["roundtable_mode"]}
    assert ours == theirs
