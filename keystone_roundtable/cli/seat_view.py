"""What a command that asks seats needs of a screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class SeatView(Protocol):
    """Shows who has answered while a round is open."""

    def opened(self, title: str, seats: Sequence[str]) -> None: ...
    def began(self, seat: str, attempt: int) -> None: ...
    def landed(self, seat: str, told: str, seconds: float, *, absent: bool) -> None: ...
    def closed(self) -> None: ...
