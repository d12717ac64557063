"""Sessions held by the engine itself, on a real disk, with every place where it may be stopped."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from keystone_roundtable.cli.moderators import offline_services
from keystone_roundtable.cli.wiring import Project, load_rules, replayed
from keystone_roundtable.core import events as ev
from keystone_roundtable.core.contract import Contract
from keystone_roundtable.core.errors import KeystoneError
from keystone_roundtable.core.ports import Log, Results
from keystone_roundtable.core.session import Session
from keystone_roundtable.runtime.conversation import converse
from keystone_roundtable.runtime.engine import Engine
from keystone_roundtable.runtime.scripted import ScriptedPartner, read_answers
from keystone_roundtable.runtime.services import Beginning

SESSION = "20261130-abcdef12"

# What one line of a script leaves in the log, so that a resumed script goes on behind it.
TAKEN_BY = (
    ev.AnswerGiven,
    ev.NoteAdded,
    ev.BackTaken,
    ev.ModeChanged,
    ev.StopRequested,
    ev.DeferRequested,
)


class Killed(BaseException):
    """The process is gone: nothing catches it."""


class Broken(KeystoneError):
    """A disk that fails."""


class TickingClock:
    """A second later each time it is asked."""

    def __init__(self) -> None:
        self._ticks = itertools.count()

    def now(self) -> str:
        tick = next(self._ticks)
        return f"2026-11-30T10:{tick // 60:02}:{tick % 60:02}.000000+00:00"


@dataclass
class StoppingLog:
    """Raises at append number `at`: behind it where the event is `kept`, else before it."""

    log: Log
    at: int
    kept: bool
    error: BaseException
    appended: int = 0

    def append(self, event: ev.Event) -> None:
        self.appended += 1
        stops = self.appended == self.at
        if stops and not self.kept:
            raise self.error
        self.log.append(event)
        if stops:
            raise self.error


@dataclass
class StoppingResults:
    """Raises at write number `at`: behind it where it is `kept`, else before it."""

    results: Results
    at: int
    kept: bool
    error: BaseException
    written: list[str] = field(default_factory=list)

    def _write(self, name: str, write: Callable[[], Any]) -> Any:
        self.written.append(name)
        stops = len(self.written) == self.at
        if stops and not self.kept:
            raise self.error
        done = write()
        if stops:
            raise self.error
        return done

    def write_report(self, session: Session, markdown: str) -> Path:
        return self._write("report", lambda: self.results.write_report(session, markdown))

    def write_contract(self, contract: Contract) -> tuple[Path, Path]:
        return self._write("contract", lambda: self.results.write_contract(contract))

    def write_state(self, values: Mapping[str, Any]) -> Path:
        return self._write("state", lambda: self.results.write_state(values))

    def write_telemetry(self, line: Mapping[str, Any]) -> Path | None:
        return self._write("telemetry", lambda: self.results.write_telemetry(line))


@dataclass(frozen=True)
class Held:
    """One session in a folder of its own, held in as many pieces as it takes."""

    root: Path
    topic: str
    script: tuple[str, ...]

    @property
    def project(self) -> Project:
        project = Project(self.root)
        project.__dict__["rules"] = RULES  # read once for all tests
        return project

    def start(
        self,
        around_log: Callable[[Log], Log] = lambda log: log,
        around_results: Callable[[Results], Results] = lambda results: results,
    ) -> Session:
        """Begins the session and holds it to its end, or to where it is stopped."""
        with self.project.store.create(SESSION) as log:
            services = self._services(around_results)
            engine = Engine(around_log(log), services)
            engine.begin(Beginning(SESSION, self.topic, project="p", version="0"))
            converse(engine, services, self._partner(()))
            return engine.session

    def resume(
        self,
        around_log: Callable[[Log], Log] = lambda log: log,
        around_results: Callable[[Results], Results] = lambda results: results,
    ) -> Session:
        """Goes on behind what the log holds."""
        with self.project.store.open(SESSION) as log:
            events = log.read().events
            services = self._services(around_results)
            engine = Engine(around_log(log), services, replayed(events, SESSION))
            engine.resume()
            converse(engine, services, self._partner(events))
            return engine.session

    @property
    def events(self) -> tuple[ev.Event, ...]:
        return self.project.store.read(SESSION).events

    @property
    def end(self) -> dict[str, Any]:
        """Everything that stands on disk in the end, apart from moments and folders."""
        folder = self.project.store.folder(SESSION)
        keystone = self.root / ".keystone"
        state = json.loads((keystone / "state.json").read_text("utf-8"))
        report = state.get("artifacts", {}).pop("roundtable_report", "")
        assert report in ("", str(folder / "report.md"))
        (month,) = (keystone / "telemetry" / "events").iterdir()
        lines = [json.loads(line) for line in month.read_bytes().splitlines()]
        told = [{k: v for k, v in line.items() if k not in ("ts", "seconds")} for line in lines]
        return {
            "files": sorted(p.name for p in folder.iterdir()),
            "report": _text(folder / "report.md"),
            "contract": _text(folder / "contract.json"),
            "contract as YAML": _text(folder / "contract.yaml"),
            "state": state,
            "telemetry": [line for line in told if line["event"] != "paused"],
        }

    def _services(self, around_results: Callable[[Results], Results]) -> Any:
        services = offline_services(self.project)
        return replace(services, clock=TickingClock(), results=around_results(services.results))

    def _partner(self, events: tuple[ev.Event, ...]) -> ScriptedPartner:
        taken = sum(isinstance(event, TAKEN_BY) for event in events)
        return ScriptedPartner(read_answers(list(self.script[taken:])), lambda message: None)


def _text(path: Path) -> str | None:
    return path.read_text("utf-8") if path.exists() else None


RULES = load_rules()

NOTIFICATIONS = (
    "Should we build the notification system now or defer it until after the settings refactor?"
)
ANSWERS = (
    "A pilot customer gets told when an import fails, without calling us",
    "The settings refactor, because the preferences would live in the new settings",
    "A push channel on mobile, nobody asked for it yet",
    "One kind of mail, for failed imports only, switched on by hand",
)
SESSIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "converged": (NOTIFICATIONS, ANSWERS),
    "with everything": (
        NOTIFICATIONS,
        (
            "/mode challenge",
            "why does that matter?",
            "We lose the pilot customer",
            "/note The refactor is planned for May",
            "Patient data must not leak",
            "/back",
            "Orders stop for more than a day",
            "you choose",
            "Whatever, but never store customer data abroad and we launch in six weeks",
            "/stop",
        ),
    ),
    "forced": (NOTIFICATIONS, ("you choose", "you choose")),
    "deferred": (NOTIFICATIONS, (ANSWERS[0], "/defer")),
    "escalated": ("Make things better.", ("up to you", "whatever you think")),
    "irreversible": ("Should we delete the customer archive for good?", ("/stop",)),
    "redirected": ("Why does the login page return 500 since yesterday?", ()),
}


@pytest.fixture(params=SESSIONS)
def new_session(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Held]:
    """Makes the same session again and again, each time in an empty folder."""
    topic, script = SESSIONS[request.param]
    numbers = itertools.count()

    def make() -> Held:
        root = tmp_path / str(next(numbers))
        root.mkdir()
        return Held(root, topic, script)

    return make


@pytest.fixture
def stopping() -> Any:
    """The ways to be stopped: what raises, and the wrappers that raise it."""

    class Ways:
        killed = Killed
        broken = Broken
        log = StoppingLog
        results = StoppingResults

    return Ways
