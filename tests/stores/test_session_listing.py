"""Listing sessions: newest first, fast, and broken ones among them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from keystone_roundtable.stores.errors import StoreError, UnknownSessionError
from keystone_roundtable.stores.sessions import SessionStore


def line(kind: str, at: str, **fields: object) -> str:
    return json.dumps({"at": at, "type": kind, **fields}) + "\n"


def start(at: str, topic: str = "Postgres or SQLite?", **fields: object) -> str:
    return line("session_started", at, **{"schema_version": 1, "topic": topic, **fields})


def put(store: SessionStore, session_id: str, text: str) -> Path:
    folder = store.path / session_id
    folder.mkdir(parents=True)
    (folder / "events.jsonl").write_text(text, "utf-8")
    return folder


@pytest.fixture
def store(tmp_path):
    return SessionStore(tmp_path)


def test_without_sessions_the_listing_is_empty(store):
    assert store.ids() == ()
    assert list(store.summaries()) == []
    assert store.resumable() == []


def test_ids_are_newest_first_and_foreign_names_are_passed_over(store):
    for number, session_id in enumerate(["20261130-zzzz", "20261201-aaaa", "20261130-aaaa"]):
        log = put(store, session_id, start("2026-11-30T10:00:00Z")) / "events.jsonl"
        os.utime(log, (number, number))
    (store.path / "notes").mkdir()
    assert store.ids() == ("20261201-aaaa", "20261130-aaaa", "20261130-zzzz")


@pytest.mark.parametrize(
    ("last", "status"),
    [
        ("", "open"),
        (line("note_added", "2026-11-30T10:05:00Z", text="x"), "open"),
        (line("paused", "2026-11-30T10:05:00Z", cause="quit"), "paused"),
        (line("redirected", "2026-11-30T10:05:00Z"), "redirected"),
        (line("session_finished", "2026-11-30T10:05:00Z"), "finished"),
    ],
)
def test_the_last_event_gives_the_status(store, last, status):
    put(store, "20261130-abcd", start("2026-11-30T10:00:00Z") + last)
    (summary,) = store.summaries()
    assert summary.status == status
    assert summary.started_at == "2026-11-30T10:00:00Z"
    assert summary.last_at == ("2026-11-30T10:05:00Z" if last else "2026-11-30T10:00:00Z")
    assert summary.topic == "Postgres or SQLite?"
    assert summary.decision is None
    assert summary.problem == ""


def test_the_decision_comes_from_the_contract(store):
    folder = put(store, "20261130-abcd", start("2026-11-30T10:00:00Z"))
    (folder / "contract.json").write_text('{"decision": "roundtable-aligned"}')
    assert next(store.summaries()).decision == "roundtable-aligned"


@pytest.mark.parametrize("size", [100, 8192, 200_000])
@pytest.mark.parametrize("tail", ["", '{"type": "paus'])
def test_long_lines_and_torn_tails_do_not_hide_the_last_event(store, size, tail):
    text = start("2026-11-30T10:00:00Z", context="c" * size)
    text += line("paused", "2026-11-30T10:05:00Z", cause="quit", draft="d" * size)
    put(store, "20261130-abcd", text + tail)
    (summary,) = store.summaries()
    assert (summary.status, summary.last_at) == ("paused", "2026-11-30T10:05:00Z")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no event"),
        ("{", "no event"),
        ("rubbish\n", "does not begin"),
        (line("paused", "2026-11-30T10:00:00Z"), "does not begin"),
        (start("2026-11-30T10:00:00Z", schema_version=99), "newer version"),
        (start("2026-11-30T10:00:00Z", topic=7), "no topic"),
    ],
)
def test_a_broken_session_says_what_is_wrong_and_hides_no_other(store, text, problem):
    put(store, "20261130-aaaa", text)
    put(store, "20261129-bbbb", start("2026-11-29T10:00:00Z"))
    (store.path / "20261128-cccc").mkdir()
    (store.path / "20261127-dddd").write_text("a file")
    broken, sound, empty, file = store.summaries()
    assert problem in broken.problem
    assert broken.status == "unknown"
    assert sound.problem == ""
    assert empty.problem == "it has no log"
    assert file.problem == "Not a directory"


@pytest.mark.parametrize("torn", ["", '{"type": "sess', "rubbish\n"])
@pytest.mark.parametrize(
    "damage", ["rubbish\n", "\n", '"type": "paused"}\n', '{"type"\n', "\x00\n"]
)
def test_a_finished_session_with_a_damaged_log_is_no_decision(store, damage, torn):
    """The contract beside it says what was decided, but nothing stands behind it any more."""
    text = start("2026-11-30T10:00:00Z") + damage
    text += line("session_finished", "2026-11-30T10:05:00Z") + torn
    folder = put(store, "20261130-abcd", text)
    (folder / "contract.json").write_text('{"decision": "roundtable-aligned"}')
    (summary,) = store.summaries()
    assert summary.problem == "line 2 of its log is no event"
    assert (summary.status, summary.decision) == ("unknown", None)


def test_an_unreadable_contract_is_no_decision(store):
    folder = put(store, "20261130-abcd", start("2026-11-30T10:00:00Z"))
    (folder / "contract.json").write_text("{")
    (summary,) = store.summaries()
    assert (summary.decision, summary.problem) == (None, "")


def test_the_first_resumable_session_is_the_one_worked_on_last(store):
    finished = line("session_finished", "2026-12-01T10:00:00Z")
    paused = line("paused", "2026-11-30T18:00:00Z", cause="quit")
    put(store, "20261201-aaaa", start("2026-12-01T09:00:00Z") + finished)
    put(store, "20261130-bbbb", start("2026-11-30T12:00:00Z"))
    put(store, "20261130-cccc", start("2026-11-30T09:00:00Z") + paused)
    assert store.resumable()[0].id == "20261130-cccc"


def test_a_prefix_finds_its_session(store):
    for session_id in ("20261130-abcd", "20261130-abcdef", "20261129-abcd"):
        put(store, session_id, start("2026-11-30T10:00:00Z"))
    assert store.resolve("20261129") == "20261129-abcd"
    assert store.resolve("20261130-abcde") == "20261130-abcdef"
    assert store.resolve("20261130-abcd") == "20261130-abcd", "a whole id is never ambiguous"
    with pytest.raises(StoreError, match="2 sessions start with '20261130'") as caught:
        store.resolve("20261130")
    assert "20261130-abcdef" in caught.value.message
    for unknown in ("2025", "", "../", "20261130-x"):
        with pytest.raises(UnknownSessionError):
            store.resolve(unknown)


def test_only_the_first_and_the_last_line_of_a_log_are_parsed(store):
    text = start("2026-11-30T10:00:00Z") + "{" + "rubbish" * 10_000 + "}\n"
    put(store, "20261130-abcd", text + line("paused", "2026-11-30T10:05:00Z") * 100)
    (summary,) = store.summaries()
    assert (summary.status, summary.problem) == ("paused", "")
