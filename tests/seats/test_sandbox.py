"""What a command sees in a sandbox: the system and what is its own, and nothing beside it."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from keystone_roundtable.core.seating import Reply
from keystone_roundtable.core.spending_plan import Limits
from keystone_roundtable.runtime.processes import SeatPrograms
from keystone_roundtable.seats import sandboxing

from .at_commands import entry, held, looked, looking_agent

pytestmark = pytest.mark.skipif(
    shutil.which("bwrap") is None or not sandboxing.sandbox(SeatPrograms(), os.environ),
    reason="bubblewrap is not installed, or may make no namespaces here",
)

GONE: tuple[object, ...] = ([], "FileNotFoundError")

Look = Callable[..., dict[str, Any]]


@pytest.fixture
def look(family: str, home: Path) -> Look:
    """What an agent at a place sees of others, and how it answered."""

    def seen(at: Path, *looks_at: Path, evidence: tuple[str, ...] = (), **how: Any) -> Any:
        agent = looking_agent(at, *looks_at, evidence_argv=("--read",))
        turn, _ = held(agent, family, how.pop("home", home), evidence=evidence, **how)
        assert isinstance(turn, Reply), turn
        told = looked(home)
        return {path: what for path, what in told["seen"].items() if what not in GONE} | {
            "beside": told["beside"] if told["beside"] != [told["here"]] else []
        }

    return seen


@pytest.fixture
def project(tmp_path: Path) -> Path:
    room = tmp_path / "project" / ".keystone" / "roundtable" / "rooms" / "r1"
    room.mkdir(parents=True)
    (room / "events.jsonl").write_text("another seat's text")
    return tmp_path / "project"


@pytest.fixture
def outside() -> Iterator[Path]:
    """A folder where programs of the system lie, of which the rest can be read."""
    try:
        folder = tempfile.mkdtemp(prefix="keystone-test-", dir="/opt")
    except OSError:
        pytest.skip("only root can write there")
    yield Path(folder)
    shutil.rmtree(folder)


@pytest.mark.parametrize("place", ["agent", "bin/agent", ".venv/bin/agent"])
def test_a_program_of_the_project_sees_nothing_of_it(place: str, look: Look, project: Path) -> None:
    room = project / ".keystone" / "roundtable" / "rooms" / "r1"
    (project / "notes.md").write_text("the project's")
    seen = look(project / place, project / "notes.md", room / "events.jsonl", hidden=[project])
    assert seen == {"beside": []}


def test_a_program_beside_the_project_shows_nothing_of_what_lies_beside_it(
    look: Look, project: Path
) -> None:
    seen = look(project.parent / "agent", project, project.parent / "agent.txt", hidden=[project])
    assert seen == {"beside": []}


def test_the_room_stays_hidden_within_what_the_command_needs(look: Look, project: Path) -> None:
    """Its room lies in the libraries of the program's own installation."""
    room = project / "tool" / "lib" / "room"
    room.mkdir(parents=True)
    (room / "events.jsonl").write_text("said")
    (project / "tool" / "lib" / "code.txt").write_text("code")
    code = project / "tool" / "lib" / "code.txt"
    seen = look(project / "tool" / "bin" / "agent", room, code, hidden=[project], sealed=[room])
    assert seen == {str(code): "code", "beside": []}


def test_a_room_that_is_reached_by_a_link_is_hidden(look: Look, outside: Path) -> None:
    (outside / "real" / "room").mkdir(parents=True)
    (outside / "real" / "room" / "events.jsonl").write_text("said")
    (outside / "link").symlink_to("real")
    named = outside / "link" / "room"
    seen = look(outside / "agent", outside / "real" / "room", named, sealed=[named])
    assert seen == {"beside": []}


def test_seats_do_not_see_each_other_wherever_temporary_files_go(
    look: Look, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (outside / "temporary" / "seat-of-another-run").mkdir(parents=True)
    monkeypatch.setattr(tempfile, "tempdir", str(outside / "temporary"))
    seen = look(outside / "agent", outside / "temporary" / "seat-of-another-run")
    assert seen == {"beside": []}


def test_a_home_folder_behind_a_link_is_hidden_but_for_what_is_named(
    look: Look, home: Path, outside: Path
) -> None:
    shutil.move(home, outside / "real")
    home.symlink_to(outside / "real")
    (outside / "real" / ".ssh").mkdir()
    (outside / "real" / ".ssh" / "id").write_text("a key")
    seen = look(outside / "agent", outside / "real" / ".ssh" / "id", home / ".ssh" / "id")
    assert seen == {"beside": []}
    assert looked(home)["home"] == str(outside / "real")


def test_what_lies_beside_the_originals_of_the_evidence_is_hidden(
    look: Look, outside: Path
) -> None:
    (outside / "given").mkdir()
    (outside / "given" / "a.txt").write_text("evidence")
    (outside / "kept.txt").write_text("no evidence")
    seen = look(
        outside.parent / outside.name / "bin" / "agent", outside / "kept.txt",
        evidence=(str(outside / "given"),),
    )  # fmt: skip
    assert seen == {"beside": []}


def test_the_system_can_be_read_and_services_cannot_be_called(look: Look, tmp_path: Path) -> None:
    seen = look(tmp_path / "agent", Path("/etc/passwd"), Path("/run"))
    assert "/etc/passwd" in seen
    assert not [one for one in seen.get("/run", []) if one not in ("systemd", "nscd")]


@pytest.mark.parametrize("link", [".local/bin/tool", ".local/share/tool/node_modules/.bin/tool"])
def test_a_program_behind_links_runs_with_its_installation(
    link: str, family: str, home: Path
) -> None:
    """As package managers install it: a link in one folder of the home, the rest in another."""
    tool = home / ".local" / "share" / "tool"
    looking_agent(tool / "node_modules" / "pkg" / "cli.py")
    (tool / "node_modules" / "pkg" / "data.txt").write_text("its own")
    program = home / link
    program.parent.mkdir(exist_ok=True)
    package = tool / "node_modules" / "pkg" / "cli.py"
    program.symlink_to(os.path.relpath(package, program.parent))
    needs = tool / "node_modules" / "pkg" / "data.txt"
    agent = looking_agent(home / "other" / "unused", needs, tool)
    one = agent.model_copy(update={"argv": (str(program),)})
    turn, watcher = held(one, family, home)
    assert isinstance(turn, Reply), turn
    assert watcher.receipts[0].sandboxed
    assert looked(home)["seen"] == {str(needs): "its own", str(tool): ["node_modules"]}


def test_a_command_that_is_asked_to_end_has_its_two_seconds(family: str, home: Path) -> None:
    """Also behind the wrapper, which would take it with it at once."""
    ends = (
        "import signal, sys, time, pathlib, os; sys.stdin.read();"
        "signal.signal(signal.SIGTERM, lambda *_: (pathlib.Path("
        "os.environ['HOME'], 'seen', 'ended').write_text('in peace'), os._exit(0)));"
        "time.sleep(600)"
    )
    one = entry("", argv=(sys.executable, "-c", ends), version_argv=())
    held(one, family, home, Limits(seat_s=1))
    assert (home / "seen" / "ended").read_text() == "in peace"
