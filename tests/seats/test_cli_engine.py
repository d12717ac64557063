"""Commands as engines of seats: real processes that behave, fail, hang, and leave things behind."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from keystone_roundtable.content.engines import load_engines
from keystone_roundtable.core.engine_entries import CliEntry
from keystone_roundtable.core.seating import Absence, Reply
from keystone_roundtable.core.spending_plan import Limits
from keystone_roundtable.runtime.processes import FAMILY, SeatPrograms
from keystone_roundtable.seats import cli_engine, evidence, sandboxing
from keystone_roundtable.seats.workspace import Workspace

from .at_commands import CLAUDE, REPLAY, TASK, entry, held, left_of


def test_an_answer_comes_with_its_receipt(family: str, home: Path) -> None:
    turn, watcher = held(entry("good"), family, home)
    assert isinstance(turn, Reply)
    assert turn.value.position == "build"
    (receipt,) = watcher.receipts
    assert (receipt.outcome, receipt.exit_status, receipt.version) == (
        "answered",
        0,
        "replay 1.2.3",
    )
    assert (receipt.input_tokens, receipt.cached_tokens, receipt.output_tokens) == (1000, 100, 60)
    assert receipt.cost_usd == pytest.approx(0.0125)
    assert receipt.sandboxed is bool(sandboxing.sandbox(SeatPrograms(), os.environ))


ABSENT = {
    "login-0": ("unauthenticated", "not logged in. Log in: replay login"),
    "login-0-text": ("unauthenticated", "not logged in"),
    "login-stderr": ("unauthenticated", "not logged in"),
    "login-41": ("unauthenticated", "not logged in"),
    "flood": ("malformed", "more than 5 MB"),
    "torn": ("crashed", "it ended with status"),
    "torn-0": ("malformed", "no JSON object"),
    "crash": ("crashed", "status 3: Traceback: it broke"),
    "empty": ("empty", "the reply was empty"),
}


@pytest.mark.parametrize("how", ABSENT)
def test_a_failure_is_an_absence_with_its_reason(how: str, family: str, home: Path) -> None:
    reason, told = ABSENT[how]
    output = {"form": "text"} if how in ("login-0-text", "torn-0") else CLAUDE
    turn, _ = held(entry(how, output=output), family, home)
    assert isinstance(turn, Absence)
    assert turn.reason == reason
    assert told in turn.detail
    assert left_of(family) == []


@pytest.fixture(params=["sandbox", "bare"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the sandbox of this machine, and as on one without."""
    found = shutil.which("bwrap")
    if request.param == "bare" and found is not None:
        monkeypatch.setitem(sandboxing._TRIED, found, False)


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("how", ["hang", "stubborn", "deaf"])
def test_a_hang_is_a_timeout_and_nothing_of_it_goes_on(how: str, family: str, home: Path) -> None:
    turn, _ = held(entry(how), family, home, Limits(seat_s=1.5))
    assert isinstance(turn, Absence)
    assert turn.reason == "timeout"
    assert left_of(family) == []


@pytest.mark.usefixtures("either_way")
def test_a_command_that_tries_for_ever_without_a_login_is_told_as_that(
    family: str, home: Path
) -> None:
    turn, watcher = held(entry("login-hang"), family, home, Limits(seat_s=2))
    assert isinstance(turn, Absence)
    assert turn.reason == "unauthenticated"
    assert watcher.receipts[0].seconds < 2
    assert left_of(family) == []


@pytest.mark.usefixtures("either_way")
def test_children_left_behind_are_ended_also_those_that_left_the_group(
    family: str, home: Path
) -> None:
    turn, _ = held(entry("children"), family, home)
    assert isinstance(turn, Reply)
    assert left_of(family) == []


@pytest.mark.parametrize("how", ["plain", "chatty", "escapes"])
def test_an_answer_is_found_in_what_surrounds_it(how: str, family: str, home: Path) -> None:
    output = {"form": "text"} if how != "escapes" else CLAUDE
    turn, _ = held(entry(how, output=output), family, home)
    assert isinstance(turn, Reply), turn


def test_a_command_that_is_not_there_is_missing(family: str, home: Path) -> None:
    one = entry("good", argv=("no-such-command",), install_hint="Install it: somehow")
    turn, watcher = held(one, family, home)
    assert isinstance(turn, Absence)
    assert turn.reason == "missing"
    assert "Install it: somehow" in turn.detail
    assert watcher.receipts[0].requests == 0


def test_a_command_sees_few_variables_an_empty_folder_and_no_shell(family: str, home: Path) -> None:
    argv = (sys.executable, str(REPLAY), "good", "$(id); `id` *")
    held(entry("good", argv=argv, set_environment={"MODE": "quiet"}), family, home)
    (noted,) = home.joinpath("seen").iterdir()
    seen = json.loads(noted.read_text())
    assert seen["argv"][2] == "$(id); `id` *"
    assert seen["files"] == {}
    assert "SECRET_OF_MINE" not in seen["environ"]
    assert seen["environ"]["MODE"] == "quiet"
    assert not Path(seen["folder"]).exists()
    assert seen["prompt"] == f"You sit.\n\n{TASK}\n"


def test_evidence_is_a_copy_without_what_others_said(
    family: str, home: Path, tmp_path: Path
) -> None:
    pile = tmp_path / "pile"
    (pile / ".keystone" / "rooms").mkdir(parents=True)
    (pile / ".keystone" / "rooms" / "said.md").write_text("what another seat said")
    (pile / "src").mkdir()
    (pile / "src" / "main.py").write_text("print('evidence')")
    (pile / "leads-out").symlink_to(home)
    held(entry("good", evidence_argv=("--read",)), family, home, evidence=(str(pile),))
    (noted,) = home.joinpath("seen").iterdir()
    seen = json.loads(noted.read_text())
    assert list(seen["files"].values()) == ["print('evidence')"]
    assert "--read" in seen["argv"]
    assert (pile / "src" / "main.py").read_text() == "print('evidence')"


@pytest.mark.real
def test_what_a_killed_run_left_is_ended_by_the_next(family: str, home: Path) -> None:
    import subprocess

    process = subprocess.Popen(
        [sys.executable, "-c", "print('up', flush=True); import time; time.sleep(600)"],
        env={**os.environ, FAMILY: f"{family}.1"}, stdout=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None and process.stdout.readline() == b"up\n"
    assert SeatPrograms.end_left(family) == 1
    assert process.wait(timeout=20) == -9


# -- what it is given to read ------------------------------------------------------------


def test_evidence_that_is_gone_is_said_to_be(family: str, home: Path, tmp_path: Path) -> None:
    one = entry("good", evidence_argv=("--read",))
    gone = tmp_path / "gone"
    turn, watcher = held(one, family, home, evidence=(str(gone),))
    assert isinstance(turn, Absence)
    assert turn.reason == "crashed"
    assert f"the evidence is gone: {gone}" in turn.detail
    assert watcher.receipts[0].requests == 0
    assert list((home / "seen").iterdir()) == []


def test_evidence_that_grew_is_too_much(
    family: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence, "MAX_BYTES", 10)
    (tmp_path / "grew.txt").write_text("more than ten bytes")
    one = entry("good", evidence_argv=("--read",))
    turn, _ = held(one, family, home, evidence=(str(tmp_path / "grew.txt"),))
    assert isinstance(turn, Absence)
    assert "the evidence is more than any seat reads in its time" in turn.detail


def test_a_copy_that_takes_its_time_is_not_the_seats(
    family: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of both is well within the limit, and the two together are not."""
    made, limit = Workspace.make, Limits(seat_s=1.5)

    def slowly(self: Workspace, *given: Any) -> Path:
        assert not threading.Event().wait(0.9 * limit.seat_s)
        return made(self, *given)

    monkeypatch.setattr(Workspace, "make", slowly)
    wait = "import sys, time; sys.stdin.read(); time.sleep(0.4);" + f"print({ANSWER!r})"
    one = entry("", argv=(sys.executable, "-c", wait), output={"form": "text"}, version_argv=())
    turn, watcher = held(one, family, home, limit)
    assert isinstance(turn, Reply), turn
    assert watcher.receipts[0].seconds < 0.9 * limit.seat_s


# -- its version -------------------------------------------------------------------------

ANSWER = '{"position": "build", "confidence": 5, "reason": "x"}'
VERSIONS = {
    "print('tool 1.2.3')": "tool 1.2.3",
    "print('Usage: tool [options]')": "",
    "print('tool 1.2.3'); print('a new version is out')": "",
    "print('1' * 200)": "",
    "print('1.2.3'); sys.exit(3)": "",
    "print(sorted(pathlib.Path().iterdir()), len(os.environ) < 20, 1)": "[] True 1",
}


@pytest.mark.parametrize("says", VERSIONS)
def test_a_version_is_kept_where_it_looks_like_one(says: str, family: str, home: Path) -> None:
    """It is asked in an empty folder, with no more of the environment than any command has."""
    program = (
        "import os, pathlib, sys, time\n"
        f"if sys.argv[1:]:\n    {says}\nelse:\n    time.sleep(0.3); print({ANSWER!r})"
    )
    path = home / "seen" / "tool.py"
    path.write_text(program)
    one = entry(
        "", argv=(sys.executable, str(path)), version_argv=(str(path), "--version"),
        output={"form": "text"},
    )  # fmt: skip
    turn, watcher = held(one, family, home)
    assert isinstance(turn, Reply), turn
    assert watcher.receipts[0].version == VERSIONS[says]


def test_a_version_that_hangs_holds_up_no_answer_and_leaves_nothing(
    family: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli_engine, "VERSION_WAIT_S", 0.3)
    hangs = (
        "import subprocess, time;"
        "subprocess.Popen(['sleep', '601'], start_new_session=True); time.sleep(600)"
    )
    one = entry("good", version_argv=("-c", hangs))
    turn, watcher = held(one, family, home)
    assert isinstance(turn, Reply), turn
    assert watcher.receipts[0].version == ""
    assert watcher.receipts[0].seconds < cli_engine.VERSION_LIMIT_S
    assert left_of(family) == []


def test_without_a_word_of_how_no_version_is_asked(family: str, home: Path) -> None:
    assert CliEntry(kind="cli", argv=("tool",)).version_argv == ()
    for name, one in load_engines(None).items():
        assert not isinstance(one, CliEntry) or one.version_argv == ("--version",), name


# -- what it cannot be given -------------------------------------------------------------


def test_a_prompt_that_is_too_long_for_an_argument_is_told_as_that(family: str, home: Path) -> None:
    one = entry("good", prompt="argument", version_argv=())
    turn, _ = held(one, family, home, stable="x" * 190_000)
    assert isinstance(turn, Absence)
    assert turn.reason == "crashed"
    assert "190,0" in turn.detail and "less than 131,072" in turn.detail


def test_what_it_last_said_ends_with_one_full_stop(family: str, home: Path) -> None:
    says = "import sys, time; print('thinking ...', file=sys.stderr, flush=True); time.sleep(600)"
    one = entry("", argv=(sys.executable, "-c", says), version_argv=())
    turn, _ = held(one, family, home, Limits(seat_s=0.5))
    assert isinstance(turn, Absence)
    assert turn.detail == "no reply within 0.5 s; it last said: thinking. Set a longer --timeout"
