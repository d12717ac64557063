"""Which step comes, who is asked in it, what each reads, and how many answered."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...core.errors import UsageError
from ...core.plain import one_line
from ...core.seating import OFFLINE, AbsentReason
from .records import QUORUM, Quote, RoundName
from .room import Room, Step

ABSENT_WORDS: Mapping[AbsentReason, str] = {
    "missing": "not there",
    "unauthenticated": "not logged in",
    "timeout": "timed out",
    "crashed": "broke off",
    "empty": "said nothing",
    "malformed": "said what cannot be used",
    "over_budget": "not asked, the budget was used up",
}
NO_OPENING = "has no opening"
NOT_YET = "has not answered yet"

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Due:
    """What a run of a round is: a step, new or begun, and the seats that it asks."""

    step: Step
    seats: tuple[str, ...]


def due(room: Room, round_name: RoundName, only: str | None = None) -> Due:
    """Raises `UsageError` where the round cannot be run now, and says what can."""
    if only is not None and only not in room.names:
        raise UsageError(
            f"nobody called '{one_line(only)}' sits in this room", f"Seats: {', '.join(room.names)}"
        )
    step = _step(room, round_name, only)
    begun = step in room.steps
    able = [name for name in room.names if round_name == "opening" or _opened(room, name)]
    if only is not None:
        if only not in able:
            raise UsageError(f"{only} {NO_OPENING}", f"First: room run opening --only {only}")
        _check_unread(room, step, only)
        return Due(step, (only,))
    missing = [n for n in able if not begun or room.turn_of(step.number, n) is None]
    gone = {name for name, _ in room.excused}
    asked = tuple(name for name in missing if name not in gone)
    if not asked:
        raise UsageError(
            f"{step.round}: everybody has answered who was asked",
            f"Ask one again with --only SEAT, or go on: {what_next(room)}",
        )
    return Due(step, asked)


def _step(room: Room, round_name: RoundName, only: str | None) -> Step:
    latest, pressed = room.latest_of(round_name), len(room.now.points)
    new = Step(len(room.steps) + 1, round_name, pressed)
    match round_name:
        case "opening":
            return latest or new
        case "cross":
            _check_openings(room)
            stale = latest is not None and latest.points < pressed
            return new if latest is None or stale else latest
        case "converge":
            cross = room.latest_of("cross")
            if cross is None:
                raise UsageError("nothing was cross-examined yet", f"First: {what_next(room)}")
            if cross.points < pressed:
                raise UsageError("a point was pressed since", "First: room run cross")
            if _wants_answers(room, cross) and only is None:
                raise UsageError(f"{cross.folder} was not run to its end", "First: room run cross")
            return latest if latest is not None and latest.number > cross.number else new


def _check_openings(room: Room) -> None:
    opened = [name for name in room.names if _opened(room, name)]
    if len(opened) < QUORUM:
        raise UsageError(
            f"{len(opened)} of {len(room.names)} opened: there is nothing to cross-examine",
            "Ask the missing ones again: room run opening"
            if room.steps
            else "First: room run opening",
        )


def _check_unread(room: Room, step: Step, name: str) -> None:
    """What others have read stays as it is."""
    if room.turn_of(step.number, name) is None:
        return
    later = [one for one in room.steps if one.number > step.number]
    held = f"was read by others in {later[0].folder}" if later else _quoted_in(room, step, name)
    if held:
        raise UsageError(
            f"{name}'s turn in {step.folder} {held}",
            'It stays as it is; ask for another pass with room press "POINT"',
        )


def _quoted_in(room: Room, step: Step, name: str) -> str:
    """What rests on the turn's words; "" where nothing does."""
    claims = room.claims.claims if room.claims and not room.claims.draft else ()
    quotes = [one.source for one in claims] + [
        Quote(quote=vote.quote, seat=vote.seat, turn=vote.turn)
        for one in claims
        for vote in one.votes
    ]
    if any((one.seat, one.turn) == (name, step.number) for one in quotes):
        return "is quoted in the claim map"
    return ""


def _opened(room: Room, name: str) -> bool:
    step = room.latest_of("opening")
    return step is not None and room.turn_of(step.number, name) is not None


def letters_for(room: Room, step: Step, reader: str) -> dict[str, str]:
    """The other seats by letter, shuffled anew for each reader and step: no letter stays with a
    vendor. The same room gives the same letters.
    """
    others = [n for n in room.names if n != reader and room.last_turn(n, step.number) is not None]
    shuffled = sorted(
        others,
        key=lambda name: hashlib.sha256(
            f"{room.start.seed}\0{step.number}\0{reader}\0{name}".encode()
        ).digest(),
    )
    return dict(zip(_LETTERS, shuffled, strict=False))


# -- who answered ------------------------------------------------------------------------


def answered(room: Room, step: Step) -> tuple[str, ...]:
    return tuple(n for n in room.names if room.turn_of(step.number, n) is not None)


def absence(room: Room, step: Step, name: str) -> str:
    """Why the seat brought nothing to the step, in a few words; "" where it did."""
    if room.turn_of(step.number, name) is not None:
        return ""
    missed = room.missed_of(step.number, name)
    if missed is not None:
        return ABSENT_WORDS[missed.reason]
    if step.round != "opening" and not _opened(room, name):
        opening = room.latest_of("opening")
        first = room.missed_of(opening.number, name) if opening else None
        return ABSENT_WORDS[first.reason] if first else NO_OPENING
    return "excused" if name in dict(room.excused) else NOT_YET


def quorum_line(room: Room, step: Step) -> str:
    """How many answered, with every absence named. It stands above every synthesis."""
    here = answered(room, step)
    asking = [n for n in room.names if n in room.asking] if step == room.last_step else []
    absent = [
        f"{one_line(name)} absent, {why}{_excused(room, name, why)}"
        for name in room.names
        if name not in asking and (why := absence(room, step, name))
    ]
    told = f"{len(here)} of {len(room.names)} answered" + (" so far" if asking else "")
    still = [f"asking {', '.join(map(one_line, asking))}"] if asking else []
    line = f"{told}: {'; '.join([*still, *absent])}" if still or absent else told
    if len(here) < QUORUM and not asking:
        line += ". Fewer than two answers are no agreement"
    return line


def _excused(room: Room, name: str, why: str) -> str:
    return " (excused by the chair)" if name in dict(room.excused) and why != "excused" else ""


def mirror_line(room: Room) -> str:
    """What has to be said where all that answered come from one vendor; "" where not."""
    heard = [seat for seat in room.seats if room.last_turn(seat.name) is not None]
    vendors = {seat.vendor for seat in (room.seats if room.asking else heard) or room.seats}
    if vendors != {OFFLINE}:
        vendors.discard(OFFLINE)  # the rules are nobody's voice
    if vendors == {OFFLINE}:
        return "A rehearsal: no model was consulted, and what is decided here means nothing"
    if len(vendors) == 1:
        return f"One vendor ({one_line(vendors.pop())}): a mirror, not a panel"
    return ""


def unanswered(room: Room) -> tuple[str, ...]:
    """What was not done yet: rounds not run, seats that did not answer."""
    lacking = []
    for round_name in ("opening", "cross", "converge"):
        if room.latest_of(round_name) is None:
            lacking.append(f"{round_name} was not run")
    cross, converge = room.latest_of("cross"), room.latest_of("converge")
    pressed = len(room.now.points)
    if cross is not None and cross.points < pressed:
        lacking.append("a point was pressed and not cross-examined")
    elif cross is not None and converge is not None and converge.number < cross.number:
        lacking.append("converge was not run since the last point")
    return (*lacking, *_silences(room))


def missing_of(room: Room, name: str) -> bool:
    """Whether the seat has still to answer something: a step that was run, or a round to come."""
    to_come = any(room.latest_of(one) is None for one in ("opening", "cross", "converge"))
    pressed = (cross := room.latest_of("cross")) is not None and cross.points < len(room.now.points)
    return to_come or pressed or any(absence(room, step, name) for step in room.steps)


def _silences(room: Room) -> Iterator[str]:
    """A line for each seat and reason, with all the steps that lack it."""
    gone = dict(room.excused)
    for name in room.names:
        steps: dict[str, list[str]] = {}
        for step in room.steps if name not in gone else ():
            later = (s for s in room.said if s.seat == name and s.number > step.number)
            made_up = any(room.step(said.number).round == step.round for said in later)
            if not made_up and (why := absence(room, step, name)):
                steps.setdefault(why, []).append(step.folder)
        for why, folders in steps.items():
            yield f"{one_line(name)} did not answer {', '.join(folders)}: {why}"


def what_next(room: Room) -> str:
    """The command that is due; never one that would be refused."""
    opening, cross = room.latest_of("opening"), room.latest_of("cross")
    if opening is None or _wants_answers(room, opening):
        return f"room run opening{_by_name(room, 'opening')}"
    if len(answered(room, opening)) < QUORUM:
        return "room run opening --only SEAT"
    if cross is None or cross.points < len(room.now.points) or _wants_answers(room, cross):
        return f"room run cross{_by_name(room, 'cross')}"
    converge = room.latest_of("converge")
    if converge is None or converge.number < cross.number or _wants_answers(room, converge):
        run = f"room run converge{_by_name(room, 'converge')}"
        return run if room.claims else f"room claims, then {run}"
    if room.decision is None or room.overtaken:
        return "room decide" if room.claims else "room claims, then room decide"
    if room.closed:
        return "nothing"
    # Whatever works on a room that is ready closes it first; a kill may have come before.
    return "room excuse SEAT, or room run ROUND --only SEAT" if unanswered(room) else "room decide"


def _by_name(room: Room, round_name: RoundName) -> str:
    """Where all who could be asked are excused, one has to be named."""
    gone = dict(room.excused)
    able = [n for n in room.names if round_name == "opening" or _opened(room, n)]
    return "" if any(name not in gone for name in able) else " --only SEAT"


def _wants_answers(room: Room, step: Step) -> bool:
    """Whether the step is to be run again: somebody was not asked to the end, or so few answered
    that nothing can follow, and there is somebody to ask.
    """
    gone = dict(room.excused)
    silent = [n for n in room.names if n not in gone and absence(room, step, n)]
    if step.round != "opening":
        silent = [name for name in silent if _opened(room, name)]
    broken_off = any(absence(room, step, name) == NOT_YET for name in silent)
    return bool(silent) and (broken_off or len(answered(room, step)) < QUORUM)
