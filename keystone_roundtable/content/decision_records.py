"""A decision as Markdown, and all of a project's decisions as a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..core.plain import plain
from .locations import folders
from .templating import Templates


def adr(record: Any, root: Path) -> str:
    """The record in the MADR shape, by `adr.md.j2`, the project's own where it has one.

    Raises `ContentError` where the template is broken.
    """
    return _written("adr.md.j2", root, record=record)


def decision_log(entries: Sequence[Any], root: Path) -> str:
    """The log of all decisions, by `decision_log.md.j2`. Raises `ContentError`."""
    return _written("decision_log.md.j2", root, entries=entries)


def _written(name: str, root: Path, **values: Any) -> str:
    templates = Templates(tuple(reversed(folders("templates", root))))
    return plain(templates.render(name, **values))
