"""`examples/pipeline/`: three stages that go by the status and the state; and the skill's own shell
lines, word for word, after them.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from .programs import path_with_program

pytestmark = pytest.mark.real

REPOSITORY = Path(__file__).parents[2]
EXAMPLE = REPOSITORY / "examples" / "pipeline"
SNIPPETS = REPOSITORY / "tests" / "data" / "skill_snippets"
NOTIFICATIONS = (
    "Should we build the notification system now or defer it until after the settings refactor?"
)
NO_SAFE_PATH = "Should we delete the old customer database or sell it to the partner?"
ANSWERS = (EXAMPLE / "answers.txt").read_text(encoding="utf-8")

Shell = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "a project"
    folder.mkdir()
    return folder


@pytest.fixture
def shell(tmp_path: Path, project: Path) -> Shell:
    """Runs a command line in the project, with the program on the path."""
    path = path_with_program(tmp_path)

    def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, cwd=project, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            env={"PATH": path, "TZ": "UTC", **variables},
            timeout=60, check=False,
        )  # fmt: skip

    return run


@pytest.fixture
def pipeline(shell: Shell, project: Path) -> Shell:
    """The example with a topic and answers, and nothing of this session counted."""

    def run(topic: str, answers: str, *options: str) -> subprocess.CompletedProcess[str]:
        script = project / "answers"
        script.write_text(answers, encoding="utf-8")
        pipe = str(EXAMPLE / "pipeline.sh")
        brief = str(EXAMPLE / "brief.md")
        return shell("sh", pipe, topic, brief, str(script), "--no-telemetry", *options)

    return run


def state_of(project: Path) -> dict[str, Any]:
    state: dict[str, Any] = json.loads((project / ".keystone" / "state.json").read_bytes())
    return state


def plan_of(project: Path) -> str | None:
    path = project / ".keystone" / "plan.md"
    return path.read_text(encoding="utf-8") if path.exists() else None


def test_a_direction_is_planned(pipeline: Shell, project: Path) -> None:
    ran = pipeline(NOTIFICATIONS, ANSWERS)
    assert (ran.returncode, ran.stdout) == (0, ".keystone/plan.md\n"), ran.stderr
    plan = plan_of(project)
    assert plan is not None
    assert 'direction: "defer the notification system until after the settings refactor"' in plan
    assert state_of(project)["current_stage"] == "writing-plan"


@pytest.mark.parametrize(
    ("topic", "answers", "status", "exit_code", "told"),
    [
        (NO_SAFE_PATH, "either is fine\nup to you\n", 3, "escalate", "report.md"),
        (NOTIFICATIONS, "A mail goes out\n/defer\n", 4, "deferred", "another day"),
        ("Why does the login page return 500 since yesterday?", "", 5, "redirected", "diagnose"),
    ],
    ids=["escalated", "deferred", "redirected"],
)
def test_without_a_direction_nothing_is_planned(
    pipeline: Shell, project: Path, topic: str, answers: str, status: int, exit_code: str, told: str
) -> None:
    ran = pipeline(topic, answers)
    assert ran.returncode == status, ran.stderr
    assert told in ran.stderr
    assert plan_of(project) is None
    assert state_of(project)["exit_code"] == exit_code


def test_a_paused_session_is_resumed_by_the_same_line(pipeline: Shell, project: Path) -> None:
    lines = ANSWERS.splitlines(keepends=True)
    ran = pipeline(NOTIFICATIONS, "".join(lines[:2]))
    assert ran.returncode == 6, ran.stderr
    assert plan_of(project) is None
    state = state_of(project)
    assert (state.get("exit_code"), state.get("next_skill")) == (None, None)
    ran = pipeline(NOTIFICATIONS, "".join(lines[2:]))
    assert ran.returncode == 0, ran.stderr
    assert plan_of(project)
    assert state_of(project)["artifacts"]["roundtable_session"] == state["pipeline"]["waiting"]
    assert state_of(project)["pipeline"]["waiting"] is None


def test_a_session_that_somebody_else_ended_meanwhile_is_not_waited_for(
    pipeline: Shell, shell: Shell, project: Path
) -> None:
    assert pipeline(NOTIFICATIONS, ANSWERS.splitlines()[0]).returncode == 6
    (project / "end").write_text("/defer\n")
    assert shell("keystone-roundtable", "resume", "--answers", "end").returncode == 4
    ran = pipeline(NOTIFICATIONS, ANSWERS)
    assert ran.returncode == 4, ran.stderr
    assert state_of(project)["pipeline"]["waiting"] is None


def test_an_old_end_is_not_taken_for_a_new_one(pipeline: Shell, project: Path) -> None:
    assert pipeline(NOTIFICATIONS, ANSWERS).returncode == 0
    (project / ".keystone" / "plan.md").unlink()
    assert pipeline(NOTIFICATIONS, "A mail goes out\n").returncode == 6
    assert plan_of(project) is None


def test_bad_usage_and_a_missing_program_are_told(
    shell: Shell, pipeline: Shell, project: Path
) -> None:
    assert shell("sh", str(EXAMPLE / "pipeline.sh")).returncode == 2
    assert pipeline(NOTIFICATIONS, ANSWERS, "--mode", "other").returncode == 2
    gone = shell("sh", str(EXAMPLE / "pipeline.sh"), "t", "b", "a", PATH="/usr/bin:/bin")
    assert gone.returncode not in (0, 3, 4, 5, 6)
    assert plan_of(project) is None


@pytest.mark.parametrize("script", sorted(EXAMPLE.glob("*.sh")), ids=lambda path: path.name)
@pytest.mark.parametrize("sh", ["sh", "dash", "bash"])
def test_the_scripts_are_plain_shell(script: Path, sh: str) -> None:
    if shutil.which(sh) is None:
        pytest.skip(f"no {sh} here")
    subprocess.run([sh, "-n", str(script)], check=True)


# -- the skill's own lines -------------------------------------------------------------


@pytest.mark.parametrize(
    ("topic", "answers", "status"),
    [
        (NOTIFICATIONS, ANSWERS, 0),
        (NO_SAFE_PATH, "either is fine\nup to you\n", 3),
        pytest.param(NOTIFICATIONS, "A mail goes out\n/defer\n", 4, marks=pytest.mark.long),
    ],
    ids=["aligned", "escalated", "deferred"],
)
def test_the_skills_state_and_telemetry_lines_run_unchanged_after_it(
    pipeline: Shell, shell: Shell, project: Path, topic: str, answers: str, status: int
) -> None:
    """They leave the state as it was, and the one telemetry line: nothing is counted twice."""
    assert pipeline(topic, answers).returncode == status
    before = state_of(project)
    contract = before["artifacts"]["roundtable_contract"]
    for lines in ("state_update.sh", "telemetry.sh"):
        ran = shell(
            "sh", "-eu", str(SNIPPETS / lines), KEYSTONE_CLI="keystone-roundtable",
            _DECISION=contract["decision"], _ROUNDTABLE_MODE=contract["mode"],
        )  # fmt: skip
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert state_of(project) == {**before, "current_stage": "roundtable"}
    (month,) = (project / ".keystone" / "telemetry" / "events").iterdir()
    assert month.name == f"{datetime.now(UTC):%Y-%m}.jsonl"
    (line,) = [json.loads(line) for line in month.read_text().splitlines()]
    assert (line["skill"], line["decision"]) == ("roundtable", contract["decision"])
