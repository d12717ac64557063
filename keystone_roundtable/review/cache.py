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
from .facts import FactsInMemory, Part
from .files import Stamp, named, opened
from .identities import PARTS
from .span import EVERYTHING
from .summaries import Summary, recount, sha256_of, summarise
from .tally import Tally

_VERSION = f"2 {sys.byteorder}"
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
            if self._is_worth_it(stamp.size):
                kept = self._load(path, "")
                if kept is not None and kept.stamp.is_sure_of(stamp):
                    return kept
                size = stamp.size
                if (
                    kept is not None
                    and kept.stamp.size == size
                    and kept.sha256 == sha256_of(descriptor, size)
                ):
                    return self._keep(path, "", replace(kept, stamp=stamp))
        made = summarise(path, self._skill)
        return self._keep(path, "", made) if self._is_worth_it(made.stamp.size) else made

    def tally_without(self, path: Path, whole: Summary, claimed: frozenset[int]) -> Tally:
        """The tally of the file without the events of `claimed`; `whole` is its summary.

        Raises `OSError`.
        """
        size = whole.stamp.size
        if not self._is_worth_it(size):
            return recount(path, size, self._skill, EVERYTHING, claimed)
        without = hashlib.sha256(array("Q", sorted(claimed)).tobytes()).hexdigest()
        kept = self._load(path, without)
        if kept is not None and (kept.stamp.size, kept.sha256) == (size, whole.sha256):
            return kept.tally
        tally = recount(path, size, self._skill, EVERYTHING, claimed)
        self._keep(path, without, replace(whole, tally=tally, facts=FactsInMemory.none()))
        return tally

    def _is_worth_it(self, size: int) -> bool:
        return self._usable and size >= _WORTH_BYTES

    def _place(self, path: Path, without: str) -> Path:
        told_apart = f"{self._skill}\n{path.name}\n{bool(without)}"
        return self.folder / f"events-{hashlib.sha256(told_apart.encode()).hexdigest()[:24]}"

    def _keep(self, path: Path, without: str, summary: Summary) -> Summary:
        """The same summary, read from disk from now on where it could be written."""
        try:
            make_private_dir(self.folder)
            content = _written(summary, self._header(path, without))
            atomic_write(self._place(path, without), content, durable=False)
        except KeystoneError:  # a folder that is not ours, a full disk: reading goes on without
            return summary
        return self._load(path, without) or summary

    def _header(self, path: Path, without: str) -> dict[str, Any]:
        """What a summary has to be of; `without` is a hash of the events that are left out."""
        name = named(Path(path.name))
        return {"version": _VERSION, "skill": self._skill, "file": name, "without": without}

    def _load(self, path: Path, without: str) -> Summary | None:
        """What is kept of the file, None where nothing is that can be used."""
        place = self._place(path, without)
        with suppress(OSError, LookupError, TypeError, ValueError):
            with place.open("rb") as file:
                digest, header = file.readline()[:-1], file.readline()
                size = os.fstat(file.fileno()).st_size
            if hashlib.sha256(header).hexdigest().encode() != digest:
                return None
            kept = from_json(header)
            facts = _KeptFacts(place, len(digest) + 1 + len(header), kept["parts"])
            if not self._header(path, without).items() <= kept.items() or not facts.fit(size):
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


def _written(summary: Summary, header: dict[str, Any]) -> bytearray:
    """The bytes of a kept summary: a hash, what it is of, and the facts."""
    parts = []
    for number in range(PARTS):
        arrays = _arrays(summary, number)
        digest = hashlib.sha256()
        for each in arrays:
            digest.update(each)
        parts.append([*map(len, arrays), digest.hexdigest()])
    kept: dict[str, Any] = {
        **header,
        "stamp": astuple(summary.stamp),
        "sha256": summary.sha256,
        "days": summary.days,
        "tally": summary.tally.dump(),
        "parts": parts,
    }
    line = json.dumps(kept).encode() + b"\n"
    content = bytearray(hashlib.sha256(line).hexdigest().encode() + b"\n" + line)
    for number in range(PARTS):
        for each in _arrays(summary, number):
            content += memoryview(each).cast("B")
    return content


def _arrays(summary: Summary, number: int) -> tuple[array[int], ...]:
    part = summary.facts.part(number)
    return part.events, part.open, part.paused, part.outcomes


class _KeptFacts:
    """Facts that lie on disk until a part of them is wanted."""

    def __init__(self, place: Path, begin: int, parts: list[list[Any]]) -> None:
        self._place = place
        self._lengths = [[int(length) for length in part[:4]] for part in parts]
        self._digests = [str(part[4]) for part in parts]
        sizes = (8 * sum(lengths) for lengths in self._lengths)
        *self._offsets, self.end = accumulate(sizes, initial=begin)

    def fit(self, size: int) -> bool:
        """Whether all of them are there, undamaged, in a file of `size` bytes."""
        return size == self.end and all(
            hashlib.sha256(self._block(number)).hexdigest() == digest
            for number, digest in enumerate(self._digests)
        )

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
