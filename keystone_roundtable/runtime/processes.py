"""Starts other programs: the one place that does.

A program gets an argument list and never a shell, an allowlisted environment and a closed
standard input. Its standard error is drained to the end and the last of it kept.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

TIMED_OUT = 124
NOT_STARTED = 126
NOT_FOUND = 127

_PASSED_ON = frozenset({"PATH", "HOME", "LANG"})
_PASSED_ON_PREFIXES = ("LC_", "KEYSTONE_")

# Chosen by judgement: enough for any message, little enough for any program.
_TAIL_BYTES = 65536
_GRACE_S = 2.0


@dataclass(frozen=True)
class FinishedProcess:
    """How a process ended.

    `status` is its exit status; minus the signal's number where one ended it; as in a shell 124
    where it timed out, 126 and 127 where it could not be started. `stderr` is the end of what it
    said, or why it could not run. `stdout` is the end of what it put out, where that was kept.
    """

    status: int
    stderr: str
    stdout: str = ""


@dataclass(frozen=True)
class ProcessRunner:
    """Runs programs one at a time, with the allowed part of `environ` (by default our own)."""

    environ: Mapping[str, str] | None = None
    folder: Path | None = None
    """The working directory; None leaves our own."""

    def run(self, argv: Sequence[str], timeout_s: float) -> FinishedProcess:
        """Waits for the end of the program; its whole process group is gone after a timeout."""
        return self._run(argv, timeout_s, subprocess.DEVNULL)

    def output(self, argv: Sequence[str], timeout_s: float) -> FinishedProcess:
        """The same, and keeps what the program puts out."""
        return self._run(argv, timeout_s, subprocess.PIPE)

    def _run(self, argv: Sequence[str], timeout_s: float, stdout: int) -> FinishedProcess:
        try:
            process = subprocess.Popen(
                list(argv),
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=subprocess.PIPE,
                env=allowed(os.environ if self.environ is None else self.environ),
                cwd=self.folder,
                start_new_session=True,
            )
        except FileNotFoundError as error:
            return FinishedProcess(NOT_FOUND, f"{argv[0]}: {error.strerror}")
        except (OSError, ValueError) as error:  # no permission, too long, a NUL in an argument
            return FinishedProcess(NOT_STARTED, f"{argv[0]}: {error}")
        return _wait(process, timeout_s)


def allowed(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that a program may see."""
    return {
        name: value
        for name, value in environ.items()
        if name in _PASSED_ON or name.startswith(_PASSED_ON_PREFIXES)
    }


def _wait(process: subprocess.Popen[bytes], timeout_s: float) -> FinishedProcess:
    tails = {pipe: bytearray() for pipe in (process.stdout, process.stderr) if pipe is not None}
    drains = [threading.Thread(target=_drain, args=pair, daemon=True) for pair in tails.items()]
    for drain in drains:
        drain.start()
    try:
        status = process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        _end_group(process)
        return FinishedProcess(TIMED_OUT, f"no end within {timeout_s:g} s")
    except BaseException:  # Ctrl-C: nothing of ours goes on running
        _end_group(process)
        raise
    for drain in drains:
        drain.join(_GRACE_S)  # what it left running may hold the pipe open
    out, err = (
        bytes(tails[pipe]).decode("utf-8", "replace") if pipe is not None else ""
        for pipe in (process.stdout, process.stderr)
    )
    return FinishedProcess(status, err, out)


def _drain(pipe: IO[bytes], tail: bytearray) -> None:
    with pipe:
        while chunk := os.read(pipe.fileno(), _TAIL_BYTES):
            tail += chunk
            del tail[:-_TAIL_BYTES]


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """Asks the group to end, then ends it."""
    _signal_group(process, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE_S)
    _signal_group(process, signal.SIGKILL)
    process.wait()


def _signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
