"""`doctor` names what keeps a session from being held here, and so does `run`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

TOPIC = "Should we build the notification system now or defer it until after the refactor?"
ANSWERS = "up to you\nno idea\n"


def text(content: str) -> Callable[[Path], None]:
    return lambda path: path.write_text(content)


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def leads_nowhere(path: Path) -> None:
    path.symlink_to("gone")


def folder(path: Path) -> None:
    path.mkdir()


# Where, what stands there, and what is said of it.
IN_THE_WAY = [
    ("state.json", text("{"), "is not JSON"),
    ("state.json", text("[]"), "not an object"),
    ("state.json", text('{"artifacts": 5}'), "'artifacts' is not an object"),
    ("state.json", os.mkfifo, "no ordinary file"),
    ("state.json", loop, "Too many levels of symbolic links"),
    ("state.json", folder, "Is a directory"),
    ("roundtable", text(""), "roundtable is no folder"),
    ("roundtable/sessions", text(""), "sessions is no folder"),
    ("roundtable/sessions", loop, "Too many levels of symbolic links"),
    ("roundtable/config.yaml", os.mkfifo, "no regular file"),
    ("roundtable/modes/align.yaml", text("goal: ["), "not YAML"),
    ("roundtable/roles/moderator.yaml", text("id: moderator"), "moderator always sits in"),
    ("roundtable/templates/offline.yaml", text("nonsense: x"), "no such phrase"),
    ("roundtable/templates/report.md.j2", text("{{ report."), "report.md.j2, line 1"),
    ("roundtable/templates/report.md.j2", loop, "no regular file"),
    ("roundtable/templates/contract_sentences.yaml", text("- a"), "must hold a mapping"),
    ("roundtable/templates/contract_sentences.yaml", loop, "Too many levels of symbolic links"),
]


@pytest.mark.parametrize(
    ("place", "make", "told"), IN_THE_WAY, ids=[f"{p}-{t}" for p, _, t in IN_THE_WAY]
)
def test_what_stops_a_session_is_a_problem_to_doctor(project, call, place, make, told):
    path = project / ".keystone" / place
    path.parent.mkdir(parents=True)
    make(path)
    ran = call("run", TOPIC, "--answers", "-", stdin=ANSWERS)
    assert ran.status in (1, 2)
    found = call("doctor", "--json")
    assert found.status == found.object["status"] == 1
    assert any(told in problem for problem in found.object["problems"]), found.object["problems"]
    shown = call("doctor")
    assert shown.status == 1 and "Problems" in shown.out and told in shown.out


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (text(""), "is no folder. Move it away"),
        (loop, "is a link that leads to itself. Remove it"),
        (leads_nowhere, "is a link that leads nowhere. Remove it"),
    ],
)
def test_what_is_no_keystone_folder_is_named_and_not_taken_for_an_open_one(
    project, call, make, told
):
    make(project / ".keystone")
    assert call("run", TOPIC, "--answers", "-").status == 1
    shown = call("doctor")
    assert shown.status == 1
    assert f"{project}/.keystone {told}" in shown.out
    assert "chmod" not in shown.out and "not there yet" not in shown.out


TELEMETRY = [
    ("telemetry", text(""), "telemetry is no folder"),
    ("telemetry", loop, "telemetry"),
    ("telemetry/events", text(""), "events is no folder"),
    ("telemetry/events/{month}.jsonl", os.mkfifo, "no ordinary file"),
    ("telemetry/events/{month}.jsonl", folder, "Is a directory"),
]


@pytest.mark.parametrize(
    ("place", "make", "told"), TELEMETRY, ids=[f"{p}-{t}" for p, _, t in TELEMETRY]
)
def test_telemetry_that_cannot_be_written_costs_no_decision(
    project, call, session_of, place, make, told
):
    """It is said in one line, the session goes on to its end, and doctor names it."""
    from datetime import UTC, datetime

    path = project / ".keystone" / place.format(month=f"{datetime.now(UTC):%Y-%m}")
    path.parent.mkdir(parents=True)
    make(path)
    ran = call("run", TOPIC, "--answers", "-", stdin=ANSWERS)
    assert ran.status == 0, ran.err
    (line,) = [line for line in ran.err.splitlines() if "telemetry" in line]
    assert line.startswith("No telemetry is written: cannot ") and "the session goes on" in line
    assert (session_of() / "contract.json").is_file()
    assert (project / ".keystone" / "state.json").is_file()
    found = call("doctor", "--json").object
    assert found["status"] == 1
    assert any(told in problem for problem in found["problems"]), found["problems"]
    quiet = call("run", TOPIC, "--answers", "-", "--no-telemetry", stdin=ANSWERS)
    assert quiet.status == 0 and "elemetry" not in quiet.err
