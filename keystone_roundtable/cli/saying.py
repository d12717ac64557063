"""What a command tells or asks a person beside its result, which goes to standard output."""

from __future__ import annotations

import sys
from typing import TextIO

from ..core.plain import plain
from ..terminal.columns import columns_of
from .typed import as_typed


def say(message: str) -> None:
    """Prints it to standard error at once; nothing in it moves a terminal's cursor."""
    print(plain(message), file=sys.stderr, flush=True)


def ask_line(question: str) -> str:
    """What is typed after `question`, on standard error. Raises `EOFError` where input ends."""
    print(question, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        print(file=sys.stderr)
        raise EOFError
    return as_typed(line).strip()


def say_wrapped(line: str) -> None:
    """One line, on a terminal wrapped between words."""
    print_wrapped(line, sys.stderr)


def print_wrapped(line: str, out: TextIO | None = None) -> None:
    """The same of a command's result, by default on standard output."""
    out = out or sys.stdout
    width = columns_of(out)
    for part in line.splitlines() or [""]:
        for row in [part] if width is None else _wrapped(part, width):
            print(row, file=out, flush=True)


def _wrapped(line: str, width: int) -> list[str]:
    from ..terminal.wrapping import wrap  # loads a library that other commands do without

    words = line.lstrip(" ")
    indent = line[: len(line) - len(words)]
    return [f"{indent}{row}" for row in wrap(words, max(1, width - 1 - len(indent)))]
