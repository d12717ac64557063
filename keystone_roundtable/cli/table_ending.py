"""What is printed when a table is over or stops: the block, its files, or one JSON object."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..core.outcome import ExitStatus
from ..core.plain import one_line, plain
from ..formats.decision_block import as_object, block
from ..formats.table.minute import make_minute
from ..formats.table.rounds import answered, count_of
from ..formats.table.status import TableStatus
from ..formats.table.table import Table
from ..runtime.masking import masked_text
from ..stores.errors import doing
from ..stores.ordinary import read_ordinary
from ..terminal import table_lines as words
from .json_lines import json_text
from .presenting import EXIT_NAMES
from .saying import say_wrapped
from .table_records import ProjectTables
from .typed import as_typed


def present(table: Table, records: ProjectTables, status: ExitStatus, *, as_json: bool) -> None:
    if as_json:
        print(json_text(table_object(table, records, status)))
    match table.status:
        case TableStatus.FINISHED:
            _finished(table, records, as_json)
        case TableStatus.FAILED:
            say_wrapped(words.too_few(len(table.seated)))
            _minute(table, records, as_json)
        case TableStatus.DECLINED:
            say_wrapped(words.DECLINED)
        case TableStatus.PAUSED if table.paused and table.paused.cause == "declined":
            say_wrapped(words.DECLINED)
            say_wrapped(words.go_on(table.id))
        case TableStatus.PAUSED if table.stalled is not None:
            say_wrapped(words.stalled(table.id, table.stalled.round, answered(table)))
        case _:
            say_wrapped(words.paused(table.id))


def table_object(table: Table, records: ProjectTables, status: ExitStatus) -> dict[str, Any]:
    """The one object of `table --json`, whatever the end."""
    files = records.files(table)
    finished = table.status is TableStatus.FINISHED
    count = count_of(table) if finished else None
    contract = records.contract(table, count) if count else None
    folder = records.store.folder(table.id)
    minute = make_minute(table)
    paths = {"table": folder, "contract": folder / "contract.json"}
    own = {"minute": files.minute, "state": files.state, "decision": files.decision}
    return {
        "table": table.id,
        "question": table.start.question,
        "options": list(table.options),
        "count": as_object(count) if count else None,
        "contract": contract.model_dump(mode="json") if contract else None,
        "ruling": table.ruling,
        "emptied": dict(table.emptied),
        "absent": [missed.model_dump(mode="json") for missed in table.missed],
        "moves": [move.model_dump(mode="json") for move in minute.moves],
        "rehearsal": minute.rehearsal,
        "one_voice": minute.one_voice or None,
        "receipts": [receipt.model_dump(mode="json") for receipt in table.receipts],
        "paths": {
            **{name: _where(path) for name, path in paths.items()},
            # Before it is convened, what has that name is another table's.
            **{name: _where(path) if table.convened else None for name, path in own.items()},
        },
        "exit": {"name": EXIT_NAMES[status], "status": int(status)},
    }


def shown_lines(table: Table, records: ProjectTables) -> Iterator[str]:
    """The minute, safe for a screen; what is known instead where there is none."""
    minute = records.files(table).minute
    if table.convened and minute.is_file():
        with doing("read", minute):
            yield plain(read_ordinary(minute).decode("utf-8", "replace")).rstrip()
        return
    yield masked_text(one_line(table.start.question))
    yield words.minute_gone(str(minute)) if table.convened else words.not_convened(table.over)
    if not table.over:
        yield words.go_on(table.id)


def _where(path: Path) -> str | None:
    return as_typed(str(path)) if path.exists() else None


def _finished(table: Table, records: ProjectTables, as_json: bool) -> None:
    count = count_of(table)
    rehearsal = make_minute(table).rehearsal
    if not as_json:
        if rehearsal:
            print(words.REHEARSAL)
        print(masked_text(block(count)))
        if table.ruling is not None:
            print(words.ruled(table.ruling))
    contract = records.contract(table, count)
    if one_voice := make_minute(table).one_voice:
        say_wrapped(one_voice)
    _minute(table, records, as_json)
    path = records.store.folder(table.id) / "contract.json"
    skill = "" if rehearsal else contract.next_skill
    for line in words.next_step(skill, contract.next_action, as_typed(str(path))):
        say_wrapped(line)


def _minute(table: Table, records: ProjectTables, as_json: bool) -> None:
    """The paths, absolute; for a program they stand in its object."""
    files = records.files(table)
    if not table.start.oracle_root:
        say_wrapped(words.NOT_AN_ORACLE)
    tell = say_wrapped if as_json else print
    tell(words.minute_line(one_line(as_typed(str(files.minute)))))
    if files.decision.exists():
        tell(words.decision_line(one_line(as_typed(str(files.decision)))))
