"""A request whose process was killed at any write: the same request again gives its answer."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from keystone_roundtable.stores import files, session_log
from keystone_roundtable.stores.sessions import SessionStore

from .agent import Agent, Send, Sent
from .conftest import sending

pytestmark = pytest.mark.long

TOPIC = "Should we build the notification system now or defer it until after the settings refactor?"
ANSWERS = ("A mail goes out when an import fails", "2", "a native app", "one mail for one shop")
WITH_IT, BEFORE = True, False


class KilledError(BaseException):
    """The process is gone: nothing of it catches this."""


@pytest.fixture
def killed_at(monkeypatch: pytest.MonkeyPatch) -> Callable[[int | None, bool], None]:
    """Kills at the n-th write of any file, before it or when it is done; None lives on."""
    writes: dict[str, Any] = {"left": None, "done": WITH_IT}

    def killing(write: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **options: Any) -> Any:
            if writes["left"] is not None:
                writes["left"] -= 1
                if writes["left"] < 0:
                    raise KilledError
                if writes["left"] == 0:
                    if writes["done"]:
                        write(*arguments, **options)
                    raise KilledError
            return write(*arguments, **options)

        return counted

    for module in (files, session_log):
        monkeypatch.setattr(module, "write_line", killing(module.write_line))
    monkeypatch.setattr(files, "_write_beside", killing(files._write_beside))

    def at(write: int | None, done: bool) -> None:
        writes.update(left=write, done=done)

    return at


def held_until(send: Send, count: int, model: str) -> tuple[list[Sent], list[Sent]]:
    """The first `count` requests of a session and their responses."""
    agent = Agent(send)
    stopped = False

    def stopping(request: Sent) -> Sent:
        nonlocal stopped
        stopped = stopped or len(agent.got) == count
        if stopped:
            raise StopIteration
        return send(request)

    agent.send = stopping
    try:
        agent.hold(TOPIC, ANSWERS, model=model, request_id="r")
    except StopIteration:
        agent.sent.pop()
    return agent.sent, agent.got


def log_of(root: Path) -> list[dict[str, Any]]:
    (session,) = SessionStore(root).ids()
    lines = (SessionStore(root).folder(session) / "events.jsonl").read_bytes().splitlines()
    events = [json.loads(line) for line in lines]
    for event in events:
        event.pop("at")
        event.pop("session", None)
        event.pop("project", None)
        event.get("call") and isinstance(event["call"], dict) and event["call"].pop("seconds")
    return events


def told(response: Sent, root: Path) -> str:
    return json.dumps(response).replace(response["session"], "ID").replace(str(root), "ROOT")


@pytest.mark.parametrize("done", [WITH_IT, BEFORE])
@pytest.mark.parametrize(
    ("model", "count"),
    [("offline", 1), ("offline", 3), ("offline", 5), ("host", 2), ("host", 3), ("host", 9)],
    ids=lambda value: str(value),
)
def test_killed_at_any_write_the_repeated_request_gives_the_answer(
    killed_at: Callable[[int | None, bool], None],
    tmp_path: Path,
    model: str,
    count: int,
    done: bool,
) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    requests, responses = held_until(sending(whole), count, model)
    assert len(responses) == count
    for at in itertools.count(1):
        root = tmp_path / f"killed{at}"
        root.mkdir()
        send = sending(root)
        before, _ = held_until(send, count - 1, model) if count > 1 else ([], [])
        session = SessionStore(root).ids()[0] if before else ""
        request = {**requests[-1], **({"session": session} if session else {})}
        killed_at(at, done)
        try:
            send(request)
        except KilledError:
            killed_at(None, done)
        else:
            killed_at(None, done)
            assert at > 2
            return
        response = send(request)
        assert told(response, root) == told(responses[-1], whole), at
        assert send(request) == response
        assert log_of(root) == log_of(whole), at
