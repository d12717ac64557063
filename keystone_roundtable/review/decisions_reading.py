"""What is searched of a session: read from its folder as plain JSON, thousands in seconds.

The log's own reader checks every event, which an index of all sessions cannot wait for. Whatever
of a log is no event is passed over here.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..core.limits import SCHEMA_VERSION
from ..core.plain import one_line, plain
from ..core.secrets import mask
from ..stores.json_text import from_json
from ..stores.places import LOG_NAME
from ..stores.summaries import STATUS_AFTER, confidence_in, read_contract

_FINAL = ("finished", "redirected")

# The longest lines of a log, which hold nothing that was said or decided.
_PASSED_OVER = (b'"answer_assessed"', b'"model_asked"', b'"model_replied"', b'"model_called"')
_TYPE_WITHIN = 120  # bytes of a line; an event says when it happened, and then what it is


class Remembered(NamedTuple):
    """A session as the index holds it; "" or None where something is unknown.

    Texts are safe for a screen and hold no secrets.
    """

    id: str
    status: str
    at: str
    topic: str
    option: str
    decision: str
    confidence: float | None
    mode: str
    options: str
    """Every path that the topic opened, in one text."""
    said: str
    concluded: str

    @property
    def final(self) -> bool:
        """Whether nothing is added to its log any more."""
        return self.status in _FINAL


def remembered(folder: Path) -> Remembered:
    """What the session in `folder` says; one that cannot be read has the status "unknown"."""
    told = _Told()
    try:
        for event in _events((folder / LOG_NAME).read_bytes()):
            told.take(event)
        contract = read_contract(folder) if told.status == "finished" else {}
    except OSError:
        return _unknown(folder.name)
    if not told.topic:
        return _unknown(folder.name)
    return Remembered(
        id=folder.name,
        status=told.status,
        at=told.at,
        topic=one_line(mask(_text(contract.get("topic")) or told.topic)),
        option=one_line(mask(_text(contract.get("option")))),
        decision=one_line(_text(contract.get("decision"))),
        confidence=confidence_in(contract),
        mode=one_line(_text(contract.get("mode")) or told.mode),
        options=_searched(told.options),
        said=_searched([told.topic, *told.answers.values(), *told.notes]),
        concluded=_searched(told.concluded),
    )


def _searched(texts: list[str]) -> str:
    return plain(mask("\n".join(texts)))


def _unknown(session_id: str) -> Remembered:
    return Remembered(session_id, "unknown", "", "", "", "", None, "", "", "", "")


class _Told:
    """What the events of a log say, as far as it is searched."""

    def __init__(self) -> None:
        self.topic = self.at = self.mode = ""
        self.status = "unknown"
        self.options: list[str] = []
        self.answers: dict[str, str] = {}
        """What was answered last, by question."""
        self.notes: list[str] = []
        self.concluded: list[str] = []
        self._suggested: list[str] = []

    def take(self, event: dict[str, Any]) -> None:
        kind = event.get("type")
        self.at = _text(event.get("at")) or self.at
        self.status = STATUS_AFTER.get(str(kind), "open")
        match kind:
            case "session_started":
                version = event.get("schema_version")
                if not (isinstance(version, int) and version > SCHEMA_VERSION):
                    self.topic = _text(event.get("topic"))
            case "preview_made":
                preview = _object(event.get("preview"))
                self.mode = _text(preview.get("mode"))
                self.options = _texts(preview.get("options"))
                self.answers.clear()
            case "question_asked":
                self._suggested = _texts(_object(event.get("question")).get("suggestions"))
            case "answer_given":
                self._take_answer(_object(event.get("answer")))
            case "note_added":
                self.notes.append(_text(event.get("text")))
            case "report_drafted":
                conclusion = _object(event.get("conclusion"))
                lines = (_object(conclusion.get(name)) for name in ("decision", "why"))
                self.concluded = [_text(line.get("text")) for line in lines]

    def _take_answer(self, answer: dict[str, Any]) -> None:
        text = _text(answer.get("text"))
        if answer.get("picked") is True and text.strip().isdecimal():
            number = int(text) if len(text) < 4 else 0
            text = dict(enumerate(self._suggested, 1)).get(number, text)
        self.answers[_text(answer.get("question"))] = text


def _events(data: bytes) -> Iterator[dict[str, Any]]:
    """The whole lines that are JSON objects, without those that are passed over."""
    for line in data.split(b"\n")[:-1]:
        if any(kind in line[:_TYPE_WITHIN] for kind in _PASSED_OVER):
            yield {}  # a session whose last line it is is open
            continue
        try:
            event = from_json(line)
        except ValueError:
            continue
        if isinstance(event, dict):
            yield event


def _texts(values: object) -> list[str]:
    """The `text` of each object in a list."""
    return [_text(_object(v).get("text")) for v in values] if isinstance(values, list) else []


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
