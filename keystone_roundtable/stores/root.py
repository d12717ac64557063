"""Where a project's `.keystone` is: one answer for every command."""

from __future__ import annotations

from pathlib import Path

from .errors import doing

KEYSTONE = ".keystone"


def find_root(start: Path) -> Path:
    """The folder that holds `.keystone`, or shall hold it.

    Found upwards from `start`; else the git root, upwards too; else `start` itself.
    """
    with doing("look for .keystone from", start):
        here = start.absolute()
    folders = (here, *here.parents)
    with_state = next((folder for folder in folders if _is_dir(folder / KEYSTONE)), None)
    return with_state or next((f for f in folders if _exists(f / ".git")), here)


def _is_dir(path: Path) -> bool:
    try:
        return path.is_dir()
    except PermissionError:  # a folder that may not be looked into holds nothing for us
        return False


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except PermissionError:
        return False
