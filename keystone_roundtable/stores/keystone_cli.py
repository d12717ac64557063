"""Writing the state through another program: `$KEYSTONE_CLI state set KEY VALUE`."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Protocol

from .errors import StoreError
from .json_text import to_json

Scalar = str | int | float | bool | None

# Chosen by judgement: setting one key is a matter of a second.
TIMEOUT_S = 10.0

_MODULE = "keystone_roundtable"


class CompletedRun(Protocol):
    """How a process ended: 0 is success; 124 timed out, 126 and 127 not started, as in a shell."""

    @property
    def status(self) -> int: ...
    @property
    def stderr(self) -> str: ...


class Runner(Protocol):
    """Starts a process and waits for its end."""

    def run(self, argv: Sequence[str], timeout_s: float) -> CompletedRun: ...


def is_scalar(value: object) -> bool:
    return value is None or isinstance(value, str | int | float)


def is_this_program(
    command: str, own_names: Iterable[str] = ("keystone-roundtable", "roundtable")
) -> bool:
    """True where the command is this very program and nothing else: it can write directly.

    With options of its own (`--root` ...) it is not: they are to be honoured.
    """
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    name = PurePath(words[0]).name if words else ""
    if name.startswith("python"):
        return words[1:] == ["-m", _MODULE]
    return len(words) == 1 and name in own_names


def write_through_cli(values: Mapping[str, Scalar], command: str, run: Runner) -> None:
    """Sets each dotted key in order, one call of the program each.

    Stops at the first failure. Raises `StoreError` that names every key not written.
    """
    program = _words(command, values)
    keys = list(values)
    for position, key in enumerate(keys):
        done = run.run([*program, "state", "set", key, _text(values[key])], TIMEOUT_S)
        if done.status != 0:
            raise _not_written(keys[position:], command, _reason(done))


def _words(command: str, values: Mapping[str, Scalar]) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise _not_written(values, command, str(error)) from error
    if not words:
        raise _not_written(values, command, "it is empty")
    return words


def _text(value: Scalar) -> str:
    return value if isinstance(value, str) else to_json(value).decode()


def _reason(done: CompletedRun) -> str:
    """The last line of what the program said, which is where programs put the reason."""
    lines = done.stderr.strip().splitlines()
    said = f": {lines[-1].strip()}" if lines else ""
    return f"status {done.status}{said}"


def _not_written(keys: Iterable[str], command: str, reason: str) -> StoreError:
    return StoreError(
        f"state keys not written: {', '.join(keys)} (KEYSTONE_CLI={command!r}: {reason})",
        "Correct KEYSTONE_CLI or unset it",
    )
