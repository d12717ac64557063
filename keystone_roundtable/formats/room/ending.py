"""Whether a room is ready, and its end in the words of a session's end."""

from __future__ import annotations

import hashlib
from typing import Any

from ...core.contract import Contract, ContractSentences
from ...core.limits import MAX_TOPIC
from ...core.plain import one_line
from ...core.report import shorten
from ...core.seating import OFFLINE
from ...core.telemetry import REHEARSAL
from .deciding import dissenters
from .records import MAX_CONFIDENCE, QUORUM
from .room import Room
from .rounds import mirror_line, quorum_line, unanswered

_MIRROR_CAP = 0.6
_FEW_CAP = 0.5
"""Agreement inside one vendor, or of one seat, is weak evidence; chosen by judgement."""


def verdict_of(room: Room) -> dict[str, Any]:
    """`verdict.json`: `ready` only with a decision and an answer of every seat in every round, or
    its excuse.
    """
    lacking = what_lacks(room)
    return {
        "schema_version": 1,
        "room": room.id,
        "status": "ready" if not lacking else "open",
        "lacking": list(lacking),
        "call": room.decision.call if room.decision else None,
        "dissent": [one.seat for one in room.decision.dissent] if room.decision else [],
        "excused": dict(room.excused),
        "quorum": [
            {"step": step.folder, "line": quorum_line(room, step)} for step in room.steps
        ],
        "mirror": mirror_line(room) or None,
        "sandboxed": _sandboxed(room),
        "turns": [
            {
                "step": room.step(said.number).folder,
                "seat": said.seat,
                "position": said.turn.position,
                "confidence": said.turn.confidence,
                "sha256": hashlib.sha256(turn_file(said.turn.text).encode()).hexdigest(),
            }
            for said in sorted(room.said, key=lambda said: (said.number, said.seat))
        ],
    }  # fmt: skip


def turn_file(text: str) -> str:
    """What the file of a turn holds: the text, ended with a line break."""
    return f"{text}\n"


def _sandboxed(room: Room) -> bool | None:
    """None where no process spoke."""
    return None if not room.sandboxed else all(room.sandboxed)


def what_lacks(room: Room) -> tuple[str, ...]:
    """What keeps the verdict open; nothing where the room is ready."""
    lacking = unanswered(room)
    if room.decision is None:
        return (*lacking, "no decision was made")
    if room.overtaken:
        return (*lacking, "somebody has answered since the decision was made: decide again")
    return lacking


def is_ready(room: Room) -> bool:
    return not what_lacks(room)


def confidence_of(room: Room) -> tuple[float, tuple[str, ...]]:
    """What stands behind the call of all the confidence that the seats could have stated in the
    last round, ten each; and every cap that applied. A seat that argues an assigned side states no
    view of its own, and counts only where all do.
    """
    assert room.decision is not None and room.last_step is not None
    number = room.last_step.number
    own = {one.name for one in room.seats if not one.seat.stance} or set(room.names)
    last = [said for said in room.said if said.number == number]
    behind = [
        said.turn.confidence
        for said in last
        if said.seat in own and said.turn.position == room.decision.call
    ]
    confidence = sum(behind) / (MAX_CONFIDENCE * len(own))
    reasons = ["chair_decided"]
    against = dissenters(room, room.decision.call)
    if against:
        reasons.append("dissent" if len(against) < len(room.holders) else "every_seat_dissents")
    if len(last) < len(room.names):
        reasons.append("absent_seats")
    if mirror_line(room):
        confidence, reasons = min(confidence, _MIRROR_CAP), [*reasons, "one_vendor"]
    if len(last) < QUORUM:
        confidence, reasons = min(confidence, _FEW_CAP), [*reasons, "fewer_than_two"]
    return round(confidence, 2), tuple(reasons)


def room_contract(room: Room, sentences: ContractSentences) -> Contract:
    """The contract of a room that is ready. A rehearsal decides nothing, whatever was called."""
    assert room.decision is not None
    confidence, reasons = confidence_of(room)
    contract = Contract(
        session=room.id,
        format="room",
        mode=None,
        topic=shorten(one_line(room.now.decision), MAX_TOPIC),
        decision="roundtable-aligned",
        option=room.decision.call,
        confidence=confidence,
        confidence_reasons=reasons,
        rationale=sentences.rationale,
        fallback=sentences.fallback,
        escalate=False,
        next_skill="writing-plan",
        next_action=sentences.next_action,
        exit_code="ok",
        exit_reason="chair_decided",
        notes=_notes(room),
    )
    if not is_rehearsal(room):
        return contract
    return contract.model_copy(
        update={
            "decision": "roundtable-escalate",
            "option": None,
            "confidence": 0.0,
            "confidence_reasons": (REHEARSAL,),
            "escalate": True,
            "next_skill": "none",
            "exit_code": "escalate",
            "exit_reason": REHEARSAL,
        }
    )


def _notes(room: Room) -> tuple[str, ...]:
    notes = [quorum_line(room, step) + f" ({step.folder})" for step in room.steps]
    notes += [
        f"{one_line(name)} was excused{f': {one_line(why)}' if why else ''}"
        for name, why in room.excused
    ]
    if room.start.from_session:
        notes.append(f"from session {room.start.from_session}")
    if mirror := mirror_line(room):
        notes.append(mirror)
    if room.sandboxed and not all(room.sandboxed):
        notes.append("not sandboxed")
    return tuple(notes)


def voices(room: Room) -> tuple[str, ...]:
    """What speaks for the seats, each engine or model once."""
    return tuple(dict.fromkeys(seat.seat.model or seat.seat.engine for seat in room.seats))


def is_rehearsal(room: Room) -> bool:
    """Whether no model spoke: nothing was consulted, so nothing can be decided."""
    return {seat.vendor for seat in room.seats if room.last_turn(seat.name)} <= {OFFLINE}
