"""What the keys do at a prompt, beyond the usual editing keys."""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.application.current import get_app
from prompt_toolkit.key_binding import KeyBindings, KeyBindingsBase, merge_key_bindings
from prompt_toolkit.key_binding.bindings.auto_suggest import load_auto_suggest_bindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.utils import suspend_to_background_supported

from ..core.plain import plain
from ..core.records import PauseCause


def make_keys(submit: Callable[[], None], pause: Callable[[PauseCause], None]) -> KeyBindingsBase:
    """Enter submits, Alt-Enter and Ctrl-J start a line, Ctrl-C and Ctrl-D pause."""
    keys = KeyBindings()

    @keys.add("enter")
    def _(event: KeyPressEvent) -> None:
        submit()

    @keys.add("escape", "enter")
    @keys.add("c-j")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    @keys.add("c-c")
    @keys.add("<sigint>")
    def _(event: KeyPressEvent) -> None:
        pause("interrupt")

    @keys.add("c-d")
    def _(event: KeyPressEvent) -> None:
        pause("end_of_input")

    @keys.add("c-z")
    def _(event: KeyPressEvent) -> None:
        if suspend_to_background_supported():
            event.app.suspend_to_background()

    @keys.add(Keys.BracketedPaste)
    def _(event: KeyPressEvent) -> None:
        # Escapes that came with the text would stay in the answer unseen.
        event.current_buffer.insert_text(plain(event.data))

    @keys.add("escape", eager=False)
    def _(event: KeyPressEvent) -> None:
        """Escape alone does nothing, except that it closes the list of commands."""
        get_app().current_buffer.cancel_completion()

    return merge_key_bindings([load_auto_suggest_bindings(), keys])
