"""Whether an index says what the folders say, found out in a few milliseconds.

Looking at ten thousand files takes longer than a search may. What came or went shows in the time of
the folder that holds all of its format. A log that can still grow is looked at each time. One
that is closed never changes but by hand: of up to a thousand all are looked at each time, of more a
thousand by turns.
"""

from __future__ import annotations

import os
import sqlite3

from ..stores.places import FOLDERS, LOG_NAME

Stamp = tuple[int, int]
"""When a log's file changed last, in nanoseconds, and its size; zeros where there is no log.

The time is that of the file's entry, which cannot be set back by hand.
"""

AT_ONCE = 1_000  # closed logs looked at each time: about two milliseconds

# A folder whose last change is younger may change again without showing it: file systems keep
# times in steps of up to two seconds (FAT).
UNSETTLED_NS = 2_000_000_000

_LAST = "SELECT max(number) FROM past"
_TO_LOOK_AT = (
    "SELECT place, changed_ns, size FROM past WHERE NOT final"
    " UNION ALL SELECT place, changed_ns, size FROM past WHERE final AND number BETWEEN ? AND ?"
)


def stamp_of(base: str, place: str) -> Stamp:
    """The stamp of a log; `place` is the folder that holds it, below `base`."""
    try:
        found = os.stat(f"{base}/{place}/{LOG_NAME}")  # noqa: PTH116 - hundreds a search
    except OSError:
        return 0, 0
    return found.st_ctime_ns, found.st_size


def listing_stamp(base: str, now_ns: int) -> str:
    """What changes when a session, a table or a room comes or goes; "" while that could not be
    told, or where there is no folder of any.
    """
    stamps = [_folder_stamp(f"{base}/{folder}", now_ns) for folder in FOLDERS.values()]
    return "" if "" in stamps or set(stamps) == {_NONE} else "; ".join(stamps)


_NONE = "none"


def _folder_stamp(path: str, now_ns: int) -> str:
    try:
        found = os.stat(path)  # noqa: PTH116 - `pathlib` is not needed on this path
    except FileNotFoundError:
        return _NONE
    except OSError:
        return ""
    if now_ns - max(found.st_mtime_ns, found.st_ctime_ns) < UNSETTLED_NS:
        return ""
    return f"{found.st_dev} {found.st_ino} {found.st_mtime_ns} {found.st_ctime_ns}"


def is_fresh(connection: sqlite3.Connection, base: str, now_ns: int) -> bool:
    """Whether the index can be trusted. Raises `sqlite3.Error` where it is damaged."""
    stamp = listing_stamp(base, now_ns)
    ((indexed,),) = connection.execute("SELECT value FROM facts WHERE name = 'listing'")
    if not stamp or stamp != indexed:
        return False
    ((last,),) = connection.execute(_LAST)
    first = _first_of_turn(last or 0, now_ns)
    looked_at = connection.execute(_TO_LOOK_AT, (first, first + AT_ONCE - 1))
    return all(stamp_of(base, one) == (changed, size) for one, changed, size in looked_at)


def _first_of_turn(last: int, now_ns: int) -> int:
    """Where the ones begin that are looked at now: the clock draws it."""
    turns = -(-last // AT_ONCE)
    return 1 + AT_ONCE * ((now_ns // 1_000) % turns) if turns > 1 else 1
