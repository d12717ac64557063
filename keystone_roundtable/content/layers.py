"""A user's file laid over a shipped one, remembering from which file each field came."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ..core.records import Record
from .errors import ContentError
from .yaml_files import line_of, read_mapping

Location = tuple[str | int, ...]
"""A field inside a file: `("questions", 2, "text")`."""

_Shape = TypeVar("_Shape", bound=Record)

KEYED_LIST = "questions"
"""The one list whose entries are laid over each other one by one, by their `key`."""


@dataclass
class Layered:
    """The fields in force and the place each came from. `path` is the uppermost file."""

    path: Path
    fields: dict[str, Any] = field(default_factory=dict)
    places: dict[Location, tuple[Path, Location]] = field(default_factory=dict)

    def error(self, location: Location, reason: str) -> ContentError:
        """An error that names the file and line to mend."""
        path, there = self.place(location)
        name = ".".join(str(step) for step in there)
        return ContentError(path, reason, line=line_of(path, there), field=name)

    def newest(self, *locations: Location) -> Location:
        """The first of `locations` that stands in the uppermost file, else the last of them.

        Where two fields contradict each other, it is the one whose author can mend it.
        """
        mine = (there for there in locations if self.place(there)[0] == self.path)
        return next(mine, locations[-1])

    def validated(self, shape: type[_Shape]) -> _Shape:
        """The fields in their shape. Raises `ContentError` for the first that does not fit."""
        try:
            return shape.model_validate(self.fields)
        except ValidationError as error:
            location, reason = _first_problem(error.errors())
            raise self.error(location, reason) from error

    def place(self, location: Location) -> tuple[Path, Location]:
        """The file a field came from, and where it stands in that file."""
        for length in range(len(location), 0, -1):
            if location[:length] in self.places:
                path, there = self.places[location[:length]]
                return path, (*there, *location[length:])
        return self.path, location

    def _lay(self, path: Path, fields: dict[str, Any]) -> None:
        for name, value in fields.items():
            if name == KEYED_LIST and isinstance(value, list):
                self._lay_entries(path, value)
            else:
                self.fields[name] = value
                self.places[(name,)] = (path, (name,))
        self.path = path

    def _lay_entries(self, path: Path, entries: list[Any]) -> None:
        """Entries replace those of the same key below them; the rest are added at the end."""
        below = self.fields.setdefault(KEYED_LIST, [])
        taken: set[int] = set()
        for number, entry in enumerate(entries):
            here: Location = (KEYED_LIST, number)
            position = _position(below, entry)
            if position in taken:
                line = line_of(path, here)
                raise ContentError(path, f"a second entry with the key '{entry['key']}'", line=line)
            taken.add(position)
            below[position : position + 1] = [entry]
            self.places[(KEYED_LIST, position)] = (path, here)


def overlay(paths: Sequence[Path]) -> Layered:
    """The files laid over each other, the shipped one first: fields of later files win.

    Every file's `id` is its name, and must say the same if it stands there. Raises `ContentError`.
    """
    layered = Layered(paths[0])
    for path in paths:
        layered._lay(path, _fields(path))
    return layered


def _fields(path: Path) -> dict[str, Any]:
    fields = read_mapping(path)
    if fields.setdefault("id", path.stem) != path.stem:
        line = line_of(path, ("id",))
        reason = f"is '{fields['id']}', but the file is named '{path.name}'"
        raise ContentError(path, reason, line=line, field="id")
    return fields


def _position(below: Sequence[Any], entry: Any) -> int:
    """Where an entry of the same key stands; behind the last where none does."""
    key = _key(entry)
    keys = [_key(other) for other in below]
    return keys.index(key) if key is not None and key in keys else len(below)


def _key(entry: Any) -> Any:
    return entry.get("key") if isinstance(entry, dict) else None


def _first_problem(problems: Sequence[ErrorDetails]) -> tuple[Location, str]:
    """Unknown fields first: a misspelt name is also why another one is missing."""
    unknown = [p for p in problems if p["type"] == "extra_forbidden"]
    problem = (unknown or list(problems))[0]
    location = tuple(step for step in problem["loc"] if step != "[key]")
    return location, "no such field" if unknown else problem["msg"]
