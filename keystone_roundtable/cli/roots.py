"""The project's folder that a command line means."""

from __future__ import annotations

from pathlib import Path

from ..core.errors import UsageError
from ..stores.root import find_root


def root_of(given: str | None) -> Path:
    """The project's folder. Raises `UsageError` where a given one is no folder."""
    if given is None:
        try:
            return find_root(Path.cwd())
        except FileNotFoundError as error:
            raise UsageError(
                "the working directory is gone", "Change to another folder, or name one with --root"
            ) from error
    root = Path(given)
    if not root.is_dir():
        raise UsageError(f"--root {given}: no such folder", "Name an existing folder")
    return root.resolve()
