"""Session logs that a crash, a newer version or a hand has changed."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def log(hold, session_of):
    """The log of a paused session."""
    hold("paused")
    return session_of() / "events.jsonl"


def rest(script_of):
    return "".join(f"{answer}\n" for answer in script_of("finished").answers[2:])


@pytest.mark.parametrize(
    "tail", [b'{"at": "2026-11', b"{", b"\xff\xfe", b'{"type"}\n', b"\x00" * 512]
)
def test_a_torn_last_line_is_tolerated_and_named(call, log, script_of, tail):
    with log.open("ab") as file:
        file.write(tail)
    ran = call("resume", "--answers", "-", "--json", stdin=rest(script_of))
    assert ran.status == 0
    assert f"the last line of {log.parent.name} was torn by a crash" in ran.err
    for line in log.read_bytes().splitlines():
        json.loads(line)


def test_a_log_of_a_newer_schema_is_refused_with_the_version(call, log):
    lines = log.read_text().splitlines(keepends=True)
    newer = json.loads(lines[0]) | {"schema_version": 7}
    log.write_text(json.dumps(newer) + "\n" + "".join(lines[1:]))
    before = log.read_bytes()
    for words in (["resume", log.parent.name, "--answers", "-"], ["show", log.parent.name]):
        ran = call(*words)
        assert ran.status == 1
        assert "has schema version 7; this version reads up to 1" in ran.one_line
    assert log.read_bytes() == before
    assert "newer version (schema 7)" in call("list").out


def test_a_broken_line_in_the_middle_is_named_and_nothing_is_written(call, log):
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join([*lines[:2], "torn\n", *lines[2:]]))
    before = log.read_bytes()
    ran = call("resume", log.parent.name, "--answers", "-")
    assert ran.status == 1
    assert "events.jsonl, line 3: no JSON" in ran.one_line
    assert log.read_bytes() == before


def test_a_finished_session_whose_log_is_broken_is_listed_as_unreadable(call, hold, session_of):
    hold("finished")
    log = session_of() / "events.jsonl"
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join([*lines[:2], "torn\n", *lines[3:]]))
    (line,) = call("list").out.splitlines()
    assert "unreadable" in line and "line 3 of its log is no event" in line
    assert "roundtable-aligned" not in line


def test_an_empty_log_is_a_session_that_never_began(call, log):
    log.write_bytes(b"")
    ran = call("resume", log.parent.name, "--answers", "-")
    assert ran.status == 2
    assert "was stopped before it began" in ran.one_line
    assert call("show", log.parent.name).status == 2


def changed_lines(lines):
    """Every line left out, doubled, and put behind the next."""
    for n in range(len(lines)):
        yield [*lines[:n], *lines[n + 1 :]]
        yield [*lines[:n], lines[n], *lines[n:]]
        yield [*lines[:n], *lines[n + 1 : n + 2], lines[n], *lines[n + 2 :]]


def changed_values(lines):
    """Every value of every line in turn made a text, a number, null, or an empty list."""
    for n, line in enumerate(lines):
        for path in places_in(json.loads(line)):
            for value in ("x", -1, None, []):
                event = json.loads(line)
                *parents, last = path
                place = event
                for step in parents:
                    place = place[step]
                place[last] = value
                yield [*lines[:n], json.dumps(event) + "\n", *lines[n + 1 :]]


def places_in(value, path=()):
    """Where the values of a nested event stand; of lists the first entry is enough."""
    inner = value.items() if isinstance(value, dict) else list(enumerate(value))[:1]
    for step, item in inner:
        yield (*path, step)
        if isinstance(item, dict | list):
            yield from places_in(item, (*path, step))


@pytest.mark.parametrize("changes", [changed_lines, changed_values])
def test_a_tampered_log_is_read_or_refused_in_one_line(call, log, changes):
    """Never a traceback, and a refused log is left as it was."""
    refused = 0
    lines = log.read_text().splitlines(keepends=True)
    for changed in changes(lines):
        text = "".join(changed)
        log.write_text(text)
        shown = call("show", log.parent.name, "--internal")
        assert shown.status in (0, 1, 2)
        if shown.status != 0:
            refused += 1
            assert shown.one_line
            ran = call("resume", log.parent.name, "--answers", "-")
            assert ran.status in (1, 2)
            assert log.read_text() == text
        assert call("list").status == 0
    assert refused > len(lines)
