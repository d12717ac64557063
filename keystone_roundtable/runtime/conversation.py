"""Holds a session with someone who answers: the same loop for a terminal and for a script."""

from __future__ import annotations

from typing import Protocol

from ..core import commands as cmd
from ..core.errors import IllegalEventError, KeystoneError, ModelFailureError, UsageError
from ..core.inputs import (
    Accept,
    AddNote,
    Back,
    Defer,
    Explain,
    Help,
    Input,
    Pause,
    Said,
    SetMode,
    Skip,
    Stop,
)
from ..core.outcome import ExitStatus
from ..core.recovery import GiveUp, Leave, Recovery, TryAgain, UseModel
from ..core.session import Session
from ..core.status import Status
from .engine import Engine
from .errors import AnswerLineError
from .masking import report_of
from .services import Services


class Partner(Protocol):
    """Who answers, and sees what is to be seen."""

    def announce_mode(self, session: Session) -> None:
        """The one line on the mode, when the preview is made."""
        ...

    def redirected(self, session: Session, offer: cmd.OfferRedirect) -> bool:
        """Says where the topic belongs; True to enter anyway."""
        ...

    def answer(self, session: Session, open_question: cmd.AwaitAnswer) -> Input: ...

    def review(self, session: Session, markdown: str) -> Input:
        """Shows the drafted report; `Accept` lets it stand."""
        ...

    def confirm(self, session: Session, request: cmd.AskConfirmation) -> Input | None:
        """The words typed; None where nothing can be asked and the session ends unconfirmed."""
        ...

    def tell(self, message: str) -> None:
        """A short message on what was typed."""
        ...

    def explain(self, session: Session, open_question: cmd.AwaitAnswer) -> None: ...

    def help(self) -> None: ...

    def choose_mode(self, session: Session) -> Input | None: ...

    def model_failed(self, session: Session, failure: ModelFailureError) -> Recovery:
        """Says that the model cannot be asked, and what to do about it."""
        ...


def converse(engine: Engine, services: Services, partner: Partner) -> ExitStatus:
    """Holds the session until it ends or pauses, and gives the process status."""
    announced: str | None = None
    while True:
        try:
            command = engine.advance()
        except ModelFailureError as failure:
            _recover(engine, services, partner, failure)
            continue
        session = engine.session
        if session.preview is not None and session.prepared.mode != announced:
            announced = session.prepared.mode
            partner.announce_mode(session)
        match command:
            case cmd.OfferRedirect():
                if partner.redirected(session, command):
                    engine.enter_anyway()
                else:
                    engine.redirect()
            case cmd.AwaitAnswer():
                _take_answer(engine, partner, command)
            case cmd.ReviewReport(outcome):
                markdown = services.writer.report(report_of(session, outcome))
                _take_review(engine, partner, partner.review(session, markdown))
            case cmd.AskConfirmation():
                _take_confirmation(engine, partner, command)
            case _:
                return status_of(session)


def _recover(
    engine: Engine, services: Services, partner: Partner, failure: ModelFailureError
) -> None:
    """Goes on as the partner says. Raises the failure again where nobody can say."""
    match partner.model_failed(engine.session, failure):
        case UseModel(spec):
            try:
                engine.use(services.moderator_for(spec))
            except KeystoneError as error:
                partner.tell(f"{error}.")
                _recover(engine, services, partner, failure)
        case Leave(cause):
            engine.pause(cause)
        case GiveUp():
            engine.pause("failure")
            raise failure
        case TryAgain():
            pass


def status_of(session: Session) -> ExitStatus:
    """The process status for a session at rest."""
    from ..core.outcome import outcome_of

    match session.status:
        case Status.FINISHED:
            return outcome_of(session).status
        case Status.REDIRECTED:
            return ExitStatus.REDIRECTED
        case _ if session.pause_cause == "interrupt":
            return ExitStatus.INTERRUPTED
        case _:
            return ExitStatus.PAUSED


def _take_answer(engine: Engine, partner: Partner, open_question: cmd.AwaitAnswer) -> None:
    try:
        given = partner.answer(engine.session, open_question)
        match given:
            case Said(text, by):
                if not engine.say(text, by):
                    partner.tell(BLANK)
            case Skip(by):
                engine.skip(by)
            case Stop():
                engine.stop()
            case SetMode(None):
                chosen = partner.choose_mode(engine.session)
                if isinstance(chosen, SetMode) and chosen.mode:
                    engine.change_mode(chosen.mode)
            case SetMode(mode) if mode:
                engine.change_mode(mode)
            case Explain():
                partner.explain(engine.session, open_question)
            case Accept():
                partner.tell(BLANK)
            case _:
                _take_common(engine, partner, given)
    except AnswerLineError:  # nobody is there to mend it
        raise
    except (IllegalEventError, UsageError) as error:
        partner.tell(f"{error}.")


def _take_review(engine: Engine, partner: Partner, given: Input) -> None:
    try:
        match given:
            case Accept() | Stop():
                engine.accept()
            case Said(text, by) if text.strip():
                engine.note(text, by)
            case Said():
                engine.accept()
            case _:
                _take_common(engine, partner, given)
    except (IllegalEventError, UsageError) as error:
        partner.tell(f"{error}.")


def _take_confirmation(engine: Engine, partner: Partner, request: cmd.AskConfirmation) -> None:
    given = partner.confirm(engine.session, request)
    match given:
        case None:
            engine.leave_unconfirmed("the direction's text was not typed")
        case Said(text, by):
            try:
                engine.confirm(text, by)
            except IllegalEventError as error:
                partner.tell(f"{error}.")
                engine.pause("declined")
        case _:
            _take_common(engine, partner, given)


def _take_common(engine: Engine, partner: Partner, given: Input) -> None:
    match given:
        case Back():
            engine.back()
        case AddNote(text, by):
            engine.note(text, by)
            partner.tell("Noted.")
        case Defer():
            engine.defer()
        case Help():
            partner.help()
        case Pause(cause, draft):
            engine.pause(cause, draft)
        case _:
            partner.tell("That cannot be done here.")


BLANK = "An empty line is not an answer; the question stays open (/skip leaves it open for good)."
