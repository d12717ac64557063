"""Where a session stands."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    NEW = "new"
    INTAKE = "intake"
    """The topic belongs elsewhere; leave or enter anyway."""
    PREVIEWING = "previewing"
    CHOOSING = "choosing"
    """Between two questions: ask the next one or end the phase."""
    AWAITING_ANSWER = "awaiting_answer"
    ASSESSING = "assessing"
    CONCLUDING = "concluding"
    REVIEWING = "reviewing"
    CONFIRMING = "confirming"
    CLOSING = "closing"
    FINISHED = "finished"
    REDIRECTED = "redirected"
    PAUSED = "paused"


FINAL = frozenset({Status.FINISHED, Status.REDIRECTED})
