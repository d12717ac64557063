"""How an event changes a session.

`apply` is the only way a session changes; replaying the same events gives the same session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from . import events as ev
from .agenda import call_id
from .assessing import check_assessment, check_preview
from .errors import IllegalEventError
from .outcome import confirms, outcome_of
from .phase import check_question, exit_reason
from .second_reading import reconciled
from .session import ModelExchange, Note, Session, Turn
from .status import Status
from .transitions import target_of


def apply(session: Session, event: ev.Event) -> Session:
    """The session after `event`. Raises `IllegalEventError` where it is not allowed."""
    target = target_of(session.status, event)
    changed = _FOLDS[type(event)](session, event)
    status = target if isinstance(target, Status) else target(changed)
    return replace(
        changed,
        status=status,
        resumes_to=None if isinstance(event, ev.Resumed) else changed.resumes_to,
        exchanges=changed.exchanges if isinstance(event, _KEEP_EXCHANGES) else (),
        active_s=session.active_s + _active_seconds(session, event),
        last_at=event.at,
        events=session.events + 1,
    )


def replay(events: Iterable[ev.Event]) -> Session:
    """The session that these events make. The empty sequence gives a new session."""
    session = Session()
    for event in events:
        session = apply(session, event)
    return session


def _active_seconds(session: Session, event: ev.Event) -> float:
    """Seconds since the last event; the time before a resumption was not spent on the session."""
    if not session.last_at or isinstance(event, ev.Resumed):
        return 0.0
    passed = datetime.fromisoformat(event.at) - datetime.fromisoformat(session.last_at)
    return max(0.0, passed.total_seconds())


# After anything else the step that they were for is done, or no longer due.
_KEEP_EXCHANGES = (ev.ModelAsked, ev.ModelReplied, ev.ModelCalled, ev.Paused, ev.Resumed)


# -- one fold per event ----------------------------------------------------------------


def _keep(session: Session, event: ev.Event) -> Session:
    return session


def _fold_started(session: Session, event: ev.SessionStarted) -> Session:
    return replace(session, started=event, asked_mode=event.mode, model=event.model)


def _fold_preview(session: Session, event: ev.PreviewMade) -> Session:
    check_preview(session, event.preview)
    return replace(session, preview=event.preview, turns=(), reask=None)


def _fold_asked(session: Session, event: ev.QuestionAsked) -> Session:
    check_question(session, event.question, event.asking)
    if session.reask and session.open_turn:
        turn = replace(session.turns[-1], asking=event.asking)
        turns = (*session.turns[:-1], turn)
    else:
        turns = (*session.turns, Turn(event.question, event.asking))
    return replace(session, turns=turns, reask=None, askings=session.askings + 1, pause_draft="")


def _fold_answer(session: Session, event: ev.AnswerGiven) -> Session:
    turn = session.open_turn
    answer = event.answer
    if turn is None or answer.asking != turn.asking or answer.question != turn.question.id:
        raise IllegalEventError(
            f"the answer is for {answer.asking}, which is not the open question"
        )
    if not answer.text.strip():
        raise IllegalEventError("silence is not an answer")
    if answer.signal == "clarify":
        turn = replace(turn, clarifications=(*turn.clarifications, answer))
        reask = None if turn.given_up else turn.question
        return replace(
            session,
            turns=(*session.turns[:-1], turn),
            reask=reask,
            pause_draft="",
        )
    turn = replace(turn, answer=answer)
    return replace(
        session,
        turns=(*session.turns[:-1], turn),
        stopped=session.stopped or answer.signal == "stop",
        deferred=session.deferred or answer.signal == "defer",
        drafts=tuple(d for d in session.drafts if d[0] != turn.question.template),
        pause_draft="",
    )


def _fold_assessed(session: Session, event: ev.AnswerAssessed) -> Session:
    """What comes after the next question was put no longer changes how the answer was read."""
    turn = check_assessment(session, event.assessment)
    answer = turn.answer
    in_time = session.status is Status.ASSESSING and turn is session.turns[-1]
    if in_time and answer is not None:
        answer = reconciled(answer, event.assessment.opinion)
    assessed = replace(turn, answer=answer, assessment=event.assessment)
    return replace(
        session,
        turns=tuple(assessed if one is turn else one for one in session.turns),
        stopped=session.stopped or assessed.signal == "stop",
        deferred=session.deferred or assessed.signal == "defer",
    )


def _fold_postponed(session: Session, event: ev.AssessmentPostponed) -> Session:
    if event.asking != session.turns[-1].asking:
        raise IllegalEventError(f"{event.asking} is not the last answer")
    return session


def _fold_call(session: Session, event: ev.ModelCalled) -> Session:
    counted = tuple(replace(exchange, counted=True) for exchange in session.exchanges)
    return replace(session, calls=(*session.calls, event.call), exchanges=counted)


def _fold_model_asked(session: Session, event: ev.ModelAsked) -> Session:
    if event.call != call_id(session):
        raise IllegalEventError(f"'{event.call}' is not a fresh call id")
    return replace(
        session,
        exchanges=(*session.exchanges, ModelExchange(event)),
        model_askings=session.model_askings + 1,
    )


def _fold_model_replied(session: Session, event: ev.ModelReplied) -> Session:
    last = session.exchanges[-1] if session.exchanges else None
    if last is None or last.reply is not None or last.asked.call != event.call:
        raise IllegalEventError(f"the reply is for {event.call}, which is not the open call")
    replied = replace(last, reply=event.reply, replied_at=event.at)
    return replace(session, exchanges=(*session.exchanges[:-1], replied))


def _fold_model(session: Session, event: ev.ModelChanged) -> Session:
    return replace(session, model=event.model)


def _fold_note(session: Session, event: ev.NoteAdded) -> Session:
    note = Note(f"N{len(session.notes) + 1}", event.text, event.by)
    return replace(session, notes=(*session.notes, note))


def _fold_mode(session: Session, event: ev.ModeChanged) -> Session:
    if len(session.turns) > 1:
        raise IllegalEventError("the mode can be changed only before the second question")
    return replace(session, asked_mode=event.mode, preview=None, turns=(), drafts=())


def _fold_back(session: Session, event: ev.BackTaken) -> Session:
    """Takes the last settled turn out of force; an open question after it goes too."""
    waiting = session.status is Status.AWAITING_ANSWER
    kept = session.turns[:-1] if waiting else session.turns
    if not kept:
        raise IllegalEventError("there is no earlier answer to go back to")
    revised = kept[-1]
    drafts = dict(session.drafts)
    if revised.answer:
        drafts[revised.question.template] = revised.answer.text
    return replace(
        session,
        turns=kept[:-1],
        reask=revised.question,
        drafts=tuple(drafts.items()),
        stopped=False,
        deferred=False,
        phase_exit=None,
        conclusion=None,
    )


def _fold_stop(session: Session, event: ev.StopRequested) -> Session:
    return replace(session, stopped=True)


def _fold_defer(session: Session, event: ev.DeferRequested) -> Session:
    late = session.phase_exit is not None
    return replace(
        session,
        deferred=True,
        phase_exit="user_deferred" if late else None,
        conclusion=None,
    )


def _fold_phase_end(session: Session, event: ev.QuestionPhaseEnded) -> Session:
    due = exit_reason(session)
    if event.reason != due:
        raise IllegalEventError(f"the question phase cannot end by '{event.reason}' (due: {due})")
    return replace(session, phase_exit=event.reason)


def _fold_draft(session: Session, event: ev.ReportDrafted) -> Session:
    return replace(session, conclusion=event.conclusion)


def _fold_confirmed(session: Session, event: ev.DirectionConfirmed) -> Session:
    option = outcome_of(session).option
    if event.by != "user":
        raise IllegalEventError("only the person can confirm a direction")
    if option is None or not confirms(event.text, option):
        raise IllegalEventError("the words typed are not the direction's text")
    return replace(session, confirmed=True)


def _fold_unconfirmed(session: Session, event: ev.DirectionUnconfirmed) -> Session:
    return replace(session, unconfirmed_reason=event.reason)


def _fold_finished(session: Session, event: ev.SessionFinished) -> Session:
    return replace(session, finished_at=event.at)


def _fold_pause(session: Session, event: ev.Paused) -> Session:
    return replace(
        session, resumes_to=session.status, pause_draft=event.draft, pause_cause=event.cause
    )


def _fold_resumption(session: Session, event: ev.Resumed) -> Session:
    return replace(session, pause_cause=None)


_FOLDS: dict[type[ev.Happened], Callable[[Session, Any], Session]] = {
    ev.SessionStarted: _fold_started,
    ev.Redirected: _keep,
    ev.EnteredAnyway: _keep,
    ev.PreviewMade: _fold_preview,
    ev.QuestionAsked: _fold_asked,
    ev.AnswerGiven: _fold_answer,
    ev.AnswerAssessed: _fold_assessed,
    ev.AssessmentPostponed: _fold_postponed,
    ev.ModelCalled: _fold_call,
    ev.ModelAsked: _fold_model_asked,
    ev.ModelReplied: _fold_model_replied,
    ev.ModelChanged: _fold_model,
    ev.NoteAdded: _fold_note,
    ev.ModeChanged: _fold_mode,
    ev.BackTaken: _fold_back,
    ev.StopRequested: _fold_stop,
    ev.DeferRequested: _fold_defer,
    ev.QuestionPhaseEnded: _fold_phase_end,
    ev.ReportDrafted: _fold_draft,
    ev.ReportAccepted: _keep,
    ev.DirectionConfirmed: _fold_confirmed,
    ev.DirectionUnconfirmed: _fold_unconfirmed,
    ev.SessionFinished: _fold_finished,
    ev.Paused: _fold_pause,
    ev.Resumed: _fold_resumption,
}
