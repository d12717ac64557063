"""Keeps the terminal quiet between two prompts: keys typed ahead are neither echoed nor changed."""

from __future__ import annotations

import atexit
import os
import termios

from prompt_toolkit.input import Input

_held: dict[int, list[object]] = {}


def keep_quiet(source: Input) -> None:
    """Switches echo off for the rest of the process, where `source` is a terminal.

    A prompt reads key by key. Between two prompts the terminal would fall back to whole lines: it
    would echo what is typed ahead into the record and turn Enter into the key for a new line.
    Ctrl-C stays an interrupt. What was set before is set again when the process ends.
    """
    try:
        descriptor = source.fileno()
    except (NotImplementedError, OSError, ValueError):
        return
    if descriptor in _held or not os.isatty(descriptor):
        return
    before = termios.tcgetattr(descriptor)
    _held[descriptor] = before
    quiet = [*before]
    quiet[_INPUT] &= ~termios.ICRNL
    quiet[_LOCAL] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(descriptor, termios.TCSANOW, quiet)
    atexit.register(_restore, descriptor, before)


def _restore(descriptor: int, before: list[object]) -> None:
    try:
        termios.tcsetattr(descriptor, termios.TCSANOW, before)  # type: ignore[arg-type]
    except (termios.error, OSError):  # the terminal is gone
        return


_INPUT, _LOCAL = 0, 3  # places in what tcgetattr gives
