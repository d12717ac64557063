"""What can be wrong with a deliberation: the formats' branch of the expected errors."""

from __future__ import annotations

from ..core.errors import KeystoneError


class TableStateError(KeystoneError):
    """A table's state cannot be read; `field` is the place in it, such as `agents[2].name`."""

    def __init__(self, field: str, reason: str, hint: str = "") -> None:
        super().__init__(f"{field}: {reason}" if field else reason, hint)
        self.field = field


class TooFewSoulsError(KeystoneError):
    """Fewer souls are left than a table needs."""

    def __init__(self, left: int, needed: int) -> None:
        super().__init__(
            f"too few souls: {left} of at least {needed}",
            "Two is a debate, one a monologue: seat more souls",
        )
        self.left = left
