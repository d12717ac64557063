"""Old months in fewer bytes, with every event as it was.

What goes: blanks between the parts of a line, blank lines, and a line of ours that repeats another
byte for byte and is counted once anyway. What stays: the order, every other line, broken ones
byte for byte, and a last line without its newline.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

from pydantic_core import from_json

from ..core.records import Record
from ..core.telemetry import SKILL
from ..stores.rewriting import rewrite
from .fields import is_blank
from .files import event_files, named
from .identities import PARTS
from .lines import CHUNK_BYTES
from .tally import KINDS

_MONTH_FILE = re.compile(r"([0-9]{4}-[0-9]{2})\.jsonl")
_STRING_OR_BLANKS = re.compile(rb'"(?:[^"\\]|\\.)*"|[ \t\r\n]+')

STILL_WRITTEN = timedelta(days=2)
"""So long after its end a month is left alone: tools that go by local time still write to it."""


class CompactedFile(Record):
    """One month that was rewritten."""

    file: str
    bytes_before: int
    bytes_after: int
    repeated: int
    """Lines that were there before."""


class Compacted(Record):
    """What a compaction did; files that were compact already are not named."""

    schema_version: int = 1
    roots: tuple[str, ...]
    files: tuple[CompactedFile, ...]


def compact_telemetry(roots: Sequence[Path], now: datetime) -> Compacted:
    """Rewrites the months before the present one. Raises `StoreError`, `OSError`."""
    newest = (now - STILL_WRITTEN).strftime("%Y-%m")
    done = []
    for root in roots:
        for path in event_files(root):
            month = _MONTH_FILE.fullmatch(path.name)
            if month is not None and month[1] < newest and path.is_file():
                compaction = _Compaction()
                if rewrite(path, compaction.write):
                    done.append(
                        CompactedFile(
                            file=named(path),
                            bytes_before=compaction.before,
                            bytes_after=compaction.after,
                            repeated=compaction.repeated,
                        )
                    )
    return Compacted(roots=tuple(map(named, roots)), files=tuple(done))


class _Compaction:
    """What is written in the place of one file, and what that saves."""

    def __init__(self) -> None:
        self.before = self.after = self.repeated = 0

    def write(self, descriptor: int, size: int, new: BinaryIO) -> bool:
        self.before = size
        candidates = _told_twice(descriptor, size)
        told: set[bytes] = set()
        for line in _raw_lines(descriptor, size):
            kept = _squeezed(line)
            if candidates and _digest(kept) in candidates and _counts_once(kept):
                if kept in told:
                    self.repeated += 1
                    continue
                told.add(kept)
            self.after += new.write(kept)
        return self.after < self.before


def _told_twice(descriptor: int, size: int) -> frozenset[int]:
    """Digests that more than one line has; eight bytes a line are held, and no line."""
    parts = [array("Q") for _ in range(PARTS)]
    for line in _raw_lines(descriptor, size):
        digest = _digest(_squeezed(line))
        parts[digest % PARTS].append(digest)
    twice: set[int] = set()
    for part in parts:
        if len(seen := set(part)) < len(part):
            for digest in part:
                if digest in seen:
                    seen.remove(digest)
                else:
                    twice.add(digest)
    return frozenset(twice)


def _digest(line: bytes) -> int:
    return int.from_bytes(blake2b(line, digest_size=8).digest())


def _raw_lines(descriptor: int, size: int) -> Iterator[bytes]:
    """Lines with their newlines; a last one without is given as it is."""
    with open(descriptor, "rb", buffering=CHUNK_BYTES, closefd=False) as file:
        file.seek(0)
        offset = 0
        while offset < size and (line := file.readline(size - offset)):
            offset += len(line)
            yield line


def _squeezed(line: bytes) -> bytes:
    """The line without blanks between its parts; nothing for a blank one.

    One that is not JSON, or has no newline, stays as it is.
    """
    if not line.endswith(b"\n"):
        return line
    if is_blank(line):
        return b""
    squeezed = _STRING_OR_BLANKS.sub(lambda found: found[0] if found[0][:1] == b'"' else b"", line)
    try:
        same = from_json(squeezed) == from_json(line)
    except ValueError:
        return line
    return squeezed + b"\n" if same else line


def _counts_once(line: bytes) -> bool:
    """Whether the line is one of ours of which a second is a repetition."""
    try:
        event = from_json(line)
    except ValueError:
        return False
    if not isinstance(event, dict) or event.get("skill") != SKILL:
        return False
    kind = event.get("event")
    known = (
        kind in KINDS
        if isinstance(kind, str)
        else kind is None and event.get("decision") is not None
    )
    return known and isinstance(event.get("session"), str)
