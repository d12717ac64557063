"""Keys through a pipe, a screen in memory, and whole sessions held with them."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from keystone_roundtable.cli.moderators import offline_services
from keystone_roundtable.cli.wiring import Project, new_session_id
from keystone_roundtable.core.fold import replay
from keystone_roundtable.core.outcome import ExitStatus
from keystone_roundtable.core.session import Session
from keystone_roundtable.runtime.conversation import converse
from keystone_roundtable.runtime.engine import Engine
from keystone_roundtable.runtime.services import Beginning
from keystone_roundtable.terminal.prompt_partner import PromptPartner
from keystone_roundtable.terminal.prompting import Prompter

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")

ENTER, NEW_LINE, ALT_ENTER, CTRL_C, CTRL_D, ESCAPE = "\r", "\n", "\x1b\r", "\x03", "\x04", "\x1b"
UP, DOWN, RIGHT = "\x1b[A", "\x1b[B", "\x1b[C"


def pasted(text: str) -> str:
    """`text` as a terminal hands over a paste."""
    return f"\x1b[200~{text}\x1b[201~"


class _Drawn(io.StringIO):
    """What was written; tells `flushed` each time that it would reach the screen."""

    def __init__(self, flushed: Callable[[], None]) -> None:
        super().__init__()
        self._flushed = flushed

    def flush(self) -> None:
        self._flushed()


class Terminal:
    """A terminal of `columns` by `rows`: what is typed goes in, everything drawn is kept."""

    def __init__(self, keys: PipeInput, columns: int = 80, rows: int = 40) -> None:
        self.keys = keys
        self.columns, self.rows = columns, rows
        self._drawn = _Drawn(self._react)
        self._seen = 0
        self._reactions: list[tuple[str, str]] = []
        self.output = Vt100_Output(self._drawn, self._size, term="xterm")

    def _size(self) -> Size:
        return Size(rows=self.rows, columns=self.columns)

    def type(self, *keys: str) -> None:
        self.keys.send_text("".join(keys))

    def when(self, shown: str, *keys: str) -> None:
        """Types `keys` once `shown` has been drawn, from now on and after earlier reactions."""
        if not self._reactions:
            self._seen = len(self.text)
        self._reactions.append((shown, "".join(keys)))

    def _react(self) -> None:
        if self._reactions and self._reactions[0][0] in self.text[self._seen :]:
            self._seen = len(self.text)
            self.type(self._reactions.pop(0)[1])

    def hang_up(self) -> None:
        self.keys.close()

    @property
    def raw(self) -> str:
        """Everything that was written, with its escapes."""
        return self._drawn.getvalue()

    @property
    def text(self) -> str:
        """Everything that was written, one after the other: also what was drawn over."""
        return _ESCAPES.sub("", self.raw)

    @property
    def words(self) -> str:
        """`text` on one line, so that wrapping does not matter."""
        return " ".join(self.text.split())

    def prompter(self) -> Prompter:
        return Prompter(self.keys, self.output)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with create_pipe_input() as keys:
        yield Terminal(keys)


@dataclass
class Held:
    """A session held at `terminal`, in `folder`."""

    terminal: Terminal
    folder: Path
    session: str = ""
    statuses: list[ExitStatus] = field(default_factory=list)

    def hold(self, topic: str, *keys: str, force: bool = False) -> Session:
        """Starts a session on `topic`, types `keys`, and gives the session as it then stands."""
        project = Project(self.folder)
        self.session = new_session_id()
        beginning = Beginning(
            session=self.session, topic=topic, project="test", version="0", force=force
        )
        with project.store.create(self.session) as log:
            engine = Engine(log, offline_services(project))
            engine.begin(beginning)
            self._converse(engine, project, keys)
        return self.logged()

    def resume(self, *keys: str) -> Session:
        """Goes on with the session at the same terminal, as a new process would."""
        project = Project(self.folder)
        session = self.logged()
        with project.store.open(self.session) as log:
            engine = Engine(log, offline_services(project), session)
            engine.resume()
            self._converse(engine, project, keys)
        return self.logged()

    def logged(self) -> Session:
        """The session as the log on disk has it."""
        return replay(Project(self.folder).store.read(self.session).events)

    def _converse(self, engine: Engine, project: Project, keys: tuple[str, ...]) -> None:
        self.terminal.type(*keys)
        partner = PromptPartner(self.terminal.keys, self.terminal.output)
        self.statuses.append(converse(engine, offline_services(project), partner))


@pytest.fixture
def held(terminal: Terminal, tmp_path: Path) -> Held:
    return Held(terminal, tmp_path)
