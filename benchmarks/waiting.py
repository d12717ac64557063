"""How long the next question takes to come while the model is slow, on a real terminal.

The model is our own server's, which plays well and takes `DELAY_S` for each call.
"""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

REPOSITORY = Path(__file__).resolve().parents[1]
DELAY_S = 3.0
TOPIC = "Should we build the notification system now or defer it until after the settings refactor?"
ANSWERS = (
    "Fewer calls to support, 3 a day at most",
    "2 people from support would gain an hour",
    "A push channel on mobile, nobody asked for it",
    "A week of meetings about colours",
    "Not much, we did the same with orders in 2019",
    "One mail for failed imports",
)
"""None of them names a path, so that the questions go on to the last."""

_QUIET_S = 0.2  # as long as this nothing is drawn: the question stands and waits
_DEADLINE_S = 60.0


@dataclass(frozen=True)
class Waited:
    """Seconds from each Enter to the next question, and what the session asked of the model."""

    next_question_s: tuple[float, ...]
    report_s: float
    answers: int
    calls: int

    @property
    def slowest_s(self) -> float:
        return max(self.next_question_s)


def waited(folder: Path, *options: str) -> Waited:
    """One whole session in an empty project folder. Raises where it does not come to its report."""
    from tests.loopback.player import playing
    from tests.loopback.server import LoopbackServer

    with LoopbackServer(default=playing(), delay_s=DELAY_S) as server:
        words = ("run", TOPIC, "--model", "openai-chat:loopback", *options)
        with Person(words, folder, server.url) as person:
            person.wait_for("Question 1")
            times = [
                person.answer(text, f"Question {number}")
                for number, text in enumerate(ANSWERS[:-1], 2)
            ]
            report_s = person.answer(ANSWERS[-1], "Does this report stand?")
        return Waited(tuple(times), report_s, len(ANSWERS), len(server.requests))


class Person:
    """Types on a pseudo-terminal and watches what is drawn. Use as a context manager."""

    def __init__(self, words: Sequence[str], folder: Path, url: str) -> None:
        self._ours, its = pty.openpty()
        self._shown = b""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "keystone_roundtable", *words],
            cwd=folder,
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": str(REPOSITORY),
                "XDG_CONFIG_HOME": str(folder),
                "OPENAI_BASE_URL": url,
                "TERM": "xterm-256color",
                "PROMPT_TOOLKIT_NO_CPR": "1",  # nobody answers here when it asks for the cursor
            },
            stdin=its,
            stdout=its,
            stderr=its,
            start_new_session=True,
        )
        os.close(its)

    def __enter__(self) -> Person:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        os.close(self._ours)

    def answer(self, text: str, awaited: str) -> float:
        """Types the answer, and gives the seconds from Enter until `awaited` is drawn."""
        self._wait_until_quiet()
        os.write(self._ours, text.encode())
        self._wait_until_quiet()
        self._shown = b""
        began = time.perf_counter()
        os.write(self._ours, b"\r")
        self.wait_for(awaited)
        return time.perf_counter() - began

    def wait_for(self, text: str) -> None:
        until = time.monotonic() + _DEADLINE_S
        while text.encode() not in self._shown:
            if not self._read(until - time.monotonic()):
                raise SystemExit(f"'{text}' never came; there is:\n{self._shown.decode()}")

    def _wait_until_quiet(self) -> None:
        while self._read(_QUIET_S):
            pass

    def _read(self, seconds: float) -> bool:
        """Whether something was drawn within so many seconds; it is in `_shown` then."""
        ready, _, _ = select.select([self._ours], [], [], max(0.0, seconds))
        if ready:
            with contextlib.suppress(OSError):  # the process is gone
                self._shown += os.read(self._ours, 65536)
                return True
        return False


def told(name: str, one: Waited) -> Iterator[str]:
    """The figures of one session, in words."""
    times = ", ".join(f"{seconds * 1e3:.0f}" for seconds in one.next_question_s)
    yield f"{name}: next question after {times} ms, report after {one.report_s:.1f} s"
    yield f"  {one.calls} calls of {DELAY_S:g} s for {one.answers} answers"
