"""A person at a real terminal whose model is slow, fails, or is chosen for the first time."""

from __future__ import annotations

import json
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

pytest.importorskip("pydantic_ai", reason="the extra 'openai' is not installed")
pytest.importorskip("openai", reason="the extra 'openai' is not installed")

from loopback import replies
from loopback.dialects import Asked
from loopback.player import in_step, playing
from loopback.replies import Response
from loopback.server import LoopbackServer

from .tmux import Tmux

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux"),
]

TOPIC = "Should we build the notification system now or defer it until after the settings refactor?"
ANSWER = "A pilot customer gets told when an import fails, without calling us"
MODEL = "openai-chat:loopback"
FIRST, SECOND, THIRD = "Question 1 of at least 3", "Question 2", "Question 3"
MENU = "The model cannot be asked. How do you want to go on?"
WHO = "Who should play the roles?"
DOWN_TO = {"again": 0, "offline": 1, "model": 2, "pause": 3}


@dataclass
class Place:
    """A project, the settings of a person, and the server that is named in the environment."""

    folder: Path
    settings: Path
    server: LoopbackServer
    environment: dict[str, str] = field(default_factory=dict)

    def terminal(self, *words: str, **size: Any) -> Tmux:
        known = {"OPENAI_BASE_URL": self.server.url, "XDG_CONFIG_HOME": str(self.settings)}
        return Tmux(list(words), self.folder, environment=known, **size)

    def run(self, *options: str, **size: Any) -> Tmux:
        return self.terminal("run", TOPIC, "--model", MODEL, *options, **size)

    @property
    def events(self) -> list[dict[str, Any]]:
        (log,) = self.folder.glob(".keystone/roundtable/sessions/*/events.jsonl")
        return [json.loads(line) for line in log.read_text("utf-8").splitlines()]

    @property
    def answers(self) -> list[str]:
        return [e["answer"]["text"] for e in self.events if e["type"] == "answer_given"]

    @property
    def config(self) -> Path:
        return self.settings / "keystone-roundtable" / "config.yaml"


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    folder, settings = tmp_path / "project", tmp_path / "settings"
    (folder / ".git").mkdir(parents=True)
    settings.mkdir()
    with LoopbackServer(default=playing()) as server:
        yield Place(folder, settings, server)


def choose(terminal: Tmux, what: str) -> None:
    terminal.press(*["Down"] * DOWN_TO[what], "Enter")


# -- the menu --------------------------------------------------------------------------


def test_asking_again_goes_on_as_if_nothing_had_been(place: Place) -> None:
    place.server.script(replies.unauthorized())
    with place.run() as terminal:
        terminal.wait(MENU, "Set OPENAI_API_KEY", "try again", "pause here; nothing is lost")
        choose(terminal, "again")
        terminal.wait(FIRST, gone=MENU)
    assert len(place.server.requests) == 2


def test_going_on_offline_keeps_the_answer_that_was_just_given(place: Place) -> None:
    place.server.default = in_step("assess", replies.unauthorized())
    with place.run() as terminal:
        terminal.wait(FIRST)
        terminal.answer(ANSWER)
        terminal.wait(MENU)
        choose(terminal, "offline")
        terminal.wait(SECOND, gone=MENU)
    assert place.answers == [ANSWER]
    assert [e["model"] for e in place.events if e["type"] == "model_changed"] == ["offline"]


def test_another_model_can_be_named_and_a_bad_name_is_told(place: Place) -> None:
    good, bad = playing(), replies.unauthorized()

    def only_the_small_one(request: Asked) -> Response:
        return (good if request.model == "loopback-small" else bad)(request)

    place.server.default = only_the_small_one
    with place.run() as terminal:
        terminal.wait(MENU)
        choose(terminal, "model")
        terminal.wait("Which model? For example openai-chat:NAME")
        terminal.answer("castle:x")
        terminal.wait("castle", MENU)
        choose(terminal, "model")
        terminal.wait("Which model? For example openai-chat:NAME", gone=MENU)
        terminal.answer("openai-chat:loopback-small")
        terminal.wait(FIRST)
    assert place.server.requests[-1].asked.model == "loopback-small"


def test_pausing_keeps_everything_and_the_session_goes_on_later(place: Place) -> None:
    place.server.default = in_step("assess", replies.unauthorized())
    with place.run() as terminal:
        terminal.wait(FIRST)
        terminal.answer(ANSWER)
        terminal.wait(MENU)
        choose(terminal, "pause")
        terminal.wait("Paused: nothing is decided, everything is kept.", "[status 6]")
    assert place.answers == [ANSWER]
    place.server.default = playing()
    with place.terminal("resume") as terminal:
        terminal.wait(SECOND)
    assert place.answers == [ANSWER]


def test_the_plain_loop_asks_the_same_by_number(place: Place) -> None:
    place.server.script(replies.unauthorized(), replies.unauthorized())
    with place.run("--plain") as terminal:
        terminal.wait(MENU, "2. go on with the built-in rules", "Number:")
        terminal.answer("1")
        terminal.wait_until(lambda s: s.count(MENU) == 2, "the menu once more")
        terminal.answer("3")
        terminal.wait("Which model? For example openai-chat:NAME")
        terminal.answer("openai-chat:loopback-small")
        terminal.wait(FIRST, "Your answer:")
        place.server.default = in_step("assess", replies.unauthorized())
        terminal.answer(ANSWER)
        terminal.wait_until(lambda s: s.count(MENU) == 3, "the menu a third time")
        terminal.answer("2")
        terminal.wait("Question 2 of at least 3")
        terminal.press("C-c")
        terminal.wait("[status 130]")
    assert place.answers == [ANSWER]


def test_the_plain_loop_pauses_by_number(place: Place) -> None:
    place.server.default = replies.unauthorized()
    with place.run("--plain") as terminal:
        terminal.wait(MENU)
        terminal.answer("4")
        terminal.wait("Paused:", "[status 6]")


# -- waiting ---------------------------------------------------------------------------


def slow(step: str, seconds: float) -> replies.Reaction:
    return in_step(step, replies.slow(seconds, playing()))


def test_a_wait_is_shown_with_its_reason_and_erased_when_it_is_over(place: Place) -> None:
    place.server.default = slow("preview", 1.0)
    with place.run() as terminal:
        terminal.wait("waiting for the preparation", "(Ctrl-C pauses)")
        screen = terminal.wait(FIRST)
        assert "waiting for" not in screen


def test_a_short_wait_is_not_worth_a_word(place: Place) -> None:
    with place.run("--plain") as terminal:
        terminal.wait(FIRST)
        terminal.answer(ANSWER)
        assert "aiting for what" not in terminal.wait(SECOND, history=True)


def test_the_plain_loop_says_once_what_it_waits_for(place: Place) -> None:
    place.server.default = slow("preview", 1.0)
    with place.run("--plain") as terminal:
        screen = terminal.wait("Waiting for the preparation.", FIRST, history=True)
        assert screen.count("Waiting for the preparation.") == 1


@pytest.mark.parametrize(
    ("step", "options"),
    [
        pytest.param("preview", (), marks=pytest.mark.long),
        ("assess", ("--plain",)),
        pytest.param("conclude", (), marks=pytest.mark.long),
    ],
)
def test_ctrl_c_during_a_call_pauses_and_nothing_is_lost(
    step: str, options: tuple[str, ...], place: Place
) -> None:
    place.server.default = in_step(step, replies.hanging())
    with place.run("--patience", "60", *options) as terminal:
        if step != "preview":
            terminal.wait(FIRST)
            terminal.answer(ANSWER)
        if step == "conclude":
            terminal.wait(SECOND)
            terminal.answer("/stop")
        _until_asked(place, step)
        terminal.press("C-c")
        screen = terminal.wait("Paused: nothing is decided", "[status 130]")
        assert "Traceback" not in screen and "waiting for" not in screen
    given = [] if step == "preview" else [ANSWER]
    assert place.answers == given
    place.server.default = playing()
    following = {"preview": FIRST, "assess": SECOND, "conclude": "Enter accepts"}
    with place.terminal("resume", *options, rows=60) as terminal:
        terminal.wait(following[step])
    assert place.answers == given


def _until_asked(place: Place, step: str) -> None:
    """Until the server has the request of this step."""
    from loopback.reading import situation

    while place.server.arrived.acquire(timeout=15):
        if situation(place.server.requests[-1].asked).step == step:
            return
    raise AssertionError(f"{step} was not asked")


def test_a_slow_assessment_does_not_keep_the_next_question_back(place: Place) -> None:
    place.server.default = in_step("assess", replies.hanging())
    with place.run("--patience", "0") as terminal:
        terminal.wait(FIRST)
        terminal.answer(ANSWER)
        terminal.wait(SECOND)
        terminal.answer("The settings refactor, because the preferences would live there")
        terminal.wait(THIRD)
        terminal.press("C-c")
        terminal.wait("[status 130]")
    place.server.default = playing()
    with place.terminal("resume") as terminal:
        terminal.wait(THIRD)
    assert len(place.answers) == 2


# -- the first time --------------------------------------------------------------------


@pytest.mark.parametrize("options", [(), ("--plain",)], ids=["redrawn", "plain"])
def test_who_plays_is_asked_once_and_remembered(options: tuple[str, ...], place: Place) -> None:
    sent = f"openai-chat; the topic and your answers are sent to 127.0.0.1:{place.server.port}"
    with place.terminal("run", TOPIC, *options) as terminal:
        terminal.wait(WHO, "the built-in rules; nothing is sent anywhere", sent)
        assert place.server.requests == []
        if options:
            terminal.answer("2")
        else:
            terminal.press("Down", "Enter")
        terminal.wait("Which model of it?")
        terminal.answer("loopback")
        terminal.wait(FIRST)
    assert place.server.requests[0].asked.model == "loopback"
    assert yaml.safe_load(place.config.read_text("utf-8")) == {"model": MODEL}
    assert stat.S_IMODE(place.config.stat().st_mode) == 0o600
    with place.terminal("run", TOPIC, *options) as terminal:
        screen = terminal.wait(FIRST, f"Roles: {MODEL}")
        assert WHO not in screen


def test_the_rules_are_the_first_choice_and_remembered_too(place: Place) -> None:
    with place.terminal("run", TOPIC) as terminal:
        terminal.wait(WHO)
        terminal.press("Enter")
        terminal.wait(FIRST)
    with place.terminal("run", TOPIC) as terminal:
        assert WHO not in terminal.wait(FIRST)
    assert place.server.requests == []


def test_leaving_the_question_starts_and_remembers_nothing(place: Place) -> None:
    with place.terminal("run", TOPIC) as terminal:
        terminal.wait(WHO)
        terminal.press("C-c")
        assert "Traceback" not in terminal.wait("[status 130]")
    assert not place.config.exists()
    assert list(place.folder.iterdir()) == [place.folder / ".git"]
