"""One session, held by turns through the step protocol and from the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from keystone_roundtable.cli.main import main
from keystone_roundtable.stores.session_log import SessionLog

from .agent import Agent, Send
from .prepared import prepared

TOPIC = "Should we build the notification system now or defer it until after the settings refactor?"
MAIL = "A mail goes out when an import fails"
Resume = Callable[..., int]


@pytest.fixture
def resume(tmp_path: Path) -> Resume:
    """`resume` of the only session with answers; gives the status."""

    def run(*answers: str, options: tuple[str, ...] = ()) -> int:
        script = tmp_path / "answers"
        script.write_text("\n".join(answers), encoding="utf-8")
        return main(["resume", "--answers", str(script), "--root", str(tmp_path), *options])

    return run


def answer(send: Send, response: dict[str, Any], text: str) -> dict[str, Any]:
    about = {"session": response["session"], "for": response["question"]["id"]}
    return send({"op": "answer", **about, "text": text, "by": "user"})


def test_what_the_command_line_took_is_no_longer_open(send: Send, resume: Resume) -> None:
    first = send({"op": "start", "topic": TOPIC, "model": "offline"})
    assert resume(MAIL) == 6
    assert answer(send, first, "another answer")["error"]["code"] == "stale"
    second = send({"op": "status", "session": first["session"]})
    assert second["progress"]["answered"] == 1
    third = answer(send, second, "2")
    assert resume("a native app", "one mail for one shop") == 0
    assert answer(send, third, "late")["error"]["code"] == "finished"
    assert answer(send, second, "2") == third


def test_a_request_that_came_to_nothing_is_not_taken_for_what_the_command_line_did(
    send: Send, resume: Resume, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was killed before it acted; then the person answered the question in a terminal."""
    first = send({"op": "start", "topic": TOPIC, "model": "offline"})

    class KilledError(BaseException):
        pass

    def killed(log: SessionLog, event: object) -> None:
        raise KilledError

    with monkeypatch.context() as patched, pytest.raises(KilledError):
        patched.setattr(SessionLog, "append", killed)
        answer(send, first, MAIL)
    assert resume("Nobody waits for a mail any more") == 6
    assert answer(send, first, MAIL)["error"]["code"] == "stale"


def test_a_session_whose_model_is_the_agent_goes_on_elsewhere_with_another_model(
    send: Send, resume: Resume, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = Agent(send, play=prepared(TOPIC))
    agent.hold(TOPIC, [MAIL], model="host")
    assert resume("2") == 2
    assert "keystone-roundtable step" in capsys.readouterr().err
    assert resume("2", options=("--model", "offline")) == 6
    session = agent.got[-1]["session"]
    status = send({"op": "status", "session": session})
    end = send({"op": "stop", "session": session, "for": status["question"]["id"]})
    assert end["need"] == "nothing"
    assert "host" in end["report_markdown"]
