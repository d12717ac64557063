"""What can take a seat on this machine now, and why not.

No key is sent and no provider asked: a key that is set is said to be set. A server on this machine
is asked for its list of models, and a command for its version and whether somebody is logged in.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ..content.engines import from_project, load_engines
from ..core.engine_entries import ApiEntry, CliEntry, EngineEntry
from ..core.errors import UsageError
from .doctoring.examining import is_installed
from .doctoring.trying import CHECK_LIMIT_S, models_at

if TYPE_CHECKING:
    from ..models.language.spec import KindFacts

_SILENT = f"no answer within {CHECK_LIMIT_S:g} s"
COMMAND_LIMIT_S = 15.0  # for two questions, and the end of what does not answer them


@dataclass(frozen=True)
class Listed:
    """One line of the list. None stands for what is not known, or has no meaning there."""

    engine: str
    kind: str
    about: str
    model: str | None = None
    """What a seat of it names as its model: `openai:NAME`."""
    can_sit: bool = False
    why: str = _SILENT
    """Why not, and what to do; or how far it was looked at."""
    version: str | None = None
    logged_in: bool | None = None
    """Whether a key is set; None where none is needed."""
    read_only: bool = True
    """Whether it is text in, text out, and touches no file."""
    sends_to: str | None = None
    models: tuple[str, ...] = ()
    """What a server on this machine lists."""


Look = Callable[[], Listed]


def listed_seats(root: Path, environ: Mapping[str, str]) -> list[Listed]:
    """Every engine, `api` once for each kind of model; looked at side by side, in seconds.

    Raises `ContentError` for a broken engines file.
    """
    entries, foreign = load_engines(root), from_project(root)
    looks = [
        look
        for name, entry in entries.items()
        for look in _looks(name, entry, environ, root if name in foreign else None)
    ]
    try:
        return _side_by_side(looks)
    finally:
        if any(row.kind == "cli" for row, _ in looks):
            from ..runtime.processes import SeatPrograms

            SeatPrograms.end_said()


def _looks(
    name: str, entry: EngineEntry, environ: Mapping[str, str], project: Path | None
) -> Iterator[tuple[Listed, Look]]:
    """What stands in the list where the look brings nothing in time, and the look."""
    from ..models.language.spec import KINDS, parse_spec

    begun = Listed(name, entry.kind, entry.about)
    if isinstance(entry, CliEntry):
        from .command_listing import command_looked_at

        row = replace(
            begun,
            model=entry.model,
            read_only=entry.read_only,
            why=f"no answer within {COMMAND_LIMIT_S:g} s",
        )
        yield row, partial(command_looked_at, row, name, entry, environ, project)
    elif not isinstance(entry, ApiEntry):
        row = replace(begun, can_sit=True, why="no model is asked, nothing is sent")
        yield row, partial(_as_it_is, row)
    elif entry.model is None:
        for facts in KINDS.values():
            if facts.remote:
                row = replace(begun, model=f"{facts.kind}:NAME")
                yield row, partial(_looked_at, row, facts, "", environ)
    else:
        row = replace(begun, model=entry.model)
        try:
            spec = parse_spec(entry.model)
        except UsageError as error:
            row = replace(row, why=str(error))
            yield row, partial(_as_it_is, row)
        else:
            yield row, partial(_looked_at, row, spec.facts, spec.name, environ)


def _as_it_is(row: Listed) -> Listed:
    return row


def _looked_at(row: Listed, facts: KindFacts, model: str, environ: Mapping[str, str]) -> Listed:
    """`model` is "" where any of its kind would do."""
    from ..models.language.spec import base_url, destination, key_variable

    if not facts.remote:
        return replace(row, why=f"'{facts.kind}' is no model that could take a seat")
    if not is_installed(facts):
        return replace(row, why=f"its library is not installed: {facts.install_command}")
    keyed = key_variable(facts, environ) is not None
    row = replace(
        row,
        version=_version(facts),
        logged_in=keyed if facts.key_needed or keyed else None,
    )
    try:
        row = replace(row, sends_to=destination(facts, environ))
        local = _is_here(base_url(facts, environ))
    except UsageError as error:
        return replace(row, why=str(error))
    if facts.key_needed and not keyed:
        return replace(row, why=f"no key: set {' or '.join(facts.key_variables)}")
    if not local:
        return replace(row, can_sit=True, why="a key is set; not tried" if keyed else "not tried")
    models, problem = models_at(facts, environ)
    if problem:
        return replace(row, why=problem)
    row = replace(row, models=models)
    if model and models and not {model, f"{model}:latest"} & set(models):
        return replace(row, why="the server has no such model")
    if facts.kind == "ollama" and not models:
        return replace(row, why="it has no model: ollama pull NAME")
    return replace(row, can_sit=True, why="it answers")


def _is_here(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _version(facts: KindFacts) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"pydantic-ai {version('pydantic-ai-slim')}"
    except PackageNotFoundError:
        return None


def _side_by_side(looks: Sequence[tuple[Listed, Look]]) -> list[Listed]:
    """Each look's end, in order; a server that drips its reply does not keep the list waiting."""
    import time
    from threading import Thread

    found: dict[int, Listed] = {}

    def look_at(number: int, look: Look) -> None:
        found[number] = look()

    threads = [
        Thread(target=look_at, args=(number, look), daemon=True)
        for number, (_, look) in enumerate(looks)
    ]
    for thread in threads:
        thread.start()
    began = time.monotonic()
    for thread, (row, _) in zip(threads, looks, strict=True):
        limit_s = COMMAND_LIMIT_S if row.kind == "cli" else CHECK_LIMIT_S
        thread.join(max(0.0, began + limit_s - time.monotonic()))
    seen = dict(found)
    return [seen.get(number, row) for number, (row, _) in enumerate(looks)]
