"""What a person can put in at a prompt: words, or one of the commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from .errors import UsageError
from .records import MODES, Author, ModeId, PauseCause


@dataclass(frozen=True)
class Said:
    """Words. Blank words are no answer."""

    text: str
    by: Author = "user"


@dataclass(frozen=True)
class Skip:
    by: Author = "user"


@dataclass(frozen=True)
class Back:
    pass


@dataclass(frozen=True)
class Stop:
    pass


@dataclass(frozen=True)
class Defer:
    pass


@dataclass(frozen=True)
class Explain:
    """`/why`: what the question is for; not an answer."""


@dataclass(frozen=True)
class Help:
    pass


@dataclass(frozen=True)
class AddNote:
    text: str
    by: Author = "user"


@dataclass(frozen=True)
class SetMode:
    mode: ModeId | None
    """None lets the person choose from a list."""


@dataclass(frozen=True)
class Pause:
    cause: PauseCause
    draft: str = ""


@dataclass(frozen=True)
class Accept:
    """The drafted report stands."""


Input = Said | Skip | Back | Stop | Defer | Explain | Help | AddNote | SetMode | Pause | Accept

COMMANDS: dict[str, str] = {
    "/help": "what can be typed here",
    "/why": "what this question is for",
    "/mode": "another mode: brainstorm, align or challenge (before the second question)",
    "/back": "revise the previous answer",
    "/skip": "leave this question open (counts as a non-answer)",
    "/note": "add a fact: /note TEXT",
    "/stop": "no more questions, conclude now",
    "/defer": "decide another day",
    "/quit": "pause; nothing is decided, everything is kept",
}
"""Each command and what it does."""

_OTHER_NAMES = {
    "/exit": "/quit",
    "/q": "/quit",
    "/bye": "/quit",
    "/pause": "/quit",
    "/end": "/stop",
    "/done": "/stop",
    "/finish": "/stop",
    "/later": "/defer",
    "/next": "/skip",
    "/undo": "/back",
}
_ALIKE = 0.75  # "/sotp" is like "/stop"; "/home" is not like "/mode"; chosen by judgement
LEAVING_WORDS = frozenset({"exit", "quit", "q", ":q", "logout"})
"""What ends other programs. Here it is an answer ("exit" to "sell or exit?"), and may be a slip."""


def parse_input(text: str, by: Author = "user") -> Input:
    """The command that `text` gives, else the words said.

    Only a known command at the very start counts; any other text with a slash is an answer
    ("/etc/hosts is shared"). Raises `UsageError` where a command lacks what it needs, and for a
    lone word with a slash that is nearly one ("/sotp").
    """
    word, *rest = text.split(maxsplit=1) or [""]
    name, argument = word.casefold(), "".join(rest).strip()
    name = _last_of_glued(name)
    if name not in COMMANDS:
        if not argument and (meant := _nearly(name)):
            raise UsageError(
                f"{name} is no command (did you mean {meant}?)",
                "Put words around it if it is your answer",
            )
        return Said(text, by)
    if name == "/note":
        if not argument:
            raise UsageError("/note needs the fact to add", "Type /note TEXT")
        return AddNote(argument, by)
    if name == "/mode":
        return SetMode(_mode(argument))
    if argument:
        return Said(text, by)
    simple: dict[str, Input] = {
        "/help": Help(),
        "/why": Explain(),
        "/back": Back(),
        "/skip": Skip(by),
        "/stop": Stop(),
        "/defer": Defer(),
        "/quit": Pause("quit"),
    }
    return simple[name]


def _nearly(name: str) -> str:
    """The command that a word with a slash seems to stand for, or ""."""
    if not (name.startswith("/") and name[1:].isalpha()):
        return ""
    from difflib import get_close_matches  # seldom needed

    close = get_close_matches(name, COMMANDS, n=1, cutoff=_ALIKE)
    return _OTHER_NAMES.get(name) or (close[0] if close else "")


def _last_of_glued(name: str) -> str:
    """`/back/quit` is what a refused command and the next one look like: the next one counts."""
    parts = ["/" + part for part in name.split("/")[1:]]
    return parts[-1] if len(parts) > 1 and all(part in COMMANDS for part in parts) else name


def _mode(argument: str) -> ModeId | None:
    if not argument:
        return None
    if argument.casefold() not in MODES:
        raise UsageError(f"'{argument}' is no mode", f"Choose one of {', '.join(MODES)}")
    return cast(ModeId, argument.casefold())
