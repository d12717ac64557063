"""Holds a room: puts events on disk, has rounds asked, and closes it once it is ready."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from ..core.ports import Clock
from ..formats.room import events as ev
from ..formats.room.ending import is_ready
from ..formats.room.fold import apply
from ..formats.room.room import Room
from ..formats.room.rounds import Due
from ..formats.room.showing import show

Take = Callable[[ev.Event], None]
"""Takes an event, whose `at` is filled in; it is on disk when this returns."""

NO_MOMENT = ""
"""Stands for `at` in events that are handed to `Take`."""


class RoomLog(Protocol):
    def append(self, event: ev.Event) -> None:
        """Returns when the event is on disk."""
        ...


class RoomSeats(Protocol):
    """Whoever puts the prompts to the seats' engines."""

    def ask(self, room: Room, asked: Due, take: Take) -> None:
        """Hands one `TurnTaken` or `SeatMissed` for each seat to `take` as it comes, and a
        `ReceiptTaken` for every invocation.
        """
        ...


class RoomRecords(Protocol):
    """Where a room's files and its end go. Calling again is harmless."""

    def flush(self, room: Room) -> None:
        """Every file that tells of the room, as far as it has come."""
        ...

    def close(self, room: Room) -> None:
        """Contract, state and telemetry, each on disk before the next begins."""
        ...


@dataclass
class RoomRun:
    """One room while a command works on it."""

    log: RoomLog
    clock: Clock
    records: RoomRecords
    room: Room = field(default_factory=Room)

    def take(self, event: ev.Event) -> None:
        """Gives the event its moment, and puts it on disk before anything follows from it; then the
        room's files, so that whoever looks on sees it.
        """
        moved = event.model_copy(update={"at": self.clock.now()})
        after = apply(self.room, moved)
        show(after)  # what cannot be shown must not be kept: nothing could ever undo it
        self.log.append(moved)
        self.room = after
        if not isinstance(event, ev.ReceiptTaken):
            self.records.flush(after)

    def hold(self, asked: Due, limit_s: float, seats: RoomSeats) -> None:
        """One run of a round."""
        self.take(
            ev.RoundRun(
                at=NO_MOMENT,
                number=asked.step.number,
                round=asked.step.round,
                seats=asked.seats,
                time_limit_s=limit_s,
            )
        )
        seats.ask(self.room, asked, self.take)
        self.settle()

    def rest(self) -> None:
        """Nobody is asked any more, whoever has not answered; the files say so."""
        if self.room.asking:
            self.room = self.room.at_rest()
            self.records.flush(self.room)

    def settle(self) -> None:
        """Closes the room where nothing stands between it and its verdict."""
        if is_ready(self.room) and not self.room.closed:
            self.records.close(self.room)
            self.take(ev.RoomClosed(at=NO_MOMENT))
