"""What the client's model is told about the tools, and what the user is shown."""

from __future__ import annotations

RULES = """Four rules:
1. Show one question at a time, word for word: question.text with its suggestions.
2. Never answer for the user. `by` is `agent` unless you say `user`, and `user` is for the user's \
own words only; what an agent answered is said in the report, and confidence is at most 0.7.
3. Silence is no answer: blank text records nothing and gets the same question again.
4. Go by `need`: answer -> ask the user, then `answer`; model -> play the model with `prompt` as \
it stands, then `model_reply`; confirm -> the user types `text`, then `confirm`; nothing -> the \
end. `for` is always the id that came with it (question.id, or id)."""

_SEE_RULES = "The four rules in the description of `answer` hold."

INSTRUCTIONS = f"""Keystone Roundtable takes a user who is stuck on a question of direction to one \
decision, one question at a time. Use `hold` where the client can ask the user itself \
(elicitation), else `start` and `answer`. Nothing is decided by you.

{RULES}"""

DESCRIPTIONS = {
    "hold": f"""Holds a whole session in one call: the client asks the user each question. Give \
`topic` (the question in the user's words) to begin, or `session` alone to go on with one. With \
`request_id` the same call again goes on where it stood. Where the client cannot ask, or `model` \
is `host`, the response says by `need` what to do next. `paused` in it: the user declined, or the \
call asked its share; tell the user, and call again with `session` only when they want to go on. \
It was no answer.

{RULES}""",
    "start": f"""Begins a session about a question of direction, in the user's words. The response \
says by `need` what is open. The same `request_id` with the same contents never begins a second \
one.

{RULES}""",
    "answer": f"""Passes on the answer to the open question, word for word; a suggestion by its \
number or its text. `/why`, `/skip`, `/note TEXT`, `/back`, `/stop`, `/defer` work in it. An \
identical call gets the same response and changes nothing.

{RULES}""",
    "model_reply": f"""The reply to `need: model`: an object that fits `schema`, or the model's \
text as it came. Only where the session was started with `model: host`. {_SEE_RULES}""",
    "confirm": f"""What the user typed where a direction cannot be undone. Never type it for the \
user: other words than the direction's end the session with confidence at most 0.7. {_SEE_RULES}""",
    "stop": f"""The user wants no more questions: conclude now. Where a confirmation is open: end \
unconfirmed. {_SEE_RULES}""",
    "defer": f"The user wants to decide another day. {_SEE_RULES}",
    "back": f"The user takes the previous answer back; its question comes again. {_SEE_RULES}",
    "show": f"""Whatever is open in a session, whole; or its end with report and contract. Also \
the way on after an error. {_SEE_RULES}""",
    "decisions": """The finished sessions of this project, newest first: what was decided, with \
what confidence, when. Their reports are resources: keystone://sessions/ID/report.md.""",
}

HINTS = {
    "unknown_session": "The tool decisions lists the sessions that have ended; start begins one",
    "bad_request": "The tool's input schema says what it takes; nothing was changed",
    "too_new": "Ask the user to upgrade keystone-roundtable",
}
"""Instead of hints that name a command, by code."""
HINT = "Tell the user, who can look at it with: keystone-roundtable doctor"

# -- what the user is shown ------------------------------------------------------------

BLANK = "Nothing was typed, and silence is no answer: the same is asked again."
ANSWER_TITLE = "Your answer"
ANSWER_HELP = "Your own words, or the number of a suggestion"
CONFIRM_TITLE = "The direction, typed in full"
CONFIRM_HELP = "Anything else ends the session unconfirmed, with less confidence"
COMMANDS_LINE = (
    "/why explains, /skip leaves it open, /back revises, /stop concludes, /defer decides another "
    "day. To decline pauses; nothing is decided."
)
CONFIRM_LINE = "This direction cannot be undone. To confirm it, type it in full:"
CONFIRM_COMMANDS = "/back, /stop and /defer work too. To decline pauses; nothing is decided."

_GO_ON = "Nothing was decided. When the user wants to go on: hold with this session"
DECLINED = f"Paused: the user declined to answer. {_GO_ON}"
CANCELLED = f"Paused: the user closed the question without an answer. {_GO_ON}"
QUIT = f"Paused: the user asked for a pause. {_GO_ON}"
NOT_ASKED = f"Paused: the client could not ask the user. {_GO_ON}"
ASKED_ENOUGH = f"Paused: one call asks so many times and no more. {_GO_ON}"
