"""The index says what the session folders say, whatever happened to either."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
import time
from pathlib import Path

import pytest
from past_sessions import event, put_other, put_session, write_events

from keystone_roundtable.core.limits import SCHEMA_VERSION
from keystone_roundtable.review import decisions_freshness as freshness
from keystone_roundtable.review.decisions_index import DecisionIndex
from keystone_roundtable.stores.places import roundtable_folder, sessions_folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("aaaa", "bbbb"):
        put_session(tmp_path, f"20260101-{name}", f"Should we adopt {name}?")
    return tmp_path


def found(root: Path, query: str = "", **options: bool) -> set[str]:
    return {past.id[9:] for past in DecisionIndex(root).search(query, 100, **options).past}


def settle(root: Path) -> None:
    """Makes everything look as if it were written long ago to the index, which then is trusted."""
    index = DecisionIndex(root)
    index.refresh()
    with sqlite3.connect(index.path) as connection:
        base = str(roundtable_folder(root))
        later_ns = time.time_ns() + 10 * freshness.UNSETTLED_NS
        stamp = freshness.listing_stamp(base, later_ns)
        connection.execute("UPDATE facts SET value = ? WHERE name = 'listing'", (stamp,))
        for (place,) in connection.execute("SELECT place FROM past").fetchall():
            stamps = (*freshness.stamp_of(base, place), place)
            connection.execute("UPDATE past SET changed_ns = ?, size = ? WHERE place = ?", stamps)
    connection.close()


def is_fresh(root: Path) -> bool:
    later_ns = time.time_ns() + 10 * freshness.UNSETTLED_NS
    index = DecisionIndex(root)
    connection = sqlite3.connect(index.path)
    try:
        return freshness.is_fresh(connection, str(roundtable_folder(root)), later_ns)
    finally:
        connection.close()


def test_it_is_made_where_it_is_missing_and_only_its_owner_can_read_it(root: Path) -> None:
    assert found(root) == {"aaaa", "bbbb"}
    path = DecisionIndex(root).path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.unlink()
    assert found(root, "bbbb") == {"bbbb"}
    assert path.is_file()


def test_without_sessions_nothing_is_made(tmp_path: Path) -> None:
    assert found(tmp_path) == set()
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_where_nothing_changed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(freshness, "UNSETTLED_NS", 0)
    settle(root)
    assert is_fresh(root)
    path = DecisionIndex(root).path
    before = path.stat().st_mtime_ns, path.read_bytes()
    assert found(root) == {"aaaa", "bbbb"}
    assert (path.stat().st_mtime_ns, path.read_bytes()) == before


def test_a_new_session_is_found(root: Path) -> None:
    settle(root)
    put_session(root, "20260101-cccc", "Should we adopt cccc?")
    assert not is_fresh(root)
    assert found(root, "cccc") == {"cccc"}


def test_a_session_that_is_gone_is_not(root: Path) -> None:
    settle(root)
    shutil.rmtree(sessions_folder(root) / "20260101-aaaa")
    assert not is_fresh(root)
    assert found(root) == {"bbbb"}


def test_a_log_changed_by_hand_is_read_again(root: Path) -> None:
    settle(root)
    log = sessions_folder(root) / "20260101-aaaa" / "events.jsonl"
    times = log.stat()
    log.write_text(log.read_text().replace("adopt", "avoid"))  # of the same length
    os.utime(log, ns=(times.st_atime_ns, times.st_mtime_ns))  # and with its old time
    contract = log.with_name("contract.json")
    contract.write_text(contract.read_text().replace("adopt", "avoid"))
    assert not is_fresh(root)
    assert found(root, "avoid") == {"aaaa"}
    assert found(root, "adopt") == {"bbbb"}


TABLE = event("table_started", table="20260107-tabl", question="Should we adopt zebras?")
ROOM = event("room_opened", room="20260107-room", motion={"decision": "Should we adopt okapis?"})


def test_tables_and_rooms_that_come_end_and_go_are_seen(root: Path) -> None:
    settle(root)
    table = put_other(root, "tables/20260107-tabl", TABLE)
    assert not is_fresh(root)
    assert found(root, "zebras") == set()
    settle(root)
    room = put_other(root, "rooms/okapis", ROOM, event("room_closed"))
    assert not is_fresh(root)
    assert found(root, "okapis") == {"room"}
    settle(root)
    write_events(table, [TABLE, event("table_finished")])
    assert not is_fresh(root)
    assert found(root, "zebras") == {"tabl"}
    settle(root)
    write_events(room, [ROOM, event("room_closed"), event("receipt_taken", receipt={})])
    assert not is_fresh(root)
    assert found(root, "okapis") == {"room"}
    settle(root)
    shutil.rmtree(room.parent)
    assert not is_fresh(root)
    assert found(root) == {"aaaa", "bbbb", "tabl"}


def test_a_minute_beside_the_tables_is_no_table(root: Path) -> None:
    table = put_other(root, "tables/20260107-tabl", TABLE, event("table_finished"))
    settle(root)
    (table.parent / "2026-01-07_should-we-adopt-zebras.md").write_text("# the minute")
    (table.parent / "decisions").mkdir()
    assert found(root) == {"aaaa", "bbbb", "tabl"}


def test_where_a_table_alone_was_held_it_is_found(tmp_path: Path) -> None:
    put_other(tmp_path, "tables/20260107-tabl", TABLE, event("table_finished"))
    assert found(tmp_path, "zebras") == {"tabl"}


def test_an_open_session_is_found_among_decisions_once_it_has_ended(root: Path) -> None:
    folder = put_session(root, "20260102-open", "Should we adopt zebras?", end=None)
    settle(root)
    assert found(root, "zebras") == set()
    assert found(root, "zebras", unfinished=True) == {"open"}
    with (folder / "events.jsonl").open("a") as log:
        log.write(json.dumps(event("session_finished")) + "\n")
    assert not is_fresh(root)
    assert found(root, "zebras") == {"open"}


def test_in_a_large_store_closed_logs_are_looked_at_by_turns(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Growing logs and the listing are looked at each time; a closed log in its turn."""
    monkeypatch.setattr(freshness, "AT_ONCE", 1)
    settle(root)
    log = sessions_folder(root) / "20260101-bbbb" / "events.jsonl"
    log.write_text(log.read_text() + "\n")
    index = DecisionIndex(root)
    connection = sqlite3.connect(index.path)
    base_ns = time.time_ns() + 10 * freshness.UNSETTLED_NS
    verdicts = {
        freshness.is_fresh(connection, str(roundtable_folder(root)), base_ns + turn * 1_000)
        for turn in range(4)
    }
    connection.close()
    assert verdicts == {True, False}


def test_what_changed_a_moment_ago_is_not_trusted(root: Path) -> None:
    """A file system's clock may not have moved on before the next change."""
    index = DecisionIndex(root)
    index.refresh()
    with sqlite3.connect(index.path) as connection:
        listing = connection.execute("SELECT value FROM facts WHERE name = 'listing'").fetchall()
        stamps = connection.execute("SELECT changed_ns FROM past").fetchall()
    connection.close()
    assert listing == [("",)]
    assert stamps == [(0,), (0,)]


def damaged_by(change: str, path: Path) -> None:
    data = bytearray(path.read_bytes())
    match change:
        case "emptied":
            data.clear()
        case "cut off":
            del data[len(data) // 2 :]
        case "no database":
            data[:] = b"hello" * 1000
        case "zeros inside":
            data[4096 : len(data) - 4096] = bytes(len(data) - 8192)
        case "noise inside":
            data[8192:] = b"\xa5" * (len(data) - 8192)
    path.write_bytes(bytes(data))


@pytest.mark.parametrize(
    "change", ["emptied", "cut off", "no database", "zeros inside", "noise inside"]
)
@pytest.mark.parametrize("query", ["", "bbbb"])
def test_a_damaged_index_is_made_anew(root: Path, change: str, query: str) -> None:
    settle(root)
    path = DecisionIndex(root).path
    damaged_by(change, path)
    assert found(root, query) == ({"bbbb"} if query else {"aaaa", "bbbb"})
    settle(root)
    assert found(root, "aaaa") == {"aaaa"}


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE texts",
        "DROP TABLE past",
        "DELETE FROM facts",
        "PRAGMA user_version = 99",
        "PRAGMA user_version = 1",
        "UPDATE past SET topic = CAST(x'ff' AS TEXT)",
        "UPDATE past SET confidence = 'much'",
        "UPDATE past SET place = 'elsewhere/' || id",
    ],
)
def test_an_index_that_is_not_ours_is_made_anew(root: Path, statement: str) -> None:
    settle(root)
    with sqlite3.connect(DecisionIndex(root).path) as connection:
        connection.execute(statement)
    connection.close()
    assert found(root) == {"aaaa", "bbbb"}
    assert found(root, "bbbb") == {"bbbb"}


def test_where_it_cannot_be_written_it_lives_in_memory(root: Path) -> None:
    path = DecisionIndex(root).path
    path.mkdir(parents=True)
    (path / "file").touch()  # not even to be replaced
    assert found(root, "bbbb") == {"bbbb"}
    assert found(root) == {"aaaa", "bbbb"}
    assert path.is_dir()


def test_what_a_killed_process_left_is_taken_away(root: Path) -> None:
    path = DecisionIndex(root).path
    leftover = path.with_name(f".{path.name}.abcd.tmp")
    leftover.write_bytes(b"half an index")
    found(root)
    assert not leftover.exists()


def test_a_journal_of_an_older_file_spoils_nothing(root: Path) -> None:
    settle(root)
    path = DecisionIndex(root).path
    path.with_name(f"{path.name}-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" * 64)
    damaged_by("cut off", path)
    assert found(root) == {"aaaa", "bbbb"}
    assert found(root, "aaaa") == {"aaaa"}


def test_broken_sessions_hide_no_other(root: Path) -> None:
    folder = sessions_folder(root)
    (folder / "20260103-empt").mkdir()
    (folder / "20260103-file").write_text("no folder")
    put_session(root, "20260103-torn", "Should we adopt torn things?")
    log = folder / "20260103-torn" / "events.jsonl"
    log.write_bytes(log.read_bytes() + b'{"type": "note_ad')
    newer = put_session(root, "20260103-newr", "Should we adopt newer things?")
    write_events(newer, [event("session_started", schema_version=SCHEMA_VERSION + 1, topic="x")])
    odd = put_session(root, "20260103-oddd")
    (odd / "events.jsonl").write_bytes(b'[]\n{"type": 7}\n\xff\xfe\n' + b"[" * 5000 + b"\n")
    assert found(root) == {"aaaa", "bbbb", "torn"}
    assert found(root, "torn") == {"torn"}


def test_the_words_of_a_picked_suggestion_are_found(root: Path) -> None:
    folder = put_session(root, "20260104-pick")
    question = {"id": "Q1", "suggestions": [{"text": "the zebra"}, {"text": "the okapi"}]}
    write_events(
        folder,
        [
            event("session_started", schema_version=1, topic="Which animal?"),
            event("question_asked", question=question, asking="k1"),
            event("answer_given", answer={"question": "Q1", "text": "2", "picked": True}),
            event("session_finished"),
        ],
    )
    assert found(root, "okapi") == {"pick"}
    assert found(root, "zebra") == set()


def test_secrets_are_not_in_it(root: Path) -> None:
    key = "ghp_" + "a1B2" * 9
    put_session(root, "20260105-keys", f"Rotate {key} now?", answers=[f"it is {key}"], option=key)
    found(root)
    data = DecisionIndex(root).path.read_bytes()
    assert key.encode() not in data and key.casefold().encode() not in data
    assert found(root, "rotate") == {"keys"}


def test_texts_are_safe_for_a_screen(root: Path) -> None:
    put_session(root, "20260106-escs", "Ship\x1b[2J the\nthing\u202e?", option="\x1b]0;x\x07now")
    (past,) = DecisionIndex(root).search("thing", 5).past
    assert (past.topic, past.option) == ("Ship the thing?", "now")
