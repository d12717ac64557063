"""The prompts of the model's three steps, filled in from `templates/prompts/`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

from ..core.records import Step
from .locations import folders
from .templating import Templates

STABLE = "prompts/preamble.md.j2"


class TemplatePrompts:
    """Fills in the shipped prompts, or the user's where one of the same name exists.

    Every method raises `ContentError` where a template is broken. What the person said goes through
    the filter `quoted`: a JSON string on one line, from which nothing can break out.
    """

    def __init__(self, root: Path | None) -> None:
        self._templates = Templates(tuple(reversed(folders("templates", root))))

    def stable(self, **values: Any) -> str:
        """What every step of a session is told first."""
        return self._templates.render(STABLE, **values)

    def prepare(self) -> None:
        """Reads every template, so that the first of each need not wait."""
        for name in (STABLE, *(f"prompts/{step}.md.j2" for step in get_args(Step))):
            self._templates.compile(name)

    def task(self, step: Step, **values: Any) -> str:
        return self._templates.render(f"prompts/{step}.md.j2", **values)
