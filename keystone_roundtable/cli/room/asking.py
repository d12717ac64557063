"""Puts each round of a room to its seats' engines, and takes what they bring."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...core.seating import Absence, Receipt, Seat, Turn
from ...formats.room import events as ev
from ...formats.room.records import Missed, Said
from ...formats.room.replies import turn_from
from ...formats.room.room import Room, Step
from ...formats.room.rounds import ABSENT_WORDS, Due
from ...runtime.room_run import NO_MOMENT, Take
from ...seats.rounds import Rounds
from ..seat_view import SeatView
from .prompts import RoomPrompts


@dataclass
class AskedSeats:
    """The `RoomSeats` port."""

    rounds: Rounds
    prompts: RoomPrompts
    view: SeatView

    def ask(self, room: Room, asked: Due, take: Take) -> None:
        letters = {name: self.prompts.letters(room, asked.step, name) for name in asked.seats}
        asks = [self.prompts.asked(room, asked.step, name, letters[name]) for name in asked.seats]
        self.view.opened(asked.step.folder, asked.seats)
        try:
            watcher = _Landing(take, self.view, room, asked.step, letters)
            self.rounds.hold(asked.step.folder, asks, watcher)
        finally:
            self.view.closed()


@dataclass
class _Landing:
    """Puts each seat's part of the round on disk as it lands."""

    take: Take
    view: SeatView
    room: Room
    step: Step
    letters: Mapping[str, Mapping[str, str]]

    def began(self, seat: Seat, attempt: int, begun: Receipt) -> None:
        self.received(begun)
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
