"""One prompt: a few rows that say what is asked, the lines one types on, and a bottom bar.

It is drawn in place and taken away when it is answered; what is to stay on the screen is written
by its caller. So a resize draws it anew at the new width, and the record holds no half-drawn rows.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, has_completions, is_done
from prompt_toolkit.formatted_text import AnyFormattedText, FormattedText, StyleAndTextTuples
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.layout import HSplit, Layout, VSplit, Window
from prompt_toolkit.layout.containers import ConditionalContainer
from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.layout.menus import CompletionsMenuControl
from prompt_toolkit.layout.processors import AppendAutoSuggestion, TabsProcessor
from prompt_toolkit.layout.screen import Screen as PaintedScreen
from prompt_toolkit.output import Output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.shortcuts import print_formatted_text

from ..core.inputs import Pause
from ..core.records import PauseCause
from . import strings
from .completing import CommandCompleter
from .keys import make_keys
from .letters import WholeLetters
from .quiet_tty import interrupt_by_ctrl_c, keep_quiet
from .screens import Row, bar_rows, paragraph
from .styles import STYLE
from .taking import spent
from .wrapping import width_of

PROMPT_MARK = "› "
MENU_ROWS = 9  # one for each command
ESCAPE_WAIT_S = 0.1  # how long the rest of a key's sequence may take to come, over slow lines too


@dataclass(frozen=True)
class Screen:
    """What one prompt shows and accepts."""

    head: Callable[[int, int], list[Row]]
    """The rows above the input, for so many columns and at most so many rows."""
    hints: Sequence[str] = ()
    """The bottom bar's pieces, the most important first."""
    warning: str = ""
    check: Callable[[str], str] = lambda text: ""
    """Why a text is not taken yet, shown while it can still be changed; "" where it is taken."""
    commands: Sequence[str] = ()
    draft: str = ""


class Prompter:
    """Asks with a `Screen` and writes rows that stay, on one terminal. `history` is per session."""

    def __init__(self, source: Input, output: Output) -> None:
        self.source = source
        self.output = output
        self.history = InMemoryHistory()
        if isinstance(output, Vt100_Output):
            # The terminal is never asked where its cursor is: one that does not answer would
            # hold up each prompt, and the rows are drawn right without.
            output.enable_cpr = False

    @property
    def columns(self) -> int:
        return self.output.get_size().columns

    def write(self, rows: Sequence[Row]) -> None:
        """Writes rows that stay on the screen."""
        keep_quiet(self.source)
        text: StyleAndTextTuples = []
        for row in rows:
            text += [*row, ("", "\n")]
        self.print(FormattedText(text))

    def print(self, text: AnyFormattedText) -> None:
        """Prints formatted text as it stands, without a line break at its end."""
        print_formatted_text(
            text, end="", style=STYLE, output=self.output, include_default_pygments_style=False
        )

    def ask(self, screen: Screen) -> str | Pause:
        """What was typed; a `Pause` with the draft where the person left or the terminal went."""
        keep_quiet(self.source)
        interrupt_by_ctrl_c(self.source, False)
        given = _Prompt(self, screen).run()
        # A second Ctrl-C while the session pauses would cut that off.
        interrupt_by_ctrl_c(self.source, not isinstance(given, Pause))
        return given


class _Prompt:
    """One prompt while it is open."""

    def __init__(self, prompter: Prompter, screen: Screen) -> None:
        self._screen = screen
        self._history = prompter.history
        self._output = prompter.output
        self._notice = ""
        self._buffer = Buffer(
            document=Document(screen.draft),
            multiline=True,
            history=prompter.history,
            auto_suggest=AutoSuggestFromHistory(),
            completer=CommandCompleter(screen.commands),
            complete_while_typing=True,
            accept_handler=self._accept,
            on_text_changed=self._forget_notice,
        )
        self._app: Application[str | Pause] = _ResizingApplication(
            layout=Layout(self._rows()),
            key_bindings=make_keys(self._submit, self._pause),
            style=STYLE,
            include_default_pygments_style=False,
            erase_when_done=True,
            input=prompter.source,
            output=prompter.output,
        )
        self._app.ttimeoutlen = ESCAPE_WAIT_S
        self._app.timeoutlen = ESCAPE_WAIT_S

    def run(self) -> str | Pause:
        try:
            return self._app.run(pre_run=self._catch_signals)
        except EOFError:  # the terminal went away
            return Pause("end_of_input", self._buffer.text)

    # -- what happens ------------------------------------------------------------------

    def _submit(self) -> None:
        text = self._buffer.text
        notice = self._screen.check(text)
        if notice and spent(text):
            self._buffer.reset()  # what is typed next must not join a refused command
        self._notice = notice
        if not notice:
            if text.strip() and not text.startswith("/"):
                self._history.append_string(text)
            self._app.exit(result=text)

    def _accept(self, buffer: Buffer) -> bool:
        """For the editing keys that accept a line; the text stays where it is not taken."""
        self._submit()
        return True

    def _pause(self, cause: PauseCause) -> None:
        self._app.exit(result=Pause(cause, self._buffer.text))

    def _forget_notice(self, buffer: Buffer) -> None:
        self._notice = ""

    def _catch_signals(self) -> None:
        """A polite kill and a closed terminal pause like Ctrl-C, with the draft."""
        if self._app.loop is None:
            return
        for name in (signal.SIGTERM, signal.SIGHUP):
            # Only the main thread may; elsewhere the caller has its own way to end.
            with suppress(ValueError, RuntimeError, NotImplementedError):
                self._app.loop.add_signal_handler(name, self._signalled)

    def _signalled(self) -> None:
        if not self._app.is_done:
            self._pause("interrupt")

    # -- what is shown -----------------------------------------------------------------

    def _rows(self) -> HSplit:
        return HSplit(
            [
                _fixed(self._head),
                # The last column stays free: a mark drawn there ends up on the letter before.
                VSplit([self._input(), Window(width=1)]),
                ConditionalContainer(
                    _fixed(self._notice_rows), Condition(lambda: bool(self._notice))
                ),
                ConditionalContainer(
                    Window(CompletionsMenuControl(), height=Dimension(min=1, max=MENU_ROWS)),
                    has_completions & ~is_done,
                ),
                Window(height=Dimension(min=0, preferred=1)),
                _fixed(self._bar),
            ]
        )

    def _input(self) -> Window:
        processors = [AppendAutoSuggestion(), TabsProcessor(char1=" ", char2=" "), WholeLetters()]
        return Window(
            BufferControl(self._buffer, input_processors=processors),
            wrap_lines=True,
            get_line_prefix=_prefix,
            height=Dimension(min=1),
            dont_extend_height=True,
        )

    def _head(self) -> list[Row]:
        size = self._output.get_size()
        taken = len(self._bar()) + len(self._notice_rows()) + 1
        return self._screen.head(size.columns, size.rows - taken)

    def _notice_rows(self) -> list[Row]:
        if not self._notice:
            return []
        return paragraph("class:quiet", self._notice, self._output.get_size().columns, "  ")

    def _bar(self) -> list[Row]:
        size = self._output.get_size()
        rows = bar_rows(self._screen.warning, self._pieces(), size.columns)
        return rows[: max(0, size.rows - 4)]

    def _pieces(self) -> list[str]:
        lines = self._buffer.document.line_count
        counted = [strings.lines_typed(lines)] if lines > 1 else []
        return [*counted, *self._screen.hints]


class _ResizingApplication(Application[str | Pause]):
    """Takes away what a narrower terminal made of the rows drawn before.

    Such a terminal wraps the rows that were drawn, so that they take more rows than prompt-toolkit
    counts, and it would leave the topmost ones standing.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._drawn_columns = 0
        # The size may change before its signal comes, so each drawing looks at it.
        self.before_render += lambda _: self._go_above_what_was_drawn()

    def _on_resize(self) -> None:
        self._go_above_what_was_drawn()
        super()._on_resize()

    def _go_above_what_was_drawn(self) -> None:
        columns = self.output.get_size().columns
        if columns < self._drawn_columns:
            self.output.cursor_up(self._rows_added(columns))
        self._drawn_columns = columns

    def _rows_added(self, columns: int) -> int:
        """How many rows the wrapping at `columns` added above the cursor."""
        drawn = self.renderer.last_rendered_screen
        if drawn is None or columns < 1:
            return 0
        cursor = drawn.get_cursor_position(self.layout.current_window)
        above = sum(_last_column(drawn, y) // columns for y in range(cursor.y))
        return above + cursor.x // columns


def _last_column(drawn: PaintedScreen, y: int) -> int:
    """The last column that holds something; 0 for an empty row."""
    row = drawn.data_buffer[y]
    return max((x for x, cell in row.items() if cell.char.strip()), default=0)


def _fixed(rows: Callable[[], list[Row]]) -> Window:
    """A window exactly as high as its rows."""

    def text() -> StyleAndTextTuples:
        joined: StyleAndTextTuples = []
        for row in rows():
            # A space before the break: a mark that ends a row would be drawn twice.
            joined += [*row, ("", " \n")]
        return joined[:-1]

    return Window(
        FormattedTextControl(text), height=lambda: Dimension.exact(len(rows())), wrap_lines=False
    )


def _prefix(line: int, wrapped: int) -> StyleAndTextTuples:
    if line == 0 and wrapped == 0:
        return [("class:prompt", PROMPT_MARK)]
    return [("", " " * width_of(PROMPT_MARK))]
