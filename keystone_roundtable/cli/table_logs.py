"""A table as its log on disk tells it."""

from __future__ import annotations

from typing import Any

from ..core.errors import IllegalEventError, KeystoneError, UsageError
from ..formats.errors import TableStateError
from ..formats.table.events import EVENT, Event
from ..formats.table.fold import replay
from ..formats.table.records import TABLE_VERSION
from ..formats.table.table import Table
from ..stores.errors import NewerLogError
from ..stores.places import LOG_NAME
from ..stores.tables import TableStore


def read_table(store: TableStore, table_id: str) -> tuple[Table, bool]:
    """The table, and whether a torn last line was left out. Raises `KeystoneError`."""

    def event_of(value: Any) -> Event:
        version = value.get("schema_version") if isinstance(value, dict) else None
        if isinstance(version, int) and version > TABLE_VERSION:
            path = store.folder(table_id) / LOG_NAME
            raise NewerLogError(path, version, TABLE_VERSION)
        return EVENT.validate_python(value)

    contents = store.read(table_id, event_of)
    if not contents.events:
        raise UsageError(f"table {table_id} was stopped before it began", "Convene another one")
    try:
        return replay(contents.events), contents.torn_tail
    except (IllegalEventError, TableStateError) as error:
        raise KeystoneError(
            f"the log of table {table_id} does not add up: {error.message}",
            "It was changed by hand or by another program; nothing was written to it",
        ) from error
