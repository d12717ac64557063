"""What can go wrong while a session is carried out."""

from __future__ import annotations

from ..core.errors import KeystoneError, UsageError


class AnswerLineError(UsageError):
    """A line of an answers file cannot be read."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(
            f"answers, line {line}: {reason}",
            'Give one answer a line, or JSON lines such as {"text": "..."}',
        )


class NothingOpenError(KeystoneError):
    """An input came while nothing waits for it."""
