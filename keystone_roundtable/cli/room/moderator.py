"""A model that draws up the claim map or the decision."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from pydantic import BaseModel

from ...core.errors import KeystoneError
from ...core.reply_schema import schema_of
from ...core.seating import Absence, Receipt, Seat, Turn
from ...formats.room import events as ev
from ...formats.room.claims import (
    split_lines,
)
from ...formats.room.records import MAX_CLAIMS, MIN_CLAIMS
from ...formats.room.rounds import quorum_line
from ...runtime.room_run import NO_MOMENT, RoomRun, Take
from ...seats.asking import SeatAsk
from ...seats.rounds import Rounds
from ..saying import say_wrapped
from ..spend_gate import consent
from ..wiring import SystemClock
from .parts import RoomParts

Shape = TypeVar("Shape", bound=BaseModel)
MODERATOR = "moderator"


def asked(
    parts: RoomParts, run: RoomRun, shape: type[Shape], breach: Any, ids: Any, what: str
) -> tuple[str, Shape]:
    """What the model draws up, put back to it once where it breaks a rule."""
    room = run.room
    engines = parts.engines(room.id, parts.folder.path)
    engine, model = engines.named(parts.settings.model.value)
    seat = Seat(name=MODERATOR, engine=engine, model=model)
    plan = parts.plan(engines, room, [seat], what)
    limits = consent(plan, yes=parts.options.yes, ask=parts.ask, show=say_wrapped)
    last = room.last_step
    values: dict[str, Any] = {
        "motion": room.now,
        "turns": [
            {"number": s.number, "seat": s.seat, **s.turn.model_dump()}
            for s in sorted(room.said, key=lambda one: (one.number, one.seat))
        ],
        "schema": json.dumps(schema_of(shape, ids), ensure_ascii=False),
    }
    if what == "claims":
        task = parts.texts.claims(**values, names=room.names, low=MIN_CLAIMS, high=MAX_CLAIMS)
    else:
        quorum = quorum_line(room, last) if last else ""
        call = parts.options.call or ""
        task = parts.texts.decide(**values, quorum=quorum, claims=split_lines(room), call=call)
    ask: SeatAsk[Any] = SeatAsk(seat=seat, stable="", task=task, shape=shape, check=breach, ids=ids)
    with Rounds(engines.engine_for, SystemClock(), limits, spent=room.receipts) as rounds:
        (turn,) = rounds.hold(what, [ask], _Receipts(run.take))
    if isinstance(turn, Absence):
        raise KeystoneError(
            f"{model or engine} brought no {what}: {turn.detail}",
            f"Give --file FILE, or draw it up with: room {what} --edit",
        )
    return model or engine, turn.value


class _Receipts:
    """Keeps receipts alone."""

    def __init__(self, take: Take) -> None:
        self._take = take

    def began(self, seat: Seat, attempt: int, begun: Receipt) -> None:
        self.received(begun)

    def received(self, receipt: Receipt) -> None:
        self._take(ev.ReceiptTaken(at=NO_MOMENT, receipt=receipt))

    def landed(self, turn: Turn) -> None: ...
