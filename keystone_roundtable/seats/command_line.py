"""What a command is started with: its program, its argument list and its environment."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from ..core.engine_entries import CliEntry

USUAL_ENVIRONMENT = (
    "PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_*", "TZ",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
    "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
)  # fmt: skip
"""What every command may see: where things are, in which language, how the network is reached."""


def command_line(
    entry: CliEntry, model: str | None, prompt: str, folder: Path, *, reads: bool
) -> tuple[str, ...]:
    """The argument list; nothing in it is read by a shell."""
    words = [*entry.argv]
    if model is not None:
        words += entry.model_argv
    words += entry.evidence_argv if reads else entry.plain_argv
    if entry.prompt == "argument" and not any("{prompt}" in word for word in words):
        words.append("{prompt}")
    # The prompt goes in last: what it says in braces stays as it is.
    filled = [w.replace("{model}", model or "").replace("{folder}", str(folder)) for w in words]
    safe = prompt.replace("\0", "")
    return tuple(word.replace("{prompt}", safe) for word in filled)


def environment(entry: CliEntry, environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that the command may see."""
    allowed = (*USUAL_ENVIRONMENT, *entry.environment)
    kept = {
        name: value
        for name, value in environ.items()
        if any(fnmatchcase(name, pattern) for pattern in allowed)
    }
    return {**kept, **entry.set_environment}


def set_in(entry: CliEntry, folder: Path) -> dict[str, str]:
    return {
        name: value.replace("{folder}", str(folder))
        for name, value in entry.set_environment.items()
    }


def program_of(entry: CliEntry, environ: Mapping[str, str]) -> Path | None:
    found = shutil.which(entry.argv[0], path=environ.get("PATH"))
    return Path(found).absolute() if found else None
