"""The folders that seats work in: gone afterwards, whatever was left in them."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from keystone_roundtable.seats.workspace import PREFIX, Workspace, sweep


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_run_leaves_nothing(temporary: Path) -> None:
    workspace = Workspace()
    one, two = workspace.make({"a/b.json": "{}"}), workspace.make({})
    assert one.parent == two.parent and one.parent.stat().st_mode & 0o777 == 0o700
    assert (one / "a" / "b.json").read_text() == "{}"
    workspace.clear(one)
    assert not one.exists() and two.exists()
    workspace.close()
    assert list(temporary.iterdir()) == []


def test_a_folder_that_leads_elsewhere_takes_nothing_else_with_it(temporary: Path) -> None:
    """A command that runs without a sandbox can put a link in place of its folder."""
    victim = temporary.parent / "victim"
    (victim / "sub").mkdir(parents=True)
    (victim / "sub").chmod(0o755)
    (victim / "kept.txt").write_text("kept")
    workspace = Workspace()
    folder = workspace.make({})
    (folder / "inner").symlink_to(victim)
    other = workspace.make({})
    other.rename(f"{other}-moved")
    other.symlink_to(victim)
    for one in (folder, other):
        workspace.clear(one)
    workspace.close()
    assert list(temporary.iterdir()) == []
    assert (victim / "kept.txt").read_text() == "kept"
    assert (victim / "sub").stat().st_mode & 0o777 == 0o755


LEAVES = """
import os, sys, tempfile
from pathlib import Path
from keystone_roundtable.seats.workspace import Workspace
if os.getuid() == 0:
    os.setgid(65534); os.setuid(65534)
tempfile.tempdir = sys.argv[1]
workspace = Workspace()
folder = workspace.make({})
(folder / "x" / "y").mkdir(parents=True)
(folder / "x" / "y" / "left.txt").write_text("left")
(folder / "x" / "y").chmod(0)
(folder / "x").chmod(0)
os.chdir(folder)
for _ in range(1500):
    os.mkdir("d"); os.chdir("d")
os.chdir("/")
workspace.close()
print(os.listdir(sys.argv[1]))
"""


def test_an_ordinary_user_can_take_away_what_was_closed_or_is_deep() -> None:
    with tempfile.TemporaryDirectory() as folder:  # others may not enter those of a test
        Path(folder).chmod(0o777)
        done = subprocess.run(
            [sys.executable, "-c", LEAVES, folder],
            capture_output=True, text=True, cwd=Path(__file__).parents[2],
        )  # fmt: skip
    assert (done.stdout, done.stderr) == ("[]\n", "")


HOLDS = """
import sys, tempfile, time
tempfile.tempdir = sys.argv[1]
from keystone_roundtable.seats.workspace import Workspace
folder = Workspace().make({"said.md": "a copy of the evidence"})
print(folder, flush=True)
sys.stdin.read()
"""


@pytest.mark.real
def test_what_a_killed_run_left_goes_and_what_a_running_one_holds_stays(temporary: Path) -> None:
    def hold() -> tuple[subprocess.Popen[str], Path]:
        process = subprocess.Popen(
            [sys.executable, "-c", HOLDS, str(temporary)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdout is not None
        return process, Path(process.stdout.readline().strip())

    (running, held), (killed, left) = hold(), hold()
    killed.kill()
    killed.wait()
    workspace = Workspace()
    mine = workspace.make({})
    assert held.exists() and mine.exists() and not left.parent.exists()
    running.kill()
    running.communicate()
    assert sweep(temporary) == 1
    workspace.close()
    assert list(temporary.iterdir()) == []


def test_a_file_system_without_locks_seats_people_all_the_same(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(file: int, how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    workspace = Workspace()
    folder = workspace.make({})
    assert sweep(temporary) == 0 and folder.exists(), "nobody can tell whether it is left"
    workspace.close()
    assert list(temporary.iterdir()) == []


def test_a_sweep_touches_nothing_of_others_and_no_link(temporary: Path) -> None:
    victim = temporary.parent / "victim"
    victim.mkdir()
    (victim / "lock").write_text("")
    (temporary / f"{PREFIX}link").symlink_to(victim)
    (temporary / f"{PREFIX}file").write_text("")
    (temporary / "seat-old").mkdir()
    (temporary / f"{PREFIX}unlocked").mkdir()
    (temporary / f"{PREFIX}unlocked" / "a.txt").write_text("no lock: nobody knows whose")
    if os.getuid() == 0:
        (temporary / f"{PREFIX}foreign").mkdir()
        (temporary / f"{PREFIX}foreign" / "lock").write_text("")
        os.chown(temporary / f"{PREFIX}foreign", 65534, 65534)
    before = sorted(temporary.iterdir())
    assert sweep(temporary) == 0
    assert sorted(temporary.iterdir()) == before and (victim / "lock").exists()
