"""Where a table stands."""

from __future__ import annotations

from enum import StrEnum


class TableStatus(StrEnum):
    NEW = "new"
    PROPOSING = "proposing"
    """Options were read from the question; the person has to agree."""
    GATHERING = "gathering"
    """Facts, once and for all."""
    CONVENING = "convening"
    ASKING = "asking"
    """A round is open: some souls, or none any more, are to be asked."""
    SKIPPING = "skipping"
    """Nobody moved: did new evidence come?"""
    DEFERRING = "deferring"
    """One expert stands alone: go straight to the vote?"""
    DRAWING = "drawing"
    """The axes of the disagreement, before round 3."""
    RULING = "ruling"
    CLOSING = "closing"
    FAILING = "failing"
    FINISHED = "finished"
    FAILED = "failed"
    DECLINED = "declined"
    PAUSED = "paused"


FINAL = frozenset({TableStatus.FINISHED, TableStatus.FAILED, TableStatus.DECLINED})
