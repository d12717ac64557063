"""Pipes, devices and sockets where the program looks for a file: one clear line, and no waiting."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

TOPIC = "Should we build the notification system now or defer it until after the refactor?"
START = ["run", TOPIC, "--answers", "/dev/null"]
PLACES = {
    "state.json": [*START, "--json"],
    "roundtable/config.yaml": START,
    "roundtable/modes/align.yaml": START,
    "roundtable/roles/sre.yaml": START,
    "roundtable/templates/report.md.j2": [*START[:2], "--answers", "answers"],
    "roundtable/templates/offline.yaml": START,
}


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def listening(path: Path) -> None:
    here = os.open(path.parent, os.O_RDONLY)  # a socket's path must be short
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(f"/proc/self/fd/{here}/{path.name}")
    finally:
        os.close(here)


def put_in_place_of(path: Path, kind) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    kind(path)


KINDS = pytest.mark.parametrize("kind", [pipe, device, listening])


@KINDS
@pytest.mark.parametrize("place", PLACES)
def test_what_is_no_file_is_refused_where_a_session_starts(project, process, place, kind):
    (project / "answers").write_text("up to you\nno idea\n")
    put_in_place_of(project / ".keystone" / place, kind)
    ran = process(*PLACES[place])
    assert ran.returncode in (1, 2), ran.stderr
    complaint = ran.stderr.decode().splitlines()[-1]
    assert place.rpartition("/")[2] in complaint
    assert "no ordinary file" in complaint or "no regular file" in complaint
    assert b"Traceback" not in ran.stderr


@KINDS
@pytest.mark.parametrize("words", [["state", "show"], ["state", "get", "a"], ["state", "init"],
                                   ["state", "set", "a", "1"]])  # fmt: skip
def test_a_state_that_is_no_file_is_refused(project, process, words, kind):
    put_in_place_of(project / ".keystone" / "state.json", kind)
    ran = process(*words)
    assert ran.returncode == 1
    (line,) = ran.stderr.decode().splitlines()
    assert "state.json: it is no ordinary file. Move it away" in line


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *(("events.jsonl", kind) for kind in (pipe, device, listening)),
        ("contract.json", pipe),
        ("report.md", pipe),
    ],
)
def test_what_is_no_file_in_a_sessions_folder_keeps_nobody_waiting(
    hold, process, session_of, name, kind
):
    hold("finished")
    session = session_of()
    put_in_place_of(session / name, kind)
    for words in (["list"], ["show", session.name], ["resume", session.name, "--answers", "-"],
                  ["reopen", session.name, "--answers", "-"],
                  ["export", session.name, "--format", "json"], ["doctor"]):  # fmt: skip
        ran = process(*words)
        assert b"Traceback" not in ran.stderr, words
        if name == "events.jsonl" and words[0] in ("show", "resume", "reopen"):
            assert ran.returncode == 1
            assert "no ordinary file" in ran.stderr.decode()
    listed = process("list").stdout.decode()
    assert session.name in listed


@pytest.mark.parametrize("kind", [pipe, device])
def test_answers_from_a_pipe_that_nobody_may_ever_write_to_are_refused(project, process, kind):
    kind(project / "answers")
    ran = process("run", TOPIC, "--answers", "answers")
    assert ran.returncode == 2
    (line,) = ran.stderr.decode().splitlines()
    assert "--answers answers: no ordinary file" in line and "--answers -" in line
    assert not (project / ".keystone" / "roundtable" / "sessions").exists()


def test_a_directory_as_answers_is_refused(project, process):
    ran = process("run", TOPIC, "--answers", str(project))
    assert ran.returncode == 2
    assert "Is a directory" in ran.stderr.decode()


@pytest.mark.parametrize("answers", [b"\xff\xfe\n/stop\n", b"one pilot\ncaf\xe9\n"])
def test_an_answers_file_that_is_no_utf_8_is_refused_before_anything_begins(
    project, process, answers
):
    (project / "answers").write_bytes(answers)
    ran = process("run", TOPIC, "--answers", "answers")
    assert ran.returncode == 2
    (line,) = ran.stderr.decode().splitlines()
    byte = 0 if answers.startswith(b"\xff") else 13
    assert f"--answers answers: not UTF-8 text (byte {byte}). Save it as UTF-8" in line
    assert not (project / ".keystone").exists()
