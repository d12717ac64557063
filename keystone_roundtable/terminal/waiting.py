"""What is waited for, while it lasts: a line with the seconds that have passed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from . import strings

QUIET_S = 0.3  # a shorter wait is not worth a word; chosen by judgement
_EVERY_S = 0.1
_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_ERASE = "\r\x1b[K"


@contextmanager
def spinning(out: TextIO, what: str) -> Iterator[None]:
    """Draws on the cursor's line of a terminal, and leaves it empty."""
    done = threading.Event()
    drawer = threading.Thread(target=_spin, args=(out, what, done), daemon=True)
    drawer.start()
    try:
        yield
    finally:
        done.set()
        drawer.join()


def _spin(out: TextIO, what: str, done: threading.Event) -> None:
    if done.wait(QUIET_S):
        return
    frame = 0
    try:
        while True:
            seconds = QUIET_S + frame * _EVERY_S
            mark = _FRAMES[frame % len(_FRAMES)]
            line = f"{mark} {strings.WAITING_FOR}{what}, {seconds:.0f} s ({strings.WAITING_KEYS})"
            print(f"{_ERASE}{line}", end="", file=out, flush=True)
            if done.wait(_EVERY_S):
                break
            frame += 1
        print(_ERASE, end="", file=out, flush=True)
    except (OSError, ValueError):  # the terminal is gone; what waits will find out
        done.wait()


@contextmanager
def announced(out: TextIO, what: str) -> Iterator[None]:
    """One line where the wait gets long, for a screen that is read aloud."""
    timer = threading.Timer(
        QUIET_S, lambda: print(f"{strings.WAITING_FOR.capitalize()}{what}.", file=out, flush=True)
    )
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
