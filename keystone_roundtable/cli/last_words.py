"""What a command says and prints of a session at its end, or where it pauses."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from argparse import Namespace
from pathlib import Path

from ..core.outcome import ExitStatus
from ..core.plain import plain
from ..core.session import Session
from ..core.status import Status
from .presenting import session_object
from .saying import say
from .wiring import Project


def present(options: Namespace, project: Project, session: Session, status: ExitStatus) -> None:
    if status in (ExitStatus.PAUSED, ExitStatus.INTERRUPTED):
        from ..terminal.strings import paused

        say(paused(session.id))
    if options.json:
        print(json.dumps(session_object(session, project), ensure_ascii=False, indent=2))
    elif session.status is Status.FINISHED:
        _present_end(options, project, session)


def _present_end(options: Namespace, project: Project, session: Session) -> None:
    """Where the files are, what the next skill is, and what can be typed now."""
    from ..terminal.strings import ending

    shown = session_object(session, project)
    if options.answers is not None:
        print(plain(shown["report_markdown"]))
    paths = {name: _from_here(path) for name, path in shown["paths"].items()}
    for line in ending(session.id, paths, shown["contract"]):
        say(_at_words(line))
    if session.start.reopens:
        from ..terminal.remembering import supersede_it

        say(_at_words(supersede_it(session.id, session.start.reopens)))


def _at_words(line: str) -> str:
    """The line broken at words where a person reads it; paths and commands stay whole."""
    if not sys.stderr.isatty():
        return line
    width = shutil.get_terminal_size().columns
    return textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)


def _from_here(path: str | None) -> str | None:
    """The path as one would type it here: relative where it lies below."""
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if path and Path(path).is_relative_to(here) else path
