"""Keeps the terminal quiet between two prompts: keys typed ahead are neither echoed nor changed."""

from __future__ import annotations

import atexit
import os
import termios
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from prompt_toolkit.input import Input
from prompt_toolkit.input.typeahead import store_typeahead
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys

_INPUT, _LOCAL = 0, 3  # places in what tcgetattr gives

_held: set[int] = set()


def keep_quiet(source: Input) -> None:
    """Switches echo off for the rest of the process, where `source` is a terminal.

    A prompt reads key by key. Between two prompts the terminal would fall back to whole lines: it
    would echo what is typed ahead into the record and turn Enter into the key for a new line.
    What was set before is set again when the process ends.
    """
    descriptor = _terminal_of(source)
    if descriptor is None or descriptor in _held:
        return
    before = termios.tcgetattr(descriptor)
    _held.add(descriptor)
    atexit.register(_restore, descriptor, before)

    def quieten(settings: list[Any]) -> None:
        settings[_INPUT] &= ~termios.ICRNL
        settings[_LOCAL] &= ~(termios.ECHO | termios.ICANON)

    _change(descriptor, quieten)
    _take_what_was_typed_before(source)


def interrupt_by_ctrl_c(source: Input, wanted: bool) -> None:
    """Whether Ctrl-C interrupts the process, as between two prompts, or is a key like others."""
    descriptor = _terminal_of(source)
    if descriptor is None or descriptor not in _held:
        return

    def change(settings: list[Any]) -> None:
        signals = termios.ISIG if wanted else 0
        settings[_LOCAL] = (settings[_LOCAL] & ~termios.ISIG) | signals

    _change(descriptor, change)


def _terminal_of(source: Input) -> int | None:
    with suppress(NotImplementedError, OSError, ValueError):
        descriptor = source.fileno()
        return descriptor if os.isatty(descriptor) else None
    return None


def _change(descriptor: int, change: Callable[[list[Any]], None]) -> None:
    with suppress(termios.error):  # the terminal is gone
        settings = termios.tcgetattr(descriptor)
        change(settings)
        termios.tcsetattr(descriptor, termios.TCSANOW, settings)


def _take_what_was_typed_before(source: Input) -> None:
    """Hands what was typed while the program started to the first prompt, Enter as Enter."""
    typed = [
        KeyPress(Keys.Enter, "\r") if press.key == Keys.ControlJ else press
        for press in source.read_keys()
    ]
    store_typeahead(source, typed)


def _restore(descriptor: int, before: list[Any]) -> None:
    """Sets what was set before. What is typed and unread does not become a command of the shell."""
    with suppress(termios.error):  # the terminal is gone
        termios.tcflush(descriptor, termios.TCIFLUSH)
        termios.tcsetattr(descriptor, termios.TCSANOW, before)
