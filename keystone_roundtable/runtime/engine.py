"""Carries out the machine's commands and feeds what happened back, one event at a time.

An event is checked, then on disk, and only then part of the session: whatever kills the process,
the log is the session.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..core import commands as cmd
from ..core import events as ev
from ..core.agenda import call_id
from ..core.errors import IllegalEventError, KeystoneError, ReplyWantedError, UsageError
from ..core.fold import apply
from ..core.machine import next_command
from ..core.plain import is_blank, storable
from ..core.ports import Log, Moderator
from ..core.rebasing import rebased
from ..core.records import Answer, Assessment, Author, ModeId, PauseCause, Question
from ..core.session import Session
from ..core.status import Status
from . import closing
from .answering import read_answer
from .assessing import BackgroundAssessments
from .errors import NothingOpenError
from .leading import led
from .services import Beginning, Services

_Made = TypeVar("_Made")

NEEDS_PERSON = (
    cmd.OfferRedirect,
    cmd.AwaitAnswer,
    cmd.ReviewReport,
    cmd.AskConfirmation,
    cmd.Rest,
)


class Engine:
    """One session being held. `session` is always what the log on disk says."""

    def __init__(self, log: Log, services: Services, session: Session | None = None) -> None:
        self._log = log
        self._services = services
        self._moderator = services.moderator
        self._background = BackgroundAssessments()
        self.session = session or Session()

    # -- driving -----------------------------------------------------------------------

    def begin(self, beginning: Beginning) -> None:
        """Starts the session: reads the route and logs the topic."""
        topic = storable(beginning.topic)
        route, reason = self._services.reader.route(topic)
        self._happened(
            ev.SessionStarted,
            session=beginning.session,
            topic=topic,
            context=storable(beginning.context),
            context_name=storable(beginning.context_name),
            route=route,
            route_reason=reason,
            mode=beginning.mode,
            roles=beginning.roles,
            force=beginning.force,
            model=self._moderator.name,
            version=beginning.version,
            project=beginning.project,
            telemetry=beginning.telemetry,
            reopens=beginning.reopens,
            facts=beginning.facts,
        )

    def advance(self) -> cmd.Command:
        """Carries out what needs no person; gives the first command that does, or `Rest`.

        Raises `ModelFailureError` where the model cannot be asked. Everything said is on disk then:
        calling again tries again, and `use` another moderator first goes on with that one.
        """
        while True:
            self._take_assessments()
            command = next_command(self.session)
            if isinstance(command, NEEDS_PERSON):
                self._begin_outstanding()
                if isinstance(command, cmd.AwaitAnswer) and self._waits_for_outstanding():
                    continue
                return command
            self._carry_out(command)

    def use(self, moderator: Moderator) -> None:
        """From here on this moderator plays the roles."""
        self.cancel()
        self._moderator = moderator
        if moderator.name != self.session.model:
            self._happened(ev.ModelChanged, model=moderator.name)

    def cancel(self) -> None:
        """Ends every call to a model that runs; what it was to teach stays outstanding."""
        self._background.forget()
        self._moderator.cancel()

    def _carry_out(self, command: cmd.Command) -> None:
        match command:
            case cmd.MakePreview():
                self._enter()
                preview = self._waited_for("the preparation", self._moderator.preview)
                self._happened(ev.PreviewMade, preview=preview)
            case cmd.AskUser(question, asking):
                self._happened(
                    ev.QuestionAsked, question=led(question, self.session), asking=asking
                )
            case cmd.AssessAnswer(asking):
                self._assess(asking)
            case cmd.EndQuestions(reason):
                self._happened(ev.QuestionPhaseEnded, reason=reason)
            case cmd.DraftReport(outcome):
                conclusion = self._waited_for(
                    "the report", lambda session: self._moderator.conclude(session, outcome)
                )
                self._happened(ev.ReportDrafted, conclusion=conclusion)
            case cmd.CloseSession(outcome):
                closing.close(self.session, outcome, self._services.writer, self._services.results)
                self._happened(ev.SessionFinished)

    # -- the moderator -----------------------------------------------------------------

    def _assess(self, asking: str) -> None:
        """Waits for what the answer teaches: for the next question a little, for the end fully."""
        if self._moderator.instant or not needs_model(self.session, asking):
            self._take(asking, self._assessed_by_rules(asking))
            return
        if not self._services.in_background:
            learned = self._waited_for(
                "what your answer changes",
                lambda session: self._moderator.assess(session.as_of(asking)),
            )
            self._take(asking, learned)
            return
        self._background.start(self._moderator, self.session.as_of(asking))
        if self.session.status is Status.ASSESSING:
            if not self._background.wait(asking, self._services.patience_s):
                self._happened(ev.AssessmentPostponed, asking=asking)
            return
        with self._services.waiting("what your last answer changes"):
            self._background.wait(asking, None)

    def _begin_outstanding(self) -> None:
        """What waits for an assessment gets one while the person types."""
        for turn in self.session.outstanding:
            if self._moderator.instant:
                self._take(turn.asking, self._assessed_by_rules(turn.asking))
            elif self._services.in_background:  # else the conclusion sees to it
                self._background.start(self._moderator, self.session.as_of(turn.asking))

    def _waits_for_outstanding(self) -> bool:
        """Whether it waited, so that what comes next does not hang on how slow the model is."""
        if self._services.patience_s is not None or not self._services.in_background:
            return False
        for turn in self.session.outstanding:
            with self._services.waiting("what an earlier answer changes"):
                self._background.wait(turn.asking, None)
        return bool(self.session.outstanding)

    def _take_assessments(self) -> None:
        """Takes what has come in. Raises `ModelFailureError` where it is a failure."""
        results = self._background.take()
        self._log_calls()
        failure: KeystoneError | None = None
        for asking, result in results:
            if isinstance(result, KeystoneError):
                failure = failure or result
            else:
                self._take(asking, result)
        if failure is not None:
            raise failure

    def _take(self, asking: str, assessment: Assessment) -> None:
        """The assessment in the session; nothing where its answer is no longer in force."""
        turn = self.session.turn_asked(asking)
        if turn is None or not turn.unassessed:
            return
        try:
            self._happened(ev.AnswerAssessed, assessment=rebased(assessment, self.session))
        except IllegalEventError as error:
            if assessment.source == "offline":
                raise
            instead = self._assessed_by_rules(asking)
            instead = instead.model_copy(update={"fallback": error.message})
            self._happened(ev.AnswerAssessed, assessment=instead)

    def _assessed_by_rules(self, asking: str) -> Assessment:
        found = self._services.offline.assess(self.session.as_of(asking))
        return rebased(found, self.session)

    def _waited_for(self, what: str, make: Callable[[Session], _Made]) -> _Made:
        try:
            with self._services.waiting(what):
                return make(self.session)
        finally:
            self._log_calls()

    def _log_calls(self) -> None:
        if self.session.closed or self.session.status is Status.PAUSED:
            return  # calls that were cancelled end a little later, when nothing can happen any more
        for call in self._moderator.take_calls():
            # An agent's replies are read again where a crash came before the step was done.
            if not any(exchange.counted for exchange in self.session.exchanges):
                self._happened(ev.ModelCalled, call=call)

    # -- the calling agent as the model ------------------------------------------------

    def ask_agent(self, wanted: ReplyWantedError) -> str:
        """The id of the call that waits for the agent's reply, which is logged once."""
        if wanted.call:
            return wanted.call
        call = call_id(self.session)
        self._happened(
            ev.ModelAsked,
            call=call,
            key=wanted.key,
            step=wanted.step,
            asking=wanted.asking,
            attempt=wanted.attempt,
            prompt=wanted.prompt,
            reply_schema=wanted.reply_schema,
            problem=wanted.problem,
        )
        return call

    def take_reply(self, call: str, reply: str) -> None:
        """Keeps the agent's reply; `advance` goes on with it. Raises `IllegalEventError`."""
        self._happened(ev.ModelReplied, call=call, reply=storable(reply))

    # -- what the person does ----------------------------------------------------------

    def say(self, text: str, by: Author = "user") -> bool:
        """Takes an answer to the open question. False, and nothing recorded, where it is blank.

        Raises `UsageError` for the number of a suggestion that is not there.
        """
        text = storable(text)
        if is_blank(text):
            return False
        question, asking = self._open_question()
        answer = read_answer(self._services.reader, text, question, asking, by)
        self._happened(ev.AnswerGiven, answer=answer)
        return True

    def skip(self, by: Author = "user") -> None:
        """A non-answer, said as one."""
        question, asking = self._open_question()
        answer = Answer(
            question=question.id,
            asking=asking,
            text="/skip",
            by=by,
            signal="low_information",
            reason="skipped",
        )
        self._happened(ev.AnswerGiven, answer=answer)

    def note(self, text: str, by: Author = "user") -> None:
        self._happened(ev.NoteAdded, text=storable(text), by=by)

    def back(self) -> None:
        self._happened(ev.BackTaken)

    def stop(self) -> None:
        self._happened(ev.StopRequested)

    def defer(self) -> None:
        self._happened(ev.DeferRequested)

    def change_mode(self, mode: ModeId) -> None:
        self._happened(ev.ModeChanged, mode=mode)

    def accept(self) -> None:
        self._happened(ev.ReportAccepted)

    def confirm(self, text: str, by: Author = "user") -> None:
        """Raises `IllegalEventError` where the words are not the direction's or not the user's."""
        self._happened(ev.DirectionConfirmed, text=storable(text), by=by)

    def leave_unconfirmed(self, reason: str) -> None:
        self._happened(ev.DirectionUnconfirmed, reason=reason)

    def enter_anyway(self) -> None:
        self._happened(ev.EnteredAnyway)

    def redirect(self) -> None:
        """Leaves for the skill that fits, and says so to the pipeline."""
        results = self._services.results
        results.write_state(closing.redirect_state(self.session))
        results.write_telemetry(closing.event_line(self.session, "redirected"))
        self._happened(ev.Redirected)

    def pause(self, cause: PauseCause, draft: str = "") -> None:
        self.cancel()
        self._log_calls()
        self._happened(ev.Paused, cause=cause, draft=storable(draft))
        self._services.results.write_telemetry(closing.event_line(self.session, "paused"))

    def resume(self) -> None:
        self._happened(ev.Resumed)

    # -- inside ------------------------------------------------------------------------

    def _enter(self) -> None:
        """Clears what an earlier end left in the state, so that no old "ok" is read."""
        results = self._services.results
        results.write_state(dict.fromkeys(("exit_code", "exit_reason", "next_skill")))
        session = self.session
        first = session.preview is None and not session.calls
        if first and session.asked_mode == session.start.mode:
            results.write_telemetry(closing.event_line(self.session, "started"))

    def _open_question(self) -> tuple[Question, str]:
        command = next_command(self.session)
        if not isinstance(command, cmd.AwaitAnswer):
            raise NothingOpenError("no question is open")
        return command.question, command.asking

    def _happened(self, kind: Callable[..., ev.Event], **fields: Any) -> None:
        event = kind(at=self._services.clock.now(), **fields)
        changed = apply(self.session, event)
        self._log.append(event)
        self.session = changed


def needs_model(session: Session, asking: str) -> bool:
    """Whether a model could add to what the rules read: not where there was surely no answer."""
    turn = session.turn_asked(asking)
    answer = turn.answer if turn else None
    return answer is not None and not (answer.signal == "low_information" and answer.firm)


def require_open(session: Session) -> None:
    """Raises `UsageError` for a session that has ended."""
    if session.closed:
        raise UsageError(
            f"session {session.id} has ended ({session.status})",
            f"Start a new one from it with: reopen {session.id}",
        )
