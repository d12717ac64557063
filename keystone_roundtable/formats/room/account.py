"""A closed room as an account of its decision: the motion, who held what, the dissent by name."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.account import Account, Considered, Reason, quoted
from ...core.plain import is_blank, one_line
from .quoting import first_words
from .records import RoomDecision
from .room import Room


def account_of(room: Room) -> Account:
    """The account of a room in which a decision was made."""
    assert room.decision is not None
    decision, motion = room.decision, room.now
    return Account(
        question=motion.question,
        date=room.last_at[:10],
        makers=("the chair",),
        context=(f"A room of {len(room.names)} seats: {', '.join(map(room.label, room.names))}.",),
        drivers=tuple(_drivers(room)),
        options=tuple(
            Considered(one, tuple(_reasons(room, decision, one))) for one in motion.options
        ),
        decision=one_line(decision.call),
        why="; ".join(_why(room, decision)),
        consequences=tuple(_consequences(room, decision)),
        more=tuple(_assigned(room)),
    )


def _drivers(room: Room) -> Iterator[str]:
    motion = room.now
    for part, told in (("constraints", "a constraint"), ("settles", "what would settle it")):
        if part in motion.drafted:
            continue  # nobody said it: it is what the seats were told to fill in
        for line in getattr(motion, part).splitlines():
            if not is_blank(line):
                yield f"{quoted(line)} ({told})"
    for point in motion.points:
        yield f"{quoted(point)} (a point that the chair pressed)"


def _reasons(room: Room, decision: RoomDecision, option: str) -> Iterator[Reason]:
    """Who holds it at the end; of the call, also who dissents from it."""
    for name, said in room.holders.items():
        turn = said.turn
        if turn.position == option:
            words = quoted(first_words(turn.text))
            yield Reason("good", f"{room.label(name)} holds it at {turn.confidence}: {words}")
    for one in decision.dissent if option == decision.call else ():
        yield Reason("bad", f"{room.label(one.seat)} dissents: {one_line(one.text)}")


def _why(room: Room, decision: RoomDecision) -> Iterator[str]:
    for one in decision.why:
        told = f"{one_line(one.text)}: " if not is_blank(one.text) else ""
        alone = ", which stood alone on this" if one.alone else ""
        yield f"{told}{quoted(one.source.quote)} ({room.label(one.source.seat)}{alone})"


def _consequences(room: Room, decision: RoomDecision) -> Iterator[str]:
    others = [one_line(one) for one in room.now.options if one != decision.call]
    yield f"Not taken: {', '.join(others)}"
    yield f"Wrong-choice cost: {one_line(decision.cost)}"
    yield f"Earliest signal that it is wrong: {one_line(decision.signal)}"
    for one in decision.dissent:
        yield f"Dissent of {room.label(one.seat)}: {one_line(one.text)}"
    if not decision.dissent:
        yield "Dissent: nobody who answered holds another option"


def _assigned(room: Room) -> Iterator[str]:
    for seat in room.seats:
        if seat.seat.stance:
            yield f"{one_line(seat.name)} was told to argue: {quoted(seat.seat.stance)}"
