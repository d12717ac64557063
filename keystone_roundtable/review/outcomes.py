"""What became of a decision, told months later: `outcomes.jsonl` in its folder.

Every line stays; the last one counts. For each there is a telemetry line without the note, so that
stated confidence can be held against what happened without reading any log.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..core.limits import SCHEMA_VERSION
from ..core.plain import one_line
from ..core.telemetry import SKILL, timestamp
from ..stores.errors import doing
from ..stores.files import append_line, locked, read_bytes
from ..stores.held import Held
from ..stores.json_text import from_json, to_json
from ..stores.ordinary import opened
from ..stores.places import LOG_NAME, OUTCOMES_NAME
from ..stores.telemetry import Telemetry

OUTCOMES = ("held", "reversed", "partly", "unknown")


class Recorded(NamedTuple):
    """One outcome as it was told. `telemetry` is False where no line of it was wanted."""

    at: str
    outcome: str
    note: str
    telemetry: bool


class Stated(NamedTuple):
    """What the contract said at the end; only a session has a mode."""

    decision: str
    confidence: float
    mode: str | None
    format: str


def read_outcomes(folder: Path) -> tuple[Recorded, ...]:
    """What was told of what is in `folder`, in order; the last one counts.

    Lines that hold no outcome, such as one torn by a crash, are passed over. Raises `StoreError`.
    """
    path = folder / OUTCOMES_NAME
    found = []
    for data in (read_bytes(path) or b"").split(b"\n"):
        try:
            line = from_json(data)
        except ValueError:
            continue
        if (one := _recorded(line)) is not None:
            found.append(one)
    return tuple(found)


class Record(NamedTuple):
    """What recording an outcome came to."""

    new: bool
    """False where the very same had been told last; nothing was added then."""
    before: Recorded | None
    """What had counted until then."""


def record_outcome(root: Path, held: Held, told: Recorded, stated: Stated) -> Record:
    """Keeps an outcome with the decision, then writes its telemetry line.

    Telling the same again adds nothing, but writes the telemetry line that a crash kept from being
    written. What was held without telemetry gets no line. Raises `StoreError`.
    """
    folder = held.folder
    path = folder / OUTCOMES_NAME
    start = _start_of(folder)
    told = told._replace(telemetry=told.telemetry and start.get("telemetry") is not False)
    with locked(path):
        earlier = read_outcomes(folder)
        before = earlier[-1] if earlier else None
        new = before is None or (before.outcome, before.note) != (told.outcome, told.note)
        if new:
            line = {"schema_version": SCHEMA_VERSION, **told._asdict()}
            append_line(path, to_json(line), durable=True)
        _complete_telemetry(root, held.id, read_outcomes(folder), stated, start)
    return Record(new, before)


def _complete_telemetry(
    root: Path,
    held_id: str,
    recorded: tuple[Recorded, ...],
    stated: Stated,
    start: Mapping[str, Any],
) -> None:
    """Writes the lines that are wanted and missing. `revision` tells them apart."""
    telemetry = Telemetry(root)
    lines = telemetry.lines_about(held_id, "outcome", since=recorded[0].at[:7])
    written = [line.get("revision") for line in lines]
    for revision, one in enumerate(recorded, 1):
        if one.telemetry and revision not in written:
            telemetry.append(outcome_line(held_id, revision, one, stated, start))


def outcome_line(
    held_id: str, revision: int, told: Recorded, stated: Stated, start: Mapping[str, Any]
) -> dict[str, Any]:
    """The telemetry line of an outcome: names and a number, nothing of what was said.

    `start` is the log's first event.
    """
    return {
        "skill": SKILL,
        "ts": timestamp(told.at),
        "confidence": stated.confidence,
        "mode": stated.mode,
        "schema_version": SCHEMA_VERSION,
        "event": "outcome",
        "format": stated.format,
        "session": held_id,
        "project": start.get("project", ""),
        "version": start.get("version", ""),
        "model": _model_in(start),
        "outcome": told.outcome,
        "revision": revision,
    }


def _model_in(start: Mapping[str, Any]) -> str:
    """What spoke: of a room each seat's model or engine, once."""
    if "seats" not in start:
        return str(start.get("model", ""))
    seats = [one.get("seat") for one in start["seats"] if isinstance(one, dict)]
    spoke = [one.get("model") or one.get("engine") for one in seats if isinstance(one, dict)]
    return one_line(",".join(dict.fromkeys(map(str, spoke))))[:200]


def _start_of(folder: Path) -> dict[str, Any]:
    """The log's first event as plain JSON."""
    path = folder / LOG_NAME
    with doing("read", path), opened(path) as log:
        line = log.readline()
    try:
        event = from_json(line)
    except ValueError:
        return {}
    return event if isinstance(event, dict) else {}


def _recorded(line: Any) -> Recorded | None:
    if not isinstance(line, dict):
        return None
    at, outcome, note = line.get("at"), line.get("outcome"), line.get("note", "")
    if not (isinstance(at, str) and isinstance(note, str) and outcome in OUTCOMES):
        return None
    return Recorded(at, str(outcome), note, line.get("telemetry") is not False)
