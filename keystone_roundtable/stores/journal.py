"""What was asked of a session from outside and what was answered: `exchanges.jsonl` beside its log.

A line stands before a request is acted on, another with the response after. Whoever holds the
session's log holds this file too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .files import append_line, read_bytes
from .json_text import from_json, to_json

JOURNAL_NAME = "exchanges.jsonl"


@dataclass(frozen=True)
class Taken:
    """A request that was taken up when the session had `events` events.

    `response` is None where the process ended before it answered; `overtaken` says that a later
    request was taken up at the same point, so that this one came to nothing.
    """

    events: int
    response: dict[str, Any] | None
    overtaken: bool


class ExchangeJournal:
    """The exchanges of the session in `folder`; the file need not exist yet."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / JOURNAL_NAME

    def find(self, digest: str) -> Taken | None:
        """What came of the request with this digest when it was last taken up; None for a new one.

        Torn lines are passed over. Raises `StoreError`.
        """
        found: Taken | None = None
        for line in self._lines():
            ours, response = line.get("digest") == digest, line.get("response")
            if ours and isinstance(response, dict):
                found = Taken(found.events if found else 0, response, overtaken=False)
            elif ours:
                found = Taken(_count(line), None, overtaken=False)
            elif found and "events" in line and _count(line) <= found.events:
                found = replace(found, overtaken=True)
        return found

    def take(self, digest: str, events: int) -> None:
        """Returns when it is on disk that the request is being acted on. Raises `StoreError`."""
        self._append({"digest": digest, "events": events})

    def answer(self, digest: str, response: dict[str, Any]) -> None:
        """Keeps the response for when the request comes again. Raises `StoreError`."""
        self._append({"digest": digest, "response": response})

    def _append(self, line: dict[str, Any]) -> None:
        append_line(self.path, to_json(line), durable=True)

    def _lines(self) -> list[dict[str, Any]]:
        lines = []
        for data in (read_bytes(self.path) or b"").split(b"\n"):
            try:
                line = from_json(data)
            except ValueError:  # torn by a crash: it never counted
                continue
            if isinstance(line, dict):
                lines.append(line)
        return lines


def _count(line: dict[str, Any]) -> int:
    events = line.get("events")
    return events if isinstance(events, int) else 0
