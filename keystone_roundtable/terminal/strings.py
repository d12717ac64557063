"""What a person reads on the screen, in one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..core.inputs import COMMANDS
from ..core.limits import BREAKER_AT, MAX_ASKED, MIN_ANSWERED
from ..core.plain import one_line
from ..core.session import Session

# -- the beginning ---------------------------------------------------------------------

ASK_TOPIC = "What are you stuck on?"
TOPIC_EXAMPLE = (
    "For example: should we build the notification system now, or defer it until after the "
    "settings refactor?"
)
TOPIC_HINT = "A whole paragraph is fine."
TOPIC_PROMPT = "Topic: "
TOPIC_IS_BLANK = "Type the decision you are stuck on; Ctrl-C leaves."
TOPIC_FIRST = "Commands come later: type the decision you are stuck on. Ctrl-C leaves."
NOT_STARTED = "Nothing was started."

# -- questions -------------------------------------------------------------------------

ANSWER_PROMPT = "Your answer: "
WHY_STAKES = "At stake: "
SUGGESTIONS = "You can also pick by number:"
RECOMMENDED = " (recommended)"
NON_ANSWER_WARNING = "One more non-answer and I conclude."
SKIP_WARNING = f"{NON_ANSWER_WARNING} Type /skip again to leave it open all the same."
SKIP_WARNING_HERE = f"{NON_ANSWER_WARNING} Press Enter again to skip all the same."
BLANK_LINE = "Type something, or leave with Ctrl-C."
BLANK = "An empty line is not an answer; the question stays open. /skip leaves it unanswered."
NOTHING_BEFORE = "There is no earlier answer to go back to."
MODE_IS_SET = "The mode can be changed only before the second question."
DRAFT_KEPT = "What you were typing is kept."
YOU_HAD = "You had: "
YOU_SAID = "You said: "
LEFT_OPEN = "(left open)"

# -- going on --------------------------------------------------------------------------

GOING_ON = "Going on where you left"
TOPIC = "Topic: "
MODE = "Mode: "
NOTE = "Note: "
WHICH_SESSION = "Which session do you want to go on with?"
WHICH_NUMBER = "Number (Enter takes the first): "
THAT_NUMBER = "Number: "

# -- modes and redirects ---------------------------------------------------------------

WHICH_MODE = "Which mode?"
CHOOSE_MODE = "Which mode? brainstorm, align or challenge: "
KEEP_MODE = "Keep the present one"
MODE_CHOICES: dict[str, str] = {
    "brainstorm": "find out what it should be about",
    "align": "agree on the boundary and the smallest step",
    "challenge": "test a direction for risks and costs",
}
ENTER_ANYWAY = "Enter the roundtable anyway?"
WHAT_NOW = "What do you want to do?"
ENTER_CHOICE = "Enter the roundtable anyway"
ENTERED = "Entered anyway; the contract will say so."

# -- the model ---------------------------------------------------------------------------

WHAT_NOW_WITHOUT_MODEL = "The model cannot be asked. How do you want to go on?"
RECOVERIES: dict[str, str] = {
    "again": "try again",
    "offline": "go on with the built-in rules",
    "model": "use another model",
    "pause": "pause here; nothing is lost",
}
WHICH_MODEL = "Which model? For example openai-chat:NAME, or offline:"
WAITING_FOR = "waiting for "
WAITING_KEYS = "Ctrl-C pauses"
WHO_PLAYS = "Who should play the roles?"
OFFLINE_CHOICE = "the built-in rules; nothing is sent anywhere"
WHICH_NAME = "Which model of it? Type its name:"


def sent_to(kind: str, host: str) -> str:
    return f"{kind}; the topic and your answers are sent to {host}"


# -- the end ---------------------------------------------------------------------------

REVIEW_HINT = (
    "Enter accepts this report. /back reopens the last question, /quit pauses with nothing "
    "decided; anything else you type is added as a note."
)
REVIEW_PROMPT = "Accept? "
REVIEW_HEADING = "Does this report stand?"
NOTE_ADDED = "Added as a note; the report is drawn up again:"
CONFIRM_AHEAD = (
    "The direction cannot be undone: after Enter you are asked to confirm it by typing it."
)
CONFIRM_COMMANDS = ("/back", "/quit", "/help")
CONFIRM_PROMPT = "Type it: "
CONFIRM_HEADING = "This direction cannot be undone."
CONFIRM_HOW = "To confirm it, type these words:"
CONFIRM_ELSE = "Anything else pauses the session with nothing decided; /back reopens the question."
NO_WORDS = "Nothing is confirmed yet: type the words, or /quit to pause."

# -- looking back ------------------------------------------------------------------------

INTERVAL_LEGEND = "● share that held, ─ its 95% interval, │ confidence stated; from 0 to 1"
ASCII_INTERVAL_LEGEND = "o share that held, - its 95% interval, | confidence stated; from 0 to 1"

# -- keys and the bottom bar -----------------------------------------------------------

ENTER_SENDS = "Enter sends"
ENTER_ACCEPTS = "Enter accepts"
NEW_LINE = "Alt-Enter: new line"
PAUSES = "Ctrl-C pauses"
LEAVES = "Ctrl-C leaves"
HELP_KEYS = (
    ("Enter", "sends the answer"),
    ("Alt-Enter", "starts a new line (so does Ctrl-J)"),
    ("Up, Down", "earlier answers; Right takes the one that is offered"),
    ("Ctrl-C", "pauses and keeps what you were typing (so does Ctrl-D)"),
)


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


def help_entries() -> list[tuple[str, str]]:
    """Commands and keys, each with what it does."""
    return [*COMMANDS.items(), *HELP_KEYS]


def confirm_request(option: str) -> str:
    return (
        f"{CONFIRM_HEADING} To confirm it, type it word for word: {option}\n"
        "Anything else pauses the session with nothing decided."
    )


def session_title(last_at: str, topic: str) -> str:
    """When a session was last worked on (UTC), and its topic on one line."""
    return f"{last_at[:16].replace('T', ' ')}  {one_line(topic)}"


def belongs_elsewhere(route: str, reason: str) -> str:
    return f"This belongs to {route}, not to a roundtable: {reason}."


def leave_choice(route: str) -> str:
    return f"Leave it to {route}"


def not_here(offered: Sequence[str]) -> str:
    return f"That does nothing here; there are {', '.join(offered)}."


def no_command(word: str) -> str:
    """For a word with a slash that is no command and like none."""
    return f"{word} is no command. Enter sends it as your answer."


def to_leave(word: str) -> str:
    """For a word that ends other programs."""
    return f"/quit pauses, /stop concludes. If “{word}” is your answer, send it once more."


def left_to(route: str) -> str:
    return f"No session was held. The next skill is {one_line(route)}."


def sentence(message: str) -> str:
    """`message` as it stands on a line of its own: messages of errors begin in lower case."""
    return message[:1].upper() + message[1:]


def no_number(count: int) -> str:
    return f"Type a number from 1 to {count}."


def lines_typed(count: int) -> str:
    return f"{count:,} lines"


def more_lines(count: int) -> str:
    if count == 0:
        return "…"
    return f"… {count:,} more line{'s' if count > 1 else ''}"


def ending(
    session_id: str, paths: Mapping[str, str | None], contract: Mapping[str, Any]
) -> list[str]:
    """The last lines of a finished session: files, next skill, what to type."""
    wider = [
        f"Let souls argue it and vote: keystone-roundtable table --from {session_id}",
        f"Ask several vendors apart: keystone-roundtable room open --from {session_id}",
    ]
    return [
        "",
        f"Report: {paths['report']}",
        f"Contract: {paths['contract']}",
        f"Next: {contract['next_skill']}. {contract['next_action']}",
        f"Read it again: keystone-roundtable show {session_id}",
        f"Decide anew from it: keystone-roundtable reopen {session_id}",
        *(wider if contract["escalate"] else []),
    ]


def paused(session_id: str) -> str:
    return (
        "Paused: nothing is decided, everything is kept.\n"
        f"Go on with: keystone-roundtable resume {session_id}"
    )


def earlier_rows(count: int) -> str:
    return f"… {count:,} earlier row{'s' if count > 1 else ''}; --json has them all"


def more_rows(count: int) -> str:
    return f"… {count:,} more row{'s' if count > 1 else ''}; --json has them all"
