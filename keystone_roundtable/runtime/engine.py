"""Carries out the machine's commands and feeds what happened back, one event at a time.

An event is checked, then on disk, and only then part of the session: whatever kills the process,
the log is the session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ..core import commands as cmd
from ..core import events as ev
from ..core.errors import UsageError
from ..core.fold import apply
from ..core.limits import MIN_ANSWERED
from ..core.machine import next_command
from ..core.plain import storable
from ..core.ports import Clock, Log, Moderator, Reader, Results, Writer
from ..core.preference import preference
from ..core.records import Answer, Author, Fact, ModeId, PauseCause, Question
from ..core.report import shorten
from ..core.session import Session
from ..core.suggestions import picked_suggestion
from . import closing
from .errors import NothingOpenError


@dataclass(frozen=True)
class Services:
    """What the engine works with, handed in by the command line."""

    clock: Clock
    moderator: Moderator
    reader: Reader
    writer: Writer
    results: Results


@dataclass(frozen=True)
class Beginning:
    """What a session is started with. `session` and `project` are opaque ids."""

    session: str
    topic: str
    project: str
    version: str
    context: str = ""
    context_name: str = ""
    mode: ModeId | None = None
    roles: tuple[str, ...] = ()
    force: bool = False
    telemetry: bool = True
    reopens: str | None = None
    facts: tuple[Fact, ...] = ()


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
            model=self._services.moderator.name,
            version=beginning.version,
            project=beginning.project,
            telemetry=beginning.telemetry,
            reopens=beginning.reopens,
            facts=beginning.facts,
        )

    def advance(self) -> cmd.Command:
        """Carries out what needs no person; gives the first command that does, or `Rest`."""
        while True:
            command = next_command(self.session)
            if isinstance(command, NEEDS_PERSON):
                return command
            self._carry_out(command)

    def _carry_out(self, command: cmd.Command) -> None:
        moderator = self._services.moderator
        match command:
            case cmd.MakePreview():
                self._enter()
                self._happened(ev.PreviewMade, preview=moderator.preview(self.session))
            case cmd.AskUser(question, asking):
                self._happened(ev.QuestionAsked, question=self._led(question), asking=asking)
            case cmd.AssessAnswer():
                self._happened(ev.AnswerAssessed, assessment=moderator.assess(self.session))
            case cmd.EndQuestions(reason):
                self._happened(ev.QuestionPhaseEnded, reason=reason)
            case cmd.DraftReport(outcome):
                conclusion = moderator.conclude(self.session, outcome)
                self._happened(ev.ReportDrafted, conclusion=conclusion)
            case cmd.CloseSession(outcome):
                closing.close(self.session, outcome, self._services.writer, self._services.results)
                self._happened(ev.SessionFinished)

    # -- what the person does ----------------------------------------------------------

    def say(self, text: str, by: Author = "user") -> bool:
        """Takes an answer to the open question. False, and nothing recorded, where it is blank."""
        text = storable(text)
        if not text.strip():
            return False
        question, asking = self._open_question()
        picked = picked_suggestion(text, question)
        reading = self._services.reader.signal(
            text, question.text, [s.text for s in question.suggestions]
        )
        self._happened(
            ev.AnswerGiven,
            answer=Answer(
                question=question.id,
                asking=asking,
                text=text,
                by=by,
                signal="informative" if picked is not None else reading.signal,
                firm=True if picked is not None else reading.firm,
                reason="a suggestion was picked" if picked is not None else reading.reason,
                picked=picked is not None,
            ),
        )
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
        self._happened(ev.Paused, cause=cause, draft=storable(draft))
        self._services.results.write_telemetry(closing.event_line(self.session, "paused"))

    def resume(self) -> None:
        self._happened(ev.Resumed)

    # -- inside ------------------------------------------------------------------------

    def _enter(self) -> None:
        """Clears what an earlier end left in the state, so that no old "ok" is read."""
        results = self._services.results
        results.write_state(dict.fromkeys(("exit_code", "exit_reason", "next_skill")))
        if self.session.preview is None and self.session.asked_mode == self.session.start.mode:
            results.write_telemetry(closing.event_line(self.session, "started"))

    def _open_question(self) -> tuple[Question, str]:
        command = next_command(self.session)
        if not isinstance(command, cmd.AwaitAnswer):
            raise NothingOpenError("no question is open")
        return command.question, command.asking

    def _led(self, question: Question) -> Question:
        """The question under what has to be said before it.

        Answers that contradict each other are put side by side; and where enough was answered and
        no path is preferred yet, the person is told that a leaning can be named here.
        """
        if self.session.reask is not None:
            return question
        if question.conflict:
            said = {t.answer_id: t.words for t in self.session.turns}
            above = _side_by_side((a, said[a]) for a in question.conflict)
        elif len(self.session.answered) >= MIN_ANSWERED and _undecided(self.session):
            above = NO_PREFERENCE_YET
        else:
            return question
        return question.model_copy(update={"lead": f"{question.lead} {above}".strip()})

    def _happened(self, kind: Callable[..., ev.Event], **fields: Any) -> None:
        event = kind(at=self._services.clock.now(), **fields)
        changed = apply(self.session, event)
        self._log.append(event)
        self.session = changed


NO_PREFERENCE_YET = "No path is preferred so far; if you lean one way, you can say so here."


def _undecided(session: Session) -> bool:
    return len(session.options) > 1 and preference(session).option is None


def _side_by_side(answers: Iterable[tuple[str, str]]) -> str:
    pairs = "; ".join(f"“{shorten(text)}” ({answer})" for answer, text in answers)
    return f"Two of your answers pull apart: {pairs}. Say here which one holds."


def require_open(session: Session) -> None:
    """Raises `UsageError` for a session that has ended."""
    if session.closed:
        raise UsageError(
            f"session {session.id} has ended ({session.status})",
            f"Start a new one from it with: reopen {session.id}",
        )
