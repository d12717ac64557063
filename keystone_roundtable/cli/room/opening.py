"""`room open`: the question made decidable, the seats, the evidence."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from ... import __version__
from ...core.engine_entries import CliEntry
from ...core.errors import UsageError
from ...core.plain import is_blank, one_line
from ...core.preference import preference
from ...core.seating import Seat
from ...core.secrets import mask
from ...core.session import Session
from ...formats.room import events as ev
from ...formats.room.motion import listed_options, make_motion, sections
from ...formats.room.records import MAX_OPTIONS, MAX_SEATS, MIN_OPTIONS, Motion, RoomSeat
from ...runtime.processes import SeatPrograms
from ...runtime.room_run import NO_MOMENT, RoomRun
from ...seats.cli_engine import environment, program_of
from ...seats.workspace import TooMuchEvidenceError, amount_of
from ...stores.errors import doing
from ...stores.rooms import RoomFolder, RoomStore
from ...terminal import room_lines as words
from ..saying import ask_line, say_wrapped
from ..seating import SeatEngines, named_seats
from ..table_beginning import facts_of, session_of, slug_of
from ..typed import as_typed
from ..wiring import Project, SystemClock, new_session_id
from .parts import RoomParts
from .showing import present

MAX_MOTION_BYTES = 200_000
WARN_FILES, WARN_BYTES = 200, 5_000_000
_PANEL = 4  # seats that are taken where none is named
_SAME = ("first", "second", "third")
_SIDES = 2


def open_room(parts: RoomParts) -> int:
    """Shows what was drafted, takes the correction, and makes the room's folder."""
    options = parts.options
    if options.unsealed:
        raise UsageError(words.SEALED, words.SEALED_INSTEAD)
    if not 20 <= options.word_cap <= 5000:
        raise UsageError(f"--word-cap {options.word_cap}: not possible", "Give 20 to 5000")
    project = parts.project(not options.no_telemetry)
    session = session_of(options, project)
    motion = _agreed(parts, *_motion(options, project, session))
    evidence = _evidence(options)
    engines = parts.engines()
    seats = _seats(parts, engines, motion)
    for line in words.seating_lines(_not_here(engines, seats), evidence, seats):
        say_wrapped(line)
    folder = _folder(options, parts.root, motion)
    event = ev.RoomOpened(
        at=NO_MOMENT,
        room=new_session_id(),
        motion=motion,
        preset=options.preset,
        seats=seats,
        evidence=evidence,
        word_cap=options.word_cap,
        seed=os.urandom(8).hex(),
        from_session=options.from_session and project.store.resolve(options.from_session),
        project=project.opaque_id,
        version=__version__,
        telemetry=project.telemetry,
    )
    with folder.create() as log:
        files = parts.files(folder, telemetry=project.telemetry)
        run = RoomRun(log=log, clock=SystemClock(), records=files)
        try:
            run.take(event)
        except BaseException:
            log.discard()
            raise
        present(run.room, folder, as_json=options.json)
    return 0


# -- the motion --------------------------------------------------------------------------


def _motion(options: Namespace, project: Project, session: Session | None) -> tuple[Motion, bool]:
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


def _agreed(parts: RoomParts, motion: Motion, options_named: bool) -> Motion:
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
    with doing("read the motion", path, named=True):
        if path.exists() and not path.is_file() and not path.is_dir():
            raise UsageError(
                f"--motion {as_typed(str(path))}: no ordinary file", "Name a text file"
            )
        data = path.read_bytes()
    if len(data) > MAX_MOTION_BYTES:
        raise UsageError(
            f"--motion {as_typed(str(path))}: {len(data):,} bytes, at most {MAX_MOTION_BYTES:,}",
            "Give what matters, and the rest as --evidence",
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"--motion {as_typed(str(path))}: not UTF-8 text (byte {error.start})",
            "Save it as UTF-8",
        ) from error


# -- evidence ----------------------------------------------------------------------------


def _evidence(options: Namespace) -> tuple[str, ...]:
    found = []
    for given in options.evidence:
        path = Path(given).expanduser().resolve()
        if not path.exists():
            raise UsageError(f"--evidence {as_typed(given)}: no such file or folder", "Name one")
        if ".keystone" in path.parts:
            raise UsageError(
                f"--evidence {as_typed(given)}: what lies in .keystone is never evidence",
                "It holds what the other seats said; name what the question turns on",
            )
        found.append(str(path))
    if found:
        try:
            amount = amount_of(found)
        except TooMuchEvidenceError:
            raise UsageError(
                f"--evidence {', '.join(map(as_typed, options.evidence))}: more than a seat reads",
                "Name a narrower folder",
            ) from None
        if amount.files > WARN_FILES or amount.size_bytes > WARN_BYTES:
            say_wrapped(words.much_evidence(amount.files, amount.size_bytes))
    return tuple(found)


# -- seats -------------------------------------------------------------------------------


def _seats(parts: RoomParts, engines: SeatEngines, motion: Motion) -> tuple[RoomSeat, ...]:
    options = parts.options
    named: Mapping[str, str] = named_seats(
        "--seat", [one if "=" in one else f"{one}={one}" for one in options.seat]
    )
    if not named:
        named = _default_seats(parts, engines)
    stances = named_seats("--stance", options.stance)
    stranger = next((name for name in stances if name not in named), None)
    if stranger is not None:
        raise UsageError(f"--stance {stranger}: nobody of that name has a seat", "Seat it first")
    trial = options.preset == "trial"
    _check_preset(options.preset, motion, tuple(named), stances)
    found = []
    for number, (name, spoken) in enumerate(named.items()):
        engine, model = engines.named(spoken)
        stance = stances.get(name)
        if trial and number < _SIDES and stance is None:
            stance = motion.options[number]
        judge = trial and number == _SIDES
        seat = _seat(name, engine, model, stance)
        found.append(
            RoomSeat(
                seat=seat,
                vendor=engines.vendor_of(seat),
                reads=engines.reads_evidence(seat),
                judge=judge,
            )
        )
    return tuple(found)


def _check_preset(
    preset: str, motion: Motion, names: Sequence[str], stances: Mapping[str, str]
) -> None:
    if preset == "red-team" and len(motion.options) != _SIDES:
        raise UsageError(
            f"{len(motion.options)} options: a red team breaks one proposal",
            "Name two, the proposal first: --options x,y",
        )
    if preset != "trial":
        return
    if len(names) != _SIDES + 1:
        raise UsageError(
            f"{len(names)} seats: a trial has two sides and a judge",
            "Name three: --seat NAME=ENGINE; the third is the judge",
        )
    if names[_SIDES] in stances:
        raise UsageError(f"{names[_SIDES]} is the judge and argues no side", "Leave it out")
    sides = [one_line(stances.get(n, motion.options[i])) for i, n in enumerate(names[:_SIDES])]
    if sides[0].casefold() == sides[1].casefold():
        raise UsageError("both sides of the trial argue the same", "Give each its own --stance")


def _not_here(engines: SeatEngines, seats: Sequence[RoomSeat]) -> dict[str, str]:
    """By seat, the command that is not installed here."""
    found = {}
    for one in seats:
        entry = engines.entries.get(one.seat.engine)
        if isinstance(entry, CliEntry) and not program_of(entry, environment(entry, os.environ)):
            found[one.name] = entry.argv[0]
    return found


def _seat(name: str, engine: str, model: str | None, stance: str | None) -> Seat:
    try:
        return Seat(name=name, engine=engine, model=model, stance=stance)
    except ValidationError as error:
        raise UsageError(
            f"'{one_line(name)[:60]}' cannot be a seat's name: {error.errors()[0]['msg']}",
            "Give a short name",
        ) from error


def _default_seats(parts: RoomParts, engines: SeatEngines) -> dict[str, str]:
    """Three of `--model` where it is named; else the commands that are installed here."""
    if parts.settings.model.chosen:
        return dict.fromkeys(_SAME, parts.settings.model.value)
    found = {}
    for name, entry in engines.entries.items():
        if not isinstance(entry, CliEntry) or (entry.model_needed and entry.model is None):
            continue
        if program_of(entry, environment(entry, os.environ)) is not None:
            found[name] = name
    wanted = _SIDES + 1 if parts.options.preset == "trial" else _PANEL
    if not found:
        raise UsageError(
            "no command that could take a seat is installed here",
            "See: keystone-roundtable seats; name some with --seat NAME=ENGINE, or rehearse with "
            "--model offline",
        )
    if len(found) == 1:  # one vendor is allowed, and said to be a mirror
        (only,) = found
        return {f"{only}-{number}": only for number in range(1, _SIDES + 2)}
    return dict(list(found.items())[: min(wanted, MAX_SEATS)])


def _folder(options: Namespace, root: Path, motion: Motion) -> RoomFolder:
    if options.dir is not None:
        return RoomFolder(Path(options.dir).absolute())
    return RoomStore(root).free(slug_of(mask(motion.question)))


def end_left(room_id: str) -> int:
    """Ends what a killed run of this room left behind."""
    return SeatPrograms.end_left(room_id)
