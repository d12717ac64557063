"""The plain loop: one line at a time, no colour, no redraw. Right for a screen reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TextIO

from ..core import commands as cmd
from ..core.errors import ModelFailureError, UsageError
from ..core.inputs import Accept, Back, Help, Input, Pause, Said, SetMode, Skip, parse_input
from ..core.notices import mode_line
from ..core.outcome import needs_confirmation
from ..core.plain import one_line, plain
from ..core.recovery import GiveUp, Leave, Recovery
from ..core.report import shorten
from ..core.session import Session
from . import strings
from .recovering import recovery_of
from .taking import leaving_doubt
from .waiting import announced

_LINE = 160  # characters of what was said before; chosen by judgement: some seconds of speech


class PlainPartner:
    """Writes lines to `out` and reads lines from `read`, which raises `EOFError` at the end."""

    def __init__(self, out: TextIO, read: Callable[[], str]) -> None:
        self._out = out
        self._read = read
        self._announced = False
        self._shown = ""
        self._warned = ""
        self._doubted = ""

    # -- the beginning -----------------------------------------------------------------

    def ask_topic(self) -> str:
        self._line(strings.ASK_TOPIC)
        self._line(strings.TOPIC_EXAMPLE)
        return self._ask(strings.TOPIC_PROMPT)

    def choose_session(self, sessions: Sequence[tuple[str, str, str]]) -> str:
        """The id of the session to go on with, of `(id, last_at, topic)`, the latest first."""
        self._line(strings.WHICH_SESSION)
        for number, (_, *rest) in enumerate(sessions, 1):
            self._line(f"{number}. {shorten(strings.session_title(*rest), _LINE)}")
        while True:
            given = self._ask(strings.WHICH_NUMBER).strip() or "1"
            if given.isdecimal() and 1 <= int(given) <= len(sessions):
                return sessions[int(given) - 1][0]
            self._line(strings.no_number(len(sessions)))

    def choose_model(self, offers: Sequence[tuple[str, str]]) -> str:
        """A model spec for one of `(kind, host)`, or "offline"."""
        self._line(strings.WHO_PLAYS)
        titles = [strings.OFFLINE_CHOICE, *(strings.sent_to(*offer) for offer in offers)]
        for number, title in enumerate(titles, 1):
            self._line(f"{number}. {title}")
        while True:
            given = self._ask(strings.WHICH_NUMBER).strip() or "1"
            if given.isdecimal() and 1 <= int(given) <= len(titles):
                break
            self._line(strings.no_number(len(titles)))
        if int(given) == 1:
            return "offline"
        return f"{offers[int(given) - 2][0]}:{self._ask(f'{strings.WHICH_NAME} ').strip()}"

    def waiting(self, what: str) -> AbstractContextManager[None]:
        """Says what is waited for, where it takes a while."""
        return announced(self._out, what)

    def announce_mode(self, session: Session) -> None:
        if not self._announced and any(turn.settled for turn in session.turns):
            self._recap(session)
        else:
            self._line(plain(mode_line(session)))
        self._announced = True

    def _recap(self, session: Session) -> None:
        """What was said before, a line for each question."""
        self._line(f"{strings.GOING_ON}.")
        self._line(shorten(f"{strings.TOPIC}{one_line(session.start.topic)}", _LINE))
        self._line(f"{strings.MODE}{session.prepared.mode}")
        for turn in session.turns:
            if turn.settled:
                said = turn.words or strings.LEFT_OPEN
                self._line(
                    f"{turn.question.id}. {one_line(turn.question.text)} "
                    f"{strings.YOU_SAID}{shorten(one_line(said), _LINE)}"
                )
        for note in session.notes:
            self._line(shorten(f"{strings.NOTE}{one_line(note.text)}", _LINE))

    def redirected(self, session: Session, offer: cmd.OfferRedirect) -> bool:
        self._line(strings.belongs_elsewhere(offer.route, one_line(offer.reason)))
        try:
            return self._ask(f"{strings.ENTER_ANYWAY} (y/n) ").strip().casefold() in ("y", "yes")
        except EOFError:
            self._line()
            return False

    # -- questions ---------------------------------------------------------------------

    def answer(self, session: Session, open_question: cmd.AwaitAnswer) -> Input:
        if self._shown != open_question.asking:
            self._shown = open_question.asking
            self._show_question(session, open_question)
        while True:
            given = self._input(strings.ANSWER_PROMPT)
            doubt = leaving_doubt(given)
            if doubt and self._doubted != open_question.asking:
                self._doubted = open_question.asking
                self._line(doubt)
            elif isinstance(given, Skip) and self._must_warn(session, open_question):
                self._line(strings.SKIP_WARNING)
            else:
                return given

    def _must_warn(self, session: Session, open_question: cmd.AwaitAnswer) -> bool:
        if not strings.breaker_state(session) or self._warned == open_question.asking:
            return False
        self._warned = open_question.asking
        return True

    def _show_question(self, session: Session, open_question: cmd.AwaitAnswer) -> None:
        question = open_question.question
        self._line()
        if open_question.clarification:
            self._line(plain(open_question.clarification))
            self._line()
        self._line(strings.heading(session))
        if question.lead:
            self._line(one_line(question.lead))
        self._line(one_line(question.text))
        if question.stakes:
            self._line(f"{strings.WHY_STAKES}{one_line(question.stakes)}")
        if question.suggestions:
            self._line(strings.SUGGESTIONS)
        for number, suggestion in enumerate(question.suggestions, 1):
            mark = strings.RECOMMENDED if suggestion.recommended else ""
            self._line(f"{number}. {one_line(suggestion.text)}{mark}")
        if warning := strings.breaker_state(session):
            self._line(warning)
        if open_question.draft:
            self._line(f"{strings.YOU_HAD}{shorten(one_line(open_question.draft), _LINE)}")

    def explain(self, session: Session, open_question: cmd.AwaitAnswer) -> None:
        self._line(plain(open_question.question.explanation))

    def help(self) -> None:
        self._line(strings.help_text())

    def choose_mode(self, session: Session) -> Input | None:
        try:
            given = self._ask(strings.CHOOSE_MODE).strip()
        except EOFError:
            self._line()
            return None
        parsed = parse_input(f"/mode {given}") if given else None
        return parsed if isinstance(parsed, SetMode) else None

    def tell(self, message: str) -> None:
        self._line(plain(strings.sentence(message)))

    def model_failed(self, session: Session, failure: ModelFailureError) -> Recovery:
        self._line(plain(strings.sentence(str(failure))))
        self._line(strings.WHAT_NOW_WITHOUT_MODEL)
        for number, title in enumerate(strings.RECOVERIES.values(), 1):
            self._line(f"{number}. {title}")
        try:
            keys = {str(number): key for number, key in enumerate(strings.RECOVERIES, 1)}
            while (given := self._ask(strings.THAT_NUMBER).strip()) not in keys:
                pass  # silence and slips choose nothing
            return recovery_of(keys[given], lambda: self._ask(f"{strings.WHICH_MODEL} "))
        except EOFError:
            return GiveUp()
        except KeyboardInterrupt:
            return Leave("interrupt")

    # -- the end -----------------------------------------------------------------------

    def review(self, session: Session, markdown: str) -> Input:
        self._line()
        self._line(plain(markdown))
        if needs_confirmation(session):
            self._line(strings.CONFIRM_AHEAD)
        self._line(strings.REVIEW_HINT)
        given = self._input(strings.REVIEW_PROMPT)
        return Accept() if isinstance(given, Said) and not given.text.strip() else given

    def confirm(self, session: Session, request: cmd.AskConfirmation) -> Input | None:
        self._line(strings.confirm_request(one_line(request.option.text)))
        while True:
            given = self._input(strings.CONFIRM_PROMPT)
            if isinstance(given, Said | Back | Pause | Help):
                return given
            self._line(strings.not_here(strings.CONFIRM_COMMANDS))

    # -- lines -------------------------------------------------------------------------

    def _line(self, text: str = "") -> None:
        print(text, file=self._out, flush=True)

    def _ask(self, prompt: str) -> str:
        """One line from the person. Raises `EOFError` and `KeyboardInterrupt`."""
        print(prompt, end="", file=self._out, flush=True)
        return self._read()

    def _input(self, prompt: str) -> Input:
        """What a line gives; asked again while it is a command that lacks what it needs."""
        while True:
            try:
                return parse_input(self._ask(prompt))
            except UsageError as error:
                self._line(f"{error}.")
            except EOFError:
                self._line()
                return Pause("end_of_input")
            except KeyboardInterrupt:
                self._line()
                return Pause("interrupt")
