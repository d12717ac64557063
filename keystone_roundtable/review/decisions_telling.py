"""What the events of a log say as far as it is searched, for each format; read as plain JSON.

Whatever of an event is not as it should be is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..core.limits import SCHEMA_VERSION
from ..stores.places import Format
from ..stores.summaries import CLOSED_ROOM, STATUS_AFTER, StatusWord


class Told:
    """What every log says. `topic` stays "" where it does not begin as its format does."""

    begins: str

    def __init__(self) -> None:
        self.id = self.topic = self.at = self.mode = ""
        self.status: StatusWord = "unknown"
        self.options: list[str] = []
        self.concluded: list[str] = []

    def take(self, event: dict[str, Any]) -> None:
        kind = event.get("type")
        self.at = text_in(event.get("at")) or self.at
        self.status = STATUS_AFTER.get(str(kind), "open")
        if kind == self.begins:
            version = event.get("schema_version")
            if not (isinstance(version, int) and version > SCHEMA_VERSION):
                self._begin(event)
        else:
            self._take(str(kind), event)

    def said(self) -> list[str]:
        """Everything that was said, in no order that matters."""
        raise NotImplementedError

    def _begin(self, event: dict[str, Any]) -> None:
        raise NotImplementedError

    def _take(self, kind: str, event: dict[str, Any]) -> None:
        raise NotImplementedError


class ToldSession(Told):
    begins = "session_started"

    def __init__(self) -> None:
        super().__init__()
        self._answers: dict[str, str] = {}
        """What was answered last, by question."""
        self._notes: list[str] = []
        self._suggested: list[str] = []

    def said(self) -> list[str]:
        return [self.topic, *self._answers.values(), *self._notes]

    def _begin(self, event: dict[str, Any]) -> None:
        self.topic = text_in(event.get("topic"))

    def _take(self, kind: str, event: dict[str, Any]) -> None:
        match kind:
            case "preview_made":
                preview = _object(event.get("preview"))
                self.mode = text_in(preview.get("mode"))
                self.options = _texts(preview.get("options"))
                self._answers.clear()
            case "question_asked":
                self._suggested = _texts(_object(event.get("question")).get("suggestions"))
            case "answer_given":
                self._take_answer(_object(event.get("answer")))
            case "note_added":
                self._notes.append(text_in(event.get("text")))
            case "report_drafted":
                conclusion = _object(event.get("conclusion"))
                lines = (_object(conclusion.get(name)) for name in ("decision", "why"))
                self.concluded = [text_in(line.get("text")) for line in lines]

    def _take_answer(self, answer: dict[str, Any]) -> None:
        text = text_in(answer.get("text"))
        if answer.get("picked") is True and text.strip().isdecimal():
            number = int(text) if len(text) < 4 else 0
            text = dict(enumerate(self._suggested, 1)).get(number, text)
        self._answers[text_in(answer.get("question"))] = text


class ToldTable(Told):
    begins = "table_started"

    def __init__(self) -> None:
        super().__init__()
        self._facts: list[str] = []
        self._argued: list[str] = []

    def said(self) -> list[str]:
        return [self.topic, *self._facts, *self._argued]

    def _begin(self, event: dict[str, Any]) -> None:
        self.topic = text_in(event.get("question"))
        self.options = _strings(event.get("options"))
        self._facts = [text_in(event.get("facts"))]

    def _take(self, kind: str, event: dict[str, Any]) -> None:
        match kind:
            case "options_confirmed":
                self.options = _strings(event.get("options"))
            case "facts_settled":  # every one that was noted is among them
                self._facts = [text_in(event.get("facts"))]
            case "soul_answered":
                self._argued += _fields(event.get("reply"), "argument", "self_update")
            case "ballot_cast":
                self._argued += _fields(event.get("ballot"), "rationale", "dissent_note")
            case "axes_drawn":
                self._argued += _strings(event.get("axes"))


class ToldRoom(Told):
    begins = "room_opened"

    def __init__(self) -> None:
        super().__init__()
        self._motion: list[str] = []
        self._argued: list[str] = []

    def take(self, event: dict[str, Any]) -> None:
        closed = self.status == STATUS_AFTER[CLOSED_ROOM]
        super().take(event)
        if closed:
            self.status = STATUS_AFTER[CLOSED_ROOM]

    def said(self) -> list[str]:
        return [*self._motion, *self._argued]

    def _begin(self, event: dict[str, Any]) -> None:
        motion = _object(event.get("motion"))
        self.id = text_in(event.get("room"))
        self.topic = text_in(motion.get("decision"))
        self.options = _strings(motion.get("options"))
        self._motion = list(_fields(motion, "question", "decision", "constraints", "settles"))

    def _take(self, kind: str, event: dict[str, Any]) -> None:
        match kind:
            case "turn_taken":
                turn = _object(event.get("said")).get("turn")
                self._argued += _fields(turn, "text", "changed", "would_change")
            case "point_pressed":
                self._motion.append(text_in(event.get("point")))
            case "claims_drawn":
                self._argued += _each(event.get("claims"), "claim")
            case "decision_made":
                decision = _object(event.get("decision"))
                self.concluded = [
                    *_fields(decision, "call", "cost", "signal"),
                    *_each(decision.get("why"), "text"),
                    *_each(decision.get("dissent"), "text"),
                ]


TOLD_BY: Mapping[Format, type[Told]] = {
    "socratic": ToldSession,
    "table": ToldTable,
    "room": ToldRoom,
}


def text_in(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(values: object) -> list[str]:
    """The `text` of each object in a list."""
    return list(_each(values, "text"))


def _each(values: object, name: str) -> Iterator[str]:
    for value in values if isinstance(values, list) else ():
        yield text_in(_object(value).get(name))


def _fields(value: object, *names: str) -> Iterator[str]:
    return (text_in(_object(value).get(name)) for name in names)


def _strings(values: object) -> list[str]:
    return [text_in(value) for value in values] if isinstance(values, list) else []


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
