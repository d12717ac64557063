"""Who sits in a room: those who were named, else what is installed here."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from pydantic import ValidationError

from ...core.engine_entries import CliEntry
from ...core.errors import UsageError
from ...core.plain import one_line
from ...core.seating import OFFLINE, Seat
from ...formats.room.records import MAX_SEATS, Motion, RoomSeat
from ...seats.command_line import environment, program_of
from ..seating import SeatEngines, named_seats
from .parts import RoomParts

_PANEL = 4  # seats that are taken where none is named
_SAME = ("first", "second", "third")
_SIDES = 2


def seats_of(parts: RoomParts, engines: SeatEngines, motion: Motion) -> tuple[RoomSeat, ...]:
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
    _check_one_kind(named)
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


def _check_one_kind(named: Mapping[str, str]) -> None:
    """The rules are nobody's voice, and do not sit beside voices."""
    rehearsing = [name for name, spoken in named.items() if spoken.strip() == OFFLINE]
    if rehearsing and len(rehearsing) < len(named):
        raise UsageError(
            f"{one_line(rehearsing[0])} would rehearse beside seats that speak",
            "Leave it out, or rehearse the whole room: --model offline",
        )


def _check_preset(
    preset: str, motion: Motion, names: Sequence[str], stances: Mapping[str, str]
) -> None:
    if preset == "panel":
        return
    if len(motion.options) != _SIDES:
        told = "a red team breaks one proposal" if preset == "red-team" else "a trial has two sides"
        raise UsageError(
            f"{len(motion.options)} options: {told}",
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


def not_here(engines: SeatEngines, seats: Sequence[RoomSeat]) -> dict[str, str]:
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
