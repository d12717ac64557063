"""A session's log: every event on disk, torn tails passed over, one writer at a time."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import stat

import pytest

from keystone_roundtable.core import events as ev
from keystone_roundtable.core.errors import UnsupportedSchemaError
from keystone_roundtable.core.records import SCHEMA_VERSION
from keystone_roundtable.stores.errors import (
    CorruptLogError,
    NewerLogError,
    SessionBusyError,
    StoreError,
    UnknownSessionError,
)
from keystone_roundtable.stores.sessions import SessionStore

ID = "20261130-abcd"
AT = "2026-11-30T10:00:01.000000Z"


def note(text: str) -> ev.NoteAdded:
    return ev.NoteAdded(at=AT, text=text)


@pytest.fixture
def store(tmp_path):
    return SessionStore(tmp_path)


@pytest.fixture
def path(store, started):
    """A log of three events on disk, closed."""
    with store.create(ID) as log:
        for event in (started(), note("one"), note("two")):
            log.append(event)
    return log.path


def test_events_come_back_in_order(store, started):
    events = (started(roles=["sre"], facts=[]), note("one"), ev.Paused(at=AT, cause="quit"))
    with store.create(ID) as log:
        for event in events:
            log.append(event)
        assert log.read().events == events
    contents = store.read(ID)
    assert contents.events == events
    assert not contents.torn_tail


def test_folders_and_files_are_owner_only(store, path, tmp_path):
    folder = path.parent
    while folder != tmp_path:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        folder = folder.parent
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "text", ["ภาษาไทย 中文", "line\u2028separator\u0085", "a\nb\r\n", "\x00\x1b[2J", "\ud800 alone"]
)
def test_any_text_comes_back(store, path, text):
    with store.open(ID) as log:
        log.append(note(text))
    assert store.read(ID).events[-1] == note(text)
    assert path.read_bytes().count(b"\n") == 4


def test_thai_and_chinese_are_kept_whatever_the_locale(store, path, run_python):
    script = """
import sys
from pathlib import Path
from keystone_roundtable.core.events import NoteAdded
from keystone_roundtable.stores.sessions import SessionStore
from keystone_roundtable.stores.state import KeystoneState
root = Path(sys.argv[1])
with SessionStore(root).open("20261130-abcd") as log:
    log.append(NoteAdded(at="2026-11-30T10:00:02Z", text="\\u0e44\\u0e17\\u0e22 \\u4e2d\\u6587"))
KeystoneState(root).set_many({"topic": "\\u4e2d\\u6587"})
print(ascii(SessionStore(root).read("20261130-abcd").events[-1].text))
print(ascii(KeystoneState(root).get("topic")))
"""
    root = store.path.parents[2]
    plain = {"LANG": "C", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    done = run_python(script, str(root), **plain)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [r"'\u0e44\u0e17\u0e22 \u4e2d\u6587'", r"'\u4e2d\u6587'"]
    assert "ไทย 中文" in path.read_text("utf-8")


# -- torn tails ------------------------------------------------------------------------


def test_a_log_cut_anywhere_gives_the_whole_events_before_the_cut(store, path):
    data = path.read_bytes()
    whole = store.read(ID).events
    for size in range(len(data) + 1):
        path.write_bytes(data[:size])
        contents = store.read(ID)
        complete = data[:size].count(b"\n")
        assert contents.events == whole[:complete]
        assert contents.torn_tail == (not data[:size].endswith(b"\n") and size > 0)


@pytest.mark.parametrize("tail", [b'{"type": "note_', b'{"type": "no\n', b"\x00\x00\x00\n", b"\n"])
def test_a_torn_tail_is_passed_over_then_cut_away(store, path, tail):
    sound = path.read_bytes()
    path.write_bytes(sound + tail)
    assert store.read(ID).torn_tail
    assert path.read_bytes() == sound + tail, "reading changes nothing"
    with store.open(ID) as log:
        assert len(log.read().events) == 3
        log.append(note("three"))
    contents = store.read(ID)
    assert [e.text for e in contents.events[1:]] == ["one", "two", "three"]
    assert not contents.torn_tail


def test_a_broken_line_in_the_middle_is_named_and_left(store, path):
    lines = path.read_bytes().splitlines(keepends=True)
    broken = lines[0] + b'{"type": "no\n' + lines[2]
    path.write_bytes(broken)
    with pytest.raises(CorruptLogError) as caught:
        store.read(ID)
    assert caught.value.line == 2
    assert f"{path}, line 2" in str(caught.value)
    assert path.read_bytes() == broken


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"type": "horse_sold", "at": AT}, "unknown event type 'horse_sold'"),
        ({"type": "note_added", "at": AT}, "note_added.text: Field required"),
        ({"type": "note_added", "at": AT, "text": "x", "more": 1}, "note_added.more"),
        ({"at": AT}, "no event"),
        ([], "no event"),
    ],
)
def test_json_that_is_no_event_is_corrupt_even_as_the_last_line(store, path, line, reason):
    with path.open("ab") as file:
        file.write(json.dumps(line).encode() + b"\n")
    with pytest.raises(CorruptLogError, match=reason) as caught:
        store.read(ID)
    assert caught.value.line == 4
    assert "\n" not in str(caught.value)


def test_a_newer_log_says_which_version_it_has(store, path):
    newer = SCHEMA_VERSION + 1
    text = path.read_text("utf-8")
    path.write_text(
        text.replace(f'"schema_version": {SCHEMA_VERSION}', f'"schema_version": {newer}')
    )
    with pytest.raises(NewerLogError) as caught:
        store.read(ID)
    assert isinstance(caught.value, UnsupportedSchemaError)
    assert (caught.value.found, caught.value.supported) == (newer, SCHEMA_VERSION)
    assert str(path) in caught.value.message


# -- one writer ------------------------------------------------------------------------


def test_a_second_writer_is_refused_until_the_first_closes(store, path):
    first = store.open(ID)
    with pytest.raises(SessionBusyError, match=f"{ID} is open in another process"):
        store.open(ID)
    assert len(store.read(ID).events) == 3, "reading needs no lock"
    first.close()
    first.close()
    with store.open(ID) as second:
        second.append(note("three"))
    with pytest.raises(ValueError, match="closed"):
        first.append(note("late"))


def test_the_lock_of_a_killed_process_is_free(store, path):
    context = multiprocessing.get_context("fork")
    ready, told = context.Pipe(duplex=False)

    def hold() -> None:
        log = store.open(ID)
        log.append(note("three"))
        told.send("held")
        signal.pause()

    holder = context.Process(target=hold)
    holder.start()
    assert ready.recv() == "held"
    with pytest.raises(SessionBusyError):
        store.open(ID)
    os.kill(holder.pid, signal.SIGKILL)
    holder.join(10)
    with store.open(ID) as log:
        assert len(log.read().events) == 4


def test_a_writer_killed_at_work_loses_no_event_that_it_was_told_is_on_disk(store, path):
    context = multiprocessing.get_context("fork")
    for told_before_the_kill in (1, 7, 20):
        before = len(store.read(ID).events)
        told, telling = context.Pipe(duplex=False)

        def write(telling=telling) -> None:
            log = store.open(ID)
            while True:
                log.append(note("x" * 9000))
                telling.send_bytes(b"on disk")

        writer = context.Process(target=write)
        writer.start()
        for _ in range(told_before_the_kill):
            told.recv_bytes()
        os.kill(writer.pid, signal.SIGKILL)
        writer.join(10)
        assert len(store.read(ID).events) >= before + told_before_the_kill


def test_a_session_is_made_once(store, path):
    with pytest.raises(StoreError, match="File exists"):
        store.create(ID)


# -- failing disks ---------------------------------------------------------------------


def test_an_event_that_does_not_fit_leaves_the_log_as_it_was(store, path, limited):
    before = path.read_bytes()
    with store.open(ID) as log:
        with limited(len(before) + 20), pytest.raises(StoreError, match="File too large"):
            log.append(note("three"))
        assert path.read_bytes() == before
        log.append(note("three"))
    assert len(store.read(ID).events) == 4


def test_a_full_disk_loses_no_event_that_was_appended(small_disk, started):
    store = SessionStore(small_disk)
    appended = 1
    with store.create(ID) as log:
        log.append(started())
        with pytest.raises(StoreError, match="No space left on device") as caught:
            for _ in range(100):
                log.append(note("x" * 5000))
                appended += 1
    assert str(log.path) in caught.value.message
    contents = store.read(ID)
    assert len(contents.events) == appended > 5
    assert not contents.torn_tail


def test_a_root_that_is_a_file_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="A file stands where a folder is needed"):
        SessionStore(tmp_path / "file").create(ID)


@pytest.mark.parametrize(
    "session_id",
    [
        "",
        "..",
        "../../etc",
        "20261130-abcd/..",
        "20261130-abcd\n",
        "20261130-ABCD",
        "２０２６1130-abcd",
    ],
)
def test_what_is_no_id_leads_nowhere(store, path, session_id):
    for look_up in (store.folder, store.create, store.open, store.read, store.exists):
        with pytest.raises(UnknownSessionError) as caught:
            look_up(session_id)
        assert "list" in caught.value.hint


def test_an_unknown_id_is_told(store):
    for look_up in (store.open, store.read):
        with pytest.raises(UnknownSessionError, match="no session '20261130-zzzz'"):
            look_up("20261130-zzzz")
    assert not store.exists("20261130-zzzz")
