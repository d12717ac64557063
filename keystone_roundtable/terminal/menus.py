"""Choices from a short list, with the arrow keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..core.plain import one_line
from ..core.records import MODES, ModeId
from . import strings
from .prompting import Prompter
from .quiet_tty import keep_quiet
from .styles import STYLE
from .wrapping import clip


@dataclass(frozen=True)
class Entry:
    """One choice: the value it stands for and what is read."""

    value: str
    title: str


def choose(prompter: Prompter, message: str, entries: Sequence[Entry]) -> str:
    """The value of the entry that was chosen; the menu is taken away. Raises `KeyboardInterrupt`
    on Ctrl-C.
    """
    import questionary
    from prompt_toolkit.application import create_app_session

    keep_quiet(prompter.source)
    width = prompter.columns - 4
    choices = [questionary.Choice(f"{clip(e.title, width)} ", value=e.value) for e in entries]
    with create_app_session(input=prompter.source, output=prompter.output):
        question = questionary.select(
            message,
            choices=choices,
            qmark="?",
            pointer="›",
            instruction=" ",
            style=STYLE,
            use_jk_keys=False,  # typed words must not move the choice
        )
        question.application.erase_when_done = True
        return str(question.unsafe_ask())


def choose_mode(prompter: Prompter, present: ModeId) -> ModeId | None:
    """The mode chosen; None where the present one is kept."""
    others = [mode for mode in MODES if mode != present]
    width = max(len(mode) for mode in MODES)
    entries = [Entry(m, f"{m:{width}}  {strings.MODE_CHOICES[m]}") for m in others]
    kept = Entry("", f"{present:{width}}  {strings.KEEP_MODE.lower()}")
    chosen = choose(prompter, strings.WHICH_MODE, [*entries, kept])
    return next((mode for mode in MODES if mode == chosen), None)


def choose_recovery(prompter: Prompter) -> str:
    """A key of `strings.RECOVERIES`."""
    entries = [Entry(key, title) for key, title in strings.RECOVERIES.items()]
    return choose(prompter, strings.WHAT_NOW_WITHOUT_MODEL, entries)


def enter_anyway(prompter: Prompter, route: str) -> bool:
    entries = [
        Entry("leave", strings.leave_choice(one_line(route))),
        Entry("enter", strings.ENTER_CHOICE),
    ]
    return choose(prompter, strings.WHAT_NOW, entries) == "enter"
