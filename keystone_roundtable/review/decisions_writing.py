"""Makes the index of a project's sessions, tables and rooms, and brings it up to date."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from ..stores.errors import StoreError
from ..stores.files import locked, make_private_dir, remove_leftovers, sync_folder
from ..stores.held import names_in
from ..stores.places import FOLDERS, Format
from .decisions_freshness import UNSETTLED_NS, Stamp, is_fresh, listing_stamp, stamp_of
from .decisions_index import DAMAGE, INDEX_VERSION, check_ours, made_as
from .decisions_reading import Remembered, remembered
from .decisions_text import TOKENIZER, indexable

_SCHEMA = f"""
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE past (
    number INTEGER PRIMARY KEY,
    place TEXT NOT NULL UNIQUE,
    id TEXT NOT NULL,
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
CREATE INDEX growing ON past (number) WHERE NOT final;
CREATE INDEX newest ON past (at, id);
CREATE VIRTUAL TABLE texts USING fts5 (
    topic, option, options, said, concluded, tokenize = "{TOKENIZER}"
);
INSERT INTO texts (texts, rank) VALUES ('rank', 'bm25(6.0, 4.0, 2.0, 1.0, 1.0)');
INSERT INTO facts VALUES ('listing', '');
PRAGMA user_version = {INDEX_VERSION};
"""

_BUSY_S = 10.0


def write(path: Path, base: str, *, anew: bool) -> bool:
    """Returns when the index at `path` says what the folders below `base` hold.

    False, and nothing made, where the project has no session, table or room. Raises
    `sqlite3.Error`, `OSError` and `StoreError` where it cannot be written.
    """
    if not any(Path(base, folder).is_dir() for folder in FOLDERS.values()):
        return False
    make_private_dir(path.parent)
    with locked(path):
        remove_leftovers(path.parent, path.name)
        if not anew:
            with suppress(*DAMAGE), closing(_existing(path)) as connection:
                # Another process may have done it while this one waited for the lock.
                if not is_fresh(connection, base, time.time_ns()):
                    _bring_up_to_date(connection, base)
                return True
        _make(path, base)
    return True


def in_memory(path: Path, base: str) -> sqlite3.Connection:
    """An up-to-date index that is gone when it is closed, begun with what the file holds.

    Raises `StoreError` where not even that can be made.
    """
    try:
        connection = sqlite3.connect(":memory:", isolation_level=None)
        try:
            with suppress(*DAMAGE), closing(_existing(path)) as old:
                old.backup(connection)
                _bring_up_to_date(connection, base)
                return connection
            connection.close()
            connection = sqlite3.connect(":memory:", isolation_level=None)
            connection.executescript(_SCHEMA)
            _bring_up_to_date(connection, base)
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
        check_ours(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _make(path: Path, base: str) -> None:
    """A new index in the place of whatever is there."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    os.close(descriptor)
    temporary = Path(name)
    try:
        with closing(sqlite3.connect(temporary, isolation_level=None)) as connection:
            # Until it has its name nothing of it counts: one write to disk at the end is enough.
            connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
            connection.executescript(_SCHEMA)
            connection.execute("INSERT INTO facts VALUES ('file', ?)", (made_as(temporary),))
            _bring_up_to_date(connection, base)
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        # A journal that a killed process left belongs to the old file: it would spoil the new one.
        path.with_name(f"{path.name}-journal").unlink(missing_ok=True)
        temporary.replace(path)
        sync_folder(path.parent)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _bring_up_to_date(connection: sqlite3.Connection, base: str) -> None:
    """Reads what came or changed, forgets what went; all of it or nothing."""
    now_ns = time.time_ns()
    listing = listing_stamp(base, now_ns)  # before the folders are listed: what comes later shows
    formats = dict(_places(base))
    there = {place: stamp_of(base, place) for place in formats}
    known = {
        place: (changed_ns, size)
        for place, changed_ns, size in connection.execute(
            "SELECT place, changed_ns, size FROM past"
        )
    }
    changed = [place for place, stamp in there.items() if known.get(place) != stamp]
    connection.execute("BEGIN IMMEDIATE")
    try:
        for place in known.keys() - there.keys():
            _forget(connection, place)
        for place in changed:
            if place in known:
                _forget(connection, place)
            one = remembered(Path(base, place), formats[place])
            _remember(connection, place, there[place], one, now_ns)
        connection.execute("UPDATE facts SET value = ? WHERE name = 'listing'", (listing,))
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _places(base: str) -> Iterator[tuple[str, Format]]:
    """The folder of each, with its format; of one format in the order of their names."""
    for of, folder in FOLDERS.items():
        yield from ((f"{folder}/{name}", of) for name in names_in(Path(base), of))


def _forget(connection: sqlite3.Connection, place: str) -> None:
    """Takes it out of both tables."""
    ((number,),) = connection.execute("SELECT number FROM past WHERE place = ?", (place,))
    connection.execute("DELETE FROM texts WHERE rowid = ?", (number,))
    connection.execute("DELETE FROM past WHERE number = ?", (number,))


def _remember(
    connection: sqlite3.Connection, place: str, stamp: Stamp, one: Remembered, now_ns: int
) -> None:
    """Puts it into both tables; `stamp` is that of the log before it was read."""
    changed_ns, size = stamp
    if now_ns - changed_ns < UNSETTLED_NS:
        changed_ns = 0  # it may change once more without showing it: read it again
    number = connection.execute(
        "INSERT INTO past (place, id, changed_ns, size, final, status, at, topic, option, decision,"
        " confidence, mode) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (place, one.id, changed_ns, size, one.final, *one[1:8]),
    ).lastrowid
    texts = (one.topic, one.option, one.options, one.said, one.concluded)
    connection.execute(
        "INSERT INTO texts (rowid, topic, option, options, said, concluded)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (number, *map(indexable, texts)),
    )
