"""The plain loop: one line at a time, no colour, no redraw. Right for a screen reader."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from ..core import commands as cmd
from ..core.inputs import Accept, Input, Pause, Said, SetMode, Skip, parse_input
from ..core.notices import mode_line, redirect_line
from ..core.plain import one_line, plain
from ..core.session import Session
from . import strings


class PlainPartner:
    """Writes lines to `out` and reads lines from `read`, which raises `EOFError` at the end."""

    def __init__(self, out: TextIO, read: Callable[[], str]) -> None:
        self._out = out
        self._read = read
        self._shown = ""
        self._warned = ""

    def _line(self, text: str = "") -> None:
        print(text, file=self._out, flush=True)

    def ask(self, prompt: str) -> str:
        """One line from the person. Raises `EOFError` and `KeyboardInterrupt`."""
        print(prompt, end="", file=self._out, flush=True)
        return self._read()

    def _input(self, prompt: str) -> Input:
        try:
            return parse_input(self.ask(prompt))
        except EOFError:
            self._line()
            return Pause("end_of_input")
        except KeyboardInterrupt:
            self._line()
            return Pause("interrupt")

    def ask_topic(self) -> str:
        self._line(strings.ASK_TOPIC)
        self._line(strings.TOPIC_EXAMPLE)
        return self.ask(strings.TOPIC_PROMPT)

    def announce_mode(self, session: Session) -> None:
        self._line(plain(mode_line(session)))

    def redirected(self, session: Session, offer: cmd.OfferRedirect) -> bool:
        self._line(plain(redirect_line(offer)))
        try:
            return self.ask(f"{strings.ENTER_ANYWAY} (y/n) ").strip().casefold() in ("y", "yes")
        except (EOFError, KeyboardInterrupt):
            self._line()
            return False

    def answer(self, session: Session, open_question: cmd.AwaitAnswer) -> Input:
        if self._shown != open_question.asking:
            self._shown = open_question.asking
            self._show_question(session, open_question)
        given = self._input(strings.ANSWER_PROMPT)
        if isinstance(given, Skip) and self._must_warn(session, open_question):
            self._line(
                f"{strings.NON_ANSWER_WARNING} Type /skip again to leave it open all the same."
            )
            return self.answer(session, open_question)
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
            self._line(f"You had: {one_line(open_question.draft)}")

    def review(self, session: Session, markdown: str) -> Input:
        self._line()
        self._line(plain(markdown))
        self._line(strings.REVIEW_HINT)
        given = self._input(strings.REVIEW_PROMPT)
        return Accept() if isinstance(given, Said) and not given.text.strip() else given

    def confirm(self, session: Session, request: cmd.AskConfirmation) -> Input | None:
        self._line(strings.confirm_request(one_line(request.option.text)))
        return self._input(strings.CONFIRM_PROMPT)

    def tell(self, message: str) -> None:
        self._line(plain(message))

    def explain(self, session: Session, open_question: cmd.AwaitAnswer) -> None:
        self._line(plain(open_question.question.explanation))

    def help(self) -> None:
        self._line(strings.help_text())

    def choose_mode(self, session: Session) -> Input | None:
        given = self.ask(strings.CHOOSE_MODE).strip()
        parsed = parse_input(f"/mode {given}") if given else None
        return parsed if isinstance(parsed, SetMode) else None
