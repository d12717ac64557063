"""A full-text index of sessions, tables and rooms, which can be thrown away at any time.

It is SQLite in one private file, made anew from their folders where it is missing, damaged or of
another version, and brought up to date where any of them came, went or changed. Where it cannot
be written it lives in memory for one search.

Writers hold the file's lock, and a new index takes the old one's place in one step, so that
several processes can search and bring it up to date at once.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote

from ..core.plain import one_line
from ..stores.places import FOLDERS, INDEX_NAME, roundtable_folder
from . import decisions_freshness as freshness

INDEX_VERSION = 3

# A damaged file need not say so: rows may be missing, or hold what no index of ours does.
DAMAGE = (sqlite3.Error, ValueError, TypeError)

_BUSY_S = 10.0  # how long one waits for another process that writes; a commit takes milliseconds

COLUMNS = "p.id, p.status, p.at, p.topic, p.option, p.decision, p.confidence, p.mode, p.place"
"""Of a `Past`, from the table `past`."""
FOUND = (
    f"SELECT {COLUMNS} FROM texts JOIN past AS p ON p.number = texts.rowid"
    " WHERE texts MATCH ? AND (p.status = 'finished' OR ?) ORDER BY rank LIMIT ?"
)
_NEWEST = (
    f"SELECT {COLUMNS} FROM past AS p WHERE p.status = 'finished' OR ?"
    " ORDER BY p.at DESC, p.id DESC LIMIT ?"
)

_FORMATS = {folder: named for named, folder in FOLDERS.items()}

_ODD = "SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index')"
_MADE_AS = "SELECT value FROM facts WHERE name = 'file'"

EVERYTHING = 1_000_000_000
"""A limit that no project reaches."""

_Given = TypeVar("_Given")


class Past(NamedTuple):
    """One past session, table or room. Texts are safe for a screen; "" or None where nothing is
    known.
    """

    id: str
    status: str
    at: str
    """When it was worked on last."""
    topic: str
    option: str
    decision: str
    confidence: float | None
    mode: str
    place: str
    """Its folder, below `roundtable_folder`."""

    @property
    def format(self) -> str:
        """As the contract names it."""
        return _FORMATS[self.place.partition("/")[0]]


class Search(NamedTuple):
    """What was found, best first, or newest first where nothing was looked for."""

    past: tuple[Past, ...]
    every_term: bool
    """False where none has all terms, and these have some."""
    more: bool
    """Whether there are more than were asked for."""


class DecisionIndex:
    """The index of one project; nothing need exist yet."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.path = roundtable_folder(root) / INDEX_NAME
        self._base = str(self.path.parent)

    def search(self, query: str, limit: int, *, unfinished: bool = False) -> Search:
        """The finished ones that hold the terms of `query`; the newest where it is blank.

        `unfinished` takes in those that are open, paused or redirected, and rehearsals. Raises
        `StoreError` only where the folders themselves cannot be listed.
        """
        terms = _terms(query)
        if query.strip() and not terms:  # nothing but punctuation, which is nowhere in the index
            return Search((), every_term=True, more=False)

        def ask(connection: sqlite3.Connection) -> Search:
            return _search(connection, terms, limit, unfinished)

        return self._asked(ask)

    def refresh(self) -> None:
        """Brings the index up to date; nothing where it cannot be written."""
        from ..stores.errors import StoreError
        from . import decisions_writing as writing

        fresh = self.as_it_is(
            lambda connection: freshness.is_fresh(connection, self._base, time.time_ns())
        )
        if not fresh:
            with suppress(*DAMAGE, OSError, StoreError):
                writing.write(self.path, self._base, anew=False)

    def as_it_is(self, ask: Callable[[sqlite3.Connection], _Given]) -> _Given | None:
        """What the index in the file gives, up to date or not; None where there is none to ask."""
        try:
            with closing(self._open()) as connection:
                return ask(connection)
        except DAMAGE:
            return None

    # -- finding an index that is right ------------------------------------------------

    def _asked(self, ask: Callable[[sqlite3.Connection], _Given]) -> _Given:
        try:
            with closing(self._open()) as connection:
                if freshness.is_fresh(connection, self._base, time.time_ns()):
                    return ask(connection)
        except DAMAGE:
            pass  # missing or damaged: made anew below
        return self._asked_after_writing(ask)

    def _asked_after_writing(self, ask: Callable[[sqlite3.Connection], _Given]) -> _Given:
        from ..stores.errors import StoreError
        from . import decisions_writing as writing

        try:
            for anew in (False, True):  # what is damaged may show only when it is asked
                if not writing.write(self.path, self._base, anew=anew):
                    break
                try:
                    with closing(self._open()) as connection:
                        return ask(connection)
                except DAMAGE:
                    continue
        except (*DAMAGE, OSError, StoreError):
            pass  # not writable, or no room: it lives in memory this time
        with closing(writing.in_memory(self.path, self._base)) as connection:
            return ask(connection)

    def _open(self) -> sqlite3.Connection:
        """The index in the file, to be read. Raises one of `DAMAGE`."""
        if not self.path.is_file():
            raise sqlite3.DatabaseError("there is no index of this version")
        connection = sqlite3.connect(
            f"file:{quote(str(self.path))}?mode=ro", uri=True, timeout=_BUSY_S
        )
        try:
            check_ours(connection, self.path)
        except BaseException:
            connection.close()
            raise
        return connection


def check_ours(connection: sqlite3.Connection, path: Path) -> None:
    """Raises `sqlite3.DatabaseError` for an index of another version, and for a file that was made
    elsewhere, as in a clone: what it holds is nothing to go by.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (odd,) = connection.execute(_ODD).fetchone()
    if version != INDEX_VERSION or odd:
        raise sqlite3.DatabaseError("there is no index of this version")
    if connection.execute(_MADE_AS).fetchone() != (made_as(path),):
        raise sqlite3.DatabaseError("it was made elsewhere")


def made_as(path: Path) -> str:
    """What tells a file from its copies."""
    return str(path.stat().st_ino)


def _terms(query: str) -> tuple[str, ...]:
    if not query.strip():
        return ()
    from .decisions_text import terms_of

    return terms_of(query)


def _search(
    connection: sqlite3.Connection, terms: tuple[str, ...], limit: int, unfinished: bool
) -> Search:
    if not terms:
        rows = tuple(_rows(connection.execute(_NEWEST, (unfinished, limit + 1))))
        return Search(rows[:limit], every_term=True, more=len(rows) > limit)
    rows = ()
    for joined in (" AND ", " OR "):
        match = joined.join(terms)
        rows = tuple(_rows(connection.execute(FOUND, (match, unfinished, limit + 1))))
        if rows:
            break
    every_term = joined == " AND " or len(terms) == 1
    return Search(rows[:limit], every_term=every_term, more=len(rows) > limit)


def _rows(found: sqlite3.Cursor) -> Iterator[Past]:
    """Raises `sqlite3.DatabaseError` for a row that no index of ours holds."""
    for row in found:
        *texts, confidence, mode, place = row
        if not all(isinstance(text, str) for text in (*texts, mode, place)):
            raise sqlite3.DatabaseError("a text is missing")
        if not (confidence is None or isinstance(confidence, float)):
            raise sqlite3.DatabaseError("a confidence is no number")
        if place.partition("/")[0] not in _FORMATS:
            raise sqlite3.DatabaseError("a place is none of ours")
        yield Past(*map(_safe, row))


def _safe(value: Any) -> Any:
    """The index may be another's: what it holds reaches a screen as one line without escapes."""
    return one_line(value) if isinstance(value, str) else value
