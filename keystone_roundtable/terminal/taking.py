"""What is taken of what was typed, and what is said first where it is not."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.errors import UsageError
from ..core.inputs import (
    COMMANDS,
    LEAVING_WORDS,
    Back,
    Input,
    Said,
    SetMode,
    Skip,
    parse_input,
)
from ..core.plain import one_line
from ..core.session import Session
from . import strings


def commands_for(session: Session) -> list[str]:
    """The commands that do something at the open question."""
    first = len(session.turns) <= 1
    return [name for name in COMMANDS if name != ("/back" if first else "/mode")]


def out_of_place(session: Session, given: Input) -> str:
    """Why a command does nothing at the open question; "" where it does something."""
    first = len(session.turns) <= 1
    match given:
        case Back() if first:
            return strings.NOTHING_BEFORE
        case SetMode() if not first:
            return strings.MODE_IS_SET
    return ""


def late_problem(text: str, offered: Sequence[str]) -> str:
    """Why a text is not taken after the questions: only the commands offered do something."""
    try:
        given = parse_input(text)
    except UsageError as error:
        return f"{error}."
    if isinstance(given, Said) or text.split()[0].casefold() in offered:
        return ""
    return strings.not_here(offered)


def confirm_problem(text: str) -> str:
    return late_problem(text, strings.CONFIRM_COMMANDS) if text.strip() else strings.NO_WORDS


def topic_problem(text: str) -> str:
    if not text.strip():
        return strings.TOPIC_IS_BLANK
    return strings.TOPIC_FIRST if text.split()[0].casefold() in COMMANDS else ""


def spent(text: str) -> bool:
    """Whether a refused text is a whole command that does nothing here: there is no mending it."""
    try:
        return not isinstance(parse_input(text), (Said, Skip))
    except UsageError:  # "/mode fast" can be put right where it stands
        return False


def doubt_about(session: Session, given: Input) -> str:
    """What is worth asking back before the input counts; "" mostly."""
    match given:
        case Skip() if strings.breaker_state(session):
            return strings.SKIP_WARNING_HERE
        case Said(text) if text.startswith("/") and text[1:].isalpha():
            return strings.no_command(one_line(text))
    return leaving_doubt(given)


def leaving_doubt(given: Input) -> str:
    """What is asked back about a word that ends other programs; "" for anything else."""
    if isinstance(given, Said) and given.text.strip().casefold() in LEAVING_WORDS:
        return strings.to_leave(one_line(given.text.strip()))
    return ""
