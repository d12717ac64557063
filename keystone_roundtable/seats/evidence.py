"""A seat's own copy of the evidence: no link is followed on the way, and no room is in it."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import UsageError
from ..core.plain import one_line
from .errors import EvidenceGoneError, TooMuchEvidenceError

LEFT_OUT = frozenset({".keystone", ".git"})
"""Never part of the evidence: the first holds what the other seats said, the second is no text."""

MAX_FILES, MAX_BYTES = 20_000, 200_000_000
"""Above this evidence is refused, not only warned of; chosen by judgement."""

_ROOM = ("events.jsonl", "room.json")
"""What lies side by side in the folder of every room, wherever its folder is."""
_MAX_DEPTH = 100  # of folders; a descriptor is open for each; chosen by judgement
_CHUNK = 1 << 20
_ANY = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe must not wait
_PASSAGE = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True)
class Amount:
    files: int = 0
    size_bytes: int = 0

    def plus(self, files: int, size_bytes: int) -> Amount:
        """Raises `TooMuchEvidenceError`."""
        more = Amount(self.files + files, self.size_bytes + size_bytes)
        if more.files > MAX_FILES or more.size_bytes > MAX_BYTES:
            raise TooMuchEvidenceError
        return more


def amount_of(evidence: Sequence[str]) -> Amount:
    """How much a seat is given to read.

    Raises `EvidenceGoneError`, `TooMuchEvidenceError` and `OSError`.
    """
    amount = Amount()
    for path in evidence:
        for file in _files(Path(path), ()):
            amount = amount.plus(1, file.size_bytes)
    return amount


def check_evidence(evidence: Sequence[str]) -> None:
    """Returns where all of it is still there, and not more than a seat is given.

    Raises `UsageError` that names what is not.
    """
    try:
        amount_of(evidence)
    except OSError as error:
        named = one_line(str(error.filename or ", ".join(evidence)))
        raise UsageError(
            f"the evidence cannot be read: {named}: {error.strerror}", "Make it readable again"
        ) from error


def copy_evidence(
    evidence: Sequence[str],
    into: Path,
    sealed: Sequence[Path] = (),
    is_over: Callable[[], bool] = lambda: False,
) -> None:
    """Puts a copy into a new folder, readable and not writable; what lies in a `sealed` folder, in
    any room's or in one of `LEFT_OUT` is no part of it. Ends early where `is_over` says so.

    Raises `EvidenceGoneError`, `TooMuchEvidenceError` and `OSError`.
    """
    amount = Amount()
    for number, path in enumerate(map(Path, evidence)):
        target = into / _name(path, number)
        for file in _files(path, sealed):
            there = target / file.below if file.below else target
            there.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            amount.plus(1, file.size_bytes)  # before the first byte of it is read
            with file.opened() as source:
                if source is not None:
                    amount = _copy(source, there, amount.plus(1, 0), is_over)
            if is_over():
                return
    for here, _, _ in os.walk(into):
        Path(here).chmod(0o500)


def _name(path: Path, number: int) -> str:
    """Two may be called the same."""
    name = path.name or "root"
    return name if number == 0 else f"{number + 1}-{name}"


def _copy(source: int, there: Path, amount: Amount, is_over: Callable[[], bool]) -> Amount:
    """What it comes to is counted as it is read: a file may grow meanwhile."""
    made = os.open(there, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o400)
    with os.fdopen(made, "wb", buffering=0) as out:
        while not is_over() and (chunk := os.read(source, _CHUNK)):
            amount = amount.plus(0, len(chunk))
            out.write(chunk)
    return amount


@dataclass(frozen=True)
class _File:
    """An ordinary file while its folder is open. `below` is "" where it was itself named."""

    folder: int
    name: str
    below: str
    size_bytes: int

    @contextmanager
    def opened(self) -> Iterator[int | None]:
        """None where it is no ordinary file any more, or the user cannot read it: nor can a seat.

        It is looked at after it was opened: in between it could be exchanged for a link.
        """
        try:
            found = os.open(self.name, _ANY, dir_fd=self.folder)
        except OSError:
            yield None
            return
        try:
            yield found if stat.S_ISREG(os.fstat(found).st_mode) else None
        finally:
            os.close(found)


def _files(path: Path, sealed: Sequence[Path]) -> Iterator[_File]:
    """Ordinary files below `path`, itself where it is one, in order."""
    identities = frozenset(filter(None, map(_identity, sealed)))
    with _reached(path, identities) as (folder, name):
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISREG(found.st_mode):
            yield _File(folder, name, "", found.st_size)
        elif stat.S_ISDIR(found.st_mode):
            yield from _below(folder, name, identities)
        elif stat.S_ISLNK(found.st_mode):
            raise EvidenceGoneError(path, "there is a link now")


def _below(folder: int, name: str, sealed: frozenset[tuple[int, int]]) -> Iterator[_File]:
    for here, folders, names, inside in os.fwalk(name, dir_fd=folder, follow_symlinks=False):
        below = here[len(name) :].lstrip("/")
        if _is_sealed(inside, sealed):
            folders.clear()
            continue
        kept = [one for one in folders if one.casefold() not in LEFT_OUT]
        folders[:] = sorted(kept) if below.count("/") < _MAX_DEPTH else []
        for one in sorted(names):
            with suppress(FileNotFoundError):
                found = os.stat(one, dir_fd=inside, follow_symlinks=False)
                if stat.S_ISREG(found.st_mode):
                    yield _File(inside, one, f"{below}/{one}".lstrip("/"), found.st_size)


@contextmanager
def _reached(path: Path, sealed: frozenset[tuple[int, int]]) -> Iterator[tuple[int, str]]:
    """The folder that holds `path`, open, and its name there.

    The path was resolved when it was named: a link on the way was put there since.
    """
    passages = [os.open(path.anchor or "/", _PASSAGE)]
    try:
        for part in path.parts[1:-1]:
            passages.append(os.open(part, _PASSAGE, dir_fd=passages[-1]))
        name = path.parts[-1] if len(path.parts) > 1 else "."
        os.stat(name, dir_fd=passages[-1], follow_symlinks=False)
        within = any(part.casefold() == ".keystone" for part in path.parts)
        if within or any(_is_sealed(one, sealed) for one in passages):
            raise EvidenceGoneError(path, "a room lies there now")
        yield passages[-1], name
    except (FileNotFoundError, NotADirectoryError) as error:
        raise EvidenceGoneError(path) from error
    finally:
        for passage in passages:
            os.close(passage)


def _is_sealed(folder: int, sealed: frozenset[tuple[int, int]]) -> bool:
    found = os.fstat(folder)
    if (found.st_dev, found.st_ino) in sealed:
        return True
    try:
        for name in _ROOM:
            os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return False
    return True


def _identity(path: Path) -> tuple[int, int] | None:
    """Of the folder, whatever names lead to it."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
