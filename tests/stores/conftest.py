"""Small disks, file size limits and sessions for the tests of what is kept on disk."""

from __future__ import annotations

import multiprocessing
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from keystone_roundtable.core import events as ev

REPOSITORY = Path(__file__).parents[2]


@contextmanager
def file_size_limit(size_bytes: int) -> Iterator[None]:
    """Writing beyond `size_bytes` of any file fails, even for root; what fits is still written."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def limited() -> Callable[[int], AbstractContextManager[None]]:
    return file_size_limit


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 kB of its own; skips where none may be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(folder)]
    if os.getuid() != 0 or subprocess.run(command, capture_output=True).returncode != 0:
        pytest.skip("no file system may be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture
def as_nobody() -> Callable[[Path, Callable[[], object]], object]:
    """Calls a function in a folder as a user without rights, in a process of its own.

    Gives what it returned; an error in it ends the test as an `EOFError`.
    """

    def call(folder: Path, function: Callable[[], object]) -> object:
        context = multiprocessing.get_context("fork")
        told, telling = context.Pipe(duplex=False)

        def attempt() -> None:
            os.chdir(folder)
            if os.getuid() == 0:  # root may do everything
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            telling.send(function())

        process = context.Process(target=attempt)
        process.start()
        telling.close()
        result = told.recv()
        process.join(10)
        return result

    return call


@pytest.fixture
def run_python() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a script that imports the project, with the given variables in its environment."""

    def run(script: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", script, *arguments],
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY), **variables},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )

    return run


@pytest.fixture
def started() -> Callable[..., ev.SessionStarted]:
    """The first event of a session."""

    def make(session: str = "20261130-abcd", **fields: object) -> ev.SessionStarted:
        known = {"at": "2026-11-30T10:00:00.000000Z", "topic": "Postgres or SQLite?"}
        return ev.SessionStarted.model_validate(
            {**known, "session": session, "route": "roundtable", **fields}
        )

    return make
