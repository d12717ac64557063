"""`run`, `resume` and `reopen`: holding a session, from a terminal or from a script of answers."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from ... import __version__
from ...core.catalog import Catalog
from ...core.errors import IllegalEventError, KeystoneError, UsageError
from ...core.events import Event
from ...core.fold import replay
from ...core.outcome import ExitStatus
from ...core.plain import plain
from ...core.records import Fact
from ...core.session import Session
from ...core.status import Status
from ...runtime.conversation import Partner, converse
from ...runtime.engine import Beginning, Engine, require_open
from ...runtime.scripted import ScriptedPartner, read_answers
from ..presenting import session_object
from ..wiring import Project, check_model, new_session_id, root_of

MAX_CONTEXT_BYTES = 200_000

NO_TERMINAL = (
    "standard input is no terminal",
    "Give the answers with --answers FILE or --answers -, or drive the session with: "
    "keystone-roundtable step",
)


def run(options: Namespace) -> int:
    """Starts a session on the topic and holds it."""
    check_model(options.model)
    project = Project(root_of(options.root), telemetry=not options.no_telemetry)
    partner = _partner(options)
    topic = " ".join(options.topic).strip() or _ask_topic(options, partner)
    beginning = Beginning(
        session=new_session_id(),
        topic=topic,
        project=project.opaque_id,
        version=__version__,
        context=_context(options.context),
        context_name=Path(options.context).name if options.context else "",
        mode=options.mode,
        roles=_roles(options.role, project.catalog),
        force=options.force,
        telemetry=project.telemetry,
    )
    return _begin(options, project, beginning, partner)


def reopen(options: Namespace) -> int:
    """Starts a session from a finished one: its answers kept as facts, every path open again."""
    check_model(options.model)
    project = Project(root_of(options.root), telemetry=not options.no_telemetry)
    earlier_id = project.store.resolve(options.session)
    earlier = _replayed(project.store.read(earlier_id).events, earlier_id)
    if earlier.status is not Status.FINISHED:
        raise UsageError(
            f"session {earlier_id} is not finished ({earlier.status})",
            f"Go on with it: keystone-roundtable resume {earlier_id}",
        )
    beginning = Beginning(
        session=new_session_id(),
        topic=earlier.start.topic,
        project=project.opaque_id,
        version=__version__,
        context=earlier.start.context,
        context_name=earlier.start.context_name,
        mode=options.mode,
        roles=_roles(options.role, project.catalog),
        force=True,
        telemetry=project.telemetry,
        reopens=earlier_id,
        facts=_kept(earlier),
    )
    return _begin(options, project, beginning, _partner(options))


def resume(options: Namespace) -> int:
    """Goes on with a session where its log ends."""
    root = root_of(options.root)
    session_id = _which(Project(root), options)
    contents = Project(root).store.read(session_id)
    session = _replayed(contents.events, session_id)
    require_open(session)
    project = Project(root, telemetry=session.start.telemetry)
    partner = _partner(options)
    with project.store.open(session_id) as log:
        if contents.torn_tail:
            _say(f"the last line of {session_id} was torn by a crash and is left out")
        engine = Engine(log, project.services(), session)
        engine.resume()
        return _hold(options, project, engine, partner)


def _which(project: Project, options: Namespace) -> str:
    if options.session:
        return project.store.resolve(options.session)
    latest = project.store.latest_open()
    if latest is None:
        raise UsageError("no session is open here", "Start one with: keystone-roundtable")
    return latest


def _replayed(events: tuple[Event, ...], session_id: str) -> Session:
    try:
        return replay(events)
    except IllegalEventError as error:
        raise KeystoneError(
            f"the log of session {session_id} does not add up: {error.message}",
            "It was changed by hand or by another program; nothing was written to it",
        ) from error


def _begin(options: Namespace, project: Project, beginning: Beginning, partner: Partner) -> int:
    services = project.services()
    with project.store.create(beginning.session) as log:
        engine = Engine(log, services)
        engine.begin(beginning)
        return _hold(options, project, engine, partner)


def _hold(options: Namespace, project: Project, engine: Engine, partner: Partner) -> int:
    services = project.services()
    try:
        status = converse(engine, services, partner)
    except KeyboardInterrupt:
        engine.pause("interrupt")
        status = ExitStatus.INTERRUPTED
    _present(options, project, engine.session, status)
    return int(status)


def _present(options: Namespace, project: Project, session: Session, status: ExitStatus) -> None:
    if status in (ExitStatus.PAUSED, ExitStatus.INTERRUPTED):
        from ...terminal.strings import paused

        _say(paused(session.id))
    if options.json:
        print(json.dumps(session_object(session, project), ensure_ascii=False, indent=2))
    elif session.status is Status.FINISHED:
        _present_end(options, project, session)


def _present_end(options: Namespace, project: Project, session: Session) -> None:
    shown = session_object(session, project)
    if options.answers is not None:
        print(plain(shown["report_markdown"]))
    _say(f"Report: {shown['paths']['report']}")
    _say(f"Contract: {shown['paths']['contract']}")
    contract = shown["contract"]
    _say(f"Next: {contract['next_skill']}. {contract['next_action']}")


def _say(message: str) -> None:
    print(plain(message), file=sys.stderr, flush=True)


# -- what comes in ---------------------------------------------------------------------


def _partner(options: Namespace) -> Partner:
    """Who answers. Raises `UsageError` at once where nobody could."""
    if options.answers is not None:
        return ScriptedPartner(read_answers(_answer_lines(options.answers)), _say)
    if not sys.stdin.isatty():
        raise UsageError(*NO_TERMINAL)
    screen = sys.stderr if options.json else sys.stdout
    if options.plain or not _can_redraw(screen):
        from ...terminal.plain_partner import PlainPartner

        return PlainPartner(screen, input)
    from ...terminal.prompt_partner import prompt_partner

    return prompt_partner(screen)


def _can_redraw(screen: TextIO) -> bool:
    """Whether the terminal moves its cursor; "" and "dumb" are how one says that it does not."""
    return screen.isatty() and os.environ.get("TERM", "").casefold() not in ("", "dumb", "unknown")


def _answer_lines(source: str) -> Iterator[str]:
    """The lines of the answers file, decoded as UTF-8 whatever the locale."""
    if source == "-":
        yield from sys.stdin
        return
    try:
        with Path(source).open(encoding="utf-8", errors="surrogateescape") as lines:
            yield from lines
    except OSError as error:
        raise UsageError(
            f"--answers {source}: {error.strerror}", "Name a readable file, or - for standard input"
        ) from error


def _ask_topic(options: Namespace, partner: Partner) -> str:
    ask = getattr(partner, "ask_topic", None)
    if ask is None:
        raise UsageError("no topic", "Give the question as the first argument")
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        topic = str(ask()).strip()
        if topic:
            return topic
    raise UsageError("no topic was given", "Type the question you are stuck on")


def _context(name: str | None) -> str:
    if name is None:
        return ""
    path = Path(name)
    try:
        size = path.stat().st_size
        if size > MAX_CONTEXT_BYTES:
            raise UsageError(
                f"--context {name}: {size:,} bytes, at most {MAX_CONTEXT_BYTES:,}",
                "Give the part that matters",
            )
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"--context {name}: not UTF-8 text (byte {error.start})", "Save it as UTF-8"
        ) from error
    except OSError as error:
        raise UsageError(f"--context {name}: {error.strerror}", "Name a readable file") from error


def _roles(asked: list[str], catalog: Catalog) -> tuple[str, ...]:
    for role in asked:
        if role not in catalog.roles:
            raise UsageError(
                f"--role {role}: no such role", f"Choose from {', '.join(catalog.roles)}"
            )
    return tuple(dict.fromkeys(asked))


def _kept(earlier: Session) -> tuple[Fact, ...]:
    """What was said in a finished session, as facts for the next: answers `R1`..., notes after."""
    said = [t.answer.text for t in earlier.turns if t.signal == "informative" and t.answer]
    said += [note.text for note in earlier.notes]
    return tuple(
        Fact(kind="statement", text=text, ref=f"R{number}") for number, text in enumerate(said, 1)
    )
