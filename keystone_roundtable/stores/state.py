"""The keystone state: one JSON object that several tools read and write.

Only the keys asked for change; what other tools keep there stays, in its order.
"""

from __future__ import annotations

import math
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..core.errors import UsageError
from .errors import CorruptStateError, StoreError, doing
from .files import (
    PRIVATE_FILE,
    atomic_write,
    locked,
    make_private_dir,
    read_bytes,
    remove_leftovers,
)
from .json_text import from_json, to_json
from .root import KEYSTONE
from .telemetry import Telemetry

_BOM = b"\xef\xbb\xbf"


class KeystoneState:
    """`<root>/.keystone/state.json`; nothing need exist yet."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.path = root / KEYSTONE / "state.json"

    def init(self) -> None:
        """Makes the state file and the telemetry folder where they are missing."""
        make_private_dir(self.path.parent)
        target = self._target()
        with locked(target):
            if read_bytes(target) is None:
                atomic_write(target, b"{}\n")
        make_private_dir(Telemetry(self._root).folder)

    def show(self) -> dict[str, Any]:
        """The whole state, in its order; empty where there is none yet."""
        return _load(self.path)

    def get(self, dotted: str) -> Any:
        """The value under a dotted key; None where there is none."""
        return _get(self.show(), dotted)

    def set_many(self, values: Mapping[str, Any]) -> Path:
        """Sets each dotted key to a JSON value, all in one step or none; None is stored as null.

        Raises `CorruptStateError`, and `StoreError` where a key leads through something that is
        no object; the file is then as before.
        """
        make_private_dir(self.path.parent)
        target = self._target()
        with locked(target):
            remove_leftovers(target.parent, target.name)
            state = _load(target)
            if all(_get(state, dotted) == value for dotted, value in values.items()):
                return self.path  # nothing to change; a key that is missing reads as null
            for dotted, value in values.items():
                _put(state, dotted, value)
            atomic_write(target, to_json(state, indent=2) + b"\n", _mode(target))
        return self.path

    def check(self, *dotted: str) -> None:
        """Raises where `set_many` could not set these keys; nothing is changed."""
        state = _load(self.path)
        for key in dotted:
            _put(state, key, None)

    def _target(self) -> Path:
        """The file itself, where the state is a link to it. Raises where it is no ordinary file."""
        read_bytes(self.path)  # before a lock is made beside whatever it is
        return Path(os.path.realpath(self.path))


def parse_value(text: str) -> Any:
    """What `state set` stores for `text`: a number, true, false or null, else the text itself."""
    try:
        value = from_json(text.encode())
    except ValueError:
        return text
    if isinstance(value, float) and not math.isfinite(value):
        return text  # "NaN" and "Infinity" are no JSON, though Python reads them
    return value if value is None or isinstance(value, int | float) else text


def _load(path: Path) -> dict[str, Any]:
    data = read_bytes(path)
    if data is None:
        return {}
    try:
        state = from_json(data.removeprefix(_BOM))
    except ValueError as error:
        raise CorruptStateError(path, f"is not JSON ({error})") from error
    if not isinstance(state, dict):
        raise CorruptStateError(path, "is JSON, but not an object")
    return state


def _get(state: dict[str, Any], dotted: str) -> Any:
    value: Any = state
    for name in _names(dotted):
        if not isinstance(value, dict) or name not in value:
            return None
        value = value[name]
    return value


def _put(state: dict[str, Any], dotted: str, value: Any) -> None:
    *parents, last = _names(dotted)
    place = state
    for depth, name in enumerate(parents, start=1):
        inner = place.setdefault(name, {})
        if not isinstance(inner, dict):
            through = ".".join(parents[:depth])
            raise StoreError(
                f"cannot set {dotted!r} in the state: {through!r} is not an object",
                f"Set {through!r} to another value or choose another key",
            )
        place = inner
    place[last] = value


MAX_KEY_PARTS = 50  # chosen by judgement: no state is nested deeper than a person can read


def _names(dotted: str) -> list[str]:
    names = dotted.split(".")
    if not all(names) or len(names) > MAX_KEY_PARTS:
        raise UsageError(
            f"{dotted[:80]!r} is no state key", "Write it like artifacts.roundtable_mode"
        )
    return names


def _mode(path: Path) -> int:
    """The permissions that the file has; owner-only where it is new."""
    with doing("read", path):
        try:
            return stat.S_IMODE(path.stat().st_mode)
        except FileNotFoundError:
            return PRIVATE_FILE
