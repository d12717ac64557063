"""Commands as engines of seats: real processes that behave, fail, hang, and leave things behind."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from keystone_roundtable.core.engine_entries import CliEntry
from keystone_roundtable.core.seating import Absence, Reply, Seat, Turn
from keystone_roundtable.core.spending_plan import Limits
from keystone_roundtable.runtime.processes import FAMILY, SeatPrograms
from keystone_roundtable.seats import sandboxing
from keystone_roundtable.seats.asking import SeatAsk
from keystone_roundtable.seats.cli_engine import CliEngine
from keystone_roundtable.seats.rounds import Rounds

from .at_table import FixedClock, Kept, Opening

REPLAY = Path(__file__).parents[1] / "replays" / "replay.py"
CLAUDE: dict[str, Any] = {
    "form": "json", "answer": "result", "error": "is_error", "error_text": "result",
    "input_tokens": ("usage.input_tokens", "usage.cache_read_input_tokens"),
    "cached_tokens": ("usage.cache_read_input_tokens",),
    "output_tokens": ("usage.output_tokens",), "cost_usd": ("total_cost_usd",),
}  # fmt: skip
TASK = 'Choose.\n- "build"\n- "defer"\n'


def entry(how: str, **changes: Any) -> CliEntry:
    given = {
        "kind": "cli",
        "argv": (sys.executable, str(REPLAY), how),
        "output": CLAUDE,
        "version_argv": (str(REPLAY), "version"),
        "login_words": ("not logged in", "please run /login"),
        "login_statuses": (41,),
        "login_hint": "Log in: replay login",
        "homes": ("seen",),
    }
    return CliEntry.model_validate({**given, **changes})


@pytest.fixture
def family(request: pytest.FixtureRequest) -> str:
    return f"test{os.getpid()}-{abs(hash(request.node.name))}"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home" / "seen").mkdir(parents=True)
    return tmp_path / "home"


def left_of(family: str) -> list[str]:
    """Command lines of every process that still belongs to the family."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if f"{FAMILY}={family}".encode() in (folder / "environ").read_bytes():
                    found.append((folder / "cmdline").read_text())
            except OSError:
                continue
    return found


def held(
    one: CliEntry, family: str, home: Path, limits: Limits | None = None, **changes: Any
) -> tuple[Turn, Kept]:
    engine = CliEngine(
        "replay", one, None, programs=SeatPrograms(), family=family,
        environ={"PATH": os.environ["PATH"], "HOME": str(home), "SECRET_OF_MINE": "no"},
    )  # fmt: skip
    watcher = Kept()
    ask = SeatAsk(
        seat=Seat(name="ada", engine="replay"), stable="You sit.", task=TASK, shape=Opening,
        **changes,
    )  # fmt: skip
    with Rounds(lambda seat: engine, FixedClock(), limits or Limits(seat_s=60)) as rounds:
        (turn,) = rounds.hold("open", [ask], watcher)
    return turn, watcher


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
    turn, watcher = held(entry("login-hang"), family, home, Limits(seat_s=5))
    assert isinstance(turn, Absence)
    assert turn.reason == "unauthenticated"
    assert watcher.receipts[0].seconds < 5
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


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_in_a_sandbox_a_seat_sees_nothing_of_what_is_beside_it(
    family: str, home: Path, tmp_path: Path
) -> None:
    if not sandboxing.sandbox(SeatPrograms(), os.environ):
        pytest.skip("bubblewrap may make no namespaces here")
    secret = tmp_path / "room" / "said.md"
    secret.parent.mkdir()
    secret.write_text("another seat's text")
    looks = (
        f"import pathlib, sys; sys.stdin.read(); p = pathlib.Path({str(secret)!r});"
        'print(\'{"position": "%s", "confidence": 5, "reason": "x"}\''
        ' % ("build" if p.exists() else "defer"))'
    )
    one = entry("", argv=(sys.executable, "-c", looks), output={"form": "text"})
    turn, _ = held(one, family, home)
    assert isinstance(turn, Reply)
    assert turn.value.position == "defer"


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
