"""Whether a command that a project's engines file names may be started on this machine.

The file came with whatever was cloned. So all that it would have run, written and opened is shown
once, and a yes is kept in the user's own folder for exactly that content, and that of the
project's own files that it starts: any change is asked about anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from ..content.config import user_config
from ..content.engines import FILE_NAME
from ..core.engine_entries import CliEntry
from ..core.errors import UsageError
from ..stores.files import atomic_write, locked, make_private_dir, read_bytes
from ..stores.json_text import from_json, to_json

TRUST_NAME = "trusted-engines.json"


def fingerprint(name: str, entry: CliEntry, root: Path) -> str:
    """The same for the same content, whatever file it stands in, as long as the files of the
    project below `root` that it starts hold the same.
    """
    started = {str(path): _content_of(path) for path in _files_in(entry, root)}
    content = json.dumps([name, entry.model_dump(mode="json"), started], sort_keys=True)
    return hashlib.sha256(content.encode("utf-8", "backslashreplace")).hexdigest()


def is_trusted(name: str, entry: CliEntry, root: Path) -> bool:
    """Whether somebody said yes to this content on this machine. Raises `StoreError`."""
    path = _path()
    return path is not None and fingerprint(name, entry, root) in _kept(path)


def trust(name: str, entry: CliEntry, root: Path, ask: Callable[[str], bool] | None) -> None:
    """Returns where the command may be started; asks where nobody was asked yet.

    Raises `UsageError` where nobody is there to ask, or the answer is no.
    """
    shown = "\n".join(f"  {line}" for line in shown_lines(entry, root))
    asked = fingerprint(name, entry, root)  # of what is shown, not of what may lie there by then
    path = _path()
    if path is not None and asked in _kept(path):
        return
    if ask is None:
        raise UsageError(
            f"engine '{name}' comes with this project and would run: {command_shown(entry)}; "
            "nobody has said that it may",
            f"Say so once at a terminal, or put the engine into {_own_file()}",
        )
    if not ask(f"Engine '{name}' comes with this project. As a seat\n{shown}\n"
               "Trust it on this machine? [y/N] "):  # fmt: skip
        raise UsageError(f"engine '{name}' is not trusted", "Name another one")
    _keep(name, asked)


def command_shown(entry: CliEntry) -> str:
    """The argument list as it stands, with the variables that it sets; safe for a screen."""
    sets = [f"{name}={value}" for name, value in entry.set_environment.items()]
    every = (*entry.argv, *entry.model_argv, *entry.plain_argv, *entry.evidence_argv)
    return _quoted((*sets, *every))


def shown_lines(entry: CliEntry, root: Path) -> Iterator[str]:
    """All that an entry would have run, written and opened, a line each; safe for a screen."""
    yield f"it would run: {_quoted(entry.argv)}"
    more = {
        "with a model": entry.model_argv,
        "without evidence": entry.plain_argv,
        "with evidence": entry.evidence_argv,
    }
    yield from (f"  {when}, also: {_quoted(words)}" for when, words in more.items() if words)
    for path in _files_in(entry, root):
        yield f"  this is a file of the project: {_quoted([str(path)])}"
    asked = {"version": entry.version_argv, "login": entry.login_argv}
    for what, words in asked.items():
        if words:
            yield f"it would be asked for its {what}: {_quoted((entry.argv[0], *words))}"
    for name, value in entry.set_environment.items():
        yield f"it would set: {_quoted([f'{name}={value}'])}"
    if entry.environment:
        every = " (that is every variable that you have set)" if "*" in entry.environment else ""
        yield f"it would be given of your environment: {_quoted(entry.environment)}{every}"
    if entry.homes:
        yield f"it could read and change in your home folder: {_quoted(entry.homes)}"
    for name, content in (*entry.files.items(), *entry.evidence_files.items()):
        yield f"it would write into the seat's folder: {_quoted([name])}: {_quoted([content])}"
    yield f"without a sandbox ({_SANDBOX}) it could read and change whatever you can"


_SANDBOX = "bubblewrap"


def _quoted(words: Iterable[str]) -> str:
    return " ".join(json.dumps(word, ensure_ascii=not word.isprintable()) for word in words)


def _files_in(entry: CliEntry, root: Path) -> tuple[Path, ...]:
    """The files of the project that the words of the argument lists name, the program too."""
    lists = (
        entry.argv, entry.model_argv, entry.plain_argv, entry.evidence_argv, entry.version_argv,
        entry.login_argv, tuple(entry.set_environment.values()),
    )  # fmt: skip
    words = {part for words in lists for word in words for part in (word, *word.split("="))}
    program = shutil.which(entry.argv[0], path=os.environ.get("PATH"))
    found = {Path(word) for word in words if word.startswith("/")}
    found |= {root / word for word in words if word and not word.startswith("/")}
    found |= {Path(program).absolute()} if program else set()
    return tuple(sorted(path for path in found if _is_within(path, root)))


def _is_within(path: Path, root: Path) -> bool:
    """Whether it is a file that the project can exchange, by its own place or by where it leads."""
    try:
        if not path.is_file():
            return False
        places = (path.parent.resolve() / path.name, path.resolve())
    except (OSError, ValueError):
        return False
    return any(place.is_relative_to(root.resolve()) for place in places)


def _content_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return str(error.errno)


def _path() -> Path | None:
    config = user_config()
    return config.parent / TRUST_NAME if config else None


def _own_file() -> str:
    config = user_config()
    return str(config.parent / FILE_NAME) if config else f"your own {FILE_NAME}"


def _kept(path: Path) -> Mapping[str, str]:
    """The engines' names by fingerprint; none where the file holds no such thing."""
    data = read_bytes(path)
    try:
        value = from_json(data) if data else {}
    except ValueError:
        return {}
    return {str(k): str(v) for k, v in value.items()} if isinstance(value, dict) else {}


def _keep(name: str, content: str) -> None:
    path = _path()
    if path is None:
        return
    make_private_dir(path.parent)
    with locked(path):
        kept = {**_kept(path), content: name}
        atomic_write(path, to_json(kept, indent=2) + b"\n")
