"""Starting other programs: no shell, few variables, nothing left running."""

from __future__ import annotations

import os
import select
import signal
import sys

import pytest

from keystone_roundtable.runtime.processes import NOT_FOUND, NOT_STARTED, TIMED_OUT, ProcessRunner

PYTHON = [sys.executable, "-c"]


def test_the_status_and_the_standard_error_come_back():
    done = ProcessRunner().run([*PYTHON, "import sys; sys.exit('bad key ไทย')"], 20)
    assert (done.status, done.stderr) == (1, "bad key ไทย\n")


def test_standard_input_is_closed():
    done = ProcessRunner().run([*PYTHON, "import sys; sys.exit(len(sys.stdin.read()))"], 20)
    assert done.status == 0


def test_arguments_meet_no_shell(tmp_path):
    word = f"$(touch {tmp_path}/made); * `id`"
    done = ProcessRunner().run([*PYTHON, "import sys; sys.exit(sys.argv[1])", word], 20)
    assert done.stderr == word + "\n"
    assert list(tmp_path.iterdir()) == []


def test_only_allowed_variables_are_passed_on():
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": "/h",
        "LC_ALL": "C.UTF-8",
        "KEYSTONE_ENV": "test",
        "OPENAI_API_KEY": "secret",
        "LD_PRELOAD": "",
    }
    done = ProcessRunner(environ).run(
        [*PYTHON, "import os, sys; sys.exit(str(set(os.environ)))"], 20
    )
    assert "KEYSTONE_ENV" in done.stderr
    assert "OPENAI_API_KEY" not in done.stderr
    assert "LD_PRELOAD" not in done.stderr


def test_much_standard_error_is_drained_and_its_end_kept():
    script = "import sys\nfor n in range(20000): print('line', n, 'x' * 50, file=sys.stderr)"
    done = ProcessRunner().run([*PYTHON, script], 20)
    assert done.status == 0
    assert len(done.stderr) <= 65536
    assert done.stderr.splitlines()[-1].startswith("line 19999 ")


ENDLESS_CHILD = """
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.pause()
"""

ENDLESS = f"""
import os, signal, subprocess, sys
held = os.open(sys.argv[1], os.O_WRONLY)
os.set_inheritable(held, True)
subprocess.Popen([sys.executable, "-c", {ENDLESS_CHILD!r}], close_fds=False)
signal.pause()
"""


@pytest.fixture
def held_pipe(tmp_path):
    """The name of a pipe, and whether a process goes on holding it open for writing."""
    path = tmp_path / "held"
    os.mkfifo(path)
    reading = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def is_held() -> bool:
        # A killed process lets go a moment after the signal; the end of the pipe is waited for.
        ended, _, _ = select.select([reading], [], [], 10)
        return not ended

    yield str(path), is_held
    os.close(reading)


def test_a_program_that_does_not_end_is_ended_with_its_children(held_pipe):
    """The child ignores the request to end, so the whole group is killed."""
    pipe, is_held = held_pipe
    done = ProcessRunner().run([*PYTHON, ENDLESS, pipe], 1)
    assert done.status == TIMED_OUT
    assert done.stderr == "no end within 1 s"
    assert not is_held()


def test_an_interruption_ends_the_program_and_goes_on(held_pipe):
    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    pipe, is_held = held_pipe
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 1)
    try:
        with pytest.raises(KeyboardInterrupt):
            ProcessRunner().run([*PYTHON, ENDLESS, pipe], 20)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not is_held()


@pytest.mark.parametrize(
    ("argv", "status"),
    [
        (["/nowhere/keystone"], NOT_FOUND),
        (["/etc/passwd"], NOT_STARTED),
        (["true", "a\0b"], NOT_STARTED),
        (["true", "x" * 300_000], NOT_STARTED),
    ],
)
def test_a_program_that_cannot_start_has_a_status_and_a_reason(argv, status):
    done = ProcessRunner().run(argv, 20)
    assert done.status == status
    assert done.stderr.startswith(argv[0] + ": ")


def test_the_folder_is_the_programs_working_directory(tmp_path):
    script = "import os, sys; sys.exit(os.getcwd())"
    assert ProcessRunner(folder=tmp_path).run([*PYTHON, script], 20).stderr == f"{tmp_path}\n"
