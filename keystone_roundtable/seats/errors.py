"""What can go wrong with a whole round. A seat that fails is no error but an `Absence`."""

from __future__ import annotations

from ..core.errors import KeystoneError


class RoundCancelledError(KeystoneError):
    """A round was broken off by `Rounds.cancel`; what had landed is kept."""

    def __init__(self, round_name: str) -> None:
        super().__init__(
            f"round '{round_name}' was broken off", "What was answered is kept: go on with the rest"
        )
