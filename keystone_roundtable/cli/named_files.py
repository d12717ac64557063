"""The text files that a command line names: read whole, or refused before anything begins."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable
from pathlib import Path

from ..core.errors import UsageError
from ..stores.errors import doing
from .typed import as_typed

MAX_CONTEXT_BYTES = 200_000


def answer_lines(source: str) -> Iterable[str]:
    """The lines of the answers file, decoded as UTF-8 whatever the locale.

    A file is read whole, so that a fault in it is told before the session begins; standard input
    and the pipes of a shell are read as the answers are wanted. Raises `UsageError`.
    """
    if source == "-":
        return sys.stdin
    path = Path(source)
    try:
        if path.is_file():
            return path.read_bytes().decode("utf-8").split("\n")
        if _might_never_end(path):
            raise UsageError(
                f"--answers {source}: no ordinary file",
                f"Name one, or hand it over with: --answers - < {source}",
            )
        return path.open(encoding="utf-8", errors="surrogateescape")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"--answers {source}: not UTF-8 text (byte {error.start})", "Save it as UTF-8"
        ) from error
    except OSError as error:
        raise UsageError(
            f"--answers {source}: {error.strerror}", "Name a readable file, or - for standard input"
        ) from error


def _might_never_end(path: Path) -> bool:
    """True of a named pipe, which waits until somebody writes, and of devices such as /dev/zero.

    A shell's own pipe, as of `<(...)`, has a writer and no name.
    """
    kind = path.stat().st_mode
    if stat.S_ISFIFO(kind):
        return path.resolve().exists()
    if stat.S_ISCHR(kind):
        return not (path.samefile(os.devnull) or _is_terminal(path))
    return stat.S_ISBLK(kind) or stat.S_ISSOCK(kind)


def _is_terminal(path: Path) -> bool:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        return os.isatty(descriptor)
    finally:
        os.close(descriptor)


def context_of(name: str | None) -> str:
    """What the context file holds; "" where none is named. Raises `UsageError`."""
    if name is None:
        return ""
    path = Path(name)
    try:
        size = path.stat().st_size
        if not (path.is_file() or path.is_dir()):
            raise UsageError(f"--context {name}: no ordinary file", "Name a text file")
        if size > MAX_CONTEXT_BYTES:
            raise UsageError(
                f"--context {name}: {size:,} bytes, at most {MAX_CONTEXT_BYTES:,}",
                "Give the part that matters",
            )
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"--context {name}: not UTF-8 text (byte {error.start})", "Save it as UTF-8"
        ) from error
    except OSError as error:
        raise UsageError(f"--context {name}: {error.strerror}", "Name a readable file") from error


def text_of_file(flag: str, path: Path, deed: str, most_bytes: int, instead: str) -> str:
    """What the file that `flag` names holds. `instead` says what to do with one that is too large.

    Raises `UsageError` for what is no text of that size, and `StoreError` for what cannot be read.
    """
    told = f"{flag} {as_typed(str(path))}"
    with doing(deed, path, named=True):
        if path.exists() and not path.is_file() and not path.is_dir():
            raise UsageError(f"{told}: no ordinary file", "Name a text file")
        data = path.read_bytes()
    if len(data) > most_bytes:
        raise UsageError(f"{told}: {len(data):,} bytes, at most {most_bytes:,}", instead)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{told}: not UTF-8 text (byte {error.start})", "Save it as UTF-8"
        ) from error
