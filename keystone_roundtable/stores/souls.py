"""Souls read from somewhere real: a file, a persona folder, an Oracle's repository."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from ..core.plain import is_blank
from .errors import StoreError, doing
from .root import KEYSTONE

MAX_SOUL_BYTES = 200_000  # as of a session's context

_NAMES = ("{name}.md", "{name}.txt", "resonance_{name}.md")  # what persona files are called
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
_IDENTITY = re.compile(r"\b(?:identity|who i am)\b|ตัวตน", re.IGNORECASE)


class SoulError(StoreError):
    """A soul's file is there and cannot be read as one."""


def read_soul(path: Path) -> str:
    """The whole persona file. Raises `StoreError`, or `SoulError` for what is no persona."""
    with doing("read the soul", path, named=True):
        if path.exists() and not path.is_file() and not path.is_dir():
            raise SoulError(f"{path}: no ordinary file", "Name a text file")
        size = path.stat().st_size
        if size > MAX_SOUL_BYTES:
            raise SoulError(
                f"{path}: {size:,} bytes, a soul has at most {MAX_SOUL_BYTES:,}",
                "Give the part that matters",
            )
        data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SoulError(
            f"{path}: not UTF-8 text (byte {error.start})", "Save it as UTF-8"
        ) from error
    if is_blank(text):
        raise SoulError(f"{path}: empty", "A soul is never made up: write who it is")
    return text


def find_persona(name: str, folders: Iterable[Path]) -> Path | None:
    """The persona file of that name in the first folder that has one; None where none has."""
    if not is_file_name(name):
        return None
    for folder in folders:
        for pattern in _NAMES:
            path = folder / pattern.format(name=name)
            with doing("look for", path):
                if path.exists() and not path.is_dir():  # what is no file is refused on reading
                    _check_within(path)
                    return path
    return None


def _check_within(path: Path) -> None:
    """Raises `SoulError` for a link in a project that leads out of it: what it leads to would be
    sent to a model. In folders of one's own, links lead where one wants.
    """
    project = next((up.parent for up in path.parents if up.name == KEYSTONE), None)
    if project is not None and not path.resolve().is_relative_to(project.resolve()):
        raise SoulError(
            f"{path}: a link that leads out of the project", "Put the text there itself"
        )


def oracle_soul(repository: Path, name: str) -> tuple[str, Path] | None:
    """An Oracle's soul and the file it stands in: its resonance, else the identity section of its
    `CLAUDE.md`. None where the repository holds neither.
    """
    if is_file_name(name):
        resonance = repository / "ψ" / "memory" / "resonance" / f"{name}.md"
        with doing("look for", resonance):
            if resonance.is_file():
                return read_soul(resonance), resonance
    claude = repository / "CLAUDE.md"
    with doing("look for", claude):
        if not claude.is_file():
            return None
    section = identity_section(read_soul(claude))
    return (section, claude) if section else None


def identity_section(markdown: str) -> str:
    """The section whose heading speaks of identity, down to the next of its rank; "" for none."""
    kept: list[str] = []
    rank = 0
    fenced = False
    for line in markdown.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        heading = None if fenced else _HEADING.match(line)
        if heading and rank and len(heading[1]) <= rank:
            break
        if heading and not rank and _IDENTITY.search(heading[2]):
            rank = len(heading[1])
        if rank:
            kept.append(line)
    text = "\n".join(kept).strip()
    return text if len(kept) > 1 else ""


def is_file_name(name: str) -> bool:
    """Whether a name can be part of a file's, and leads nowhere else."""
    return bool(name) and "/" not in name and "\0" not in name and not name.startswith((".", "-"))
