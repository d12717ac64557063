"""What a person chose to do without the model, as the conversation understands it."""

from __future__ import annotations

from collections.abc import Callable

from ..core.recovery import Leave, Recovery, TryAgain, UseModel


def recovery_of(choice: str, ask_model: Callable[[], str]) -> Recovery:
    """The recovery for a key of `strings.RECOVERIES`; another model is asked for by its spec."""
    match choice:
        case "again":
            return TryAgain()
        case "offline":
            return UseModel("offline")
        case "model":
            spec = ask_model().strip()
            return UseModel(spec) if spec else TryAgain()
        case _:
            return Leave()
