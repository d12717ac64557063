"""Sessions held from the command line: in this process where that is enough, else in their own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from loopback.player import playing
from loopback.server import LoopbackServer
from loopback.session import ANSWERS, MODEL, TOPIC
from room_calls import home, room  # noqa: F401

from keystone_roundtable.cli.main import main

REPOSITORY = Path(__file__).parents[2]


@dataclass(frozen=True)
class Script:
    """A topic, what is answered, and the status that must come of it."""

    topic: str
    answers: Sequence[str]
    status: int


ENDS = {
    "finished": Script(TOPIC, ANSWERS, 0),
    "forced": Script(TOPIC, ("up to you", "whatever you think"), 0),
    "escalated": Script("Make things better.", ("up to you", "whatever you think"), 3),
    "deferred": Script(TOPIC, (ANSWERS[0], "/defer"), 4),
    "redirected": Script("Why does the login page return 500 since yesterday?", (), 5),
    "paused": Script(TOPIC, ANSWERS[:2], 6),
}
"""One session for every way to end."""


@dataclass(frozen=True)
class Ran:
    """What a command gave."""

    status: int
    out: str
    err: str

    @property
    def object(self) -> dict[str, Any]:
        """The one JSON object on standard output."""
        value = json.loads(self.out)
        assert isinstance(value, dict)
        return value

    @property
    def one_line(self) -> str:
        """What it complained of: exactly one line, and nothing on standard output."""
        assert self.out == ""
        (line,) = self.err.splitlines()
        return line


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project folder, which is the working directory too."""
    folder = tmp_path / "acme-shop"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("KEYSTONE_CLI", "KEYSTONE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def call(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Ran]:
    """Runs one command line in this process; standard input holds `stdin` and is no terminal."""

    def run(*arguments: str, stdin: str = "") -> Ran:
        capsys.readouterr()
        data = io.BytesIO(stdin.encode("utf-8", "surrogateescape"))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data, encoding="utf-8"))
        try:
            status = main(arguments)
        except SystemExit as leaving:  # --help and --version
            status = int(leaving.code or 0)
        captured = capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    return run


@pytest.fixture
def hold(call: Callable[..., Ran]) -> Callable[..., Ran]:
    """Holds the session of one of the `ENDS`, with options if wanted."""

    def run(end: str, *options: str) -> Ran:
        script = ENDS[end]
        stdin = "".join(f"{answer}\n" for answer in script.answers)
        return call("run", script.topic, "--answers", "-", *options, stdin=stdin)

    return run


@pytest.fixture
def session_of(project: Path) -> Callable[[], Path]:
    """The folder of the only session of the project."""

    def find() -> Path:
        (folder,) = (project / ".keystone" / "roundtable" / "sessions").iterdir()
        return folder

    return find


@pytest.fixture
def telemetry_of(project: Path) -> Callable[[], list[dict[str, Any]]]:
    """All telemetry lines of the project."""

    def read() -> list[dict[str, Any]]:
        folder = project / ".keystone" / "telemetry" / "events"
        files = sorted(folder.glob("*.jsonl"))
        return [json.loads(line) for file in files for line in file.read_bytes().splitlines()]

    return read


@pytest.fixture
def process(project: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Runs one command line in a process of its own, with the given variables."""

    def run(
        *arguments: str | bytes, stdin: bytes = b"", cwd: Path = project, **variables: str
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "keystone_roundtable", *arguments],
            input=stdin,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY), **variables},
            cwd=cwd,
            capture_output=True,
            timeout=60,
        )

    return run


@pytest.fixture
def script_of() -> Callable[[str], Script]:
    return ENDS.__getitem__


@pytest.fixture
def shell(project: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Runs a line of shell in the project; `roundtable` in it is this program."""

    def run(line: str, cwd: Path = project, **variables: str) -> subprocess.CompletedProcess[bytes]:
        named = f'roundtable() {{ "{sys.executable}" -m keystone_roundtable "$@"; }}'
        return subprocess.run(
            ["bash", "-c", f"set -o pipefail; {named}; {line}"],
            stdin=subprocess.DEVNULL,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY), **variables},
            cwd=cwd,
            capture_output=True,
            timeout=60,
        )

    return run


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackServer]:
    """A server whose model plays well, named in the environment."""
    with LoopbackServer(default=playing()) as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.url)
        yield running


@pytest.fixture
def hold_with(call: Callable[..., Ran], server: LoopbackServer) -> Callable[..., Ran]:
    """A session with the server's model; topic, answers and options as wanted."""

    def run(
        *options: str,
        answers: tuple[str, ...] = ANSWERS,
        topic: str = TOPIC,
        model: str = MODEL,
    ) -> Ran:
        stdin = "".join(f"{answer}\n" for answer in answers)
        return call("run", topic, "--answers", "-", "--model", model, *options, stdin=stdin)

    return run


@pytest.fixture
def table_typed(
    call: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[Ran, list[str]]]:
    """Runs `table` as at a terminal where these lines are typed, and then input ends. Gives what
    came of it and the questions that were put; a line may be an error, such as Ctrl-C.
    """

    def run(*arguments: str, lines: Sequence[str | type[BaseException]]) -> tuple[Ran, list[str]]:
        from keystone_roundtable.cli.verbs.table_holding import Holding

        left, asked = list(lines), []

        def ask(question: str) -> str:
            asked.append(question)
            line = left.pop(0) if left else EOFError
            if isinstance(line, str):
                return line
            raise line

        with monkeypatch.context() as there:
            there.setattr(Holding, "ask", property(lambda holding: ask))
            return call("table", *arguments), asked

    return run
