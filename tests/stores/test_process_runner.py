"""Starting other programs: no shell, few variables, nothing left running."""

from __future__ import annotations

import os
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


def test_a_program_that_does_not_end_is_ended_with_its_children(tmp_path):
    """The child ignores the request to end; its end of the pipe tells when it is gone."""
    read_end, write_end = os.pipe()
    os.set_inheritable(write_end, True)
    child = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.pause()"
    script = (
        "import subprocess, sys, signal\n"
        f"subprocess.Popen([sys.executable, '-c', {child!r}], close_fds=False)\n"
        "signal.pause()\n"
    )
    # The runner closes all but the standard streams, so the pipe is opened by name.
    opened = f"import os; os.open('/proc/{os.getpid()}/fd/{write_end}', os.O_WRONLY); "
    opened += f"os.set_inheritable(3, True)\n{script}"
    done = ProcessRunner().run([*PYTHON, opened], 0.5)
    os.close(write_end)
    assert done.status == TIMED_OUT
    assert done.stderr == "no end within 0.5 s"
    assert os.read(read_end, 1) == b"", "no process holds the pipe any more"
    os.close(read_end)


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
