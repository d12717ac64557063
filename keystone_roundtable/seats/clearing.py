"""Folders of seats taken away whatever a command left in them; no link is followed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def clear(folder: int, name: str) -> None:
    """Takes away what `name` is in the open folder, with all below it; what cannot be stays."""
    taken = f"taken-{os.urandom(8).hex()}"
    waiting, number = [name], 0
    while waiting:
        one = waiting.pop()
        with suppress(OSError):
            if _unlinked(one, folder):
                continue
            with _opened(one, folder) as inside:
                # Folders move up to the top first: no depth is too deep.
                for inner in [entry.name for entry in os.scandir(inside)]:
                    if not _unlinked(inner, inside):
                        number += 1
                        with suppress(OSError), _opened(inner, inside):
                            os.rename(
                                inner, f"{taken}-{number}", src_dir_fd=inside, dst_dir_fd=folder
                            )
                            waiting.append(f"{taken}-{number}")
            os.rmdir(one, dir_fd=folder)


def _unlinked(name: str, folder: int) -> bool:
    """False for a folder."""
    try:
        os.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


@contextmanager
def _opened(name: str, folder: int) -> Iterator[int]:
    """The folder of that name, open, and its owner's to change whatever its mode was."""
    try:
        found = os.open(name, _FOLDER, dir_fd=folder)
    except PermissionError:
        _give_back(name, folder)
        found = os.open(name, _FOLDER, dir_fd=folder)
    try:
        os.fchmod(found, 0o700)
        yield found
    finally:
        os.close(found)


def _give_back(name: str, folder: int) -> None:
    """Lets the owner open it. Named through `/proc` it cannot be exchanged for a link meanwhile."""
    held = os.open(name, getattr(os, "O_PATH", os.O_RDONLY) | _FOLDER, dir_fd=folder)
    try:
        Path(f"/proc/self/fd/{held}").chmod(0o700)
    finally:
        os.close(held)
