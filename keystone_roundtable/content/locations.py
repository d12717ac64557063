"""Where modes, roles and templates lie: the shipped ones and the user's own."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

Kind = Literal["modes", "roles", "templates"]

_PACKAGE = Path(__file__).resolve().parent.parent


def shipped_folder(kind: Kind) -> Path:
    """The repository's own folder when running from a checkout, else the one in the wheel.

    An editable install copies the folders into site-packages, where they go stale; hence the
    repository first.
    """
    repository = _PACKAGE.parent
    if (repository / "pyproject.toml").is_file() and (repository / kind).is_dir():
        return repository / kind
    return _PACKAGE / "shipped" / kind


def user_folder(kind: Kind, root: Path) -> Path:
    """The user's folder for `kind`; it need not exist."""
    return root / ".keystone" / "roundtable" / kind


def folders(kind: Kind, root: Path | None) -> tuple[Path, ...]:
    """The folders for `kind`, the shipped one first; None stands for no project."""
    shipped = shipped_folder(kind)
    return (shipped,) if root is None else (shipped, user_folder(kind, root))
