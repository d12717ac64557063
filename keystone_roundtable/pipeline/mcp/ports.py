"""What the MCP server needs from outside besides the step protocol's `Table`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field


class Decided(BaseModel):
    """One finished session. What its contract does not tell, or cannot be read, is null."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    session: str
    topic: str
    decision: str | None
    option: str | None = Field(description="the direction taken; null when none was")
    confidence: float | None
    date: str = Field(description="the moment it ended, UTC")


class Shelf(Protocol):
    """The finished sessions of one project. Each method raises `KeystoneError`."""

    def decisions(self, limit: int) -> Sequence[Decided]:
        """The newest first, at most `limit`."""
        ...

    def report(self, session_id: str) -> str:
        """Markdown. Raises `StepError` for an unknown session, or one without a report."""
        ...

    def contract(self, session_id: str) -> str:
        """JSON. Raises `StepError` for an unknown session, or one without a contract."""
        ...
