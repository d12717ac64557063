"""`skill print|install`: the file that tells a coding agent how to hold a session."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from pathlib import Path

from ... import __version__
from ...content.skills import skill_text
from ...core.errors import KeystoneError, UsageError
from ...pipeline.skill_files import NAME, TARGETS, Plan, plan, skill_path
from ...stores.files import atomic_write, make_private_dir, read_bytes
from ..saying import say
from ..typed import as_typed

_YES = ("y", "yes")


class DeclinedError(KeystoneError):
    """The person said no, or nothing, to writing a file."""


def carry_out(options: Namespace) -> int:
    text = skill_text(NAME, __version__)
    if options.deed == "print":
        print(text, end="")
        return 0
    return _install(_path(options.target), text.encode("utf-8"), agreed=options.yes)


def _path(target: str) -> Path:
    """Where the file goes, links followed. Raises `UsageError` where there is no such place."""
    if target not in TARGETS and not Path(target).is_dir():
        raise UsageError(
            f"--target {target}: no such folder",
            f"Name {', '.join(TARGETS)}, or an existing folder",
        )
    home = Path(os.environ.get("HOME", ""))
    if target in TARGETS and not (home.is_absolute() and home.is_dir()):
        named = (
            "HOME names no existing folder by its full path" if home.parts else "HOME is not set"
        )
        raise UsageError(
            f"there is no home folder: {named}", "Set it, or name a folder with --target"
        )
    return Path(os.path.realpath(skill_path(target, home)))


def _install(path: Path, new: bytes, *, agreed: bool) -> int:
    """Raises `DeclinedError` without a yes, `UsageError` where nobody can give one."""
    comes_to = plan(read_bytes(path), new)
    say(f"{as_typed(str(path))}: {comes_to.value}")
    if comes_to is Plan.LEAVE:
        return 0
    if not agreed:
        _ask(comes_to)
    _write(path, new, seen=comes_to)
    say("written")
    return 0


def _ask(comes_to: Plan) -> None:
    if not sys.stdin.isatty():
        raise UsageError("nothing was written: nobody is there to say yes", "Say it with --yes")
    question = "Overwrite it?" if comes_to is Plan.OVERWRITE else "Write it?"
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().casefold() not in _YES:
        raise DeclinedError("nothing was written")


def _write(path: Path, new: bytes, *, seen: Plan) -> None:
    """Raises `KeystoneError` where a file came up since the yes, which was for something else."""
    if plan(read_bytes(path), new) is Plan.OVERWRITE and seen is not Plan.OVERWRITE:
        raise KeystoneError(f"{path} was made by somebody else just now", "Look, and try again")
    make_private_dir(path.parent)
    atomic_write(path, new)
