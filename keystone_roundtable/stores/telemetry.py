"""Telemetry: one line per thing that happened, in a file per UTC month."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .errors import doing
from .files import append_line, make_private_dir
from .json_text import from_json, to_json
from .ordinary import opened
from .root import KEYSTONE

_MONTH_FILE = re.compile(r"[0-9]{4}-[0-9]{2}\.jsonl")
_DATED_ID = re.compile(r"[0-9]{8}-")


class Telemetry:
    """The lines below `<root>/.keystone/telemetry/events`; nothing need exist yet."""

    def __init__(self, root: Path) -> None:
        self.folder = root / KEYSTONE / "telemetry" / "events"

    def append(self, line: Mapping[str, Any]) -> Path:
        """Adds one line to the month of its `ts`; returns the file when the line is on disk."""
        path = self.folder / f"{_utc_month(line['ts'])}.jsonl"
        make_private_dir(self.folder)
        append_line(path, to_json(dict(line)), durable=True)
        return path

    def has(self, session_id: str, event: str) -> bool:
        """True where a line of this session and event stands already.

        Looks from the newest month back to the one in which the session's id was made.
        """
        return self.find(session_id, event) is not None

    def find(self, session_id: str, event: str) -> Path | None:
        """The month file that holds a line of this session and event; None where none does."""
        lines = ((path, line) for path in self._months(session_id) for line in _lines(path))
        needle = session_id.encode()  # spares parsing the lines of other sessions
        for path, line in lines:
            if needle in line and _is_about(line, session_id, event):
                return path
        return None

    def lines_about(self, session_id: str, event: str, since: str) -> Iterator[dict[str, Any]]:
        """The lines of this session and event, from the month `since` (`2026-11`) on."""
        needle = session_id.encode()
        for path in self._months(session_id):
            for line in _lines(path) if path.stem >= since else ():
                if needle in line and _is_about(line, session_id, event):
                    yield from_json(line)

    def _months(self, session_id: str) -> list[Path]:
        """Month files that can hold lines of the session, newest first."""
        with doing("list", self.folder):
            try:
                names = [p.name for p in self.folder.iterdir() if _MONTH_FILE.fullmatch(p.name)]
            except FileNotFoundError:
                return []
        first = _month_before(session_id) if _DATED_ID.match(session_id) else ""
        return [self.folder / name for name in sorted(names, reverse=True) if name >= first]


def _utc_month(moment: str) -> str:
    """`2026-11` of an ISO 8601 moment; one without an offset is UTC."""
    when = datetime.fromisoformat(moment)
    if when.tzinfo is not None:
        when = when.astimezone(UTC)
    return f"{when:%Y-%m}"


def _month_before(session_id: str) -> str:
    """The month before that of a dated id: the id's date may be local and a day ahead of UTC."""
    year, month = int(session_id[:4]), int(session_id[4:6])
    return f"{year:04}-{month - 1:02}" if month > 1 else f"{year - 1:04}-12"


def _lines(path: Path) -> Iterator[bytes]:
    with doing("read", path), opened(path) as file:
        yield from file


def _is_about(line: bytes, session_id: str, event: str) -> bool:
    try:
        value = from_json(line)
    except ValueError:  # a torn line, or another tool's
        return False
    if not isinstance(value, dict):
        return False
    return value.get("session") == session_id and value.get("event") == event
