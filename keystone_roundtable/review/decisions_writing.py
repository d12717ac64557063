"""Makes the index of a project's sessions, and brings it up to date."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path

from ..stores.errors import StoreError
from ..stores.files import locked, make_private_dir, remove_leftovers, sync_folder
from ..stores.places import SESSION_ID
from .decisions_freshness import UNSETTLED_NS, Stamp, is_fresh, listing_stamp, stamp_of
from .decisions_index import DAMAGE, INDEX_VERSION
from .decisions_reading import Remembered, remembered
from .decisions_text import TOKENIZER, indexable

_SCHEMA = f"""
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sessions (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    changed_ns INTEGER NOT NULL,
    size INTEGER NOT NULL,
    final INTEGER NOT NULL,
    status TEXT NOT NULL,
    at TEXT NOT NULL,
    topic TEXT NOT NULL,
    option TEXT NOT NULL,
    decision TEXT NOT NULL,
    confidence REAL,
    mode TEXT NOT NULL
);
CREATE INDEX growing ON sessions (number) WHERE NOT final;
CREATE INDEX newest ON sessions (at, id);
CREATE VIRTUAL TABLE texts USING fts5 (
    topic, option, options, said, concluded, tokenize = "{TOKENIZER}"
);
INSERT INTO texts (texts, rank) VALUES ('rank', 'bm25(6.0, 4.0, 2.0, 1.0, 1.0)');
INSERT INTO facts VALUES ('listing', '');
PRAGMA user_version = {INDEX_VERSION};
"""

_BUSY_S = 10.0


def write(path: Path, sessions: str, *, anew: bool) -> bool:
    """Returns when the index at `path` says what the folder `sessions` holds.

    False, and nothing made, where the project has no sessions. Raises `sqlite3.Error`, `OSError`
    and `StoreError` where it cannot be written.
    """
    if not Path(sessions).is_dir():
        return False
    make_private_dir(path.parent)
    with locked(path):
        remove_leftovers(path.parent, path.name)
        if not anew:
            with suppress(*DAMAGE), closing(_existing(path)) as connection:
                # Another process may have done it while this one waited for the lock.
                if not is_fresh(connection, sessions, time.time_ns()):
                    _bring_up_to_date(connection, sessions)
                return True
        _make(path, sessions)
    return True


def in_memory(path: Path, sessions: str) -> sqlite3.Connection:
    """An up-to-date index that is gone when it is closed, begun with what the file holds.

    Raises `StoreError` where not even that can be made.
    """
    try:
        connection = sqlite3.connect(":memory:", isolation_level=None)
        try:
            with suppress(*DAMAGE), closing(_existing(path)) as old:
                old.backup(connection)
                _bring_up_to_date(connection, sessions)
                return connection
            connection.close()
            connection = sqlite3.connect(":memory:", isolation_level=None)
            connection.executescript(_SCHEMA)
            _bring_up_to_date(connection, sessions)
        except BaseException:
            connection.close()
            raise
        return connection
    except sqlite3.Error as error:
        raise StoreError(
            f"past sessions cannot be searched: {error}",
            "This Python's SQLite may lack FTS5: `keystone-roundtable list` needs none",
        ) from error


def _existing(path: Path) -> sqlite3.Connection:
    """The index in the file. Raises `sqlite3.DatabaseError` where there is none of this version."""
    if not path.is_file():
        raise sqlite3.DatabaseError("no file")
    connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version != INDEX_VERSION:
            raise sqlite3.DatabaseError("another version")
    except BaseException:
        connection.close()
        raise
    return connection


def _make(path: Path, sessions: str) -> None:
    """A new index in the place of whatever is there."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    os.close(descriptor)
    temporary = Path(name)
    try:
        with closing(sqlite3.connect(temporary, isolation_level=None)) as connection:
            # Until it has its name nothing of it counts: one write to disk at the end is enough.
            connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
            connection.executescript(_SCHEMA)
            _bring_up_to_date(connection, sessions)
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        # A journal that a killed process left belongs to the old file: it would spoil the new one.
        path.with_name(f"{path.name}-journal").unlink(missing_ok=True)
        temporary.replace(path)
        sync_folder(path.parent)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _bring_up_to_date(connection: sqlite3.Connection, sessions: str) -> None:
    """Reads the sessions that came or changed, forgets those that went; all of it or nothing."""
    now_ns = time.time_ns()
    listing = listing_stamp(sessions, now_ns)  # before the folder is listed: what comes later shows
    there = {session_id: stamp_of(sessions, session_id) for session_id in _ids(sessions)}
    known = {
        session_id: (changed_ns, size)
        for session_id, changed_ns, size in connection.execute(
            "SELECT id, changed_ns, size FROM sessions"
        )
    }
    changed = [session_id for session_id, stamp in there.items() if known.get(session_id) != stamp]
    connection.execute("BEGIN IMMEDIATE")
    try:
        for session_id in known.keys() - there.keys():
            _forget(connection, session_id)
        for session_id in changed:
            if session_id in known:
                _forget(connection, session_id)
            _remember(connection, there[session_id], remembered(Path(sessions, session_id)), now_ns)
        connection.execute("UPDATE facts SET value = ? WHERE name = 'listing'", (listing,))
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _ids(sessions: str) -> Iterable[str]:
    """In the order in which they were begun, day by day."""
    try:
        with os.scandir(sessions) as entries:
            return sorted(entry.name for entry in entries if SESSION_ID.fullmatch(entry.name))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise StoreError.of("list", Path(sessions), error) from error


def _forget(connection: sqlite3.Connection, session_id: str) -> None:
    """Takes a session out of both tables."""
    ((number,),) = connection.execute("SELECT number FROM sessions WHERE id = ?", (session_id,))
    connection.execute("DELETE FROM texts WHERE rowid = ?", (number,))
    connection.execute("DELETE FROM sessions WHERE number = ?", (number,))


def _remember(connection: sqlite3.Connection, stamp: Stamp, one: Remembered, now_ns: int) -> None:
    """Puts a session into both tables; `stamp` is that of the log before it was read."""
    changed_ns, size = stamp
    if now_ns - changed_ns < UNSETTLED_NS:
        changed_ns = 0  # it may change once more without showing it: read it again
    number = connection.execute(
        "INSERT INTO sessions (id, changed_ns, size, final, status, at, topic, option, decision,"
        " confidence, mode) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (one.id, changed_ns, size, one.final, *one[1:8]),
    ).lastrowid
    texts = (one.topic, one.option, one.options, one.said, one.concluded)
    connection.execute(
        "INSERT INTO texts (rowid, topic, option, options, said, concluded)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (number, *map(indexable, texts)),
    )
