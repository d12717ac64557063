"""What a session begins with: the words of a command line, or a finished session."""

from __future__ import annotations

import contextlib
from argparse import Namespace
from pathlib import Path

from .. import __version__
from ..core.catalog import Catalog
from ..core.errors import UsageError
from ..core.plain import storable
from ..core.records import Fact
from ..core.secrets import shown
from ..core.session import Session
from ..core.status import Status
from ..runtime.conversation import Partner
from ..runtime.services import Beginning
from .named_files import context_of
from .typed import as_typed
from .wiring import Project, new_session_id, replayed


def topic_of(options: Namespace) -> str:
    return as_typed(" ".join(options.topic)).strip()


def ask_topic(options: Namespace, partner: Partner) -> str:
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


def beginning_of(options: Namespace, project: Project, topic: str) -> Beginning:
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


def beginning_again(
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
