"""A seat's own folder: empty, or with a copy of the evidence, outside of everything else."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

EVIDENCE = "evidence"
"""The folder of the copy, inside the seat's own."""

LEFT_OUT = frozenset({".keystone", ".git"})
"""Never part of the evidence: the first holds what the other seats said, the second is no text."""

MAX_FILES, MAX_BYTES = 20_000, 200_000_000
"""Above this evidence is refused, not only warned of; chosen by judgement."""


@dataclass(frozen=True)
class Amount:
    files: int = 0
    size_bytes: int = 0


class TooMuchEvidenceError(Exception):
    pass


@contextmanager
def seat_folder(evidence: Sequence[str], files: Mapping[str, str]) -> Iterator[Path]:
    """A new owner-only folder, gone afterwards. Raises `OSError`."""
    folder = Path(tempfile.mkdtemp(prefix="seat-"))
    try:
        for name, content in files.items():
            target = folder / name
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            target.write_text(content, encoding="utf-8")
        for number, path in enumerate(evidence):
            _copy(Path(path), folder / EVIDENCE / _name(Path(path), number))
        for here, _, _ in os.walk(folder / EVIDENCE):
            Path(here).chmod(0o500)
        yield folder
    finally:
        _remove(folder)


def amount_of(evidence: Sequence[str]) -> Amount:
    """How much a seat is given to read. Raises `OSError`, and `TooMuchEvidenceError`."""
    files = size = 0
    for path in evidence:
        for file in _files(Path(path)):
            files += 1
            size += file.stat().st_size
            if files > MAX_FILES or size > MAX_BYTES:
                raise TooMuchEvidenceError
    return Amount(files, size)


def _name(path: Path, number: int) -> str:
    """Two may be called the same."""
    name = path.name or "root"
    return name if number == 0 else f"{number + 1}-{name}"


def _files(path: Path) -> Iterator[Path]:
    """Ordinary files below `path`, itself where it is one; links lead nowhere."""
    if path.is_file():
        yield path
        return
    for here, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if name not in LEFT_OUT)
        for name in sorted(names):
            file = Path(here) / name
            with suppress(OSError):
                if stat.S_ISREG(file.lstat().st_mode):
                    yield file


def _copy(source: Path, target: Path) -> None:
    """Readable and not writable."""
    for file in _files(source):
        there = target if file == source else target / file.relative_to(source)
        there.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(PermissionError):  # what the user cannot read, no seat can
            shutil.copyfile(file, there)
            there.chmod(0o400)


def _remove(folder: Path) -> None:
    with suppress(OSError):
        for here, _, _ in os.walk(folder):
            Path(here).chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)
