"""One request in, one response out. No process lives on between two: the log is the session.

An identical request gets the response that it got, also where the process was killed between acting
and answering: before acting it is noted how long the log was.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from ..core import commands as cmd
from ..core import events as ev
from ..core.errors import KeystoneError, ModelFailureError, ReplyWantedError, UsageError
from ..core.inputs import COMMANDS, AddNote, Explain, Help, Pause, Said, SetMode, Skip, parse_input
from ..core.inputs import Back as BackTyped
from ..core.inputs import Defer as DeferTyped
from ..core.inputs import Stop as StopTyped
from ..core.limits import MAX_ASKED, MIN_ANSWERED
from ..core.machine import next_command
from ..core.notices import mode_line
from ..core.outcome import confirms
from ..core.plain import is_blank
from ..core.records import MODES
from ..core.session import Session
from ..core.status import Status as Standing
from ..runtime.engine import Engine
from ..runtime.services import Services
from .errors import StepError, coded
from .ports import Opened, Table
from .requests import (
    Back,
    Confirm,
    Deed,
    Defer,
    GiveAnswer,
    ModelReply,
    Start,
    Status,
    Stop,
    digest_of,
)
from .responses import (
    AnswerNeeded,
    ConfirmNeeded,
    ModelNeeded,
    NothingNeeded,
    OpenQuestion,
    Progress,
    Redirect,
    Response,
    failed,
    open_id,
    written,
)

_FITTING: dict[type[Deed], tuple[str, ...]] = {
    GiveAnswer: ("answer",),
    ModelReply: ("model",),
    Confirm: ("confirm",),
    Stop: ("answer", "confirm"),
    Defer: ("answer", "confirm"),
    Back: ("answer", "confirm"),
}
"""What has to be needed for a request to make sense."""

_OP = {"answer": "answer", "model": "model_reply", "confirm": "confirm"}


def respond(request: Start | Deed | Status, table: Table) -> dict[str, Any]:
    """The response in its JSON form. Every expected error is one."""
    try:
        if isinstance(request, Start):
            return _start(request, table)
        with table.open(request.session) as opened:
            return _act(request, opened, table)
    except KeystoneError as error:
        return written(failed(coded(error)))


def _start(request: Start, table: Table) -> dict[str, Any]:
    digest = digest_of(request)
    with table.begin(request, digest) as opened:
        taken = opened.journal.find(digest)
        if taken is not None and taken.response is not None:
            return taken.response
        services = table.services(opened.session, request.model)
        engine = Engine(opened.log, services, opened.session)
        if not opened.events:
            engine.begin(table.beginning(request, opened.id))
        response = written(_Sitting(engine, services, table).standing())
        if request.request_id is not None:
            _keep(opened, digest, response)
        return response


def _act(request: Deed | Status, opened: Opened, table: Table) -> dict[str, Any]:
    digest = digest_of(request)
    taken = opened.journal.find(digest) if not isinstance(request, Status) else None
    if taken is not None and taken.response is not None:
        return taken.response
    acted = taken is not None and _acted(opened, taken.events) and not taken.overtaken
    session = opened.session
    if session.closed and not acted and not isinstance(request, Status):
        raise _finished(session.id)
    services = table.services(session, None)
    sitting = _Sitting(Engine(opened.log, services, session), services, table)
    if isinstance(request, Status):
        return written(sitting.standing())
    if not acted:
        standing = sitting.standing()
        _check(request, standing)
        if isinstance(request, GiveAnswer | Confirm) and is_blank(request.text):
            return written(standing)  # silence is not an answer
        sitting.resumed()
        opened.journal.take(digest, sitting.engine.session.events)
        explained = sitting.take(request)
        if explained:
            return written(standing.model_copy(update={"clarification": explained}))
    response = written(sitting.standing())
    _keep(opened, digest, response)
    return response


def _acted(opened: Opened, events: int) -> bool:
    """Whether the log went on from there with what a request does, and not with a resumption."""
    return len(opened.events) > events and not isinstance(opened.events[events], ev.Resumed)


def _keep(opened: Opened, digest: str, response: dict[str, Any]) -> None:
    """Without it the request, when it comes again, is answered with what is open then."""
    with suppress(KeystoneError):
        opened.journal.answer(digest, response)


def _check(request: Deed, standing: Response) -> None:
    """Raises `StepError` unless the request is for what is open and does what can be done to it."""
    if isinstance(standing, NothingNeeded):
        raise _finished(standing.session)
    needed = str(getattr(standing, "need", ""))
    if request.for_ != open_id(standing):
        raise StepError(
            "stale",
            f"what this is for is not open; open is {open_id(standing)} (need: {needed})",
            "Ask for status, which repeats what is open, and go on from there",
        )
    if needed not in _FITTING[type(request)]:
        raise StepError(
            "bad_request",
            f"{open_id(standing)} needs {_OP[needed]}, not {request.op}",
            f"Send op {_OP[needed]} for {open_id(standing)} first",
        )


def _finished(session_id: str) -> StepError:
    return StepError(
        "finished",
        f"session {session_id} has ended",
        "Its end is told by status; start a new session for another question",
    )


class _Sitting:
    """One session while one request is answered."""

    def __init__(self, engine: Engine, services: Services, table: Table) -> None:
        self.engine = engine
        self._services = services
        self._table = table
        self._announced = _mode_of(engine.session)

    # -- where it stands ---------------------------------------------------------------

    def standing(self) -> Response:
        """What is open. A paused session is looked at without resuming it, where that is enough."""
        session = self.engine.session
        if session.status is not Standing.PAUSED:
            return self.advanced()
        view = replace(session, status=session.resumes_to or session.status)
        command = next_command(view)
        if isinstance(command, cmd.AwaitAnswer | cmd.AskConfirmation):
            return self._told(view, command)
        return self.advanced()

    def advanced(self) -> Response:
        """Goes on until something is needed from outside. Raises `ModelFailureError`."""
        self.resumed()
        engine = self.engine
        while True:
            try:
                command = engine.advance()
            except ReplyWantedError as wanted:
                return self._wanted(wanted)
            except ModelFailureError as failure:
                self._go_on_without(failure)
                continue
            match command:
                case cmd.OfferRedirect():
                    engine.redirect()
                case cmd.ReviewReport():
                    engine.accept()
                case _:
                    return self._told(engine.session, command)

    def resumed(self) -> None:
        if self.engine.session.status is Standing.PAUSED:
            self.engine.resume()

    def _go_on_without(self, failure: ModelFailureError) -> None:
        """On with the built-in rules where the settings say so; else the failure, with a way on."""
        session = self.engine.session
        if self._table.fallback == "offline" and session.model != "offline":
            self._table.tell(f"{failure.message}; going on with the built-in rules")
            self.engine.use(self._services.moderator_for("offline"))
            return
        way_on = (
            f"Session {session.id} is kept: the same request again, or op status with it, "
            "tries again"
        )
        hint = f"{failure.hint}. {way_on}" if failure.hint else way_on
        raise StepError("model_failed", failure.message, hint) from failure

    # -- what is done ------------------------------------------------------------------

    def take(self, request: Deed) -> str:
        """Does it, which is one event; or gives the explanation that was asked for.

        Raises `IllegalEventError` and `UsageError`; nothing was done then.
        """
        engine = self.engine
        match request:
            case GiveAnswer():
                return self._take_answer(request)
            case ModelReply():
                engine.take_reply(request.for_, request.text)
            case Confirm():
                self._confirm(request.text)
            case Stop() if engine.session.status is Standing.CONFIRMING:
                engine.leave_unconfirmed(UNCONFIRMED)
            case Stop():
                engine.stop()
            case Defer():
                engine.defer()
            case Back():
                engine.back()
        return ""

    def _take_answer(self, request: GiveAnswer) -> str:
        engine = self.engine
        match parse_input(request.text, request.by):
            case Said(text, by):
                engine.say(text, by)
            case Skip(by):
                engine.skip(by)
            case AddNote(text, by):
                engine.note(text, by)
            case SetMode(None):
                raise UsageError("/mode needs a mode", f"Choose one of {', '.join(MODES)}")
            case SetMode(mode) if mode:
                engine.change_mode(mode)
            case BackTyped():
                engine.back()
            case StopTyped():
                engine.stop()
            case DeferTyped():
                engine.defer()
            case Pause(cause, draft):
                engine.pause(cause, draft)
            case Explain():
                return engine.session.turns[-1].question.explanation
            case Help():
                return "; ".join(f"{name}: {does}" for name, does in COMMANDS.items())
        return ""

    def _confirm(self, text: str) -> None:
        """Wrong words are no confirmation: the session ends with the lower confidence."""
        command = next_command(self.engine.session)
        if isinstance(command, cmd.AskConfirmation) and confirms(text, command.option):
            self.engine.confirm(text)
        else:
            self.engine.leave_unconfirmed(UNCONFIRMED)

    # -- how it is told ----------------------------------------------------------------

    def _wanted(self, wanted: ReplyWantedError) -> Response:
        return ModelNeeded(
            session=self.engine.session.id,
            id=self.engine.ask_agent(wanted),
            call=wanted.step,
            prompt=wanted.prompt,
            schema=wanted.reply_schema,
            attempt=wanted.attempt,
            problem=wanted.problem or None,
        )

    def _told(self, session: Session, command: cmd.Command) -> Response:
        if session.preview is not None and _mode_of(session) != self._announced:
            self._announced = _mode_of(session)
            self._table.tell(mode_line(session))
        match command:
            case cmd.AwaitAnswer():
                return _question(session, command)
            case cmd.AskConfirmation(option):
                return ConfirmNeeded(session=session.id, id=f"d{session.askings}", text=option.text)
            case _:
                return self._ended(session)

    def _ended(self, session: Session) -> Response:
        end = self._table.end(session)
        redirect = None
        if session.status is Standing.REDIRECTED:
            redirect = Redirect(route=session.start.route, reason=session.start.route_reason)
        return NothingNeeded(
            session=session.id,
            report_markdown=end["report_markdown"],
            contract=end["contract"],
            paths=end["paths"],
            exit=end["exit"],
            redirect=redirect,
        )


UNCONFIRMED = "the direction's text was not typed"


def _mode_of(session: Session) -> str:
    return session.preview.mode if session.preview else ""


def _question(session: Session, command: cmd.AwaitAnswer) -> Response:
    question = command.question
    return AnswerNeeded(
        session=session.id,
        question=OpenQuestion(
            id=command.asking,
            text=f"{question.lead}\n{question.text}" if question.lead else question.text,
            stakes=question.stakes,
            explanation=question.explanation,
            suggestions=tuple(s.text for s in question.suggestions),
        ),
        progress=Progress(answered=len(session.answered), at_least=MIN_ANSWERED, at_most=MAX_ASKED),
        clarification=command.clarification or None,
    )
