"""Which session a `request_id` has started, so that starting can be repeated."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .errors import CorruptStateError
from .files import atomic_write, locked, make_private_dir, read_bytes
from .json_text import from_json, to_json
from .root import KEYSTONE


@dataclass(frozen=True)
class Started:
    """`digest` is that of the whole request that the id came with first."""

    session: str
    digest: str


class StartedSessions:
    """One small file a `request_id` below `<root>/.keystone/roundtable/requests`."""

    def __init__(self, root: Path) -> None:
        self.folder = root / KEYSTONE / "roundtable" / "requests"

    @contextmanager
    def of(self, request_id: str, new: Started) -> Iterator[Started]:
        """What the id has started; `new`, kept from now on, where it has started nothing.

        Others that ask for any id wait meanwhile. Raises `StoreError`.
        """
        make_private_dir(self.folder)
        path = self.folder / f"{hashlib.sha256(request_id.encode()).hexdigest()[:32]}.json"
        with locked(self.folder / "started"):
            found = self._read(path)
            if found is None:
                atomic_write(path, to_json({"session": new.session, "digest": new.digest}))
            yield found or new

    def _read(self, path: Path) -> Started | None:
        data = read_bytes(path)
        if data is None:
            return None
        try:
            value = from_json(data)
            return Started(str(value["session"]), str(value["digest"]))
        except (ValueError, KeyError, TypeError) as error:
            raise CorruptStateError(path, "tells of no session") from error
