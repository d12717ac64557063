"""Questions in SQL over every event of every root, for what the review does not answer.

DuckDB reads the files itself, and nothing else: a query may only select.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import UsageError
from .errors import MissingLibraryError
from .files import event_files

if TYPE_CHECKING:
    import duckdb

_TEXTS = (
    "skill", "decision", "mode", "format", "session", "project", "version", "model", "exit_reason",
    "exit_code", "next_skill", "outcome",
)  # fmt: skip
_NUMBERS = ("confidence", "cost_usd", "seconds")
_COUNTS = (
    "questions", "informative", "low_information", "clarifications", "model_calls", "input_tokens",
    "output_tokens", "checklist_failed",
)  # fmt: skip
_FLAGS = ("escalate", "forced", "breaker")

_HINT = "`SELECT * FROM events LIMIT 1` shows the columns"


@dataclass(frozen=True)
class Answer:
    """The rows of a query; dates and times as texts."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def ask(roots: Sequence[Path], query: str) -> Answer:
    """What a SELECT over the view `events` gives.

    A broken field is null, a line that is no object is left out. Raises `MissingLibraryError` and,
    with what DuckDB says of the query, `UsageError`.
    """
    try:
        import duckdb
    except ImportError as error:
        raise MissingLibraryError("SQL queries", "analytics") from error
    connection = duckdb.connect(
        config={"autoinstall_known_extensions": False, "autoload_known_extensions": False}
    )
    try:
        _make_view(connection, [path for root in roots for path in event_files(root)])
        _only_selects(connection, query, duckdb)
        result = connection.execute(query)
        columns = tuple(str(column[0]) for column in result.description or ())
        return Answer(columns, result.fetchall())
    except duckdb.Error as error:
        raise UsageError(f"--sql: {_first_lines(error)}", _HINT) from error
    finally:
        connection.close()


def _only_selects(connection: duckdb.DuckDBPyConnection, query: str, duckdb: Any) -> None:
    kinds = {statement.type for statement in connection.extract_statements(query)}
    if not kinds or kinds - {duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN}:
        raise UsageError("--sql takes SELECT and nothing that writes or sets", _HINT)


def _make_view(connection: duckdb.DuckDBPyConnection, paths: Sequence[Path]) -> None:
    """The view `events`; after this the connection opens no other file."""
    files = [str(path) for path in paths if path.is_file() and path.stat().st_size]
    connection.execute("SET temp_directory = ''")
    connection.execute(f"SET allowed_paths = [{', '.join(map(_quoted, files))}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    connection.execute(f"CREATE VIEW events AS SELECT {_columns()} FROM ({_lines(files)})")


def _lines(files: Sequence[str]) -> str:
    """SQL that gives each line with its file."""
    if not files:
        return "SELECT NULL::VARCHAR AS file, NULL::JSON AS line WHERE false"
    listed = ", ".join(map(_quoted, files))
    return (
        "SELECT filename AS file, json AS line FROM read_ndjson_objects("
        f"[{listed}], ignore_errors = true, filename = true) WHERE json_type(json) = 'OBJECT'"
    )


def _columns() -> str:
    """SQL of the view's columns; the whole line comes last."""
    typed = [
        *((name, "VARCHAR") for name in _TEXTS),
        *((name, "DOUBLE") for name in _NUMBERS),
        *((name, "BIGINT") for name in _COUNTS),
        *((name, "BOOLEAN") for name in _FLAGS),
    ]
    event = "coalesce(line->>'event', CASE WHEN line->>'decision' IS NOT NULL THEN 'finished' END)"
    moment = "make_timestamp(epoch_us(try_cast(line->>'ts' AS TIMESTAMPTZ)))"
    return ", ".join(
        [
            "file",
            f"{moment} AS ts",
            f"{event} AS event",
            *(f"try_cast(line->>'{name}' AS {kind}) AS {name}" for name, kind in typed),
            "line",
        ]
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _first_lines(error: Exception) -> str:
    """DuckDB's message without the drawing of where in the query."""
    return " ".join(str(error).split("\n\nLINE ")[0].split("\nLINE ")[0].split())
