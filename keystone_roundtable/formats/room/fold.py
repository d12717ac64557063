"""How an event changes a room.

`apply` is the only way a room changes; replaying the same events gives the same room.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from ...core.errors import IllegalEventError, UsageError
from ...core.plain import as_read, is_blank, one_line
from ...core.seating import with_receipt
from . import events as ev
from .claims import check_claims
from .deciding import check_decision
from .records import MAX_OPTIONS, MAX_SEATS, MIN_OPTIONS, MIN_SEATS, Said
from .room import Room, Step
from .rounds import unanswered


def apply(room: Room, event: ev.Event) -> Room:
    """The room after an event that is new. Raises `IllegalEventError`, or `UsageError` for what a
    person gave that breaks a rule; the room is left as it was.
    """
    if isinstance(event, ev.ClaimsDrawn):
        check_claims(room, event.claims, draft=event.draft)
    if isinstance(event, ev.DecisionMade):
        check_decision(room, event.decision)
    return _folded(room, event)


def _folded(room: Room, event: ev.Event) -> Room:
    """The room after an event, also one of a log that was written under earlier rules."""
    if (room.opened is None) != isinstance(event, ev.RoomOpened):
        raise IllegalEventError(f"'{event.type}' cannot happen now")
    if room.closed and not isinstance(event, ev.ReceiptTaken):
        raise UsageError(f"room {room.id} is closed", "Open another one")
    after: Room = _FOLDS[type(event)](room, event)
    last = room.last_event if isinstance(event, ev.ReceiptTaken) else event
    return replace(after, last_at=event.at, last_event=last)


def replay(events: Iterable[ev.Event]) -> Room:
    room = Room()
    for event in events:
        room = _folded(room, event)
    return room


def _opened(room: Room, event: ev.RoomOpened) -> Room:
    if not MIN_SEATS <= len(event.seats) <= MAX_SEATS:
        raise UsageError(
            f"{len(event.seats)} seats: a room has {MIN_SEATS} to {MAX_SEATS}",
            "Name them with --seat NAME=ENGINE",
        )
    if _alike([seat.name for seat in event.seats]):
        raise UsageError("two seats have names that look alike", "Give each a name of its own")
    options = event.motion.options
    if not MIN_OPTIONS <= len(options) <= MAX_OPTIONS:
        ways = "1 way" if len(options) == 1 else f"{len(options)} ways"
        raise UsageError(
            f"{ways}: a fork has {MIN_OPTIONS} to {MAX_OPTIONS}", "Name them with --options x,y"
        )
    if _alike(options):
        raise UsageError("two options look alike", "Name different ones with --options x,y")
    return replace(room, opened=event, motion=event.motion)


def _alike(names: Sequence[str]) -> bool:
    """Whether two of them read the same on a screen."""
    return len(set(map(as_read, names))) < len(names)


def _run(room: Room, event: ev.RoundRun) -> Room:
    step = Step(event.number, event.round, len(room.now.points))
    known = [one for one in room.steps if one.number == event.number]
    if known and known[0].round != event.round:
        raise IllegalEventError(f"step {event.number} is {known[0].round}")
    if not known and event.number != len(room.steps) + 1:
        raise IllegalEventError(f"step {event.number} does not follow")
    if not set(event.seats) <= set(room.names):
        raise IllegalEventError("somebody is asked who has no seat")
    asked = frozenset(event.seats)
    kept = tuple(m for m in room.missed if m.number != event.number or m.seat not in asked)
    return replace(
        room, steps=room.steps if known else (*room.steps, step), asking=asked, missed=kept
    )


def _receipt(room: Room, event: ev.ReceiptTaken) -> Room:
    told = event.receipt.sandboxed
    sandboxed = room.sandboxed if told is None else tuple(sorted({*room.sandboxed, told}))
    return replace(room, receipts=with_receipt(room.receipts, event.receipt), sandboxed=sandboxed)


def _turn(room: Room, event: ev.TurnTaken) -> Room:
    said = event.said
    _check_asked(room, said.number, said.seat)
    if said.turn.position not in room.now.options:
        raise IllegalEventError(f"'{said.seat}' holds what is none of the options")
    others = tuple(s for s in room.said if not _same_place(s, said))
    return replace(
        room,
        said=(*others, said),
        asking=room.asking - {said.seat},
        overtaken=room.decision is not None,
        excused=tuple(one for one in room.excused if one[0] != said.seat),
    )


def _same_place(one: Said, other: Said) -> bool:
    return (one.number, one.seat) == (other.number, other.seat)


def _missed(room: Room, event: ev.SeatMissed) -> Room:
    missed = event.missed
    _check_asked(room, missed.number, missed.seat)
    # A seat that was asked again and brought nothing keeps what it said before.
    had = room.turn_of(missed.number, missed.seat) is not None
    kept = room.missed if had else (*room.missed, missed)
    return replace(room, missed=kept, asking=room.asking - {missed.seat})


def _check_asked(room: Room, number: int, seat: str) -> None:
    room.step(number)
    if seat not in room.asking:
        raise IllegalEventError(f"'{seat}' is not to be asked now")


def _claims(room: Room, event: ev.ClaimsDrawn) -> Room:
    for claim in event.claims:
        _check_there(room, claim.source.seat, claim.source.turn)
        for vote in claim.votes:
            if vote.turn:
                _check_there(room, vote.seat, vote.turn)
    last = room.last_step
    return replace(room, claims=event, claimed_at=last.number if last else 0)


def _check_there(room: Room, seat: str, turn: int) -> None:
    if room.turn_of(turn, seat) is None:
        raise IllegalEventError(f"'{seat}' has no turn {turn} that could be quoted")


def _pressed(room: Room, event: ev.PointPressed) -> Room:
    if is_blank(event.point):
        raise UsageError("no point to press", 'Give it as: room press "POINT"')
    if room.latest_of("cross") is None:
        raise UsageError("nothing was cross-examined yet", "First: room run cross")
    motion = room.now.model_copy(update={"points": (*room.now.points, event.point)})
    return replace(room, motion=motion)


def _excused(room: Room, event: ev.SeatExcused) -> Room:
    if event.seat not in room.names:
        raise UsageError(
            f"nobody called '{one_line(event.seat)}' sits in this room",
            f"Seats: {', '.join(room.names)}",
        )
    others = tuple(one for one in room.excused if one[0] != event.seat)
    return replace(room, excused=(*others, (event.seat, event.why)))


def _decided(room: Room, event: ev.DecisionMade) -> Room:
    if event.decision.call not in room.now.options:
        raise IllegalEventError("the call is none of the options")
    for one in event.decision.why:
        _check_there(room, one.source.seat, one.source.turn)
    return replace(room, decision=event.decision, overtaken=False)


def _closed(room: Room, event: ev.RoomClosed) -> Room:
    if room.decision is None or unanswered(room):
        raise IllegalEventError("the room is not ready")
    return replace(room, closed=True)


_FOLDS: dict[type[ev.RoomEvent], Callable[[Room, Any], Room]] = {
    ev.RoomOpened: _opened,
    ev.RoundRun: _run,
    ev.ReceiptTaken: _receipt,
    ev.TurnTaken: _turn,
    ev.SeatMissed: _missed,
    ev.ClaimsDrawn: _claims,
    ev.PointPressed: _pressed,
    ev.SeatExcused: _excused,
    ev.DecisionMade: _decided,
    ev.RoomClosed: _closed,
}
