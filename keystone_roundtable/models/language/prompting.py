"""The port to the prompts: text in, text out; templates are found and filled in elsewhere."""

from __future__ import annotations

from typing import Any, Protocol

from ...core.records import Step


class Prompts(Protocol):
    def stable(self, **values: Any) -> str:
        """What every step of a session is told first."""
        ...

    def prepare(self) -> None:
        """Reads every template, so that the first of each need not wait."""
        ...

    def task(self, step: Step, **values: Any) -> str: ...
