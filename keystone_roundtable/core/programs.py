"""The port to other programs: one is run with a text to read, and what it put out comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

MAX_OUTPUT_BYTES = 5_000_000
"""Of one program's standard output: a seat's answer has some thousands; chosen by judgement."""

NOT_STARTED, NOT_FOUND = 126, 127  # as in a shell


@dataclass(frozen=True)
class Program:
    """What is to be run: no shell reads it. `argv[0]` is found on the PATH of `environ`, which is
    the whole environment. `stdin` is fed and then closed. `family` marks the program and all that
    it starts, so that nothing of it is left behind; letters, digits, dashes and dots. `wraps`: it
    only runs another program, and ends by itself when that one does.
    """

    argv: tuple[str, ...]
    stdin: bytes
    environ: Mapping[str, str]
    folder: str
    family: str
    time_limit_s: float | None = None
    wraps: bool = False


@dataclass(frozen=True)
class Ran:
    """How it ended, with nothing of it running any more.

    `status` is the exit status, minus the signal's number where one ended it; 126 and 127 where it
    could not be started, and `stderr` says why. `stdout` is all that it put out, cut where
    `too_long` says so; `stderr` is the end of it. Bytes that are no UTF-8 are U+FFFD.
    """

    status: int
    stdout: str
    stderr: str
    too_long: bool = False
    timed_out: bool = False
    """Whether it was ended at its time limit; what it had put out by then is there."""


class Programs(Protocol):
    async def run(self, program: Program) -> Ran:
        """Raises nothing of its own. Cancelled, it asks the program and all that it started to end,
        and then ends them, before the cancellation goes on.
        """
        ...

    def said(
        self,
        argv: tuple[str, ...],
        environ: Mapping[str, str],
        timeout_s: float,
        folder: str | None = None,
    ) -> Ran:
        """What a short command puts out, such as its version. Blocks; status 124 on a timeout.
        Nothing that it started is left running.
        """
        ...
