"""Starts other programs: the one place that does.

A program gets an argument list and never a shell, an allowlisted environment and a standard input
that is closed, or fed and then closed. Its standard error is drained to the end and the last of it
kept.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from ..core.programs import MAX_OUTPUT_BYTES, Program, Ran
from ..core.programs import NOT_FOUND as NOT_FOUND
from ..core.programs import NOT_STARTED as NOT_STARTED

if TYPE_CHECKING:
    import asyncio  # loaded where a seat is asked: it would cost every start

TIMED_OUT = 124

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
    chosen: bool = False
    """Whether whoever gives `environ` has chosen what may be seen: all of it is passed on."""

    def run(self, argv: Sequence[str], timeout_s: float) -> FinishedProcess:
        """Waits for the end of the program; its whole process group is gone after a timeout."""
        return self._run(argv, timeout_s, subprocess.DEVNULL)

    def output(self, argv: Sequence[str], timeout_s: float) -> FinishedProcess:
        """The same, and keeps what the program puts out."""
        return self._run(argv, timeout_s, subprocess.PIPE)

    def interactive(self, argv: Sequence[str]) -> int:
        """The exit status of a program that has our terminal, such as an editor."""
        try:
            return subprocess.call(list(argv), cwd=self.folder)
        except OSError:
            return NOT_FOUND

    def _run(self, argv: Sequence[str], timeout_s: float, stdout: int) -> FinishedProcess:
        try:
            process = subprocess.Popen(
                list(argv),
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=subprocess.PIPE,
                env=self._passed_on(),
                cwd=self.folder,
                start_new_session=True,
            )
        except FileNotFoundError as error:
            return FinishedProcess(NOT_FOUND, f"{argv[0]}: {error.strerror}")
        except (OSError, ValueError) as error:  # no permission, too long, a NUL in an argument
            return FinishedProcess(NOT_STARTED, f"{argv[0]}: {error}")
        return _wait(process, timeout_s)

    def _passed_on(self) -> dict[str, str]:
        environ = os.environ if self.environ is None else self.environ
        return dict(environ) if self.chosen else allowed(environ)


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


FAMILY = "KEYSTONE_ROUNDTABLE_FAMILY"
"""The variable by which a seat's program, and all that it starts, can be found again."""

_LAST_WORDS_S = 0.5  # for output still in the pipe after the end; chosen by judgement


class SeatPrograms:
    """The `Programs` port: every program in a group of its own, none of it left running.

    A process may leave its group; its environment still tells whose it is, where the system has
    `/proc`.
    """

    async def run(self, program: Program) -> Ran:
        import asyncio

        mark = f"{program.family}.{os.urandom(8).hex()}"
        try:
            process = subprocess.Popen(
                list(program.argv),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**program.environ, FAMILY: mark},
                cwd=program.folder,
                start_new_session=True,
            )
        except FileNotFoundError as error:
            return Ran(NOT_FOUND, "", f"{program.argv[0]}: {error.strerror}")
        except (OSError, ValueError) as error:
            return Ran(NOT_STARTED, "", f"{program.argv[0]}: {error}")
        running = _Running(process, mark, asyncio.get_running_loop(), wraps=program.wraps)
        running.begin(program.stdin)
        timed_out = False
        try:
            async with asyncio.timeout(program.time_limit_s):
                await running.over.wait()
        except TimeoutError:
            timed_out = True
        finally:
            await running.end()
        return replace(await running.result(), timed_out=timed_out)

    def said(
        self,
        argv: tuple[str, ...],
        environ: Mapping[str, str],
        timeout_s: float,
        folder: str | None = None,
    ) -> Ran:
        mark = f"{_said_here()}.{os.urandom(8).hex()}"
        within = Path(folder) if folder else None
        runner = ProcessRunner(environ={**environ, FAMILY: mark}, folder=within, chosen=True)
        try:
            done = runner.output(argv, timeout_s)
        finally:
            _end_marked(mark)
        return Ran(done.status, done.stdout, done.stderr)

    @staticmethod
    def end_said() -> None:
        """Ends what `said` still waits for in other threads of this process."""
        _end_marked(f"{_said_here()}.")

    @staticmethod
    def end_left(family: str) -> int:
        """Ends what a killed run left of this family; gives how many processes that were."""
        return _end_marked(f"{family}.")


class _Running:
    """One program while it runs. Threads do what blocks; the loop is told when it is over."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        mark: str,
        loop: asyncio.AbstractEventLoop,
        *,
        wraps: bool,
    ) -> None:
        import asyncio

        self._process, self._mark, self._loop, self._wraps = process, mark, loop, wraps
        self.over = asyncio.Event()
        """The program ended, or put out too much."""
        self._ended = asyncio.Event()
        self._drained = asyncio.Event()
        self._out, self._err = bytearray(), bytearray()
        self._too_long = False
        self._drains: list[threading.Thread] = []

    def begin(self, stdin: bytes) -> None:
        out, err = self._process.stdout, self._process.stderr
        assert out is not None and err is not None
        self._drains = [
            threading.Thread(target=self._read_out, args=(out,), daemon=True),
            threading.Thread(target=_drain, args=(err, self._err), daemon=True),
        ]
        threads = [
            *self._drains,
            threading.Thread(target=self._feed, args=(stdin,), daemon=True),
            threading.Thread(target=self._wait_for_end, daemon=True),
            threading.Thread(target=self._wait_for_drains, daemon=True),
        ]
        for thread in threads:
            thread.start()

    async def end(self) -> None:
        """Nothing of it runs when this returns; a second cancellation spares no time for asking."""
        import asyncio

        try:
            if not self._ended.is_set():
                self._ask_to_end()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._ended.wait(), _GRACE_S)
        finally:
            if self._wraps:
                # Killed first, it would leave what it runs to whoever reaps orphans, if anybody.
                _end_marked(self._mark, but=self._process.pid)
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(_LAST_WORDS_S)
            # The leader is not reaped yet, so that its number is still nobody else's.
            if self._process.returncode is None:
                self._signal(signal.SIGKILL)
            _end_marked(self._mark)
            self._process.wait()

    def _ask_to_end(self) -> None:
        """A wrapper that is asked takes what it runs with it at once; so that one is asked."""
        wanted = _wanted(self._mark)
        marked = [pid for pid in _own_processes() if _marked(pid, wanted)] if self._wraps else []
        within = set(marked) - {self._process.pid}
        for pid in within:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGTERM)
        if not within:
            self._signal(signal.SIGTERM)

    async def result(self) -> Ran:
        import asyncio

        with suppress(TimeoutError):
            await asyncio.wait_for(self._drained.wait(), _LAST_WORDS_S)
        return Ran(
            self._process.returncode,
            bytes(self._out).decode("utf-8", "replace"),
            bytes(self._err).decode("utf-8", "replace"),
            self._too_long,
        )

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _tell(self, *events: asyncio.Event) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            for event in events:
                self._loop.call_soon_threadsafe(event.set)

    def _wait_for_end(self) -> None:
        with suppress(ChildProcessError):
            os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        self._tell(self._ended, self.over)

    def _wait_for_drains(self) -> None:
        for drain in self._drains:
            drain.join()
        self._tell(self._drained)

    def _feed(self, data: bytes) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        with suppress(OSError, ValueError):  # it may not want to read all of it
            pipe.write(data)
        with suppress(OSError, ValueError):
            pipe.close()

    def _read_out(self, pipe: IO[bytes]) -> None:
        with pipe, suppress(OSError):
            while chunk := os.read(pipe.fileno(), _TAIL_BYTES):
                self._out += chunk[: MAX_OUTPUT_BYTES - len(self._out)]
                if len(self._out) >= MAX_OUTPUT_BYTES and not self._too_long:
                    self._too_long = True
                    self._tell(self.over)


def _said_here() -> str:
    return f"said-{os.getpid()}"


def _wanted(mark: str) -> bytes:
    return f"{FAMILY}={mark}".encode()


def _end_marked(mark: str, but: int | None = None) -> int:
    """Kills every process of ours whose environment holds the mark, also what it starts meanwhile;
    none where the system has no `/proc`.
    """
    wanted = _wanted(mark)
    killed: set[int] = set() if but is None else {but}
    while found := {pid for pid in _own_processes() if _marked(pid, wanted)} - killed:
        for pid in found:
            _kill(pid)
        killed |= found
    return len(killed - {but})


def _kill(pid: int) -> None:
    """Returns when the process is gone, or after a moment."""
    import select

    try:
        process = os.pidfd_open(pid)
    except OSError:  # gone meanwhile
        return
    try:
        with suppress(OSError):
            signal.pidfd_send_signal(process, signal.SIGKILL)
            poll = select.poll()
            poll.register(process, select.POLLIN)
            poll.poll(_GRACE_S * 1000)
    finally:
        os.close(process)


def _own_processes() -> list[int]:
    try:
        names = [one.name for one in Path("/proc").iterdir()]
    except OSError:
        return []
    return [int(name) for name in names if name.isdigit() and int(name) != os.getpid()]


def _marked(pid: int, wanted: bytes) -> bool:
    try:
        environ = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:  # gone, or somebody else's
        return False
    return any(entry.startswith(wanted) for entry in environ.split(b"\0"))
