"""`mcp` as a real process on standard input and output: whole sessions, kills, two clients."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp_types import ElicitResult

from keystone_roundtable.cli.verbs.mcp import INSTALL
from keystone_roundtable.stores.sessions import SessionStore

from .agent import Sent
from .mcp_clients import PROTOCOLS, REPOSITORY, Mode, User, accepted, connected, stdio_of, told

pytestmark = pytest.mark.real

TOPIC = "Should we build the notification system now or defer it until after the settings refactor?"
ANSWERS = ("A mail goes out when an import fails", "2", "a native app", "one mail for one shop")
SERVER = (sys.executable, "-m", "keystone_roundtable", "mcp")
ENVIRONMENT = {"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY)}
Events = Callable[[str], list[dict[str, Any]]]


@pytest.fixture(params=PROTOCOLS)
def mode(request: pytest.FixtureRequest) -> Mode:
    found: Mode = request.param
    return found


def call(root: Path, mode: Mode, user: User, tool: str, **arguments: Any) -> Sent:
    async def once() -> Sent:
        async with connected(stdio_of(root), mode, user) as client:
            return told(await client.call_tool(tool, arguments))

    return asyncio.run(asyncio.wait_for(once(), 60))


def server_process(root: Path) -> int:
    """The id of the server that this process started for `root`."""
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            parent = (entry / "stat").read_text().rpartition(") ")[2].split()[1]
        except (OSError, IndexError):
            continue
        if str(root).encode() in words and int(parent) == os.getpid():
            return int(entry.name)
    raise AssertionError("no server runs")


def test_one_call_holds_the_whole_session(tmp_path: Path, mode: Mode, events_of: Events) -> None:
    async def whole() -> None:
        user = User(ANSWERS)
        async with connected(stdio_of(tmp_path), mode, user) as client:
            assert client.session.protocol_version == PROTOCOLS[mode]
            end = told(await client.call_tool("hold", {"topic": TOPIC, "model": "offline"}))
            assert end["exit"] == {"name": "ok", "status": 0}
            base = f"keystone://sessions/{end['session']}"
            (report,) = (await client.read_resource(f"{base}/report.md")).contents
            assert report.text == end["report_markdown"]
            (listed,) = told(await client.call_tool("decisions", {}))["sessions"]
            assert listed["session"] == end["session"]
            assert len(events_of(end["session"])) > len(ANSWERS)

    asyncio.run(asyncio.wait_for(whole(), 60))


def test_killed_while_the_user_thinks_the_next_server_goes_on(
    tmp_path: Path, mode: Mode, events_of: Events
) -> None:
    async def killed() -> ElicitResult:
        os.kill(server_process(tmp_path), signal.SIGKILL)
        return accepted({"answer": ANSWERS[1]})

    with pytest.raises(BaseException) as caught:
        call(tmp_path, mode, User((ANSWERS[0], killed)), "hold", topic=TOPIC, model="offline")
    assert not isinstance(caught.value, AssertionError | TimeoutError)
    (session,) = SessionStore(tmp_path).ids()
    events = events_of(session)
    assert [e["answer"]["text"] for e in events if e["type"] == "answer_given"] == [ANSWERS[0]]
    user = User(ANSWERS[1:])
    end = call(tmp_path, mode, user, "hold", session=session)
    assert end["exit"] == {"name": "ok", "status": 0}
    assert len(user.seen) == len(ANSWERS) - 1


def test_two_clients_at_once_record_one_answer(
    tmp_path: Path, mode: Mode, events_of: Events
) -> None:
    async def race() -> list[Sent]:
        one = connected(stdio_of(tmp_path), mode)
        other = connected(stdio_of(tmp_path), "legacy" if mode == "auto" else "auto")
        async with one as first, other as second:
            start = {"topic": TOPIC, "model": "offline"}
            session = told(await first.call_tool("start", start))["session"]
            about = {"session": session, "for": "k1", "by": "user"}
            calls = [
                client.call_tool("answer", {**about, "text": f"answer {number}"})
                for number in range(4)
                for client in (first, second)
            ]
            return [told(result) for result in await asyncio.gather(*calls)]

    responses = asyncio.run(asyncio.wait_for(race(), 60))
    codes = {one["error"]["code"] for one in responses if "error" in one}
    assert codes <= {"busy", "stale"} and codes
    assert any("error" not in one for one in responses)
    (session,) = SessionStore(tmp_path).ids()
    assert [e["type"] for e in events_of(session)].count("answer_given") == 1


def test_a_session_that_another_server_holds_is_busy(tmp_path: Path, mode: Mode) -> None:
    first = call(tmp_path, mode, User(), "start", topic=TOPIC, model="offline")
    with SessionStore(tmp_path).open(first["session"]):
        fault = call(tmp_path, mode, User(), "show", session=first["session"])
    assert fault["error"]["code"] == "busy"
    assert call(tmp_path, mode, User(), "show", session=first["session"]) == first


# -- standard input and output ---------------------------------------------------------


def test_without_a_client_it_ends_at_once(tmp_path: Path) -> None:
    for words in (SERVER, ("bash", "-c", f"exec {' '.join(SERVER)} <&-")):
        done = subprocess.run(
            [*words], cwd=tmp_path, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=5, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_noise_on_the_wire_is_passed_over(tmp_path: Path) -> None:
    noise = [b"hello", b"{", b"[]", b"\xff\xfe", b'{"jsonrpc": "2.0"}', b"[" * 10_000]
    process = subprocess.Popen(
        SERVER, cwd=tmp_path, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(b"".join(line + b"\n" for line in noise) + hello())
    process.stdin.flush()
    for line in process.stdout:
        answer = json.loads(line)  # nothing else may stand there
        if answer.get("id") == 1:
            break
    process.stdin.close()
    assert answer["result"]["serverInfo"]["name"] == "keystone-roundtable"
    assert process.wait(5) == 0
    process.stdout.close()


def hello() -> bytes:
    about = {
        "protocolVersion": PROTOCOLS["legacy"],
        "capabilities": {"elicitation": {}},
        "clientInfo": {"name": "t", "version": "1"},
    }
    first = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}
    return json.dumps(first).encode() + b"\n"


def asking(tool: str, **arguments: Any) -> bytes:
    about = {"name": tool, "arguments": arguments}
    asked = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": about}
    return json.dumps(asked).encode() + b"\n"


@pytest.mark.parametrize("leaving", ["input", "output", "interrupt"])
def test_a_client_that_leaves_in_the_middle_ends_it_without_noise(
    tmp_path: Path, leaving: str, events_of: Events
) -> None:
    process = subprocess.Popen(
        SERVER, cwd=tmp_path, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write(hello() + asking("hold", topic=TOPIC, model="offline"))
    process.stdin.flush()
    process.stdout.readline()
    assert b"elicitation/create" in process.stdout.readline()
    if leaving == "input":
        process.stdin.close()
    elif leaving == "output":
        process.stdout.close()
        process.stdin.write(asking("decisions"))
        process.stdin.close()
    else:
        process.send_signal(signal.SIGINT)
    # Whether its answer or the end of its input comes first is the scheduler's.
    assert process.wait(10) in {"input": (0,), "output": (0, 1), "interrupt": (130,)}[leaving]
    assert process.stderr.read().count(b"\n") <= 1  # the mode, for the log
    for pipe in (process.stdin, process.stdout, process.stderr):
        with contextlib.suppress(OSError):
            pipe.close()
    (session,) = SessionStore(tmp_path).ids()
    last = [e["type"] for e in events_of(session)][-1]
    assert last in ("question_asked", "paused")
    assert leaving != "input" or last == "paused"


def test_a_root_that_is_not_there_is_told(tmp_path: Path) -> None:
    done = subprocess.run(
        [*SERVER, "--root", "nowhere"], cwd=tmp_path, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
        capture_output=True, timeout=10, check=False,
    )  # fmt: skip
    assert done.returncode == 2 and done.stdout == b""
    assert b"no such folder" in done.stderr


WITHOUT_IT = """
import sys
sys.modules["mcp"] = None
from keystone_roundtable.cli.main import main
sys.exit(main(["mcp"]))
"""


def test_without_the_extra_one_line_says_what_to_install(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_IT], cwd=tmp_path, env=ENVIRONMENT,
        stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=10, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1 and INSTALL in done.stderr


STEPPED = """
import sys
from keystone_roundtable.cli.main import main
main(["step"])
loaded = {name.partition(".")[0] for name in sys.modules}
sys.exit(bool(loaded & {"mcp", "mcp_types", "starlette"}))
"""


def test_other_commands_do_not_load_it(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STEPPED], cwd=tmp_path, env=ENVIRONMENT,
        input=json.dumps({"op": "start", "topic": TOPIC}).encode(), capture_output=True,
        timeout=30, check=False,
    )  # fmt: skip
    assert done.returncode == 0
