"""A room as its events make it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...core.errors import IllegalEventError
from ...core.plain import one_line
from ...core.seating import Receipt
from . import events as ev
from .records import Missed, Motion, RoomDecision, RoomSeat, RoundName, Said


@dataclass(frozen=True)
class Step:
    """One round as it was run: the opening, a pass of cross-examination, or a convergence.

    `points` is how many points were pressed before it began.
    """

    number: int
    round: RoundName
    points: int = 0

    @property
    def folder(self) -> str:
        return f"{self.number}-{self.round}"


@dataclass(frozen=True)
class Room:
    """Made by `fold.apply` alone."""

    opened: ev.RoomOpened | None = None
    motion: Motion | None = None
    steps: tuple[Step, ...] = ()
    asking: frozenset[str] = frozenset()
    """The seats that the last run may still bring something of."""
    said: tuple[Said, ...] = ()
    """One a seat and step: the last where a seat was asked again."""
    missed: tuple[Missed, ...] = ()
    receipts: tuple[Receipt, ...] = ()
    claims: ev.ClaimsDrawn | None = None
    claimed_at: int = 0
    """The step after which the claims were drawn."""
    excused: tuple[tuple[str, str], ...] = ()
    decision: RoomDecision | None = None
    overtaken: bool = False
    """Whether somebody has said something since the decision was made."""
    closed: bool = False
    last_at: str = ""
    last_event: ev.Event | None = None
    """The last one that is no receipt."""
    sandboxed: tuple[bool, ...] = ()
    """What the processes' receipts say, each once."""

    @property
    def start(self) -> ev.RoomOpened:
        """Raises `IllegalEventError` before the room was opened."""
        if self.opened is None:
            raise IllegalEventError("the room was not opened")
        return self.opened

    @property
    def id(self) -> str:
        return self.start.room

    @property
    def now(self) -> Motion:
        """The motion as it stands, with what was pressed."""
        return self.motion or self.start.motion

    @property
    def seats(self) -> tuple[RoomSeat, ...]:
        return self.start.seats

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats)

    def label(self, name: str) -> str:
        """The seat's name as a line shows it; an assigned side is no view of its own."""
        assigned = any(one.name == name and one.seat.stance for one in self.seats)
        return f"{one_line(name)} (side assigned)" if assigned else one_line(name)

    @property
    def last_step(self) -> Step | None:
        return self.steps[-1] if self.steps else None

    def step(self, number: int) -> Step:
        found = next((step for step in self.steps if step.number == number), None)
        if found is None:
            raise IllegalEventError(f"there is no step {number}")
        return found

    def latest_of(self, round_name: RoundName) -> Step | None:
        return next((step for step in reversed(self.steps) if step.round == round_name), None)

    def turn_of(self, number: int, name: str) -> Said | None:
        return next((s for s in self.said if s.number == number and s.seat == name), None)

    def missed_of(self, number: int, name: str) -> Missed | None:
        return next((m for m in self.missed if m.number == number and m.seat == name), None)

    def last_turn(self, name: str, before: int | None = None) -> Said | None:
        """The seat's last turn, before the step of that number where one is given."""
        own = [s for s in self.said if s.seat == name and (before is None or s.number < before)]
        return max(own, key=lambda said: said.number, default=None)

    def at_rest(self) -> Room:
        """The room where nobody works on it: whoever was being asked is not any more."""
        return replace(self, asking=frozenset())

    @property
    def holders(self) -> dict[str, Said]:
        """Every seat's final turn, by name; a seat without one is not there."""
        return {name: last for name in self.names if (last := self.last_turn(name)) is not None}
