"""Whether what is remembered of past sessions is sound: the index, and the telemetry lines."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.errors import KeystoneError
from ...stores.held import WORDS
from ...stores.places import FOLDERS, INDEX_NAME, roundtable_folder
from ...stores.telemetry import Telemetry
from .showing import shown

if TYPE_CHECKING:
    import sqlite3

# Checking a line takes ten microseconds; chosen by judgement: a doctor answers within a second.
_MOST_CHECKED_BYTES = 20_000_000


def index_health(root: Path) -> dict[str, Any]:
    """`state` is `none`, `fresh`, `stale` or `damaged`, which the next search makes `fresh`; or
    `impossible`, where this Python has no SQLite.
    """
    path = roundtable_folder(root) / INDEX_NAME
    if not path.exists():
        told = "no index yet; keystone-roundtable decisions makes it"
        return {"path": shown(path), "state": "none", "sessions": None, "told": told}
    try:
        from ...review.decisions_freshness import is_fresh
        from ...review.decisions_index import DecisionIndex
    except ModuleNotFoundError:
        told = "this Python has no SQLite: past sessions cannot be searched"
        return {"path": shown(path), "state": "impossible", "sessions": None, "told": told}

    def ask(connection: sqlite3.Connection) -> tuple[Counter[str], bool]:
        places = connection.execute("SELECT place FROM past")
        counts = Counter(str(place).partition("/")[0] for (place,) in places)
        return counts, is_fresh(connection, str(roundtable_folder(root)), time.time_ns())

    found = DecisionIndex(root).as_it_is(ask)
    if found is None:
        state, count, told = "damaged", None, "the index is damaged; the next search makes it anew"
    else:
        counts, fresh = found
        count = counts[FOLDERS["socratic"]]
        state = "fresh" if fresh else "stale"
        told = f"{_counted(counts)} in the index" + (
            "" if fresh else "; the next search brings it up to date"
        )
    return {"path": shown(path), "state": state, "sessions": count, "told": told}


def _counted(counts: Counter[str]) -> str:
    """Sessions in any case, tables and rooms where there are some."""
    parts = [
        f"{counts[FOLDERS[of]]:,} {word}{'s' if counts[FOLDERS[of]] != 1 else ''}"
        for of, word in WORDS.items()
        if of == "socratic" or counts[FOLDERS[of]]
    ]
    return ", ".join(parts)


def telemetry_health(root: Path) -> dict[str, Any]:
    """Lines and how many of them are broken; null where they are too many to check in passing."""
    folder = Telemetry(root).folder
    counts: dict[str, Any] = {"lines": None, "broken": None}
    try:
        size = sum(file.stat().st_size for file in folder.glob("*.jsonl"))
    except OSError as error:
        return {**counts, "health": f"cannot be read: {error.strerror}"}
    if size > _MOST_CHECKED_BYTES:
        much = f"{size / 1e6:,.0f} MB of lines; keystone-roundtable telemetry check looks at them"
        return {**counts, "health": much}
    from ...review.checking import check_telemetry

    try:
        found = check_telemetry([root])
    except KeystoneError as error:
        return {**counts, "health": str(error)}
    health = f"{found.lines:,} lines, "
    if found.broken_count:
        health += f"{found.broken_count:,} broken; keystone-roundtable telemetry check names them"
    else:
        health += "every one fits"
    return {"lines": found.lines, "broken": found.broken_count, "health": health}
