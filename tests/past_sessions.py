"""Sessions as they lie in a project's folder, written by hand: thousands in a moment."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from keystone_roundtable.stores.places import roundtable_folder, sessions_folder

START = "2026-04-11T10:00:00.000000+00:00"
TOPIC = "Should we move the job queue to Postgres or stay on SQLite?"
OPTION = "stay on SQLite"


def event(kind: str, at: str = START, **fields: Any) -> dict[str, Any]:
    return {"at": at, "type": kind, **fields}


def put_session(
    root: Path,
    session_id: str,
    topic: str = TOPIC,
    *,
    answers: Sequence[str] = (),
    option: str | None = OPTION,
    decision: str = "roundtable-aligned",
    end: str | None = "session_finished",
    at: str = START,
    **start: Any,
) -> Path:
    """A session that ended with the event `end`, or is open; gives its folder."""
    folder = sessions_folder(root) / session_id
    folder.mkdir(parents=True)
    events = [event("session_started", at, schema_version=1, session=session_id, topic=topic)]
    events[0] |= {"project": "p1", "version": "0.1.0", "model": "offline", **start}
    for number, text in enumerate(answers, 1):
        answer = {"question": f"Q{number}", "asking": f"k{number}", "text": text}
        events.append(event("answer_given", at, answer=answer))
    if end is not None:
        events.append(event(end, at))
    write_events(folder, events)
    if end == "session_finished":
        contract = {"topic": topic, "option": option, "decision": decision, "confidence": 0.9}
        contract |= {"mode": "align", "format": "socratic", "session": session_id}
        (folder / "contract.json").write_text(json.dumps(contract), encoding="utf-8")
    return folder


def put_other(root: Path, place: str, first: dict[str, Any], *more: dict[str, Any]) -> Path:
    """What lies at `place`, such as `rooms/name`: a log of a table or a room; gives its folder."""
    folder = roundtable_folder(root) / place
    folder.mkdir(parents=True)
    write_events(folder, [first, *more])
    return folder


def write_events(folder: Path, events: Sequence[dict[str, Any]]) -> None:
    text = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in events)
    (folder / "events.jsonl").write_text(text, encoding="utf-8")


def made_old(folder: Path, day: str = "2026-04-11") -> None:
    """Gives every event of a session another day."""
    log = folder / "events.jsonl"
    text = log.read_text(encoding="utf-8")
    log.write_text(re.sub(r'("at": ")[0-9-]{10}', rf"\g<1>{day}", text), encoding="utf-8")
