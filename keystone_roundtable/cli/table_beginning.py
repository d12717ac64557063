"""What a table begins with: question, options, facts, roster, and where its files go."""

from __future__ import annotations

import unicodedata
from argparse import Namespace
from pathlib import Path

from .. import __version__
from ..core.errors import UsageError
from ..core.plain import is_blank, one_line
from ..core.preference import preference
from ..core.secrets import mask
from ..core.session import Session
from ..core.spending_plan import Limits
from ..formats.table.events import TableStarted
from ..formats.table.fold import check_offered, check_options
from ..formats.table.records import MIN_OPTIONS, OptionsSource, Soul
from ..formats.table_state import DEFAULT_AGGREGATOR
from ..runtime.table_run import NO_MOMENT
from ..stores.tables import find_oracle_root
from .named_files import text_of_file
from .typed import as_typed
from .wiring import Project, new_session_id, replayed

MAX_FACTS_BYTES = 200_000
_SLUG_LETTERS = 48  # of a file's name; chosen by judgement


def question_of(options: Namespace, session: Session | None) -> str:
    """Raises `UsageError` where there is none."""
    typed = as_typed(" ".join(options.words)).strip()
    if not is_blank(typed):
        return typed
    if session is not None:
        return session.decision_topic if session.preview else session.start.topic
    raise UsageError("no question", 'Give it as: keystone-roundtable table "QUESTION"')


def session_of(options: Namespace, project: Project) -> Session | None:
    """The session that `--from` names."""
    if options.from_session is None:
        return None
    session_id = project.store.resolve(options.from_session)
    return replayed(project.store.read(session_id).events, session_id)


def options_of(
    given: Namespace, question: str, session: Session | None, project: Project
) -> tuple[tuple[str, ...], OptionsSource]:
    """The options and where they are from; those that were not given have to be confirmed.

    Fewer than two where none can be read: the question is a topic then, and no decision. A session
    gives its options to its own topic alone. Raises `TableStateError` for what cannot be offered.
    """
    if given.options is not None:
        named = tuple(one_line(o) for o in as_typed(given.options).split(",") if not is_blank(o))
        check_options(named)
        return named, "given"
    of_its_own = not is_blank(as_typed(" ".join(given.words)))
    if session is not None and not of_its_own:
        still_open = _open_options(session)
        if len(still_open) >= MIN_OPTIONS:
            check_offered(still_open)
            return still_open, "session"
    read = project.rules.options(question).options
    found = tuple(dict.fromkeys(one_line(o.text) for o in read))
    check_offered(found)
    return found, "question"


def _open_options(session: Session) -> tuple[str, ...]:
    """Those that no answer excluded."""
    excluded = preference(session).excluded if session.preview else frozenset()
    kept = (one_line(o.text) for o in session.options if o.id not in excluded)
    return tuple(dict.fromkeys(kept))


def facts_of(options: Namespace, session: Session | None) -> str:
    """What the souls may use: the file's text, then what a session had established."""
    parts = []
    if options.facts is not None:
        parts.append(_facts_file(Path(options.facts)))
    if session is not None:
        parts.append(_session_facts(session))
    return "\n\n".join(part for part in parts if part)


def started(
    options: Namespace,
    project: Project,
    question: str,
    proposed: tuple[tuple[str, ...], OptionsSource],
    souls: tuple[Soul, ...],
    facts: str,
    model: str,
    limits: Limits,
    day: str,
) -> TableStarted:
    """`day` is today's date, as people here count it."""
    oracle_root = find_oracle_root(project.root if options.root else Path.cwd())
    return TableStarted(
        at=NO_MOMENT,
        table=new_session_id(),
        name=f"{day}_{slug_of(mask(question))}",
        question=question,
        options=proposed[0],
        options_source=proposed[1],
        aggregator=options.aggregator or DEFAULT_AGGREGATOR,
        souls=souls,
        model=model,
        limits=limits,
        facts=facts,
        facts_given=bool(options.facts) or options.yes,
        from_session=options.from_session and project.store.resolve(options.from_session),
        oracle_root=str(oracle_root) if oracle_root else "",
        project=project.opaque_id,
        version=__version__,
        telemetry=project.telemetry,
    )


def slug_of(question: str) -> str:
    """Letters and digits of any script, joined by dashes."""
    kept = "".join(
        c if unicodedata.category(c)[0] in "LMN" else " "
        for c in unicodedata.normalize("NFC", question).casefold()
    )
    slug = ""
    for word in kept.split():
        longer = f"{slug}-{word}" if slug else word
        if len(longer) > _SLUG_LETTERS:
            break
        slug = longer
    return slug or kept.replace(" ", "")[:_SLUG_LETTERS] or "table"


def _facts_file(path: Path) -> str:
    instead = "Give the part that matters"
    return text_of_file("--facts", path, "read the facts", MAX_FACTS_BYTES, instead).strip()


def _session_facts(session: Session) -> str:
    """Topic, context, answers and notes of a session, each on a line that says where it is from."""
    lines = [f"From an earlier session on: {one_line(session.start.topic)}"]
    if session.start.context:
        lines.append(session.start.context)
    for turn in session.answered:
        lines.append(f"{one_line(turn.question.text)} Answer: {turn.words.strip()}")
    lines += [f"Note: {note.text.strip()}" for note in session.notes]
    return "\n".join(lines)
