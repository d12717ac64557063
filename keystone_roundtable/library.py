"""The Python door: a session held from a program, over the same core as the step protocol.

Nothing lives in memory but what is open: the log on disk is the session, and another process may go
on with it. Every expected failure is a `KeystoneError`; one that came of a request has the step
protocol's `code`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from .cli.stepping import ProjectTable
from .cli.wiring import Project, root_of
from .core.contract import Contract
from .core.errors import UsageError
from .core.events import Event
from .core.records import Author, ModeId
from .pipeline.errors import Code, StepError
from .pipeline.requests import Deed, Start, Status, read_request
from .pipeline.step import respond

Tell = Callable[[str], None]

_HINTS: Mapping[Code, str] = {
    "unknown_session": "Each session has a folder below ROOT/.keystone/roundtable/sessions: name "
    "that root",
    "bad_request": "The docstrings of keystone_roundtable.Session say what it takes",
}
_PLAIN = "Give texts, numbers, lists and dictionaries"


@dataclass(frozen=True)
class Question:
    """A question is open. Show `text` word for word, and nothing else of the session."""

    id: str
    text: str
    stakes: str
    explanation: str
    suggestions: tuple[str, ...]
    """0 to 4; an answer picks one by its number or word for word."""
    answered: int
    """Informative answers so far, of `at_least`; at most `at_most` questions are asked."""
    at_least: int
    at_most: int
    clarification: str = ""
    """What to say above it, where the user asked what was meant."""


@dataclass(frozen=True)
class Confirmation:
    """A direction that cannot be undone: the user has to type `text`."""

    id: str
    text: str


@dataclass(frozen=True)
class ModelTurn:
    """The caller is the model (`model="host"`): `reply` with what it says to `prompt`."""

    id: str
    call: Literal["preview", "assess", "conclude"]
    prompt: str
    schema: dict[str, Any]
    attempt: int
    problem: str = ""
    """Why the attempt before cannot be used."""


@dataclass(frozen=True)
class End:
    """Nothing is open any more. A redirected session has neither report nor contract."""

    name: str
    status: int
    """As on the command line: 0 decided, 3 escalated, 4 deferred, 5 redirected."""
    paths: dict[str, str | None]
    report_markdown: str | None = None
    contract: Contract | None = None
    route: str | None = None
    """The skill that the topic belongs to, and why, where it was redirected."""
    route_reason: str = ""


Open = Question | Confirmation | ModelTurn | End


class Session:
    """One session. Made by `start` or `resume`; every method may raise `KeystoneError`."""

    def __init__(self, table: ProjectTable, response: dict[str, Any]) -> None:
        self._table = table
        self.id: str = response["session"]
        self._open = _opened(response)

    @classmethod
    def start(
        cls,
        topic: str,
        *,
        root: str | Path | None = None,
        context: str = "",
        mode: ModeId | None = None,
        roles: Iterable[str] = (),
        model: str | None = None,
        force: bool = False,
        telemetry: bool = True,
        request_id: str | None = None,
        tell: Tell | None = None,
    ) -> Session:
        """A new session on the topic.

        `root` is the folder that holds `.keystone`; None finds it upwards from the working
        directory. `model` is "offline", "host", or KIND:NAME; None is what is configured. `tell`
        gets messages such as the mode's line.
        """
        table = _table(root, telemetry, tell)
        request = _request(
            op="start",
            topic=topic,
            context=context,
            mode=mode,
            roles=tuple(roles),
            model=model,
            force=force,
            request_id=request_id,
        )
        return cls(table, _answered(request, table))

    @classmethod
    def resume(
        cls, session_id: str, *, root: str | Path | None = None, tell: Tell | None = None
    ) -> Session:
        """The session that was begun before, here or by any other door, where its log ends."""
        table = _table(root, True, tell)
        return cls(table, _answered(_request(op="status", session=session_id), table))

    # -- what is open ------------------------------------------------------------------

    @property
    def open(self) -> Open:
        """What is open since the last call; `refresh` looks at the disk again."""
        return self._open

    @property
    def ended(self) -> bool:
        return isinstance(self._open, End)

    @property
    def report_markdown(self) -> str | None:
        """None while the session is open, and where the topic belongs to another skill."""
        return self._open.report_markdown if isinstance(self._open, End) else None

    @property
    def contract(self) -> Contract | None:
        """None while the session is open, and where the topic belongs to another skill."""
        return self._open.contract if isinstance(self._open, End) else None

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that has happened, oldest first, as it stands in the log."""
        return tuple(self._table.project.store.read(self.id).events)

    def refresh(self) -> Open:
        """What is open now, where another process may have gone on; also the way to try again
        after a model could not be asked."""
        self._open = _opened(_answered(_request(op="status", session=self.id), self._table))
        return self._open

    # -- what can be done --------------------------------------------------------------

    def answer(self, text: str, by: Author = "agent") -> Open:
        """Answers the open question. `by="user"` is for the user's own words, unchanged.

        Blank text is no answer: the question stays open. The commands of a prompt (`/skip`, ...)
        work in it.
        """
        return self._do("answer", text=text, by=by)

    def note(self, text: str, by: Author = "agent") -> Open:
        """Adds a fact; the question stays open."""
        if not text.strip():
            raise UsageError("a note needs the fact to add", "Give its text")
        return self._do("answer", text=f"/note {text}", by=by)

    def confirm(self, text: str) -> Open:
        """What the user typed; other words than the direction's end the session unconfirmed."""
        return self._do("confirm", text=text)

    def reply(self, reply: dict[str, Any] | str) -> Open:
        """What the calling agent says as the model."""
        return self._do("model_reply", reply=reply)

    def stop(self) -> Open:
        """No more questions: concludes now, a direction that is to be confirmed unconfirmed."""
        return self._do("stop")

    def defer(self) -> Open:
        """Another day."""
        return self._do("defer")

    def back(self) -> Open:
        """Takes the previous answer back; its question is open again."""
        return self._do("back")

    def _do(self, op: str, **fields: Any) -> Open:
        if isinstance(self._open, End):
            raise StepError("finished", f"session {self.id} has ended", "Start another one")
        request = _request(op=op, session=self.id, **{"for": self._open.id}, **fields)
        self._open = _opened(_answered(request, self._table))
        return self._open


def _table(root: str | Path | None, telemetry: bool, tell: Tell | None) -> ProjectTable:
    try:
        folder = root_of(None if root is None else str(root))
    except UsageError as error:  # worded for somebody who types flags
        told = [part.replace("--root", "root") for part in (error.message, error.hint)]
        raise UsageError(*told) from error
    return ProjectTable(Project(folder, telemetry=telemetry), tell or (lambda message: None))


def _request(**fields: Any) -> Start | Deed | Status:
    """Raises `StepError` `bad_request` for what no session can be asked."""
    try:
        return read_request(json.dumps(fields).encode())
    except (TypeError, ValueError, RecursionError) as error:
        raise StepError("bad_request", f"no JSON can hold it: {error}", _PLAIN) from error
    except StepError as error:
        raise _worded(error.code, error.message, error.hint) from error


def _answered(request: Start | Deed | Status, table: ProjectTable) -> dict[str, Any]:
    """Raises `StepError` for a response that is an error."""
    response = respond(request, table)
    if (fault := response.get("error")) is not None:
        raise _worded(fault["code"], fault["message"], fault["hint"])
    return response


def _worded(code: Code, message: str, hint: str) -> StepError:
    """The error with a hint for somebody who writes Python, where it names a command."""
    names_a_command = "keystone-roundtable" in hint
    return StepError(code, message, _HINTS.get(code, hint) if names_a_command else hint)


def _opened(response: dict[str, Any]) -> Open:
    match response["need"]:
        case "answer":
            question = response["question"]
            return Question(
                **{**question, "suggestions": tuple(question["suggestions"])},
                **response["progress"],
                clarification=response.get("clarification", ""),
            )
        case "confirm":
            return Confirmation(response["id"], response["text"])
        case "model":
            named = ("id", "call", "prompt", "schema", "attempt")
            turn = {name: response[name] for name in named}
            return ModelTurn(**turn, problem=response.get("problem", ""))
        case _:
            return _end(response)


def _end(response: dict[str, Any]) -> End:
    contract = response.get("contract")
    redirect = response.get("redirect", {})
    return End(
        **response["exit"],
        paths=response["paths"],
        report_markdown=response.get("report_markdown"),
        contract=None if contract is None else Contract.model_validate_json(json.dumps(contract)),
        route=redirect.get("route"),
        route_reason=redirect.get("reason", ""),
    )
