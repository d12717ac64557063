"""Whether a command that a project's engines file names may be started on this machine.

The file came with whatever was cloned. So its command lines are shown once, and a yes is kept in
the user's own folder for exactly that content: any change is asked about anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from ..content.config import user_config
from ..content.engines import FILE_NAME
from ..core.engine_entries import CliEntry
from ..core.errors import UsageError
from ..core.plain import one_line
from ..stores.files import atomic_write, locked, make_private_dir, read_bytes
from ..stores.json_text import from_json, to_json

TRUST_NAME = "trusted-engines.json"


def fingerprint(name: str, entry: CliEntry) -> str:
    """The same for the same content, whatever file it stands in."""
    content = json.dumps([name, entry.model_dump(mode="json")], sort_keys=True)
    return hashlib.sha256(content.encode("utf-8", "backslashreplace")).hexdigest()


def is_trusted(name: str, entry: CliEntry) -> bool:
    """Whether somebody said yes to this content on this machine. Raises `StoreError`."""
    path = _path()
    return path is not None and fingerprint(name, entry) in _kept(path)


def trust(name: str, entry: CliEntry, ask: Callable[[str], bool] | None) -> None:
    """Returns where the command may be started; asks where nobody was asked yet.

    Raises `UsageError` where nobody is there to ask, or the answer is no.
    """
    if is_trusted(name, entry):
        return
    shown = command_shown(entry)
    if ask is None:
        raise UsageError(
            f"engine '{name}' comes with this project and would run: {shown}; nobody has said that "
            "it may",
            f"Say so once at a terminal, or put the engine into {_own_file()}",
        )
    if not ask(f"Engine '{name}' comes with this project. It would run:\n  {shown}\n"
               "Trust it on this machine? [y/N] "):  # fmt: skip
        raise UsageError(f"engine '{name}' is not trusted", "Name another one")
    _keep(name, entry)


def command_shown(entry: CliEntry) -> str:
    """The argument list as it stands, with the variables that it sets; safe for a screen."""
    sets = [f"{name}={value}" for name, value in entry.set_environment.items()]
    every = (*entry.argv, *entry.model_argv, *entry.plain_argv, *entry.evidence_argv)
    return " ".join(json.dumps(one_line(word), ensure_ascii=False) for word in (*sets, *every))


def _path() -> Path | None:
    config = user_config()
    return config.parent / TRUST_NAME if config else None


def _own_file() -> str:
    config = user_config()
    return str(config.parent / FILE_NAME) if config else f"your own {FILE_NAME}"


def _kept(path: Path) -> dict[str, str]:
    """The engines' names by fingerprint; none where the file holds no such thing."""
    data = read_bytes(path)
    try:
        value = from_json(data) if data else {}
    except ValueError:
        return {}
    return {str(k): str(v) for k, v in value.items()} if isinstance(value, dict) else {}


def _keep(name: str, entry: CliEntry) -> None:
    path = _path()
    if path is None:
        return
    make_private_dir(path.parent)
    with locked(path):
        kept = {**_kept(path), fingerprint(name, entry): name}
        atomic_write(path, to_json(kept, indent=2) + b"\n")
