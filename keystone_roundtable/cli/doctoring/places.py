"""Whether a session can be held here: folders, state, telemetry, and the content in force."""

from __future__ import annotations

import errno
import os
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...core.errors import KeystoneError
from ...stores.errors import StoreError
from ...stores.ordinary import open_ordinary
from ...stores.places import sessions_folder
from ...stores.results import CONTRACT_KEY
from ...stores.state import KeystoneState
from ...stores.telemetry import Telemetry
from .showing import shown


def keystone_folder(root: Path) -> dict[str, Any]:
    """`owner_only` is null where there is nothing yet: what is made will be."""
    path = root / ".keystone"
    problem = folder_problem(path)
    facts = path.stat() if problem is None and path.exists() else None
    writable = problem is None and os.access(path if facts else root, os.W_OK | os.X_OK)
    if problem is None and not writable:
        problem = f"{shown(path)} cannot be written. Check its owner, or choose another --root"
    owner_only = facts.st_mode & 0o077 == 0 and facts.st_uid == os.geteuid() if facts else None
    return {
        "path": shown(path),
        "exists": os.path.lexists(path),
        "writable": writable,
        "owner_only": owner_only,
        "problem": problem,
    }


def state_file(root: Path) -> dict[str, Any]:
    """Whether the state can be read, and can take what a session leaves in it."""
    state = KeystoneState(root)
    problem = None
    if folder_problem(state.path.parent) is None:
        try:
            state.check("exit_code", CONTRACT_KEY)
        except KeystoneError as error:
            problem = str(error)
    return {"path": shown(state.path), "exists": os.path.lexists(state.path), "problem": problem}


def telemetry_problem(root: Path) -> str | None:
    """Why the next line of telemetry cannot be written; None where it can, as far as one sees."""
    folder = Telemetry(root).folder
    if folder_problem(root / ".keystone") is not None:
        return None  # told already
    for one in (folder.parent, folder):
        if problem := folder_problem(one):
            return problem
    month = folder / f"{datetime.now(UTC):%Y-%m}.jsonl"
    try:
        os.close(open_ordinary(month, os.O_RDWR))
    except FileNotFoundError:
        return None
    except OSError as error:
        return str(StoreError.of("write to", month, error))
    return None


def sessions_problem(root: Path) -> str | None:
    """Why no session can be kept, where a folder for it cannot be used."""
    if folder_problem(root / ".keystone") is not None:
        return None  # told already
    folder = sessions_folder(root)
    return folder_problem(folder.parent) or folder_problem(folder)


def content_in_force(root: Path) -> dict[str, Any]:
    """Whether modes, roles, phrases, sentences and the report's template can be used."""
    from ...content.catalog import load_catalog
    from ...content.rendering import TemplateWriter

    problem = None
    try:
        load_catalog(root)
        TemplateWriter(root).check()
    except KeystoneError as error:
        problem = str(error)
    return {"problem": problem}


def folder_problem(path: Path) -> str | None:
    """Why a folder cannot be used; None for one that can, and for one that is yet to be made."""
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        gone = path.is_symlink()
        return f"{shown(path)} is a link that leads nowhere. Remove it" if gone else None
    except OSError as error:
        if error.errno == errno.ELOOP:
            why = os.strerror(errno.ELOOP)
            return f"{shown(path)} is a link that leads to itself. Remove it ({why})"
        return f"{shown(path)}: {error.strerror}. Check its owner and permissions"
    if not stat.S_ISDIR(kind):
        return f"{shown(path)} is no folder. Move it away"
    if not os.access(path, os.W_OK | os.X_OK):
        return f"{shown(path)} cannot be written. Check its owner, or choose another --root"
    return None
