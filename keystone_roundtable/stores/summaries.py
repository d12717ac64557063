"""One line about a session, a table or a room, read from the ends of its log: thousands are listed
in a second.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Literal

from ..core.limits import SCHEMA_VERSION
from .json_text import from_json
from .ordinary import opened, read_ordinary
from .places import CONTRACT_NAME, LOG_NAME, SESSION_ID, Format

StatusWord = Literal[
    "open", "paused", "finished", "redirected", "rehearsal", "failed", "declined", "unknown"
]
"""A rehearsal came to its end, and decided nothing; tables alone fail or are declined."""

# A pause, a finish or a redirection is a line of some hundred bytes: one read finds it.
_TAIL_BYTES = 8192

# Chosen by judgement: a start, previews as often as the mode is changed, a question between each.
_LINES_BEFORE_SECOND_QUESTION = 40

STATUS_AFTER: dict[str, StatusWord] = {
    "paused": "paused",
    "session_finished": "finished",
    "redirected": "redirected",
    "table_paused": "paused",
    "table_finished": "finished",
    "table_failed": "failed",
    "table_declined": "declined",
    "room_closed": "finished",
}

CLOSED_ROOM = "room_closed"
"""After it only receipts may follow."""

_BEGINNINGS: Mapping[Format, tuple[str, str]] = {
    "socratic": ("session_started", "a session's start"),
    "table": ("table_started", "a table's start"),
    "room": ("room_opened", "a room's opening"),
}


@dataclass(frozen=True)
class SessionSummary:
    """What a listing shows. `problem` says why the log cannot be read, "" where it can."""

    id: str
    started_at: str = ""
    topic: str = ""
    status: StatusWord = "unknown"
    last_at: str = ""
    decision: str | None = None
    """The contract's decision; None, as the next two, where no contract was written."""
    option: str | None = None
    confidence: float | None = None
    mode: str | None = None
    """The mode in force; None where none was chosen yet."""
    problem: str = ""


def summarise(folder: Path, of: Format = "socratic") -> SessionSummary:
    """The summary of what is in `folder`; a broken one never raises."""
    try:
        with opened(folder / LOG_NAME) as log:
            first, last = _first_event(log, of), _last_event(log)
            _refuse_damage(log)
            contract = read_contract(folder)
            mode = contract.get("mode") if contract or of != "socratic" else _mode_so_far(log)
            closed = of == "room" and _closes_a_room(log)
        status = "finished" if closed else STATUS_AFTER.get(last["type"], "open")
        return SessionSummary(
            id=first["id"] if of == "room" else folder.name,
            started_at=first["at"],
            topic=first["topic"],
            status=settled(status, contract),
            last_at=last["at"],
            decision=_text(contract.get("decision")),
            option=_text(contract.get("option")),
            confidence=confidence_in(contract),
            mode=_text(mode),
        )
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        reason = "it has no log" if missing else str(error.strerror or error)
        return SessionSummary(id=folder.name, problem=reason)
    except ValueError as error:
        return SessionSummary(id=folder.name, problem=str(error))


def settled(status: StatusWord, contract: Mapping[str, Any]) -> StatusWord:
    """The status, where what came to its end may have been a rehearsal."""
    rehearsed = status == "finished" and contract.get("exit_reason") == "rehearsal"
    return "rehearsal" if rehearsed else status


def _first_event(log: BinaryIO, of: Format) -> dict[str, str]:
    line = log.readline()
    if not line.endswith(b"\n"):
        raise ValueError("its log has no event")
    event = _object(line)
    kind, beginning = _BEGINNINGS[of]
    if event is None or event.get("type") != kind:
        raise ValueError(f"its log does not begin with {beginning}")
    version = event.get("schema_version", 0)
    if not isinstance(version, int) or version > SCHEMA_VERSION:
        raise ValueError(f"it was written by a newer version (schema {version})")
    if of == "room":
        motion = event.get("motion")
        event["topic"] = motion.get("decision") if isinstance(motion, dict) else None
        event["id"] = event.get("room")
        if not SESSION_ID.fullmatch(str(event["id"])):
            raise ValueError("its log does not say which room it is of")
        return _texts(event, "at", "topic", "id")
    if of == "table":
        event["topic"] = event.get("question")
    return _texts(event, "at", "topic")


def _closes_a_room(log: BinaryIO) -> bool:
    log.seek(0)
    named = (line for line in log if CLOSED_ROOM.encode() in line)
    return any((_object(line) or {}).get("type") == CLOSED_ROOM for line in named)


def _last_event(log: BinaryIO) -> dict[str, str]:
    """The last whole line that is JSON: a torn tail is passed over."""
    size = log.seek(0, os.SEEK_END)
    length = _TAIL_BYTES
    while True:
        start = max(0, size - length)
        log.seek(start)
        lines = log.read(size - start).split(b"\n")[:-1]
        # What stands before the first newline may be the end of a longer line.
        for line in reversed(lines if start == 0 else lines[1:]):
            event = _object(line)
            if event is not None:
                return _texts(event, "at", "type")
        if start == 0:
            raise ValueError("its log has no event")
        length *= 8


def _refuse_damage(log: BinaryIO) -> None:
    """Raises `ValueError` where a line but the last is no object by its ends.

    Whoever reads the session parses every line; for a listing that would take far too long.
    """
    log.seek(0)
    data = log.read()
    whole = data[: data.rfind(b"\n", 0, max(0, len(data) - 1)) + 1]  # the last may be torn
    lines = whole.count(b"\n")
    begun = whole.startswith(b"{") + whole.count(b"\n{")
    if lines == begun == whole.count(b"}\n"):
        return
    for number, line in enumerate(whole.split(b"\n")[:-1], 1):
        if not (line.startswith(b"{") and line.endswith(b"}")):
            raise ValueError(f"line {number} of its log is no event")


def read_contract(folder: Path) -> dict[str, Any]:
    """The contract in `folder`; empty where none can be read."""
    try:
        return _object(read_ordinary(folder / CONTRACT_NAME)) or {}
    except FileNotFoundError:
        return {}


def confidence_in(contract: Mapping[str, Any]) -> float | None:
    """The stated confidence; None where the contract holds no number for it."""
    value = contract.get("confidence")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)


def _mode_so_far(log: BinaryIO) -> str | None:
    """The mode of the last preview; it can change only before the second question."""
    log.seek(0)
    mode = None
    for line in islice(log, _LINES_BEFORE_SECOND_QUESTION):
        if b'"preview_made"' not in line:  # spares reading what is long
            continue
        preview = (_object(line) or {}).get("preview")
        mode = preview.get("mode") if isinstance(preview, dict) else mode
    return _text(mode)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _object(data: bytes) -> dict[str, Any] | None:
    """The JSON object that `data` holds; None where it holds none."""
    try:
        value = from_json(data)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _texts(event: dict[str, Any], *fields: str) -> dict[str, str]:
    for field in fields:
        if not isinstance(event.get(field), str):
            raise ValueError(f"an event of its log has no {field}")
    return {field: event[field] for field in fields}
