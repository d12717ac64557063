"""A project's tables: their logs, and the files that tell of them.

A table's own folder, `.keystone/roundtable/tables/ID`, holds its log and contract. Its minute,
state and decision are named by date and question; they lie beside that folder, or in the Oracle
repository that the table belongs to.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic

from ..core.contract import Contract
from .errors import AmbiguousIdError, StoreError, doing
from .files import atomic_write, make_private_dir, write_new
from .format_logs import FormatLog, Happening, read_events, read_values
from .json_text import to_json
from .places import FOLDERS, LOG_NAME, SESSION_ID, file_name, roundtable_folder

_FINAL = frozenset({"table_finished", "table_failed", "table_declined"})
PSI = "ψ"


class UnknownTableError(StoreError):
    """No table has this id."""

    def __init__(self, table_id: str) -> None:
        super().__init__(
            f"there is no table {table_id!a}", "Its id was printed when it began, and in the minute"
        )


@dataclass(frozen=True)
class TableContents(Generic[Happening]):
    """What a log holds, in order. `torn_tail` says that a broken last line was passed over."""

    events: tuple[Happening, ...]
    torn_tail: bool


class TableStore:
    """The tables below one root; nothing need exist yet."""

    def __init__(self, root: Path) -> None:
        self.path = roundtable_folder(root) / FOLDERS["table"]

    def folder(self, table_id: str) -> Path:
        """Raises `UnknownTableError` for anything that is no id, so that no id leads elsewhere."""
        if not SESSION_ID.fullmatch(table_id):
            raise UnknownTableError(table_id)
        return self.path / table_id

    def create(self, table_id: str) -> FormatLog:
        return FormatLog.create(self.folder(table_id))

    def open(self, table_id: str) -> FormatLog:
        """Raises `SessionBusyError` where it is open elsewhere."""
        return FormatLog.open(self.folder(table_id))

    def read(self, table_id: str, event_of: Callable[[Any], Happening]) -> TableContents[Happening]:
        """The events; `event_of` makes one of its JSON value and raises `ValueError` for none.

        Raises `CorruptLogError` for a broken line that is not the last.
        """
        path = self.folder(table_id) / LOG_NAME
        with doing("read", path):
            try:
                return TableContents(*read_events(path, event_of))
            except FileNotFoundError as error:
                raise UnknownTableError(table_id) from error

    def ids(self) -> tuple[str, ...]:
        """All ids, the one that was written to last first."""
        with doing("list", self.path):
            try:
                found = [p for p in self.path.iterdir() if SESSION_ID.fullmatch(p.name)]
            except FileNotFoundError:
                return ()
        return tuple(p.name for p in sorted(found, key=_written, reverse=True))

    def resolve(self, prefix: str) -> str:
        """The id that starts with `prefix`. Raises `StoreError` where not exactly one does."""
        found = [one for one in self.ids() if one.startswith(prefix)]
        if prefix in found:
            return prefix
        if not found:
            raise UnknownTableError(prefix)
        if len(found) > 1:
            raise AmbiguousIdError("tables", prefix, found)
        return found[0]

    def resumable(self) -> str | None:
        """The table worked on last that is not over; None where there is none."""
        return next((one for one in self.ids() if self._is_open(one)), None)

    def _is_open(self, table_id: str) -> bool:
        try:
            values, _ = read_values(self.folder(table_id) / LOG_NAME)
        except (StoreError, OSError):
            return False
        last = values[-1] if values else {}
        return isinstance(last, dict) and last.get("type") not in (None, *_FINAL)

    def write_contract(
        self, contract: Contract, to_yaml: Callable[[Mapping[str, Any]], str]
    ) -> Path:
        """The JSON, which is the one that programs read; the YAML lies beside it."""
        folder = self.folder(contract.session)
        make_private_dir(folder)
        content = contract.model_dump(mode="json")
        path = folder / "contract.json"
        atomic_write(path, to_json(content, indent=2) + b"\n")
        atomic_write(folder / "contract.yaml", to_yaml(content))
        return path


@dataclass(frozen=True)
class TableFiles:
    """Where one table's minute, state and decision go."""

    minute: Path
    state: Path
    decision: Path

    @classmethod
    def of(cls, store: TableStore, name: str, oracle_root: Path | None) -> TableFiles:
        if oracle_root is None:
            kept, decisions = store.path, store.path / "decisions"
        else:
            psi = oracle_root / PSI
            kept, decisions = psi / "lab" / "round-table", psi / "inbox" / "decisions"
        named = file_name(name)
        return cls(kept / f"{named}.md", kept / f"{named}.json", decisions / f"{named}.md")

    @classmethod
    def claim(
        cls, store: TableStore, name: str, oracle_root: Path | None, table_id: str
    ) -> TableFiles:
        """Files of that name, numbered where it is another table's, and the minute made at once:
        whoever comes later finds it taken. Claiming again gives the same files.
        """
        mark = f"Claimed by table {table_id}.\n"
        number = 1
        while True:
            files = cls.of(store, name if number == 1 else f"{name}-{number}", oracle_root)
            if files._claimed(mark):
                return files
            number += 1

    @property
    def name(self) -> str:
        return os.fsencode(self.minute.stem).decode("utf-8", "surrogateescape")

    def _claimed(self, mark: str) -> bool:
        make_private_dir(self.minute.parent)
        if self.state.exists() or self.decision.exists():
            return False
        try:
            write_new(self.minute, mark)
        except StoreError:
            if not self.minute.exists():  # no other table: the folder cannot be written to
                raise
            with doing("read", self.minute):
                return self.minute.read_bytes() == mark.encode()
        return True

    def write_state(self, state: Mapping[str, Any]) -> None:
        make_private_dir(self.state.parent)
        atomic_write(self.state, to_json(dict(state), indent=2) + b"\n")

    def write_minute(self, markdown: str) -> None:
        make_private_dir(self.minute.parent)
        atomic_write(self.minute, markdown)

    def write_decision(self, line: str) -> None:
        make_private_dir(self.decision.parent)
        atomic_write(self.decision, f"{line}\n")


def find_oracle_root(here: Path) -> Path | None:
    """The Oracle repository that `here` lies in: the git root, else `here` itself, with `CLAUDE.md`
    and `ψ/`. None where there is none.
    """
    with doing("look for an Oracle repository from", here):
        start = here.absolute()
        git_root = next((f for f in (start, *start.parents) if (f / ".git").exists()), None)
        for folder in (git_root, start):
            if folder and (folder / "CLAUDE.md").is_file() and (folder / PSI).is_dir():
                return folder
    return None


def _written(path: Path) -> tuple[float, str]:
    try:
        return (path / LOG_NAME).stat().st_mtime, path.name
    except OSError:
        return 0.0, path.name
