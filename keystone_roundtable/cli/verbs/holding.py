"""`run`, `resume` and `reopen`: holding a session, from a terminal or from a script of answers."""

from __future__ import annotations

import os
import threading
from argparse import Namespace
from dataclasses import dataclass
from functools import cached_property

from ...core.errors import KeystoneError, UsageError
from ...core.outcome import ExitStatus
from ...core.ports import Moderator
from ...core.session import Session
from ...core.status import Status
from ...reading.rules import Rules
from ...runtime.conversation import Partner, converse, status_of
from ...runtime.engine import Engine, require_open
from ...runtime.scripted import ScriptedPartner
from ...runtime.services import Beginning, Services
from ...stores.summaries import SessionSummary
from ..beginnings import ask_topic, beginning_again, beginning_of, topic_of
from ..dry_run import show_what_would_be_sent
from ..earlier import remember, tell_earlier
from ..first_model import model_in_force
from ..last_words import present
from ..moderators import Moderators, destination_line
from ..named import refuse_others
from ..partners import partner_for
from ..saying import say
from ..settings import resolve
from ..wiring import Project, replayed, root_of


def run(options: Namespace) -> int:
    """Starts a session on the topic and holds it."""
    project = Project(root_of(options.root), telemetry=not options.no_telemetry)
    settings = resolve(options, project.root)
    moderators = Moderators(project, settings, os.environ)
    if options.dry_run:
        return _dry_run(options, project, moderators)
    partner = partner_for(options, settings)
    spec = model_in_force(settings, getattr(partner, "choose_model", None), os.environ)
    moderator = moderators.named(spec)
    _prepare(moderator)
    topic = topic_of(options) or ask_topic(options, partner)
    beginning = beginning_of(options, project, topic)
    earlier_id = tell_earlier(project.root, topic, partner, may_choose=not options.json)
    if earlier_id is not None:
        beginning = beginning_again(options, project, earlier_id, new_words=topic)
    return _begin(options, Seat(project, moderators, moderator, partner), beginning)


def _dry_run(options: Namespace, project: Project, moderators: Moderators) -> int:
    """Needs nobody who answers."""
    topic = topic_of(options)
    if not topic:
        raise UsageError("no topic", "Give the question as the first argument")
    moderator = moderators.named(moderators.settings.model.value)
    return show_what_would_be_sent(moderator, beginning_of(options, project, topic), project.rules)


def reopen(options: Namespace) -> int:
    """Starts a session from a finished one: its answers kept as facts, every path open again."""
    project = Project(root_of(options.root), telemetry=not options.no_telemetry)
    settings = resolve(options, project.root)
    if options.session:
        refuse_others(project.root, options.session, anew=True)
    partner = partner_for(options, settings)
    moderators = Moderators(project, settings, os.environ)
    moderator = moderators.named(settings.model.value)
    _prepare(moderator)
    earlier_id = _which_finished(project, options, partner)
    beginning = beginning_again(options, project, earlier_id)
    return _begin(options, Seat(project, moderators, moderator, partner), beginning)


def resume(options: Namespace) -> int:
    """Goes on with a session where its log ends."""
    root = root_of(options.root)
    settings = resolve(options, root)
    if options.session:
        refuse_others(root, options.session, anew=False)
    partner = partner_for(options, settings)
    session_id = _which(Project(root), options, partner)
    with Project(root).store.open(session_id) as log:
        contents = log.read()  # only now: another process may just have ended
        session = replayed(contents.events, session_id)
        require_open(session)
        project = Project(root, telemetry=session.start.telemetry)
        if contents.torn_tail:
            say(f"the last line of {session_id} was torn by a crash and is left out")
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
    present(options, project, engine.session, status)
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
