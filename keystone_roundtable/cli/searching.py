"""Past sessions found by their words, where this Python can search at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import KeystoneError

if TYPE_CHECKING:
    from ..review.decisions_index import Search


def search(root: Path, query: str, limit: int, *, unfinished: bool = False) -> Search:
    """At most `limit` sessions, all for 0. Raises `KeystoneError` where there is no SQLite."""
    try:
        from ..review.decisions_index import EVERYTHING, DecisionIndex
    except ModuleNotFoundError as error:  # some builds of Python leave it out
        raise KeystoneError(
            f"past sessions cannot be searched: this Python has no module '{error.name}'",
            "Use a Python with SQLite; `keystone-roundtable list` needs none",
        ) from error
    most = limit if limit > 0 else EVERYTHING
    return DecisionIndex(root).search(query, most, unfinished=unfinished)
