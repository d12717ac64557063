"""Puts each round of a room to its seats' engines, and takes what they bring."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...content.rooms import RoomTexts
from ...core.engines import Material
from ...core.seating import Absence, Receipt, Seat, Turn
from ...formats.room import events as ev
from ...formats.room.claims import split_claims
from ...formats.room.records import READING_SHARE, Missed, RoomSeat, Said
from ...formats.room.replies import SHAPES, breach, ids_of, turn_from
from ...formats.room.room import Room, Step
from ...formats.room.rounds import ABSENT_WORDS, Due, letters_for
from ...runtime.room_run import NO_MOMENT, Take
from ...seats.asking import SeatAsk
from ...seats.rounds import Rounds
from ..seat_view import SeatView

_REHEARSED = {"changed": "no change", "moved_by": ""}
"""What a rehearsal may say of these without making anything up."""


@dataclass
class AskedSeats:
    """The `RoomSeats` port. A seat's prompt is made of the motion, its own turns and, once the
    openings are in, of the others' under letters; of nothing else.
    """

    rounds: Rounds
    texts: RoomTexts
    view: SeatView

    def ask(self, room: Room, asked: Due, take: Take) -> None:
        letters = {name: self._letters(room, asked.step, name) for name in asked.seats}
        asks = [self.asked(room, asked.step, name, letters[name]) for name in asked.seats]
        self.view.opened(asked.step.folder, asked.seats)
        try:
            watcher = _Landing(take, self.view, room, asked.step, letters)
            self.rounds.hold(asked.step.folder, asks, watcher)
        finally:
            self.view.closed()

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
        limit_s = self.rounds.budget.limits.seat_s
        return self.texts.stable(
            motion=room.now,
            preset=room.start.preset,
            judge=seat.judge,
            stance=seat.seat.stance or "",
            reads=seat.reads and bool(room.start.evidence),
            evidence=bool(room.start.evidence),
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

    def _letters(self, room: Room, step: Step, name: str) -> dict[str, str]:
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


@dataclass
class _Landing:
    """Puts each seat's part of the round on disk as it lands."""

    take: Take
    view: SeatView
    room: Room
    step: Step
    letters: Mapping[str, Mapping[str, str]]

    def began(self, seat: Seat, attempt: int) -> None:
        self.view.began(seat.name, attempt)

    def received(self, receipt: Receipt) -> None:
        self.take(ev.ReceiptTaken(at=NO_MOMENT, receipt=receipt))

    def landed(self, turn: Turn) -> None:
        number, absent = self.step.number, isinstance(turn, Absence)
        if isinstance(turn, Absence):
            missed = Missed(number=number, seat=turn.seat, reason=turn.reason, detail=turn.detail)
            self.take(ev.SeatMissed(at=NO_MOMENT, missed=missed))
            words = ABSENT_WORDS[turn.reason]
            told = turn.detail if turn.detail.startswith(words) else f"{words}: {turn.detail}"
        else:
            letters = self.letters[turn.seat]
            said = Said(
                number=number,
                seat=turn.seat,
                turn=turn_from(self.room, letters, turn.value),
                letters=letters,
            )
            self.take(ev.TurnTaken(at=NO_MOMENT, said=said))
            told = f"{said.turn.position} at {said.turn.confidence}"
        seconds = sum(receipt.seconds for receipt in turn.receipts)
        self.view.landed(turn.seat, told, seconds, absent=absent)
