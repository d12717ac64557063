"""The session as a conversation on a terminal that can redraw its screen."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import TextIO

from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.input import Input as KeySource
from prompt_toolkit.input import create_input
from prompt_toolkit.output import ColorDepth, Output, create_output

from ..core import commands as cmd
from ..core.errors import UsageError
from ..core.inputs import COMMANDS, Accept, Back, Input, Pause, Said, SetMode, Skip, parse_input
from ..core.notices import mode_line
from ..core.outcome import needs_confirmation
from ..core.plain import one_line, plain
from ..core.session import Session
from . import menus, strings
from .prompting import Prompter, Screen
from .screens import (
    Block,
    Row,
    fit,
    hanging,
    paragraph,
    question_blocks,
    recap_rows,
    said_rows,
)

_LATE_COMMANDS = ("/back", "/note", "/defer", "/quit", "/help")


def prompt_partner(stream: TextIO) -> PromptPartner:
    """A partner that reads keys from standard input and draws on `stream`."""
    return PromptPartner(create_input(), create_output(stdout=stream))


class PromptPartner:
    """Holds the conversation with keys from `source`, drawn on `output`."""

    def __init__(self, source: KeySource, output: Output) -> None:
        self._prompter = Prompter(source, output)
        self._announced = False
        self._doubted = ""
        self._reported = ""
        self._draft_offered = False

    # -- the beginning -----------------------------------------------------------------

    def ask_topic(self) -> str:
        """The topic. Raises `KeyboardInterrupt` where the person leaves instead."""

        def head(columns: int, rows: int) -> list[Row]:
            return fit(_topic_blocks(columns), rows)

        given = self._prompter.ask(
            Screen(
                head,
                hints=(strings.ENTER_SENDS, strings.NEW_LINE, strings.LEAVES),
                check=_topic_problem,
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
        commands = _commands_for(session)
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
        if not text.strip():
            return strings.BLANK
        try:
            given = parse_input(text)
        except UsageError as error:
            return f"{error}."
        if problem := _out_of_place(session, given):
            return problem
        doubt = _doubt(session, given)
        if not doubt or self._doubted == f"{asked.asking} {text}":
            return ""
        self._doubted = f"{asked.asking} {text}"
        return doubt

    def _record(self, asked: cmd.AwaitAnswer, given: Input) -> None:
        question = asked.question
        match given:
            case Said(text):
                self._prompter.write(said_rows(question.id, question.text, text, self._columns))
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

    # -- the end -----------------------------------------------------------------------

    def review(self, session: Session, markdown: str) -> Input:
        if markdown != self._reported:
            self._reported = markdown
            self._print_report(markdown)

        def head(columns: int, rows: int) -> list[Row]:
            return fit(_review_blocks(needs_confirmation(session), columns), rows)

        given = self._ask(
            Screen(
                head,
                hints=(strings.ENTER_ACCEPTS, *_LATE_COMMANDS, strings.PAUSES),
                check=lambda text: _late_problem(text, (*_LATE_COMMANDS, "/stop")),
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
            return fit(_confirm_blocks(phrase, columns), rows)

        given = self._ask(
            Screen(
                head,
                hints=(*strings.CONFIRM_COMMANDS, strings.PAUSES),
                check=_confirm_problem,
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


def _commands_for(session: Session) -> list[str]:
    """The commands that do something at the open question."""
    first = len(session.turns) <= 1
    return [name for name in COMMANDS if name != ("/back" if first else "/mode")]


def _out_of_place(session: Session, given: Input) -> str:
    """Why a command does nothing at the open question; "" where it does something."""
    first = len(session.turns) <= 1
    match given:
        case Back() if first:
            return strings.NOTHING_BEFORE
        case SetMode() if not first:
            return strings.MODE_IS_SET
    return ""


def _late_problem(text: str, offered: Sequence[str]) -> str:
    """Why a text is not taken after the questions: only the commands offered do something."""
    try:
        given = parse_input(text)
    except UsageError as error:
        return f"{error}."
    if isinstance(given, Said) or text.split()[0].casefold() in offered:
        return ""
    return strings.not_here(offered)


def _confirm_problem(text: str) -> str:
    return _late_problem(text, strings.CONFIRM_COMMANDS) if text.strip() else strings.NO_WORDS


def _topic_problem(text: str) -> str:
    if not text.strip():
        return strings.TOPIC_IS_BLANK
    return strings.TOPIC_FIRST if text.split()[0].casefold() in COMMANDS else ""


def _doubt(session: Session, given: Input) -> str:
    """What is worth asking back before the input counts; "" mostly."""
    match given:
        case Skip() if strings.breaker_state(session):
            return strings.SKIP_WARNING_HERE
        case Said(text) if text.startswith("/") and text[1:].isalpha():
            close = get_close_matches(text.casefold(), COMMANDS, n=1)
            return strings.no_command(one_line(text), close[0] if close else "")
    return ""


def _topic_blocks(columns: int) -> list[Block]:
    return [
        Block(4, [[]]),
        Block(0, paragraph("class:heading", strings.ASK_TOPIC, columns)),
        Block(1, paragraph("class:quiet", strings.TOPIC_EXAMPLE, columns)),
        Block(2, paragraph("class:quiet", strings.TOPIC_HINT, columns)),
        Block(4, [[]]),
    ]


def _review_blocks(confirmed_next: bool, columns: int) -> list[Block]:
    ahead = paragraph("class:warning", strings.CONFIRM_AHEAD, columns) if confirmed_next else []
    return [
        Block(2, [[]]),
        Block(0, paragraph("class:heading", strings.REVIEW_HEADING, columns)),
        Block(0, ahead),
        Block(1, paragraph("class:quiet", strings.REVIEW_HINT, columns)),
        Block(2, [[]]),
    ]


def _confirm_blocks(phrase: str, columns: int) -> list[Block]:
    return [
        Block(3, [[]]),
        Block(1, paragraph("class:warning", strings.CONFIRM_HEADING, columns)),
        Block(0, paragraph("", strings.CONFIRM_HOW, columns)),
        Block(3, [[]]),
        Block(0, paragraph("class:question", phrase, columns, "  ")),
        Block(3, [[]]),
        Block(2, paragraph("class:quiet", strings.CONFIRM_ELSE, columns)),
        Block(3, [[]]),
    ]
