"""What is put to a seat, and who is told of what comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from ..core.engines import Material
from ..core.reply_schema import schema_of
from ..core.seating import Receipt, Seat, Turn
from ..core.spending_plan import ATTEMPTS

Shape = TypeVar("Shape", bound=BaseModel)


def fits(value: BaseModel) -> str | None:
    """The check that is content with every well-formed reply."""
    return None


@dataclass(frozen=True)
class SeatAsk(Generic[Shape]):
    """One round's prompt for one seat.

    `stable` comes first in the prompt, and is best the same for every round of the seat, so that a
    provider can cache it. `shape` is what the reply has to be; `check` gives the reason why a
    well-formed one breaks a rule, None where it breaks none. `ids` holds, by field name, the
    strings that may stand in it: the schema then offers no other, and `check` has to look all the
    same. `material` is for engines that read no prose. `evidence` are the paths of what may be read
    besides the prompt. `attempts` is 1 where whoever asks puts an unusable reply back by itself, as
    a vote does once all are in; `asked_before` is how often the seat was asked in this round by
    then.
    """

    seat: Seat
    stable: str
    task: str
    shape: type[Shape]
    check: Callable[[Shape], str | None] = fits
    ids: Mapping[str, Sequence[str]] = field(default_factory=dict)
    material: Material = field(default_factory=Material)
    evidence: tuple[str, ...] = ()
    attempts: int = ATTEMPTS
    asked_before: int = 0

    @property
    def schema(self) -> dict[str, Any]:
        return schema_of(self.shape, self.ids)


class Watcher(Protocol):
    """Is told of everything as it happens, one call at a time, by the thread that holds the round.

    Nothing further happens before a call returns: what it puts on disk is there by then. What it
    raises ends the round.
    """

    def began(self, seat: Seat, attempt: int, begun: Receipt) -> None:
        """The seat's engine is about to be invoked. `begun` is the invocation's receipt until the
        one comes that `received` is given.
        """
        ...

    def received(self, receipt: Receipt) -> None:
        """An invocation came to its end, also one that brought nothing or was broken off."""
        ...

    def landed(self, turn: Turn) -> None:
        """The seat's part of this round is over; its receipts were all told before."""
        ...


class Unwatched:
    """Nobody wants to know."""

    def began(self, seat: Seat, attempt: int, begun: Receipt) -> None: ...

    def received(self, receipt: Receipt) -> None: ...

    def landed(self, turn: Turn) -> None: ...
