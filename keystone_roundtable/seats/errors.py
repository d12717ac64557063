"""What can go wrong with a whole round. A seat that fails is no error but an `Absence`."""

from __future__ import annotations

from pathlib import Path

from ..core.errors import KeystoneError, UsageError
from ..core.plain import one_line


class RoundCancelledError(KeystoneError):
    """A round was broken off by `Rounds.cancel`; what had landed is kept."""

    def __init__(self, round_name: str) -> None:
        super().__init__(
            f"round '{round_name}' was broken off", "What was answered is kept: go on with the rest"
        )


class EvidenceGoneError(UsageError):
    """What was named as evidence is not there any more, or something else is."""

    def __init__(self, path: Path, why: str = "") -> None:
        told = f"the evidence is gone: {one_line(str(path))}"
        super().__init__(f"{told}: {why}" if why else told, "Put it back, or open another room")


class TooMuchEvidenceError(UsageError):
    """More than any seat is given."""

    def __init__(self) -> None:
        super().__init__(
            "the evidence is more than any seat reads in its time", "Name a narrower folder"
        )
