"""What `doctor` finds: settings, folders, providers, terminal."""

from __future__ import annotations

import os
import shutil
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import __version__
from ...content.config import KEYS, Value, read_config
from ...core.errors import KeystoneError
from ...core.plain import one_line
from ...core.secrets import mask
from ...stores.keystone_cli import is_this_program
from ...stores.sessions import SessionStore
from ..settings import Sources, config_files, flags_of
from ..typed import as_typed
from .places import (
    content_in_force,
    keystone_folder,
    sessions_problem,
    state_file,
    telemetry_problem,
)
from .remembering import index_health, telemetry_health
from .showing import shown
from .trying import check

if TYPE_CHECKING:
    from ...models.language.spec import KindFacts, ModelSpec


PRIVACY = (
    "Nothing is sent because a key lies here: only the model in force is asked, and "
    "`offline` and `host` send nothing"
)


def examine(root: Path, options: Namespace, environment: Mapping[str, str]) -> dict[str, Any]:
    """The one object of `doctor --json`.

    `problems` are in one line each, what to do included; `status` is 1 where there is one. `check`
    is null without `--check`.
    """
    files, settings = _settings(root, options, environment)
    model = next(s["value"] for s in settings if s["name"] == "model")
    chain = _chain(model)
    found: dict[str, Any] = {
        "version": __version__,
        "python": sys.version.split()[0],
        "root": shown(root),
        "keystone": keystone_folder(root),
        "state": state_file(root),
        "sessions": _sessions(root),
        "content": content_in_force(root),
        "decisions": index_health(root),
        "config_files": files,
        "settings": settings,
        "model": model,
        "providers": _providers(environment),
        "privacy": PRIVACY,
        "terminal": _terminal(environment),
        "keystone_cli": _keystone_cli(environment),
        "telemetry": {
            "on": True,
            "folder": shown(root / ".keystone" / "telemetry" / "events"),
            "told": "on: counts and names in local files, never sent; --no-telemetry writes none",
            "problem": telemetry_problem(root),
            **telemetry_health(root),
        },
        "check": [check(spec, environment) for spec in chain] if options.check else None,
    }
    lacking = dict(_lacking(chain, environment))
    problems = [*_problems(found), *(f"{model}: {lack}" for model, lack in lacking.items())]
    problems += [
        f"{trial['model']}: {trial['verdict']}: {trial['reason']}"
        for trial in found["check"] or []
        if trial["verdict"] != "works" and trial["model"] not in lacking
    ]
    found["problems"] = list(dict.fromkeys(one_line(problem) for problem in problems))
    found["status"] = 1 if found["problems"] else 0
    return found


_PARTS = ("keystone", "state", "sessions", "content", "telemetry", "keystone_cli")


def _problems(found: dict[str, Any]) -> Iterator[str]:
    """What each part of the object says is wrong with it."""
    parts = [found[part] for part in _PARTS]
    for part in [*parts, *found["config_files"], *found["settings"]]:
        if part["problem"]:
            yield part["problem"]


def _sessions(root: Path) -> dict[str, Any]:
    """Counts; `open` are those that can be resumed."""
    counts: Counter[str] = Counter()
    problem = sessions_problem(root)
    try:
        counts.update(summary.status for summary in SessionStore(root).summaries())
    except KeystoneError as error:
        problem = problem or str(error)
    return {
        "open": counts["open"] + counts["paused"],
        "finished": counts["finished"],
        "redirected": counts["redirected"],
        "unreadable": counts["unknown"],
        "problem": problem,
    }


def _settings(
    root: Path, options: Namespace, environment: Mapping[str, str]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The config files, and every setting; what is wrong with one does not hide the others.

    A setting that cannot be used has no value and no origin.
    """
    files, usable = [], []
    for path in config_files(root):
        problem = None
        fields: dict[str, Value] = {}
        try:
            fields = read_config(path)
        except KeystoneError as error:
            problem = str(error)
        usable.append((path, fields))
        there = os.path.lexists(path)
        files.append(
            {"path": shown(path), "exists": there, "sets": list(fields), "problem": problem}
        )
    sources = Sources(flags_of(options), environment, tuple(usable))
    settings = []
    for name in KEYS:
        entry: dict[str, Any] = {"name": name, "value": None, "origin": None, "problem": None}
        try:
            setting = sources.find(name)
            entry |= {"value": setting.value, "origin": as_typed(setting.origin)}
        except KeystoneError as error:
            entry["problem"] = str(error)
        settings.append(entry)
    return files, settings


def _chain(model: str | None) -> tuple[ModelSpec, ...]:
    """The models in force; none where the setting cannot be used, which is told with it."""
    from ...models.language.spec import parse_chain

    return parse_chain(model) if model else ()


def _providers(environment: Mapping[str, str]) -> list[dict[str, Any]]:
    from ...models.language.spec import KINDS

    return [_provider(facts, environment) for facts in KINDS.values() if facts.remote]


def _provider(facts: KindFacts, environment: Mapping[str, str]) -> dict[str, Any]:
    """`sends_to` is a host, or null where `address_problem` says why there is none."""
    from ...models.language.spec import destination, key_variable

    variable = key_variable(facts, environment)
    host, problem = None, None
    try:
        host = destination(facts, environment)
    except KeystoneError as error:
        problem = str(error)
    return {
        "kind": facts.kind,
        "extra": facts.extra,
        "installed": is_installed(facts),
        "install": facts.install_command,
        "key_variable": variable or " or ".join(facts.key_variables) or None,
        "key": _key_told(facts, environment[variable] if variable else ""),
        "key_for": f"sessions with --model {facts.kind}:NAME" if facts.key_variables else None,
        "sends_to": host,
        "address_problem": problem,
    }


def _key_told(facts: KindFacts, key: str) -> str:
    if not key:
        need = {True: "not set", False: "not set, and may not be needed"}
        return need[facts.key_needed] if facts.key_variables else "none needed"
    blanks = ", with blanks around it" if key != key.strip() else ""
    return f"set, {len(key.strip())} characters{blanks}"


def is_installed(facts: KindFacts) -> bool:
    """Whether the kind's libraries can be found; none is imported."""
    return _can_be_found("pydantic_ai") and _can_be_found(facts.library)


def _can_be_found(library: str) -> bool:
    from importlib.machinery import PathFinder
    from importlib.util import find_spec

    first, *inner = library.split(".")
    found, name = find_spec(first), first
    for part in inner:  # `find_spec` of a dotted name would import what stands before the dot
        name = f"{name}.{part}"
        places = found.submodule_search_locations if found else None
        found = PathFinder.find_spec(name, places) if places is not None else None
    return found is not None


def _lacking(
    chain: tuple[ModelSpec, ...], environment: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """The models in force that cannot be asked at all, each with the reason."""
    from ...models.language.spec import base_url, key_of, key_variable

    for spec in chain:
        facts = spec.facts
        lacks = []
        if facts.remote and not is_installed(facts):
            lacks.append(f"its library is not installed. Install it: {facts.install_command}")
        if facts.key_needed and not key_variable(facts, environment):
            lacks.append(f"no key. Set {' or '.join(facts.key_variables)}")
        for needed in (base_url, key_of):
            try:
                needed(facts, environment)
            except KeystoneError as error:
                lacks.append(str(error))
        if lacks:
            yield str(spec), "; ".join(lacks)


def _terminal(environment: Mapping[str, str]) -> dict[str, Any]:
    """`columns` and `lines` are null where standard output is no terminal."""
    import locale

    screen = sys.stdout.isatty()
    size = shutil.get_terminal_size() if screen else None
    return {
        "input": sys.stdin.isatty(),
        "output": screen,
        "columns": size.columns if size else None,
        "lines": size.lines if size else None,
        "term": environment.get("TERM", ""),
        "colour": _colour(environment) if screen else "none",
        "encoding": locale.getencoding(),
    }


def _colour(environment: Mapping[str, str]) -> str:
    term = environment.get("TERM", "").casefold()
    if environment.get("NO_COLOR") or term in ("", "dumb", "unknown"):
        return "none"
    if environment.get("COLORTERM", "").casefold() in ("truecolor", "24bit"):
        return "24 bit"
    return "256 colours" if "256" in term else "16 colours"


def _keystone_cli(environment: Mapping[str, str]) -> dict[str, Any]:
    """`program` is the path of the command's first word; null where the state is written here."""
    import shlex

    command = environment.get("KEYSTONE_CLI", "")
    program, problem = None, None
    if command and not is_this_program(command):
        try:
            words = shlex.split(command)
        except ValueError as error:
            words = []
            problem = f"KEYSTONE_CLI cannot be read ({error}). Correct it or unset it"
        program = shutil.which(words[0]) if words else None
        if words and program is None:
            problem = f"KEYSTONE_CLI: no program '{words[0]}'. Correct it or unset it"
    return {
        "command": mask(as_typed(command)) or None,
        "program": as_typed(program) if program else None,
        "problem": mask(as_typed(problem)) if problem else None,
    }
