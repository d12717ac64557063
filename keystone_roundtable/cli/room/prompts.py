"""What a room's seat is told: the motion, its own turns and, once the openings are in, the others'
under letters; nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...content.rooms import RoomTexts
from ...core.engines import Material
from ...formats.room.claims import split_claims
from ...formats.room.records import READING_SHARE, RoomSeat, Said
from ...formats.room.replies import SHAPES, breach, ids_of
from ...formats.room.room import Room, Step
from ...formats.room.rounds import letters_for
from ...seats.asking import SeatAsk

_REHEARSED = {"changed": "no change", "moved_by": ""}
"""What a rehearsal may say of these without making anything up."""


@dataclass(frozen=True)
class RoomPrompts:
    """`limit_s` is how long a seat has."""

    texts: RoomTexts
    limit_s: float

    def asked(self, room: Room, step: Step, name: str, letters: Mapping[str, str]) -> SeatAsk[Any]:
        """What is put to one seat."""
        seat = next(one for one in room.seats if one.name == name)
        ask: SeatAsk[Any] = SeatAsk(
            seat=seat.seat,
            stable=self._stable(room, seat),
            task="",
            shape=SHAPES[step.round],
            check=lambda reply: breach(room, letters, reply),
            ids=ids_of(room, step.round, letters),
            material=Material(
                question=room.now.decision, options=room.now.options, given=_REHEARSED
            ),
            evidence=room.start.evidence if seat.reads else (),
        )
        return replace(ask, task=self._task(room, step, name, letters, ask.schema))

    def _stable(self, room: Room, seat: RoomSeat) -> str:
        limit_s = self.limit_s
        return self.texts.stable(
            motion=room.now,
            preset=room.start.preset,
            judge=seat.judge,
            stance=seat.seat.stance or "",
            reads=seat.reads and bool(room.start.evidence),
            evidence=bool(room.start.evidence) and any(one.reads for one in room.seats),
            reading_s=round(limit_s * READING_SHARE),
            limit_s=round(limit_s),
            word_cap=room.start.word_cap,
        )

    def _task(
        self, room: Room, step: Step, name: str, letters: Mapping[str, str], schema: Any
    ) -> str:
        told: dict[str, Any] = {"schema": json.dumps(schema, ensure_ascii=False)}
        if step.round != "opening":
            own = room.last_turn(name, step.number)
            told["own"] = own.turn if own else None
            told["others"] = [
                {
                    "letter": letter,
                    **_shown(room.last_turn(other, step.number)),
                    "meant": _meant(room.last_turn(other, step.number), name, letters),
                }
                for letter, other in letters.items()
            ]
            # The claims alone: with who holds what, the letters could be undone.
            told["split"] = (
                [claim.claim for claim in split_claims(room)] if step.round == "converge" else []
            )
        return self.texts.task(step.round, **told)

    def letters(self, room: Room, step: Step, name: str) -> dict[str, str]:
        """Under which letter the seat reads whose text; nothing while openings are sealed."""
        return {} if step.round == "opening" else letters_for(room, step, name)


def _shown(said: Said | None) -> dict[str, Any]:
    assert said is not None
    turn = said.turn
    return {"position": turn.position, "confidence": turn.confidence, "text": turn.text}


def _meant(said: Said | None, reader: str, letters: Mapping[str, str]) -> list[tuple[str, str]]:
    """What the letters in somebody's text stand for, to a reader who has others."""
    own = {name: letter for letter, name in letters.items()}
    return [
        (letter, "you" if name == reader else own.get(name, "somebody who is not here"))
        for letter, name in (said.letters.items() if said else ())
    ]
