"""Which event each status allows, and where it leads: the one table of the machine.

A target written as a function is decided by the session as it stands after the event.
"""

from __future__ import annotations

from collections.abc import Callable

from . import events as ev
from .errors import IllegalEventError
from .outcome import needs_confirmation
from .session import Session
from .status import Status

Target = Status | Callable[[Session], Status]


def _after_start(session: Session) -> Status:
    start = session.start
    if start.route == "roundtable" or start.force:
        return Status.PREVIEWING
    return Status.INTAKE


def _after_answer(session: Session) -> Status:
    turn = session.turns[-1]
    return Status.ASSESSING if turn.answer else Status.CHOOSING


def _after_assessment(session: Session) -> Status:
    """An assessment that was postponed may come first."""
    return Status.ASSESSING if session.turns[-1].unassessed else Status.CHOOSING


def _after_acceptance(session: Session) -> Status:
    return Status.CONFIRMING if needs_confirmation(session) else Status.CLOSING


def _after_note(session: Session) -> Status:
    return Status.CONCLUDING if session.phase_exit else Status.AWAITING_ANSWER


def _after_deferral(session: Session) -> Status:
    return Status.CONCLUDING if session.phase_exit else Status.CHOOSING


def _after_resumption(session: Session) -> Status:
    return session.resumes_to or session.status


def _where_it_was(session: Session) -> Status:
    return session.status


_OPEN: dict[type[ev.Happened], Target] = {
    ev.ModelCalled: _where_it_was,
    ev.ModelChanged: _where_it_was,
    ev.Paused: Status.PAUSED,
    # After a crash the log ends in an open status: resuming leads back into it.
    ev.Resumed: _after_resumption,
}

# The steps that a model plays, which may be the calling agent.
_BY_MODEL: dict[type[ev.Happened], Target] = {
    ev.ModelAsked: _where_it_was,
    ev.ModelReplied: _where_it_was,
}

TRANSITIONS: dict[Status, dict[type[ev.Happened], Target]] = {
    Status.NEW: {ev.SessionStarted: _after_start},
    Status.INTAKE: {
        ev.Redirected: Status.REDIRECTED,
        ev.EnteredAnyway: Status.PREVIEWING,
        **_OPEN,
    },
    Status.PREVIEWING: {ev.PreviewMade: Status.CHOOSING, **_BY_MODEL, **_OPEN},
    Status.CHOOSING: {
        ev.QuestionAsked: Status.AWAITING_ANSWER,
        ev.QuestionPhaseEnded: Status.CONCLUDING,
        ev.AnswerAssessed: _where_it_was,
        **_OPEN,
    },
    Status.AWAITING_ANSWER: {
        ev.AnswerGiven: _after_answer,
        ev.AnswerAssessed: _where_it_was,
        ev.NoteAdded: _after_note,
        ev.ModeChanged: Status.PREVIEWING,
        ev.BackTaken: Status.CHOOSING,
        ev.StopRequested: Status.CHOOSING,
        ev.DeferRequested: _after_deferral,
        **_OPEN,
    },
    Status.ASSESSING: {
        ev.AnswerAssessed: _after_assessment,
        ev.AssessmentPostponed: Status.CHOOSING,
        **_BY_MODEL,
        **_OPEN,
    },
    Status.CONCLUDING: {
        ev.AnswerAssessed: _where_it_was,
        ev.ReportDrafted: Status.REVIEWING,
        **_BY_MODEL,
        **_OPEN,
    },
    Status.REVIEWING: {
        ev.ReportAccepted: _after_acceptance,
        ev.NoteAdded: _after_note,
        ev.BackTaken: Status.CHOOSING,
        ev.DeferRequested: _after_deferral,
        **_OPEN,
    },
    Status.CONFIRMING: {
        ev.DirectionConfirmed: Status.CLOSING,
        ev.DirectionUnconfirmed: Status.CLOSING,
        ev.NoteAdded: _after_note,
        ev.BackTaken: Status.CHOOSING,
        ev.DeferRequested: _after_deferral,
        **_OPEN,
    },
    Status.CLOSING: {ev.SessionFinished: Status.FINISHED, **_OPEN},
    Status.FINISHED: {},
    Status.REDIRECTED: {},
    Status.PAUSED: {ev.Resumed: _after_resumption},
}


def target_of(status: Status, event: ev.Event) -> Target:
    """Where `event` leads. Raises `IllegalEventError` where the table has no entry."""
    try:
        return TRANSITIONS[status][type(event)]
    except KeyError:
        raise IllegalEventError(
            f"'{event.type}' cannot happen while the session is {status}"
        ) from None
