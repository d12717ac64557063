"""What is taken of what was typed, and what is said first where it is not."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from ..core.errors import UsageError
from ..core.inputs import COMMANDS, Back, Input, Said, SetMode, Skip, parse_input
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
            close = get_close_matches(text.casefold(), COMMANDS, n=1)
            return strings.no_command(one_line(text), close[0] if close else "")
    return ""
