"""What is searched of a session, a table or a room: read from its folder as plain JSON, thousands
in seconds.

The log's own reader checks every event, which an index of all sessions cannot wait for. Whatever
of a log is no event is passed over here.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..core.plain import one_line, plain
from ..core.secrets import mask
from ..stores.json_text import from_json
from ..stores.ordinary import read_ordinary
from ..stores.places import LOG_NAME, SESSION_ID, Format
from ..stores.summaries import confidence_in, read_contract, settled
from .decisions_telling import TOLD_BY, text_in

_FINAL = ("finished", "redirected", "rehearsal", "failed", "declined")

# The longest lines of a log, which hold nothing that was said or decided.
_PASSED_OVER = (
    b'"answer_assessed"', b'"model_asked"', b'"model_replied"', b'"model_called"',
    b'"receipt_taken"',
)  # fmt: skip
_TYPE_WITHIN = 120  # bytes of a line; an event says when it happened, and then what it is


class Remembered(NamedTuple):
    """One of them as the index holds it; "" or None where something is unknown.

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
    format: Format
    options: str
    """Every path that the topic opened, in one text."""
    said: str
    concluded: str

    @property
    def final(self) -> bool:
        """Whether nothing is added to its log any more."""
        return self.status in _FINAL


def remembered(folder: Path, of: Format) -> Remembered:
    """What is said in `folder`; what cannot be read has the status "unknown"."""
    told = TOLD_BY[of]()
    try:
        for event in _events(read_ordinary(folder / LOG_NAME)):
            told.take(event)
        contract = read_contract(folder) if told.status == "finished" else {}
    except OSError:
        return _unknown(folder.name, of)
    held_id = told.id if of == "room" else folder.name
    if not (told.topic and SESSION_ID.fullmatch(held_id)):
        return _unknown(folder.name, of)
    concluded = [*told.concluded, text_in(contract.get("rationale"))]
    return Remembered(
        id=held_id,
        status=settled(told.status, contract),
        at=told.at,
        topic=one_line(mask(text_in(contract.get("topic")) or told.topic)),
        option=one_line(mask(text_in(contract.get("option")))),
        decision=one_line(text_in(contract.get("decision"))),
        confidence=confidence_in(contract),
        mode=one_line(text_in(contract.get("mode")) or told.mode),
        format=of,
        options=_searched(told.options),
        said=_searched(told.said()),
        concluded=_searched(told.concluded if of == "socratic" else concluded),
    )


def _searched(texts: list[str]) -> str:
    return plain(mask("\n".join(texts)))


def _unknown(name: str, of: Format) -> Remembered:
    return Remembered(name, "unknown", "", "", "", "", None, "", of, "", "", "")


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
