"""The motion of a room: what was given, what is drafted or read, and the correction of it."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from ...core.errors import UsageError
from ...core.plain import is_blank, one_line
from ...core.preference import preference
from ...core.session import Session
from ...formats.room.motion import listed_options, make_motion, sections
from ...formats.room.records import MAX_OPTIONS, MIN_OPTIONS, Motion
from ...terminal import room_lines as words
from ..named_files import text_of_file
from ..saying import ask_line, say_wrapped
from ..table_beginning import facts_of
from ..typed import as_typed
from ..wiring import Project
from .parts import RoomParts

MAX_MOTION_BYTES = 200_000


def motion_of(options: Namespace, project: Project, session: Session | None) -> tuple[Motion, bool]:
    """The motion, and whether its options were named; else they were read off the question."""
    parts = sections(_motion_file(Path(options.motion))) if options.motion else {}
    typed = as_typed(" ".join(options.question)).strip()
    question = typed or parts.get("decision", "")
    if is_blank(question) and session is not None:
        question = session.decision_topic if session.preview else session.start.topic
    if is_blank(question):
        raise UsageError("no question", 'Give it as: keystone-roundtable room open "QUESTION"')
    given: tuple[str, ...] = ()
    if options.options is not None:
        given = tuple(one_line(o) for o in as_typed(options.options).split(",") if not is_blank(o))
        if len(given) < MIN_OPTIONS:
            raise UsageError(
                f"--options {as_typed(options.options)}: a fork has {MIN_OPTIONS} to {MAX_OPTIONS} "
                "options",
                "Name them with --options x,y",
            )
    elif "options" in parts:
        given = listed_options(parts["options"])
    read: tuple[str, ...] = ()
    implied = False
    if not given and session is not None and not typed:
        still_open = _open_options(session)
        given = still_open if len(still_open) >= MIN_OPTIONS else ()
    if not given:
        read, implied = _options_in(question, project)
    facts = Namespace(facts=None, from_session=options.from_session)
    constraints = "\n\n".join(
        part for part in (parts.get("constraints", ""), facts_of(facts, session)) if part
    )
    motion = make_motion(
        question,
        given=given,
        read=read,
        implied=implied,
        constraints=constraints,
        settles=parts.get("settles", ""),
        preset=options.preset,
    )
    return motion, bool(given)


def agreed(parts: RoomParts, motion: Motion, options_named: bool) -> Motion:
    """The motion after somebody had the chance to correct what was drafted or read of its fork."""
    for line in words.motion_lines(motion):
        say_wrapped(line)
    if parts.options.yes:
        return motion
    if "decision" in motion.drafted:
        if parts.ask is None:
            raise UsageError(
                "the question is a topic, and was turned into a fork that nobody agreed to",
                "Take it with --yes, or ask which of two things to do, or name --options x,y",
            )
        return _corrected(parts, motion, words.CORRECT)
    if not options_named and parts.ask is not None:
        return _corrected(parts, motion, words.CORRECT_OPTIONS)
    return motion


def _corrected(parts: RoomParts, motion: Motion, asked: str) -> Motion:
    """The motion as the person wants it: a decision as one line, or options with commas."""
    try:
        typed = ask_line(asked)
    except EOFError:
        raise UsageError("nobody agreed to the motion", "Nothing was opened") from None
    if is_blank(typed):
        return motion
    named = asked == words.CORRECT_OPTIONS
    given = tuple(one_line(o) for o in typed.split(",") if not is_blank(o)) if named else ()
    read, implied = ((), False) if named else _options_in(typed, parts.project(True))
    motion = make_motion(
        motion.question, given=given, read=read, implied=implied,
        decision=motion.decision if named else typed, preset=parts.options.preset,
        constraints="" if "constraints" in motion.drafted else motion.constraints,
        settles="" if "settles" in motion.drafted else motion.settles,
    )  # fmt: skip
    for line in words.motion_lines(motion):
        say_wrapped(line)
    return motion


def _options_in(question: str, project: Project) -> tuple[tuple[str, ...], bool]:
    """The options that stand in the question, and whether one of them is only implied there."""
    found = project.rules.options(question).options
    return tuple(one_line(option.text) for option in found), any(
        option.source == "implied" for option in found
    )


def _open_options(session: Session) -> tuple[str, ...]:
    """Those that no answer excluded."""
    excluded = preference(session).excluded if session.preview else frozenset()
    kept = (one_line(o.text) for o in session.options if o.id not in excluded)
    return tuple(dict.fromkeys(kept))[:MAX_OPTIONS]


def _motion_file(path: Path) -> str:
    instead = "Give what matters, and the rest as --evidence"
    return text_of_file("--motion", path, "read the motion", MAX_MOTION_BYTES, instead)
