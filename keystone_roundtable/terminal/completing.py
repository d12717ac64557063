"""Completion of the commands that begin with a slash."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from ..core.inputs import COMMANDS
from ..core.records import MODES
from . import strings


class CommandCompleter(Completer):
    """Offers `commands` at the start of an input, and the modes after `/mode`."""

    def __init__(self, commands: Sequence[str]) -> None:
        self._commands = commands

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        typed = document.text.casefold()
        if not typed.startswith("/") or not document.is_cursor_at_the_end:
            return
        word, space, argument = typed.partition(" ")
        if not space:
            yield from _matching(word, {name: COMMANDS[name] for name in self._commands})
        elif word == "/mode" and word in self._commands:
            yield from _matching(argument, {mode: strings.MODE_CHOICES[mode] for mode in MODES})


def _matching(typed: str, known: dict[str, str]) -> Iterable[Completion]:
    for name, what in known.items():
        if name.startswith(typed):
            yield Completion(name, start_position=-len(typed), display_meta=what)
