"""The session as a conversation on a terminal that can redraw its screen."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TextIO

from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.input import Input as KeySource
from prompt_toolkit.input import create_input
from prompt_toolkit.output import ColorDepth, Output, create_output

from ..core import commands as cmd
from ..core.errors import ModelFailureError, UsageError
from ..core.inputs import Accept, Input, Pause, Said, SetMode, Skip, parse_input
from ..core.notices import mode_line
from ..core.outcome import needs_confirmation
from ..core.plain import is_blank, one_line, plain
from ..core.recovery import Leave, Recovery
from ..core.session import Session
from ..core.suggestions import picked_suggestion
from . import menus, remembering, strings
from .prompting import Prompter, Screen
from .recovering import recovery_of
from .screens import (
    Block,
    Row,
    confirm_blocks,
    fit,
    hanging,
    paragraph,
    question_blocks,
    recap_rows,
    review_blocks,
    said_rows,
    topic_blocks,
)
from .taking import (
    commands_for,
    confirm_problem,
    doubt_about,
    late_problem,
    out_of_place,
    topic_problem,
)
from .waiting import spinning

_LATE_COMMANDS = ("/back", "/note", "/defer", "/quit", "/help")


def prompt_partner(stream: TextIO) -> PromptPartner:
    """A partner that reads keys from standard input and draws on `stream`."""
    return PromptPartner(create_input(), create_output(stdout=stream), stream)


class PromptPartner:
    """Holds the conversation with keys from `source`, drawn on `output`."""

    def __init__(self, source: KeySource, output: Output, screen: TextIO | None = None) -> None:
        """`screen` is the stream that `output` draws on."""
        self._prompter = Prompter(source, output)
        self._screen = screen or sys.stdout
        self._announced = False
        self._doubted = ""
        self._reported = ""
        self._draft_offered = False

    # -- the beginning -----------------------------------------------------------------

    def ask_topic(self) -> str:
        """The topic. Raises `KeyboardInterrupt` where the person leaves instead."""

        def head(columns: int, rows: int) -> list[Row]:
            return fit(topic_blocks(columns), rows)

        given = self._prompter.ask(
            Screen(
                head,
                hints=(strings.ENTER_SENDS, strings.NEW_LINE, strings.LEAVES),
                check=topic_problem,
            )
        )
        if isinstance(given, Pause):
            self._write("class:quiet", strings.NOT_STARTED)
            raise KeyboardInterrupt
        self._prompter.write(said_rows("", strings.ASK_TOPIC, given, self._columns))
        return given

    def choose_session(self, sessions: Sequence[tuple[str, str, str]]) -> str:
        """The id of the session to go on with, of `(id, last_at, topic)`, the latest first.

        Raises `KeyboardInterrupt` where the person leaves instead.
        """
        entries = [menus.Entry(id_, strings.session_title(*rest)) for id_, *rest in sessions]
        return menus.choose(self._prompter, strings.WHICH_SESSION, entries)

    def choose_model(self, offers: Sequence[tuple[str, str]]) -> str:
        """A model spec for one of `(kind, host)`, or "offline".

        Raises `KeyboardInterrupt` where the person leaves instead.
        """
        entries = [menus.Entry("offline", strings.OFFLINE_CHOICE)]
        entries += [menus.Entry(kind, strings.sent_to(kind, host)) for kind, host in offers]
        kind = menus.choose(self._prompter, strings.WHO_PLAYS, entries)
        return kind if kind == "offline" else f"{kind}:{self._ask_line(strings.WHICH_NAME)}"

    def choose_earlier(self, lines: Sequence[str]) -> bool:
        """Whether the person reopens the earlier decision that `lines` tell of.

        Going on with the new question is what the menu begins with. Raises `KeyboardInterrupt`
        where the person leaves instead.
        """
        for line in lines:
            self._write("", line)
        entries = [
            menus.Entry("new", remembering.GO_ON_WITH_NEW),
            menus.Entry("reopen", remembering.REOPEN_EARLIER),
        ]
        return menus.choose(self._prompter, strings.WHAT_NOW, entries) == "reopen"

    def waiting(self, what: str) -> AbstractContextManager[None]:
        """Shows what is waited for while it lasts."""
        return spinning(self._screen, what)

    def announce_mode(self, session: Session) -> None:
        if not self._announced and any(turn.settled for turn in session.turns):
            self._prompter.write(recap_rows(session, self._columns))
            self._remember(session)
        else:
            self._write("class:quiet", mode_line(session))
        self._announced = True

    def redirected(self, session: Session, offer: cmd.OfferRedirect) -> bool:
        reason = strings.belongs_elsewhere(offer.route, one_line(offer.reason))
        self._write("", reason)
        entered = menus.enter_anyway(self._prompter, offer.route)
        self._write("class:quiet", strings.ENTERED if entered else strings.left_to(offer.route))
        return entered

    # -- questions ---------------------------------------------------------------------

    def answer(self, session: Session, open_question: cmd.AwaitAnswer) -> Input:
        def head(columns: int, rows: int) -> list[Row]:
            return fit(question_blocks(session, open_question, columns), rows)

        def check(text: str) -> str:
            return self._answer_problem(session, open_question, text)

        self._reported = ""
        self._draft_offered = True  # with the question
        commands = commands_for(session)
        given = self._ask(
            Screen(
                head,
                hints=(*commands, strings.ENTER_SENDS, strings.NEW_LINE, strings.PAUSES),
                warning=strings.breaker_state(session),
                check=check,
                commands=commands,
                draft=open_question.draft,
            )
        )
        self._record(open_question, given)
        return given

    def _answer_problem(self, session: Session, asked: cmd.AwaitAnswer, text: str) -> str:
        """Why the text is not taken yet; each doubt is raised once."""
        if is_blank(text):
            return strings.BLANK
        try:
            given = parse_input(text)
        except UsageError as error:
            return f"{error}."
        if problem := out_of_place(session, given):
            return problem
        doubt = doubt_about(session, given)
        if not doubt or self._doubted == f"{asked.asking} {text}":
            return ""
        self._doubted = f"{asked.asking} {text}"
        return doubt

    def _record(self, asked: cmd.AwaitAnswer, given: Input) -> None:
        question = asked.question
        match given:
            case Said(text):
                picked = picked_suggestion(text, question)  # a number says little later
                said = picked.text if picked else text
                self._prompter.write(said_rows(question.id, question.text, said, self._columns))
            case Skip():
                self._prompter.write(
                    said_rows(question.id, question.text, strings.LEFT_OPEN, self._columns)
                )

    def explain(self, session: Session, open_question: cmd.AwaitAnswer) -> None:
        self._write("", open_question.question.explanation)

    def help(self) -> None:
        rows: list[Row] = [[]]
        width = max(len(name) for name, _ in strings.help_entries())
        for name, what in strings.help_entries():
            rows += hanging(("class:number", f"  {name:{width}}  "), "", what, self._columns)
        self._prompter.write(rows)

    def choose_mode(self, session: Session) -> Input | None:
        try:
            chosen = menus.choose_mode(self._prompter, session.prepared.mode)
        except KeyboardInterrupt:
            return None
        return SetMode(chosen) if chosen else None

    def tell(self, message: str) -> None:
        self._write("class:quiet", strings.sentence(message))

    def model_failed(self, session: Session, failure: ModelFailureError) -> Recovery:
        self._write("class:warning", strings.sentence(str(failure)))
        try:
            return recovery_of(menus.choose_recovery(self._prompter), self._ask_model)
        except KeyboardInterrupt:
            return Leave("interrupt")

    def _ask_model(self) -> str:
        return self._ask_line(strings.WHICH_MODEL)

    def _ask_line(self, what: str) -> str:
        """One line of text, not blank. Raises `KeyboardInterrupt` where the person leaves."""

        def head(columns: int, rows: int) -> list[Row]:
            return fit([Block(0, paragraph("", what, columns))], rows)

        def check(text: str) -> str:
            return "" if text.strip() else strings.BLANK_LINE

        hints = (strings.ENTER_SENDS, strings.LEAVES)
        given = self._prompter.ask(Screen(head, hints=hints, check=check))
        if isinstance(given, Pause):
            raise KeyboardInterrupt
        return given.strip()

    # -- the end -----------------------------------------------------------------------

    def review(self, session: Session, markdown: str) -> Input:
        if markdown != self._reported:
            self._reported = markdown
            self._print_report(markdown)

        def head(columns: int, rows: int) -> list[Row]:
            return fit(review_blocks(needs_confirmation(session), columns), rows)

        given = self._ask(
            Screen(
                head,
                hints=(strings.ENTER_ACCEPTS, *_LATE_COMMANDS, strings.PAUSES),
                check=lambda text: late_problem(text, (*_LATE_COMMANDS, "/stop")),
                commands=_LATE_COMMANDS,
                draft=self._late_draft(session),
            )
        )
        if not isinstance(given, Said):
            return given
        if not given.text.strip():
            return Accept()
        self._prompter.write(said_rows("", strings.NOTE_ADDED, given.text, self._columns))
        return given

    def _print_report(self, markdown: str) -> None:
        from .rendering import render_report

        depth = self._prompter.output.get_default_color_depth()
        colour = depth is not ColorDepth.DEPTH_1_BIT
        self._prompter.write([[]])
        self._prompter.print(ANSI(render_report(plain(markdown), self._columns, colour)))

    def confirm(self, session: Session, request: cmd.AskConfirmation) -> Input | None:
        phrase = one_line(request.option.text)

        def head(columns: int, rows: int) -> list[Row]:
            return fit(confirm_blocks(phrase, columns), rows)

        given = self._ask(
            Screen(
                head,
                hints=(*strings.CONFIRM_COMMANDS, strings.PAUSES),
                check=confirm_problem,
                commands=strings.CONFIRM_COMMANDS,
                draft=self._late_draft(session),
            )
        )
        if isinstance(given, Said):
            self._prompter.write(said_rows("", strings.CONFIRM_HOW, given.text, self._columns))
        return given

    # -- inside ------------------------------------------------------------------------

    @property
    def _columns(self) -> int:
        return self._prompter.columns

    def _ask(self, screen: Screen) -> Input:
        typed = self._prompter.ask(screen)
        given = typed if isinstance(typed, Pause) else parse_input(typed)
        if isinstance(given, Pause):
            kept = strings.DRAFT_KEPT if given.draft.strip() else ""
            self._prompter.write(
                [[], *(paragraph("class:quiet", kept, self._columns) if kept else [])]
            )
        return given

    def _late_draft(self, session: Session) -> str:
        """What was being typed when the session was paused after its questions; once."""
        if self._draft_offered:
            return ""
        self._draft_offered = True
        return session.pause_draft

    def _write(self, style: str, text: str) -> None:
        self._prompter.write([[], *paragraph(style, plain(text), self._columns)])

    def _remember(self, session: Session) -> None:
        """Offers what was answered before the pause as history."""
        for turn in session.turns:
            if turn.answer and not turn.answer.picked and turn.answer.text != "/skip":
                self._prompter.history.append_string(turn.answer.text)
