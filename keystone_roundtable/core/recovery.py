"""What can be done when a model cannot be asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Fallback = Literal["offline", "fail"]
"""What is done where nobody can be asked: the built-in rules go on, or the failure ends it."""


@dataclass(frozen=True)
class TryAgain:
    """Ask the same model once more."""


@dataclass(frozen=True)
class UseModel:
    """Go on with another model; "offline" is the built-in rules."""

    spec: str


@dataclass(frozen=True)
class Leave:
    """Pause here; the session can be resumed."""

    cause: Literal["quit", "interrupt"] = "quit"


@dataclass(frozen=True)
class GiveUp:
    """End with the failure; the session is kept and can be resumed."""


Recovery = TryAgain | UseModel | Leave | GiveUp
