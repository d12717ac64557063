"""What to do next: exactly one command follows from a session's status."""

from __future__ import annotations

from collections.abc import Callable

from . import commands as cmd
from .agenda import asking_id, next_question
from .errors import IllegalEventError
from .outcome import outcome_of
from .phase import exit_reason
from .session import Session, Turn
from .status import Status


def next_command(session: Session) -> cmd.Command:
    """The command that is due. The same session always gives the same command."""
    return _DUE[session.status](session)


def _offer_redirect(session: Session) -> cmd.Command:
    return cmd.OfferRedirect(session.start.route, session.start.route_reason)


def _ask_or_end(session: Session) -> cmd.Command:
    if (reason := exit_reason(session)) is not None:
        return cmd.EndQuestions(reason)
    question = next_question(session)
    if question is None:
        raise IllegalEventError("no question is left and none of the exit reasons holds")
    return cmd.AskUser(question, asking_id(session), clarification_for(session.turns))


def _await_answer(session: Session) -> cmd.Command:
    turn = session.turns[-1]
    before = session.turns if turn.clarifications else session.turns[:-1]
    return cmd.AwaitAnswer(
        turn.question,
        turn.asking,
        clarification_for(before),
        session.pause_draft or session.draft_for(turn.question.template),
    )


def clarification_for(turns: tuple[Turn, ...]) -> str:
    """What to explain above the next question; "" unless the last turn asked for it.

    After the second clarification the suggestions are offered instead of a third explanation.
    """
    if not turns or turns[-1].answer is not None or not turns[-1].clarifications:
        return ""
    question = turns[-1].question
    if not turns[-1].given_up:
        return question.explanation
    offered = "; ".join(s.text for s in question.suggestions)
    suggestions = f" Possible answers: {offered}." if offered else ""
    return f"{question.explanation}{suggestions} Leaving it open for now; /back returns to it."


def _conclude(session: Session) -> cmd.Command:
    if session.outstanding:
        return cmd.AssessAnswer(session.outstanding[0].asking)
    return cmd.DraftReport(outcome_of(session))


def _confirm(session: Session) -> cmd.Command:
    option = outcome_of(session).option
    if option is None:
        raise IllegalEventError("there is no direction to confirm")
    return cmd.AskConfirmation(option)


def _rest(session: Session) -> cmd.Command:
    return cmd.Rest()


_DUE: dict[Status, Callable[[Session], cmd.Command]] = {
    Status.INTAKE: _offer_redirect,
    Status.PREVIEWING: lambda session: cmd.MakePreview(),
    Status.CHOOSING: _ask_or_end,
    Status.AWAITING_ANSWER: _await_answer,
    Status.ASSESSING: lambda session: cmd.AssessAnswer(session.turns[-1].asking),
    Status.CONCLUDING: _conclude,
    Status.REVIEWING: lambda session: cmd.ReviewReport(outcome_of(session)),
    Status.CONFIRMING: _confirm,
    Status.CLOSING: lambda session: cmd.CloseSession(outcome_of(session)),
    Status.FINISHED: _rest,
    Status.REDIRECTED: _rest,
    Status.PAUSED: _rest,
}
