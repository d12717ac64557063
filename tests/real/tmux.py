"""A real terminal: one tmux server on its own socket, its screen read until it shows something."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
DEADLINE_S = 15.0  # a loaded machine starts Python slowly
_POLL_S = 0.02


class Tmux:
    """A screen of `columns` by `rows` on which a command runs. Use as a context manager.

    When the command has ended its exit status stands on the screen as `[status N]`, and the shell
    carries out `after`.
    """

    def __init__(
        self,
        arguments: list[str],
        folder: Path,
        columns: int = 80,
        rows: int = 40,
        environment: dict[str, str] | None = None,
        after: str = "true",
    ) -> None:
        self._socket = f"roundtable-{uuid.uuid4().hex[:12]}"
        program = [sys.executable, "-m", "keystone_roundtable", *arguments]
        # The shell outlives Ctrl-C, to tell the status; a trap that does nothing is not inherited.
        command = f"trap : INT; {shlex.join(program)}; echo [status $?]; {after}; exec cat"
        self._start = (command, folder, columns, rows, environment or {})

    def __enter__(self) -> Tmux:
        command, folder, columns, rows, environment = self._start
        known = {"PYTHONPATH": str(REPOSITORY), "LANG": "C.UTF-8", "PATH": os.environ["PATH"]}
        settings = [f"{name}={value}" for name, value in {**known, **environment}.items()]
        # The shell is told its variables by `env`: TERM is tmux's own unless a test changes it.
        shell = shlex.join(["env", *settings, "sh", "-c", command])
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows),
                   "-c", str(folder), shell)  # fmt: skip
        return self

    def __exit__(self, *failure: object) -> None:
        self._tmux("kill-server", check=False)

    # -- what a person does ------------------------------------------------------------

    def type(self, text: str) -> None:
        self._tmux("send-keys", "-l", text)

    def press(self, *keys: str) -> None:
        """Presses keys by tmux's names: `Enter`, `C-c`, `Escape`, `M-Enter`."""
        self._tmux("send-keys", *keys)

    def answer(self, text: str) -> None:
        self.type(text)
        self.press("Enter")

    def paste(self, text: str) -> None:
        """Pastes as a terminal does, in brackets where the program asked for them."""
        self._tmux("load-buffer", "-", text=text)
        self._tmux("paste-buffer", "-p")

    def resize(self, columns: int, rows: int) -> None:
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    # -- what a person sees ------------------------------------------------------------

    def screen(self, colours: bool = False, history: bool = False) -> str:
        """The screen's text, with the escapes for colours or with what scrolled away if wanted."""
        options = [*(["-e", "-N"] if colours else []), *(["-S", "-"] if history else [])]
        return self._tmux("capture-pane", "-p", *options)

    def wait(self, *texts: str, gone: str = "", history: bool = False) -> str:
        """The screen, once every one of `texts` stands on it and `gone` does not."""
        return self.wait_until(
            lambda s: all(text in s for text in texts) and (not gone or gone not in s),
            f"{texts} on the screen" + (f", {gone!r} gone" if gone else ""),
            history,
        )

    def wait_until(self, holds: Callable[[str], bool], wanted: str, history: bool = False) -> str:
        until = time.monotonic() + DEADLINE_S
        while True:
            screen = self.screen(history=history)
            if holds(screen):
                return screen
            if time.monotonic() > until:
                raise AssertionError(f"waited {DEADLINE_S} s for {wanted}; there is:\n{screen}")
            time.sleep(_POLL_S)

    def process(self) -> int:
        """The pid of the running Python."""
        shell = self._tmux("display-message", "-p", "#{pane_pid}").strip()
        children = Path(f"/proc/{shell}/task/{shell}/children").read_text().split()
        return int(children[0])

    def _tmux(self, *arguments: str, text: str | None = None, check: bool = True) -> str:
        done = subprocess.run(
            ["tmux", "-L", self._socket, *arguments],
            input=text,
            capture_output=True,
            encoding="utf-8",
            timeout=DEADLINE_S,
        )
        if check and done.returncode != 0:
            raise AssertionError(f"tmux {arguments[0]}: {done.stderr}")
        return done.stdout
