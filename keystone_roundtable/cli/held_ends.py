"""How a table or a room ended: its contract, the account of its decision, its own text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ..content.rooms import RoomTexts
from ..content.yaml_files import to_yaml
from ..core.account import Account
from ..core.contract import Contract
from ..core.plain import plain
from ..formats.room import account as room_account
from ..formats.room.room import Room
from ..formats.room.showing import show
from ..formats.table import account as table_account
from ..formats.table.minute import make_minute
from ..formats.table.rounds import count_of
from ..formats.table.table import Table
from ..runtime.masking import masked_text
from ..runtime.processes import ProcessRunner
from ..runtime.table_run import status_of
from ..stores.errors import doing
from ..stores.held import Held
from ..stores.ordinary import read_ordinary
from ..stores.places import CONTRACT_NAME
from ..stores.results import ProjectResults
from ..stores.rooms import RoomFolder
from ..stores.tables import TableStore
from .room.places import read_room
from .room.records import RoomFiles
from .room.showing import present, room_object
from .table_ending import shown_lines, table_object
from .table_logs import read_table
from .table_records import ProjectTables, records_to_look_at


class HeldEnd(ABC):
    """The end of one, for looking alone: nothing is written. Whatever reads the log raises
    `KeystoneError` where it does not add up.
    """

    def __init__(self, root: Path, held: Held) -> None:
        self.root, self.held = root, held

    @cached_property
    def contract(self) -> Contract:
        """As it was written at the end; computed where it is gone, or is none."""
        stored = self._stored(self.held.folder / CONTRACT_NAME)
        try:
            return Contract.model_validate_json(stored or b"")
        except ValidationError:
            return self._computed()

    @property
    @abstractmethod
    def account(self) -> Account: ...

    @property
    @abstractmethod
    def markdown(self) -> str:
        """The minute or the decision: as stored, secrets masked; made anew where it is gone."""

    @property
    @abstractmethod
    def as_object(self) -> dict[str, Any]:
        """What its own `show --json` prints."""

    @abstractmethod
    def tell(self) -> None:
        """Prints what its own `show` prints."""

    @abstractmethod
    def _computed(self) -> Contract: ...

    def _stored(self, path: Path) -> bytes | None:
        with doing("read", path):
            try:
                return read_ordinary(path)
            except FileNotFoundError:
                return None

    def _text(self, path: Path, made: str) -> str:
        stored = self._stored(path)
        return masked_text(plain(made if stored is None else stored.decode("utf-8", "replace")))


class TableEnd(HeldEnd):
    @cached_property
    def _table(self) -> Table:
        return read_table(TableStore(self.root), self.held.id)[0]

    @cached_property
    def _records(self) -> ProjectTables:
        return records_to_look_at(self.root)

    @property
    def account(self) -> Account:
        return table_account.account_of(self._table, self.contract)

    @property
    def markdown(self) -> str:
        records = self._records
        path = records.files(self._table).minute
        return self._text(path, records.texts.minute(make_minute(self._table)))

    @property
    def as_object(self) -> dict[str, Any]:
        return table_object(self._table, self._records, status_of(self._table))

    def tell(self) -> None:
        for line in shown_lines(self._table, self._records):
            print(line)

    def _computed(self) -> Contract:
        return self._records.contract(self._table, count_of(self._table))


class RoomEnd(HeldEnd):
    @cached_property
    def _room(self) -> Room:
        return read_room(self._folder)

    @cached_property
    def _folder(self) -> RoomFolder:
        return RoomFolder(self.held.folder)

    @cached_property
    def _texts(self) -> RoomTexts:
        return RoomTexts(self.root)

    @property
    def account(self) -> Account:
        return room_account.account_of(self._room)

    @property
    def markdown(self) -> str:
        return self._text(self.held.folder / "decision.md", self._texts.decision(show(self._room)))

    @property
    def as_object(self) -> dict[str, Any]:
        return room_object(self._room, self._folder)

    def tell(self) -> None:
        present(self._room, self._folder, as_json=False)

    def _computed(self) -> Contract:
        results = ProjectResults(self.root, to_yaml, run=ProcessRunner(), telemetry=False)
        return RoomFiles(self._folder, self._texts, results).contract(self._room)


def held_end(root: Path, held: Held) -> HeldEnd:
    return RoomEnd(root, held) if held.format == "room" else TableEnd(root, held)
