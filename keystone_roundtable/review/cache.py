"""Summaries kept beside the project, so that a month is read once.

A kept summary holds counts and numbers, no word of a line. It is used where the file has the size,
the times and the inode that it had, and where only times or inode differ after the file's hash was
compared; whatever is damaged, of another version or about other bytes is made anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from array import array
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import astuple, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from ..core.errors import KeystoneError
from ..stores.files import atomic_write, make_private_dir
from ..stores.places import roundtable_folder
from ..stores.root import KEYSTONE
from .facts import Part
from .files import Stamp, named, opened
from .identities import PARTS
from .summaries import Summary, sha256_of, summarise
from .tally import Tally

_VERSION = f"1 {sys.byteorder}"
_WORTH_BYTES = 1 << 15
"""A smaller file is read in less time than its summary saves."""


class ChangedCacheError(KeystoneError):
    """A kept summary was replaced while it was being used."""


class SummaryCache:
    """The kept summaries of one project and skill."""

    def __init__(self, root: Path, skill: str) -> None:
        self.folder = roundtable_folder(root) / "cache"
        self._skill = skill
        self._usable = (root / KEYSTONE).is_dir()

    def summary(self, path: Path) -> Summary:
        """The file's summary, from here where it fits, else made and kept. Raises `OSError`."""
        with opened(path) as (descriptor, stamp):
            if stamp.size < _WORTH_BYTES or not self._usable:
                return summarise(path, self._skill)
            kept = self._load(path)
            if kept is not None:
                if kept.stamp.is_sure_of(stamp):
                    return kept
                if kept.stamp.size == stamp.size and kept.sha256 == sha256_of(
                    descriptor, stamp.size
                ):
                    return self._keep(path, replace(kept, stamp=stamp))
        return self._keep(path, summarise(path, self._skill))

    def _place(self, path: Path) -> Path:
        name = hashlib.sha256(f"{self._skill}\n{path.name}".encode()).hexdigest()
        return self.folder / f"events-{name[:24]}"

    def _keep(self, path: Path, summary: Summary) -> Summary:
        """The same summary, read from disk from now on where it could be written."""
        place = self._place(path)
        try:
            make_private_dir(self.folder)
            atomic_write(place, b"".join(_written(summary, path.name, self._skill)), durable=False)
        except KeystoneError:  # a folder that is not ours, a full disk: reading goes on without
            return summary
        return self._load(path) or summary

    def _load(self, path: Path) -> Summary | None:
        """What is kept of the file, None where nothing is that can be used."""
        place = self._place(path)
        with suppress(OSError, LookupError, TypeError, ValueError):
            with place.open("rb") as file:
                digest, header = file.readline()[:-1], file.readline()
                if hashlib.sha256(header).hexdigest().encode() != digest:
                    return None
                kept = from_json(header)
                if (kept["version"], kept["skill"], kept["file"]) != (
                    _VERSION,
                    self._skill,
                    path.name,
                ):
                    return None
                facts = _KeptFacts(place, len(digest) + 1 + len(header), kept["parts"])
                if os.fstat(file.fileno()).st_size != facts.end or not all(
                    facts.fits(number) for number in range(PARTS)
                ):
                    return None
            days = kept["days"]
            return Summary(
                Stamp(*map(int, kept["stamp"])),
                str(kept["sha256"]),
                None if days is None else (str(days[0]), str(days[1])),
                Tally.load(kept["tally"], named(path)),
                facts,
            )
        return None


def _written(summary: Summary, name: str, skill: str) -> Iterator[bytes]:
    """The bytes of a kept summary: a hash, what it is of, and the facts."""
    blocks, parts = [], []
    for number in range(PARTS):
        part = summary.facts.part(number)
        arrays = (part.events, part.open, part.paused, part.outcomes)
        block = b"".join(each.tobytes() for each in arrays)
        blocks.append(block)
        parts.append([*map(len, arrays), hashlib.sha256(block).hexdigest()])
    kept: dict[str, Any] = {
        "version": _VERSION,
        "skill": skill,
        "file": name,
        "stamp": astuple(summary.stamp),
        "sha256": summary.sha256,
        "days": summary.days,
        "tally": summary.tally.dump(),
        "parts": parts,
    }
    header = json.dumps(kept).encode() + b"\n"
    yield hashlib.sha256(header).hexdigest().encode() + b"\n"
    yield header
    yield from blocks


class _KeptFacts:
    """Facts that lie on disk until a part of them is wanted."""

    def __init__(self, place: Path, begin: int, parts: list[list[Any]]) -> None:
        self._place = place
        self._lengths = [[int(length) for length in part[:4]] for part in parts]
        self._digests = [str(part[4]) for part in parts]
        sizes = (8 * sum(lengths) for lengths in self._lengths)
        *self._offsets, self.end = accumulate(sizes, initial=begin)

    def fits(self, number: int) -> bool:
        return hashlib.sha256(self._block(number)).hexdigest() == self._digests[number]

    def part(self, number: int) -> Part:
        """Raises `ChangedCacheError`."""
        block = self._block(number)
        if hashlib.sha256(block).hexdigest() != self._digests[number]:
            raise ChangedCacheError(f"{self._place} changed while it was read", "Run it again")
        whole = array("Q", block)
        begins = accumulate(self._lengths[number], initial=0)
        ends = accumulate(self._lengths[number])
        return Part(*(whole[a:b] for a, b in zip(begins, ends, strict=False)))

    def _block(self, number: int) -> bytes:
        with self._place.open("rb", buffering=0) as file:
            return os.pread(file.fileno(), 8 * sum(self._lengths[number]), self._offsets[number])
