"""`room run`: the seats that are missing in a round are asked, all at once."""

from __future__ import annotations

import sys

from ...core.errors import KeystoneError, UsageError
from ...core.outcome import ExitStatus
from ...core.plain import plain
from ...formats.room.records import QUORUM
from ...formats.room.room import Room
from ...formats.room.rounds import Due, answered, due
from ...runtime.processes import SeatPrograms
from ...seats.evidence import check_evidence
from ...seats.rounds import Rounds
from ...terminal import room_lines as words
from ...terminal.table_view import LiveView, PlainView
from ..saying import say_wrapped
from ..screens import can_redraw, wants_colour
from ..spend_gate import consent
from ..wiring import SystemClock
from .asking import AskedSeats
from .parts import RoomParts
from .prompts import RoomPrompts
from .showing import present


def run_round(parts: RoomParts) -> int:
    options = parts.options
    if options.unsealed:
        raise UsageError(words.SEALED, words.SEALED_INSTEAD)
    with parts.working() as run:
        room = run.room
        if room.closed:
            raise UsageError(f"the room in {parts.folder.path} is closed", "Open another one")
        asked = due(room, options.round, options.only)
        if options.dry_run:
            return _show_prompts(RoomPrompts(parts.texts, parts.limits.seat_s), room, asked)
        left = SeatPrograms.end_left(room.id)
        if left:
            say_wrapped(words.left_over(left))
        engines = parts.engines(room.id, parts.folder.path)
        seats = [one.seat for one in room.seats if one.name in asked.seats]
        plan = parts.plan(engines, room, seats, asked.step.folder)
        check_evidence(room.start.evidence)
        readers = [one.name for one in room.seats if one.reads and one.name in asked.seats]
        for line in words.evidence_lines(room.start.evidence, readers):
            say_wrapped(line)
        limits = consent(plan, yes=options.yes, ask=parts.ask, show=say_wrapped)
        prompts = RoomPrompts(parts.texts, limits.seat_s)
        status = ExitStatus.OK
        with Rounds(engines.engine_for, SystemClock(), limits, spent=room.receipts) as rounds:
            redraws = not options.plain and can_redraw(sys.stderr)
            view = LiveView(sys.stderr, wants_colour()) if redraws else PlainView(sys.stderr)
            try:
                run.hold(asked, limits.seat_s, AskedSeats(rounds, prompts, view))
            except KeyboardInterrupt:
                status = ExitStatus.INTERRUPTED
                say_wrapped(words.broken_off(options.round))
            except KeystoneError as error:
                raise _kept(error, options.round) from error
            finally:
                run.rest()
        present(run.room, parts.folder, as_json=options.json)
        if status is ExitStatus.OK and len(answered(run.room, asked.step)) < QUORUM:
            status = ExitStatus.PAUSED
        return int(status)


def _show_prompts(prompts: RoomPrompts, room: Room, asked: Due) -> int:
    """What would be sent, on standard output; nobody is asked."""
    for name in asked.seats:
        letters = prompts.letters(room, asked.step, name)
        ask = prompts.asked(room, asked.step, name, letters)
        print(plain(f"=== {asked.step.folder}, {name} ===\n\n{ask.stable}\n\n{ask.task}\n"))
    return 0


def _kept(error: KeystoneError, round_name: str) -> KeystoneError:
    """The same error, which also says how to go on."""
    way_on = f"What was answered is kept; go on with: keystone-roundtable room run {round_name}"
    return KeystoneError(error.message, f"{error.hint}. {way_on}" if error.hint else way_on)
