"""`table list` and `table show`: which tables this project held, and what was said at one."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import dataclass
from typing import Any

from ...core.errors import KeystoneError, UsageError
from ...formats.table.ending import ending_of
from ...formats.table.rounds import count_of
from ...formats.table.status import TableStatus
from ...formats.table.table import Table
from ...runtime.masking import masked_text
from ...runtime.table_run import status_of
from ...stores.tables import TableStore
from ...terminal import table_lines as words
from ...terminal.columns import columns_of
from ..json_lines import json_text
from ..table_ending import shown_lines, table_object
from ..table_logs import read_table
from ..table_records import ProjectTables, records_to_look_at
from ..typed import as_typed
from ..wiring import root_of


@dataclass(frozen=True)
class _Row:
    table: str
    date: str
    status: str
    question: str
    minute: str

    def as_object(self) -> dict[str, Any]:
        return {**vars(self), "minute": self.minute or None}


def list_tables(options: Namespace) -> int:
    """The newest first; one that cannot be read is listed as that."""
    records = records_to_look_at(root_of(options.root))
    rows = [_row(records, table_id) for table_id in records.store.ids()]
    if options.json:
        print(json_text({"tables": [row.as_object() for row in rows]}))
        return 0
    if not rows:
        print(words.NONE_HELD)
    width = columns_of(sys.stdout)
    for row in rows:
        for line in words.table_row(row.table, row.date, row.status, row.question, width):
            print(line)
        if row.minute:
            print(words.indented(row.minute))
    return 0


def show_table(options: Namespace, named: list[str]) -> int:
    """The minute, which is the newest table's where none is named."""
    records = records_to_look_at(root_of(options.root))
    table_id = _which(records.store, named)
    table, _ = read_table(records.store, table_id)
    if options.json:
        print(json_text(table_object(table, records, status_of(table))))
        return 0
    for line in shown_lines(table, records):
        print(line)
    return 0


def _which(store: TableStore, named: list[str]) -> str:
    if len(named) > 1:
        raise UsageError("table show takes one ID", "Leave it out for the latest")
    if named:
        return store.resolve(named[0])
    newest = next(iter(store.ids()), None)
    if newest is None:
        raise UsageError("no table was held here", "See: keystone-roundtable table --help")
    return newest


def _row(records: ProjectTables, table_id: str) -> _Row:
    date = f"{table_id[:4]}-{table_id[4:6]}-{table_id[6:8]}"
    try:
        table, _ = read_table(records.store, table_id)
    except KeystoneError as error:
        return _Row(table_id, date, "unreadable", as_typed(error.message), "")
    minute = records.files(table).minute
    return _Row(
        table=table_id,
        date=table.start.name[:10],
        status=_word(table),
        question=masked_text(table.start.question),
        minute=as_typed(str(minute)) if table.convened and minute.exists() else "",
    )


def _word(table: Table) -> str:
    """How a table ended, or where it stands."""
    match table.status:
        case TableStatus.FINISHED:
            ending = ending_of(table, count_of(table))
            if ending.exit_reason == "rehearsal":
                return "rehearsal"
            return "escalated" if ending.escalates else "decided"
        case TableStatus.PAUSED if table.stalled is not None:
            return "stopped"
        case TableStatus.FAILED | TableStatus.DECLINED | TableStatus.PAUSED as status:
            return str(status)
        case _:
            return "open"
