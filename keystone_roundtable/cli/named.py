"""What was named on the command line, a session, a table or a room, and what its log says of it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import NamedTuple

from ..core.errors import UsageError
from ..stores.errors import StoreError, UnknownSessionError
from ..stores.held import Held, find_held
from ..stores.sessions import SessionStore
from ..stores.summaries import SessionSummary, summarise
from .typed import as_typed


class Named(NamedTuple):
    held: Held
    summary: SessionSummary

    @property
    def id(self) -> str:
        return self.held.id

    @property
    def folder(self) -> Path:
        return self.held.folder

    @property
    def is_session(self) -> bool:
        return self.held.format == "socratic"


def named(root: Path, prefix: str) -> Named:
    """The one whose id begins so, whichever format it is of; a room also by its folder's name.

    Raises `UnknownSessionError` that names the project, `StoreError` where several begin so.
    """
    try:
        held = find_held(root, prefix)
    except UnknownSessionError as error:
        raise UnknownSessionError(as_typed(prefix)[:60], root) from error
    return Named(held, summarise(held.folder, held.format))


def finished(root: Path, prefix: str) -> Named:
    """The same, which has come to an end. Raises `UsageError` where it has not."""
    found = named(root, prefix)
    told, summary = found.held.told, found.summary
    if summary.problem:
        raise UsageError(
            f"{told} cannot be read: {summary.problem}", "Repair its log, or name another"
        )
    match summary.status:
        case "finished":
            return found
        case "rehearsal":
            raise UsageError(
                f"{told} was a rehearsal: no model was consulted, and nothing was decided in it",
                f"Hold it with a model: {_anew(found.held)}",
            )
        case "redirected":
            raise UsageError(
                f"{told} was sent elsewhere: nothing was decided in it",
                f"Look at it: keystone-roundtable show {found.id}",
            )
        case "failed" | "declined":
            raise UsageError(
                f"{told} {_OVER[summary.status]}: nothing was decided in it",
                f"Look at it: keystone-roundtable show {found.id}",
            )
        case _:
            raise UsageError(
                f"{told} is {summary.status}: nothing is decided in it yet",
                f"Go on with it: {_way_on(found.held)}",
            )


_OVER = {"failed": "failed", "declined": "was declined"}


def refuse_others(root: Path, typed: str, *, anew: bool) -> None:
    """Raises `UsageError` where that names a table or a room, with the command that goes on with
    it, or with another one `anew`. Whatever else it names is for others to tell.
    """
    try:
        SessionStore(root).resolve(typed)
    except UnknownSessionError:
        pass
    except StoreError:
        return
    else:
        return
    try:
        held = find_held(root, typed)
    except StoreError:
        return
    ended = summarise(held.folder, held.format).status not in ("open", "paused", "unknown")
    hint = f"It is over; look at it: keystone-roundtable show {held.id}"
    if not ended:
        hint = f"Go on with it: {_way_on(held)}"
    elif anew:
        hint = (
            f"Hold another: {_anew(held)}; then say so: "
            f"keystone-roundtable decisions link NEW supersedes {held.id}"
        )
    raise UsageError(f"{held.told} is no session", hint)


def _way_on(held: Held) -> str:
    match held.format:
        case "room":
            room = shlex.quote(held.name)
            return (
                f"keystone-roundtable room run ROUND --room {room}; which one is due: "
                f"keystone-roundtable room show --room {room}"
            )
        case "table":
            return f"keystone-roundtable table resume {held.id}"
        case _:
            return f"keystone-roundtable resume {held.id}"


def _anew(held: Held) -> str:
    if held.format == "room":
        return 'keystone-roundtable room open "QUESTION"'
    return 'keystone-roundtable table "QUESTION" --model SPEC'
