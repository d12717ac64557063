"""Which event a line tells, as a number of 64 bits: the same one told twice is counted once.

A session starts, finishes and is redirected once; it pauses and has an outcome once at a moment.
Numbers are kept in sixteen parts by their highest bits, so that what has to be compared at one
time is a sixteenth of all.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence

from .tally import Kind

_PART_BITS = 4
PARTS = 1 << _PART_BITS

_CODE_BITS = 3
_CODES: dict[str, int] = {"finished": 0, "started": 1, "redirected": 2, "paused": 3, "outcome": 4}
_ENDS = (_CODES["finished"], _CODES["redirected"])

_BITS = 61
_PRIME = (1 << _BITS) - 1
_SPREAD = 0x9E3779B97F4A7C15  # 2**64 / golden ratio: short ids fill the high bits too

ONCE = frozenset({"finished", "started", "redirected"})


def session_number(session: str) -> int:
    """61 bits that stand for the session's id, the same in every process.

    Among a million ids two are alike with a chance of one in four million.
    """
    return int.from_bytes(session.encode(), "little") * _SPREAD % _PRIME


def session_numbers(sessions: Iterable[str]) -> list[int]:
    """`session_number` of each, in less time."""
    from_bytes = int.from_bytes
    return [from_bytes(each.encode(), "little") * _SPREAD % _PRIME for each in sessions]


def event_numbers(sessions: Iterable[int], kind: Kind) -> list[int]:
    """`event_number` of each, for an event that happens once."""
    code = _CODES[kind]
    return [session << _CODE_BITS | code for session in sessions]


def event_number(session: int, kind: Kind, moment: str) -> int:
    """What happened to a session; `moment` tells apart what may happen more than once."""
    if kind not in ONCE:
        session = (session + int.from_bytes(moment.encode(), "little")) * _SPREAD % _PRIME
    return session << _CODE_BITS | _CODES[kind]


def ends_of(session: int) -> tuple[int, ...]:
    """The events of which one ends the session."""
    return tuple(session << _CODE_BITS | code for code in _ENDS)


def part_of(session: int) -> int:
    """The part in which the session's number lies, and each of its events that happen once."""
    return session >> (_BITS - _PART_BITS)


def put_events(parts: Sequence[array[int]], events: Iterable[int]) -> None:
    """Puts numbers of events into their parts."""
    shift = _BITS + _CODE_BITS - _PART_BITS
    put = [part.append for part in parts]
    for event in events:
        put[event >> shift](event)


def in_parts() -> list[array[int]]:
    """Sixteen empty arrays of 64 bits a number."""
    return [array("Q") for _ in range(PARTS)]


def pairs(flat: array[int]) -> Iterator[tuple[int, int]]:
    """The numbers two by two."""
    each = iter(flat)
    return zip(each, each, strict=True)
