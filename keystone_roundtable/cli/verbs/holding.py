"""`run`, `resume` and `reopen`: holding a session, from a terminal or from a script of answers."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
import textwrap
import threading
from argparse import Namespace
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ... import __version__
from ...core.catalog import Catalog
from ...core.errors import KeystoneError, UsageError
from ...core.outcome import ExitStatus
from ...core.plain import plain, storable
from ...core.ports import Moderator
from ...core.records import Fact
from ...core.secrets import shown
from ...core.session import Session
from ...core.status import Status
from ...reading.rules import Rules
from ...runtime.conversation import Partner, converse, status_of
from ...runtime.engine import Engine, require_open
from ...runtime.scripted import ScriptedPartner, read_answers
from ...runtime.services import Beginning, Services
from ...stores.summaries import SessionSummary
from ..answer_files import answer_lines, context_of
from ..dry_run import show_what_would_be_sent
from ..earlier import remember, tell_earlier
from ..first_model import model_in_force
from ..moderators import Moderators, destination_line
from ..presenting import session_object
from ..screens import can_redraw
from ..settings import Settings, resolve
from ..typed import as_typed
from ..wiring import Project, new_session_id, replayed, root_of

NO_TERMINAL = (
    "standard input is no terminal",
    "Give the answers with --answers FILE or --answers -, or drive the session with: "
    "keystone-roundtable step",
)


def run(options: Namespace) -> int:
    """Starts a session on the topic and holds it."""
    project = Project(root_of(options.root), telemetry=not options.no_telemetry)
    settings = resolve(options, project.root)
    moderators = Moderators(project, settings, os.environ)
    if options.dry_run:
        return _dry_run(options, project, moderators)
    partner = _partner(options, settings)
    spec = model_in_force(settings, getattr(partner, "choose_model", None), os.environ)
    moderator = moderators.named(spec)
    _prepare(moderator)
    topic = _topic(options) or _ask_topic(options, partner)
    beginning = _beginning(options, project, topic)
    earlier_id = tell_earlier(project.root, topic, partner, may_choose=not options.json)
    if earlier_id is not None:
        beginning = _beginning_again(options, project, earlier_id, new_words=topic)
    return _begin(options, Seat(project, moderators, moderator, partner), beginning)


def _dry_run(options: Namespace, project: Project, moderators: Moderators) -> int:
    """Needs nobody who answers."""
    topic = _topic(options)
    if not topic:
        raise UsageError("no topic", "Give the question as the first argument")
    moderator = moderators.named(moderators.settings.model.value)
    return show_what_would_be_sent(moderator, _beginning(options, project, topic), project.rules)


def _topic(options: Namespace) -> str:
    return as_typed(" ".join(options.topic)).strip()


def _beginning(options: Namespace, project: Project, topic: str) -> Beginning:
    return Beginning(
        session=new_session_id(),
        topic=topic,
        project=project.opaque_id,
        version=__version__,
        context=context_of(options.context),
        context_name=as_typed(Path(options.context).name) if options.context else "",
        mode=options.mode,
        roles=_roles(options.role, project.catalog),
        force=options.force,
        telemetry=project.telemetry,
    )


def reopen(options: Namespace) -> int:
    """Starts a session from a finished one: its answers kept as facts, every path open again."""
    project = Project(root_of(options.root), telemetry=not options.no_telemetry)
    settings = resolve(options, project.root)
    partner = _partner(options, settings)
    moderators = Moderators(project, settings, os.environ)
    moderator = moderators.named(settings.model.value)
    _prepare(moderator)
    earlier_id = _which_finished(project, options, partner)
    beginning = _beginning_again(options, project, earlier_id)
    return _begin(options, Seat(project, moderators, moderator, partner), beginning)


def _beginning_again(
    options: Namespace, project: Project, earlier_id: str, new_words: str = ""
) -> Beginning:
    """A finished session anew; `new_words`, typed before it was chosen, are one more fact.

    Raises `UsageError` where it is not finished.
    """
    earlier = replayed(project.store.read(earlier_id).events, earlier_id)
    if earlier.status is not Status.FINISHED:
        raise UsageError(
            f"session {earlier_id} is not finished ({earlier.status})",
            f"Go on with it: keystone-roundtable resume {earlier_id}",
        )
    return Beginning(
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
        facts=_kept(earlier, new_words),
    )


def resume(options: Namespace) -> int:
    """Goes on with a session where its log ends."""
    root = root_of(options.root)
    settings = resolve(options, root)
    partner = _partner(options, settings)
    session_id = _which(Project(root), options, partner)
    with Project(root).store.open(session_id) as log:
        contents = log.read()  # only now: another process may just have ended
        session = replayed(contents.events, session_id)
        require_open(session)
        project = Project(root, telemetry=session.start.telemetry)
        if contents.torn_tail:
            _say(f"the last line of {session_id} was torn by a crash and is left out")
        moderators = Moderators(project, settings, os.environ, spent=session.calls)
        moderator = moderators.named(options.model or session.model)
        _prepare(moderator)
        seat = Seat(project, moderators, moderator, partner)
        engine = Engine(log, seat.services, session)
        engine.resume()
        engine.use(moderator)
        return _hold(options, seat, engine)


def _which(project: Project, options: Namespace, partner: Partner) -> str:
    """The session that was named; else the one chosen among several open, or the latest."""
    if options.session:
        return project.store.resolve(options.session)
    resumable = project.store.resumable()
    if not resumable:
        raise UsageError("no session is open here", "Start one with: keystone-roundtable")
    return _chosen(resumable, partner) or resumable[0].id


def _which_finished(project: Project, options: Namespace, partner: Partner) -> str:
    """The session that was named; else the one chosen among the finished ones, at a terminal."""
    if options.session:
        return project.store.resolve(options.session)
    finished = [s for s in project.store.summaries() if s.status == "finished"]
    if not finished:
        raise UsageError("no session is finished here", "Start one with: keystone-roundtable")
    chosen = _chosen(finished, partner)
    if chosen is None:
        raise UsageError("reopen needs the session's ID", "See them with: keystone-roundtable list")
    return chosen


def _chosen(sessions: list[SessionSummary], partner: Partner) -> str | None:
    """The session that the person picks, or the only one; None where nobody can be asked."""
    choose = getattr(partner, "choose_session", None)
    if choose is None:
        return None
    if len(sessions) == 1:
        return sessions[0].id
    return str(choose([(s.id, s.last_at, s.topic) for s in sessions]))


@dataclass(frozen=True)
class Seat:
    """What holding one session takes: its project, who plays the roles, and who answers."""

    project: Project
    moderators: Moderators
    moderator: Moderator
    partner: Partner

    @cached_property
    def services(self) -> Services:
        waiting = getattr(self.partner, "waiting", None)
        patience: float | None = self.moderators.settings.patience_s.value
        if isinstance(self.partner, ScriptedPartner):
            patience = None  # the answers lie ready: how slow the model is must decide nothing
        return self.project.services(self.moderator, self.moderators, patience, waiting)


def _begin(options: Namespace, seat: Seat, beginning: Beginning) -> int:
    with seat.project.store.create(beginning.session) as log:
        engine = Engine(log, seat.services)
        try:
            engine.begin(beginning)
        except BaseException:
            log.discard()
            raise
        return _hold(options, seat, engine)


def _hold(options: Namespace, seat: Seat, engine: Engine) -> int:
    project = seat.project
    if not seat.moderator.instant:
        seat.partner.tell(destination_line(seat.moderator.name, os.environ))
        _load_reading(project.rules, engine.session.start.topic)
    try:
        status = converse(engine, seat.services, seat.partner)
    except KeyboardInterrupt:
        # It may have come while an event was written: the log knows whether it is there.
        session_id = engine.session.id
        engine.session = replayed(project.store.read(session_id).events, session_id)
        if not engine.session.closed and engine.session.status is not Status.PAUSED:
            engine.pause("interrupt")
        status = status_of(engine.session) if engine.session.closed else ExitStatus.INTERRUPTED
    except KeystoneError as error:
        raise _resumable(error, engine.session) from error
    finally:
        engine.cancel()
    _present(options, project, engine.session, status)
    if engine.session.status is Status.FINISHED and options.answers is None:
        remember(project.root)
    return int(status)


def _prepare(moderator: Moderator) -> None:
    """Loads what asking a model needs while the person still types."""
    prepare = getattr(moderator, "prepare", None)
    if prepare is not None:
        threading.Thread(target=prepare, name="prepare", daemon=True).start()


def _load_reading(rules: Rules, topic: str) -> None:
    """Loads what reads an answer while the model prepares: it would keep the second question."""

    def load() -> None:
        from ...models import learning  # noqa: F401

        rules.signal(topic, topic, ())

    threading.Thread(target=load, name="load reading", daemon=True).start()


def _resumable(error: KeystoneError, session: Session) -> KeystoneError:
    """The same error, which also says how to go on with the session that it stopped."""
    if session.closed:
        return error
    way_on = f"The session is kept; go on with: keystone-roundtable resume {session.id}"
    kind = UsageError if isinstance(error, UsageError) else KeystoneError
    return kind(error.message, f"{error.hint}. {way_on}" if error.hint else way_on)


def _present(options: Namespace, project: Project, session: Session, status: ExitStatus) -> None:
    if status in (ExitStatus.PAUSED, ExitStatus.INTERRUPTED):
        from ...terminal.strings import paused

        _say(paused(session.id))
    if options.json:
        print(json.dumps(session_object(session, project), ensure_ascii=False, indent=2))
    elif session.status is Status.FINISHED:
        _present_end(options, project, session)


def _present_end(options: Namespace, project: Project, session: Session) -> None:
    """Where the files are, what the next skill is, and what can be typed now."""
    from ...terminal.strings import ending

    shown = session_object(session, project)
    if options.answers is not None:
        print(plain(shown["report_markdown"]))
    paths = {name: _from_here(path) for name, path in shown["paths"].items()}
    for line in ending(session.id, paths, shown["contract"]):
        _say(_at_words(line))
    if session.start.reopens:
        from ...terminal.remembering import supersede_it

        _say(_at_words(supersede_it(session.id, session.start.reopens)))


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


def _say(message: str) -> None:
    print(plain(message), file=sys.stderr, flush=True)


# -- what comes in ---------------------------------------------------------------------


def _partner(options: Namespace, settings: Settings) -> Partner:
    """Who answers. Raises `UsageError` at once where nobody could."""
    if options.answers is not None:
        return ScriptedPartner(
            read_answers(answer_lines(options.answers)), _say, settings.fallback.value
        )
    if not sys.stdin.isatty():
        raise UsageError(*NO_TERMINAL)
    # Where standard output goes to a file or a program, the conversation does not.
    screen = sys.stderr if options.json or not sys.stdout.isatty() else sys.stdout
    if options.plain or not can_redraw(screen):
        from ...terminal.plain_partner import PlainPartner

        return PlainPartner(screen, input)
    from ...terminal.prompt_partner import prompt_partner

    return prompt_partner(screen)


def _ask_topic(options: Namespace, partner: Partner) -> str:
    """The topic, asked for. Raises `KeyboardInterrupt` where the person leaves instead."""
    ask = getattr(partner, "ask_topic", None)
    if ask is None:
        raise UsageError("no topic", "Give the question as the first argument")
    topic = ""
    with contextlib.suppress(EOFError):
        topic = str(ask()).strip()
    if topic:
        return topic
    raise UsageError("no topic was given", "Type the question you are stuck on")


def _roles(asked: list[str], catalog: Catalog) -> tuple[str, ...]:
    for role in asked:
        if role not in catalog.roles:
            raise UsageError(
                f"--role {shown(role)}: no such role", f"Choose from {', '.join(catalog.roles)}"
            )
    return tuple(dict.fromkeys(asked))


def _kept(earlier: Session, new_words: str) -> tuple[Fact, ...]:
    """What was said in a finished session, as facts for the next: answers `R1`..., notes after."""
    said = [turn.words for turn in earlier.answered]
    said += [note.text for note in earlier.notes]
    said += [storable(new_words)] if new_words else []
    return tuple(
        Fact(kind="statement", text=text, ref=f"R{number}") for number, text in enumerate(said, 1)
    )
