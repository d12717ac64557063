"""Sessions, tables and rooms of a project, found by an id whatever they are.

What lies elsewhere, put there by `--dir` or reached by a link, is none of the project's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from .errors import AmbiguousIdError, StoreError, UnknownSessionError
from .json_text import from_json
from .ordinary import opened
from .places import FOLDERS, LOG_NAME, SESSION_ID, Format, roundtable_folder
from .sessions import SessionStore

WORDS: dict[Format, str] = {"socratic": "session", "table": "table", "room": "room"}

_FIRST_LINE_BYTES = 4_000_000  # of a room's log, which holds its motion; chosen by judgement


class Held(NamedTuple):
    """A session, a table or a room on disk; whether it has ended is for its summary to say."""

    format: Format
    id: str
    folder: Path

    @property
    def word(self) -> str:
        return WORDS[self.format]

    @property
    def name(self) -> str:
        """What its own commands call it: the id, of a room its folder."""
        return self.folder.name if self.format == "room" else self.id

    @property
    def told(self) -> str:
        """What it is, with what it can be called."""
        called = f" ({self.name})" if self.name != self.id else ""
        return f"{self.word} {self.id}{called}"


def names_in(roundtable: Path, of: Format) -> list[str]:
    """The names of the folders of one format, in order; none where there are none.

    Raises `StoreError` where they cannot be listed.
    """
    folder = roundtable / FOLDERS[of]
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries if _is_one(entry, of))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError.of("list", folder, error) from error


def _is_one(entry: os.DirEntry[str], of: Format) -> bool:
    if of != "room" and not SESSION_ID.fullmatch(entry.name):
        return False
    if of == "socratic":
        return True  # ten thousand of them, and nothing else has such a name
    if entry.name.startswith(".") or not entry.name.isprintable():
        return False
    return entry.is_dir(follow_symlinks=False)


def room_id(folder: Path) -> str:
    """The id of the room in a folder, by its first event; "" where none can be read."""
    try:
        with opened(folder / LOG_NAME) as log:
            event = from_json(log.readline(_FIRST_LINE_BYTES))
    except (OSError, ValueError):
        return ""
    found = event.get("room") if isinstance(event, dict) else None
    return found if isinstance(found, str) and SESSION_ID.fullmatch(found) else ""


def all_held(root: Path, of: Format) -> Iterator[Held]:
    """Those of one format, in the order of their names. Raises `StoreError`."""
    base = roundtable_folder(root)
    for name in names_in(base, of):
        folder = base / FOLDERS[of] / name
        one = room_id(folder) if of == "room" else name
        if one:
            yield Held(of, one, folder)


def find_held(root: Path, typed: str) -> Held:
    """The one whose id begins so; a room goes by its folder's name too.

    Raises `UnknownSessionError` where none does, `AmbiguousIdError` with the candidates where
    several do, and `StoreError` where they cannot be listed.
    """
    found = list(_exactly(root, typed)) or list(_beginning(root, typed))
    if not found:
        raise UnknownSessionError(typed)
    if len(found) > 1:
        formats = {one.format for one in found}
        if formats == {"socratic"}:
            raise AmbiguousIdError("sessions", typed, [one.id for one in found])
        what = f"{found[0].word}s" if len(formats) == 1 else "sessions, tables or rooms"
        told = [one.told for one in found]
        raise AmbiguousIdError(what, typed, told, "Give more of the id, or all of a room's name")
    return found[0]


def _exactly(root: Path, typed: str) -> Iterator[Held]:
    base = roundtable_folder(root)
    if SESSION_ID.fullmatch(typed):
        if SessionStore(root).exists(typed):
            yield Held("socratic", typed, base / FOLDERS["socratic"] / typed)
        table = base / FOLDERS["table"] / typed
        with suppress(OSError):
            if not table.is_symlink() and (table / LOG_NAME).is_file():
                yield Held("table", typed, table)
    with suppress(StoreError):  # where nothing is found, listing them all will tell
        yield from (r for r in all_held(root, "room") if typed in (r.id, r.folder.name))


def _beginning(root: Path, typed: str) -> Iterator[Held]:
    """Newest first among sessions, as they are listed."""
    if not typed:
        return
    store = SessionStore(root)
    for one in store.ids():
        if one.startswith(typed):
            yield Held("socratic", one, store.folder(one))
    for held in (*all_held(root, "table"), *all_held(root, "room")):
        if held.id.startswith(typed) or held.name.startswith(typed):
            yield held
