"""What a person reads on the screen, in one place."""

from __future__ import annotations

from ..core.inputs import COMMANDS
from ..core.limits import BREAKER_AT, MAX_ASKED, MIN_ANSWERED
from ..core.session import Session

ASK_TOPIC = "What are you stuck on?"
TOPIC_EXAMPLE = (
    "For example: should we build the notification system now, or defer it until after the "
    "settings refactor?"
)
TOPIC_HINT = "A whole paragraph is fine."
TOPIC_PROMPT = "Topic: "
ANSWER_PROMPT = "Your answer: "
REVIEW_HINT = (
    "Enter accepts this report. /back reopens the last question, /quit pauses with nothing "
    "decided; anything else you type is added as a note."
)
REVIEW_PROMPT = "Accept? "
WHY_STAKES = "At stake: "
SUGGESTIONS = "You can also pick by number:"
RECOMMENDED = " (recommended)"
CONFIRM_PROMPT = "Type it: "
NON_ANSWER_WARNING = "One more non-answer and I conclude."
SKIP_WARNING = f"{NON_ANSWER_WARNING} Type /skip again to leave it open all the same."
ENTER_ANYWAY = "Enter the roundtable anyway?"
CHOOSE_MODE = "Which mode? brainstorm, align or challenge: "


def heading(session: Session) -> str:
    """`Question 2 of at least 3`, from the fourth on `Question 4, at most 7`."""
    number = len(session.turns)
    if number <= MIN_ANSWERED:
        return f"Question {number} of at least {MIN_ANSWERED}"
    return f"Question {number}, at most {MAX_ASKED}"


def breaker_state(session: Session) -> str:
    """The warning before a second non-answer in a row; "" while there is none to give."""
    return NON_ANSWER_WARNING if session.non_answers_in_a_row == BREAKER_AT - 1 else ""


def help_text() -> str:
    width = max(len(name) for name in COMMANDS)
    return "\n".join(f"{name:{width}}  {what}" for name, what in COMMANDS.items())


def confirm_request(option: str) -> str:
    return f"This direction cannot be undone. To confirm it, type it word for word: {option}"


def paused(session_id: str) -> str:
    return f"Paused, nothing is decided. Go on with: keystone-roundtable resume {session_id}"
