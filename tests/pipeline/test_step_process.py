"""`step` as real processes: what comes in at standard input, what goes out, and what is killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from keystone_roundtable.stores.sessions import SessionStore

from .agent import Agent
from .prepared import prepared

pytestmark = pytest.mark.real

REPOSITORY = Path(__file__).parents[2]
TOPIC = "Should we build the notification system now or defer it until after the settings refactor?"
ANSWERS = ("A mail goes out when an import fails", "2", "a native app", "one mail for one shop")
PATIENCE_S = 5.0
STEP = (sys.executable, "-m", "keystone_roundtable", "step")
START = json.dumps({"op": "start", "topic": TOPIC, "request_id": "r"}).encode()

Popen = subprocess.Popen[bytes]


def environment() -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY)}


@contextmanager
def started(
    root: Path, *words: str, stdin: int = subprocess.PIPE, **options: Any
) -> Iterator[Popen]:
    process = subprocess.Popen(
        [*(words or STEP)], cwd=root, env=environment(), stdin=stdin, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, **options,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def ended(process: Popen, within_s: float = PATIENCE_S) -> tuple[dict[str, Any], int]:
    """The one object that it printed, and its status; nothing is sent to it any more."""
    assert process.stdout is not None
    status = process.wait(within_s)
    lines = process.stdout.read().splitlines()
    assert len(lines) == 1
    return json.loads(lines[0]), status


def sending(root: Path) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def send(request: dict[str, Any]) -> dict[str, Any]:
        done = subprocess.run(
            STEP, cwd=root, env=environment(), input=json.dumps(request).encode(),
            capture_output=True, timeout=60, check=False,
        )  # fmt: skip
        response: dict[str, Any] = json.loads(done.stdout)
        assert done.returncode == (1 if "error" in response else 0)
        return response

    return send


def test_a_whole_session_with_the_agent_as_the_model(tmp_path: Path) -> None:
    """In processes with hash seeds of their own: a prompt that changed would be asked anew."""
    agent = Agent(sending(tmp_path), play=prepared(TOPIC))
    end = agent.hold(TOPIC, ANSWERS, model="host")
    assert end["exit"] == {"name": "ok", "status": 0}
    calls = [one["id"] for one in agent.got if one.get("need") == "model"]
    assert calls == [f"c{number}" for number in range(1, 7)]


# -- standard input --------------------------------------------------------------------


def test_one_complete_object_is_acted_on_without_waiting_for_the_end(tmp_path: Path) -> None:
    with started(tmp_path) as process:
        assert process.stdin is not None
        half = len(START) // 2
        process.stdin.write(START[:half])
        process.stdin.flush()
        time.sleep(0.2)
        process.stdin.write(START[half:])
        process.stdin.flush()
        response, status = ended(process)
    assert (response["need"], status) == ("answer", 0)


@pytest.mark.parametrize("ending", [b"", b"\n", b"\n\n{}", b" trailing"])
def test_what_follows_the_object_does_not_matter(tmp_path: Path, ending: bytes) -> None:
    with started(tmp_path) as process:
        assert process.stdin is not None
        process.stdin.write(b"\xef\xbb\xbf \n" + START + ending)
        process.stdin.close()
        response, _ = ended(process)
    assert response["need"] == "answer"


def test_standard_input_that_is_closed_is_a_bad_request_at_once(tmp_path: Path) -> None:
    with started(tmp_path, "bash", "-c", f"exec {' '.join(STEP)} <&-") as process:
        response, status = ended(process)
    assert (response["error"]["code"], status) == ("bad_request", 1)


def test_no_input_at_all_is_a_bad_request_at_once(tmp_path: Path) -> None:
    with started(tmp_path, stdin=subprocess.DEVNULL) as process:
        response, status = ended(process, within_s=3)
    assert (response["error"]["code"], status) == ("bad_request", 1)


@pytest.mark.parametrize(
    "said",
    [
        b"",
        START[:40],
        pytest.param(b"  \n", marks=pytest.mark.long),
        pytest.param(b'{"op": "status"', marks=pytest.mark.long),
    ],
    ids=["nothing", "half", "blank", "unclosed"],
)
def test_a_pipe_kept_open_without_a_whole_request_is_answered(tmp_path: Path, said: bytes) -> None:
    with started(tmp_path) as process:
        assert process.stdin is not None
        process.stdin.write(said)
        process.stdin.flush()
        response, status = ended(process)
    assert (response["error"]["code"], status) == ("bad_request", 1)


@pytest.mark.parametrize("text", ["x" * 1_000_000, "}" * 1_000_000, '{"' * 500_000])
def test_a_request_of_a_megabyte_is_refused(tmp_path: Path, text: str) -> None:
    response = sending(tmp_path)({"op": "start", "topic": text})
    assert response["error"]["code"] == "bad_request"
    assert not (tmp_path / ".keystone").exists()


def test_what_is_no_object_is_refused_without_waiting(tmp_path: Path) -> None:
    with started(tmp_path) as process:
        assert process.stdin is not None
        process.stdin.write(b"hello")
        process.stdin.flush()
        response, _ = ended(process, within_s=3)
    assert response["error"]["code"] == "bad_request"


# -- beside others ---------------------------------------------------------------------


def test_a_session_that_another_process_holds_is_busy(tmp_path: Path) -> None:
    first = sending(tmp_path)(json.loads(START))
    held = (
        "import sys; from pathlib import Path;"
        "from keystone_roundtable.stores.sessions import SessionStore;"
        f"log = SessionStore(Path('.')).open({first['session']!r}); print('held', flush=True);"
        "sys.stdin.read()"
    )
    about = {"session": first["session"], "for": "k1"}
    with started(tmp_path, sys.executable, "-c", held) as holder:
        assert holder.stdout is not None and holder.stdin is not None
        assert holder.stdout.readline() == b"held\n"
        for request in (
            json.loads(START),
            {"op": "status", "session": first["session"]},
            {"op": "answer", **about, "text": "x"},
            {"op": "stop", **about},
        ):
            assert sending(tmp_path)(request)["error"]["code"] == "busy"
        holder.stdin.close()
        holder.wait()
    assert sending(tmp_path)({"op": "status", "session": first["session"]}) == first


def test_the_same_start_from_many_processes_begins_one_session(tmp_path: Path) -> None:
    processes = [
        subprocess.Popen(
            STEP, cwd=tmp_path, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(6)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(START)
        process.stdin.flush()
    responses = [json.loads(process.communicate(timeout=60)[0]) for process in processes]
    (session,) = SessionStore(tmp_path).ids()
    for response in responses:
        assert response.get("session", session) == session
        assert "error" not in response or response["error"]["code"] == "busy"
    assert any("error" not in response for response in responses)


KILLED_BEFORE_ANSWERING = """
import os, signal, sys
from keystone_roundtable.stores.journal import ExchangeJournal
ExchangeJournal.answer = lambda *said: os.kill(os.getpid(), signal.SIGKILL)
from keystone_roundtable.cli.main import main
main(["step"])
"""


def test_killed_between_acting_and_answering_the_repeated_request_gives_the_answer(
    tmp_path: Path,
) -> None:
    send = sending(tmp_path)
    request = json.loads(START)
    for text in (None, *ANSWERS):
        if text is not None:
            request = {
                "op": "answer", "session": response["session"],  # noqa: F821
                "for": response["question"]["id"], "text": text,  # noqa: F821
            }  # fmt: skip
        with started(tmp_path, sys.executable, "-c", KILLED_BEFORE_ANSWERING) as process:
            assert process.stdout is not None
            out, _ = process.communicate(json.dumps(request).encode(), timeout=60)
            assert (out, process.returncode) == (b"", -9)
        response = send(request)
        assert send(request) == response
    assert response["exit"]["status"] == 0
    log = SessionStore(tmp_path).folder(response["session"]) / "events.jsonl"
    types = [json.loads(line)["type"] for line in log.read_bytes().splitlines()]
    assert types.count("answer_given") == len(ANSWERS)
    assert types.count("session_started") == types.count("session_finished") == 1


# -- the rest of the door --------------------------------------------------------------


def test_what_is_kept_is_the_owners_alone(tmp_path: Path) -> None:
    send = sending(tmp_path)
    first = send(json.loads(START))
    send({"op": "answer", "session": first["session"], "for": "k1", "text": ANSWERS[0]})
    kept = [path for path in (tmp_path / ".keystone" / "roundtable").rglob("*") if path.is_file()]
    assert {path.name for path in kept} >= {"events.jsonl", "exchanges.jsonl"}
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}


def test_no_telemetry_holds_for_the_whole_session(tmp_path: Path) -> None:
    send = sending(tmp_path)
    done = subprocess.run(
        [*STEP, "--no-telemetry"], cwd=tmp_path, env=environment(), input=START,
        capture_output=True, timeout=60, check=True,
    )  # fmt: skip
    first = json.loads(done.stdout)
    end = send({"op": "stop", "session": first["session"], "for": "k1"})
    assert end["need"] == "nothing"
    assert not (tmp_path / ".keystone" / "telemetry").exists()


def test_a_root_that_is_not_there_is_told_as_an_error(tmp_path: Path) -> None:
    done = subprocess.run(
        [*STEP, "--root", "nowhere"], cwd=tmp_path, env=environment(), input=START,
        capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert json.loads(done.stdout)["error"]["code"] == "bad_request"
    assert done.returncode == 1


def test_the_schemas_fit_what_is_sent_and_what_comes_back(tmp_path: Path) -> None:
    with started(tmp_path, *STEP, "--schema", stdin=subprocess.DEVNULL) as process:
        out, _ = process.communicate(timeout=60)
    schemas = json.loads(out)
    for part in ("request", "response"):
        Draft202012Validator.check_schema(schemas[part])
    requests = Draft202012Validator(schemas["request"])
    responses = Draft202012Validator(schemas["response"])
    agent = Agent(sending(tmp_path), play=prepared(TOPIC))
    agent.hold(TOPIC, ("2", "/stop"), model="host")
    agent.ask({"op": "start", "topic": "Why does the login page return 500?"})
    agent.ask({"op": "status", "session": "none"})
    for request, response in zip(agent.sent, agent.got, strict=True):
        requests.validate(request)
        responses.validate(response)
    assert not requests.is_valid({"op": "answer", "session": "s", "text": "t"})
    assert not responses.is_valid({"need": "answer"})
