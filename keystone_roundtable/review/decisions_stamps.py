"""What tells whether a session's log has changed since it was read."""

from __future__ import annotations

import os
from typing import NamedTuple

from ..stores.places import LOG_NAME


class Stamp(NamedTuple):
    """When a log's file changed last, in nanoseconds, and its size; zeros where there is none.

    The time is that of the file's entry, which cannot be set back by hand.
    """

    changed_ns: int
    size: int


def stamp_of(sessions: str, session_id: str) -> Stamp:
    """The stamp of the log of one session below the folder `sessions`."""
    try:
        found = os.stat(f"{sessions}/{session_id}/{LOG_NAME}")  # noqa: PTH116 - thousands a call
    except OSError:
        return Stamp(0, 0)
    return Stamp(found.st_ctime_ns, found.st_size)
