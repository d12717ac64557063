"""What the engines file says of each engine, one shape a kind."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from .records import Record


class ApiEntry(Record):
    """Any model of the provider layer: the seat names it, unless `model` is given here."""

    kind: Literal["api"]
    about: str = ""
    """One line for whoever lists the engines."""
    model: str | None = Field(default=None, min_length=1)
    """A model spec: `ollama:qwen3`."""


class OfflineEntry(Record):
    """The rehearsal."""

    kind: Literal["offline"]
    about: str = ""


EngineEntry: TypeAlias = Annotated[ApiEntry | OfflineEntry, Field(discriminator="kind")]
"""Another kind comes in as another shape with its own word for `kind`."""
