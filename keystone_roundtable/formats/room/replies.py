"""What a seat has to reply in each round, and what in a reply breaks a rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ...core.plain import as_read, is_blank, one_line
from .records import RoundName, Turn
from .room import Room


def _no_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("must be a number, not true or false")
    return value


Confidence = Annotated[int, Field(ge=1, le=10), BeforeValidator(_no_boolean)]

# Beyond this a turn would crowd the others out of every prompt; chosen by judgement.
_TIMES_THE_CAP, _LETTERS_A_WORD = 4, 12

_NO_CHANGE = ("no change", "no change.", "none", "nothing", "unchanged", "n/a", "-")


class OpeningReply(BaseModel):
    """Fields that were not asked for are passed over."""

    model_config = ConfigDict(frozen=True)

    position: str
    confidence: Confidence
    text: str


class CrossReply(OpeningReply):
    changed: str
    moved_by: str = ""


class ConvergeReply(CrossReply):
    would_change: str


SHAPES: Mapping[RoundName, type[OpeningReply]] = {
    "opening": OpeningReply,
    "cross": CrossReply,
    "converge": ConvergeReply,
}


def ids_of(
    room: Room, round_name: RoundName, letters: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """By field, the strings that may stand in it."""
    ids = {"position": room.now.options}
    if round_name != "opening":
        ids["moved_by"] = (*letters, "")
    return ids


def breach(room: Room, letters: Mapping[str, str], reply: BaseModel) -> str | None:
    """Why a well-formed reply cannot be used, in words for whoever gave it."""
    assert isinstance(reply, OpeningReply)
    if _option(reply.position, room.now.options) is None:
        listed = ", ".join(f'"{one_line(option)}"' for option in room.now.options)
        return f"position must be one of the options: {listed}"
    if is_blank(reply.text):
        return "text is empty"
    words, most = len(reply.text.split()), _TIMES_THE_CAP * room.start.word_cap
    if words > most or len(reply.text) > most * _LETTERS_A_WORD:
        return f"text has {words:,} words; {room.start.word_cap} were asked for"
    if isinstance(reply, CrossReply) and reply.moved_by.strip() not in (*letters, ""):
        return f'moved_by must be one of the letters {", ".join(letters)}, or ""'
    return None


def turn_from(room: Room, letters: Mapping[str, str], reply: BaseModel) -> Turn:
    """The reply that was checked, in the options' own spelling and with names for letters."""
    assert isinstance(reply, OpeningReply)
    changed = moved_by = would_change = ""
    if isinstance(reply, CrossReply):
        bare = one_line(reply.changed).casefold()
        changed = "" if is_blank(reply.changed) or bare in _NO_CHANGE else reply.changed.strip()
        moved_by = letters.get(reply.moved_by.strip(), "")
    if isinstance(reply, ConvergeReply):
        would_change = reply.would_change.strip()
    return Turn(
        position=_option(reply.position, room.now.options) or reply.position,
        confidence=reply.confidence,
        text=reply.text.strip("\n"),
        changed=changed,
        moved_by=moved_by,
        would_change=would_change,
    )


def _option(words: str, options: tuple[str, ...]) -> str | None:
    return next((option for option in options if as_read(option) == as_read(words)), None)
