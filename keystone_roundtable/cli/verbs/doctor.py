"""`doctor`: what is set and from where, where text would go, and whether the model answers.

Nothing is written, no provider's library is imported, and no key is ever shown. Without `--check`
nothing is sent either; with it, one request without a word of any session.
"""

from __future__ import annotations

import json
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
from ...stores.keystone_cli import is_this_program
from ...stores.sessions import SessionStore
from ..settings import Sources, config_files, flags_of
from ..typed import as_typed
from ..wiring import root_of

if TYPE_CHECKING:
    from ...models.language.spec import KindFacts, ModelSpec

CHECK_LIMIT_S = 3.0

PRIVACY = (
    "Nothing is sent because a key lies here: only the model in force is asked, and "
    "`offline` and `host` send nothing"
)

_MAX_REPLY_BYTES = 1_000_000


def doctor(options: Namespace) -> int:
    """Prints what was found. 0 when all is fine, 1 when something in force does not work."""
    found = examine(root_of(options.root), options, os.environ)
    if options.json:
        print(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        for line in _lines(found):
            print(line)
    return int(found["status"])


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
        "root": _shown(root),
        "keystone": _keystone(root),
        "sessions": _sessions(root),
        "config_files": files,
        "settings": settings,
        "model": model,
        "providers": _providers(environment),
        "privacy": PRIVACY,
        "terminal": _terminal(environment),
        "keystone_cli": _keystone_cli(environment),
        "telemetry": {
            "on": True,
            "folder": _shown(root / ".keystone" / "telemetry" / "events"),
            "told": "on: counts and names in local files, never sent; --no-telemetry writes none",
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


def _problems(found: dict[str, Any]) -> Iterator[str]:
    """What each part of the object says is wrong with it."""
    parts = [found["keystone"], found["sessions"], found["keystone_cli"]]
    for part in [*parts, *found["config_files"], *found["settings"]]:
        if part["problem"]:
            yield part["problem"]


# -- what is on disk -------------------------------------------------------------------


def _keystone(root: Path) -> dict[str, Any]:
    path = root / ".keystone"
    try:
        facts = path.stat()
    except FileNotFoundError:
        facts = None
    except OSError as error:
        unseen = f"{_shown(path)}: {error.strerror}. Check its owner and permissions"
        return _folder(path, True, False, None, unseen)
    writable = os.access(path if facts else root, os.W_OK | os.X_OK)
    problem: str | None = None
    if facts and not path.is_dir():
        problem = f"{_shown(path)} is no folder. Move it away"
    elif not writable:
        problem = f"{_shown(path)} cannot be written. Check its owner, or choose another --root"
    owner_only = facts.st_mode & 0o077 == 0 and facts.st_uid == os.geteuid() if facts else None
    return _folder(path, facts is not None, writable, owner_only, problem)


def _folder(
    path: Path, exists: bool, writable: bool, owner_only: bool | None, problem: str | None
) -> dict[str, Any]:
    """`owner_only` is null where there is nothing yet: what is made will be."""
    return {
        "path": _shown(path),
        "exists": exists,
        "writable": writable,
        "owner_only": owner_only,
        "problem": problem,
    }


def _sessions(root: Path) -> dict[str, Any]:
    """Counts; `open` are those that can be resumed."""
    counts: Counter[str] = Counter()
    problem = None
    try:
        counts.update(summary.status for summary in SessionStore(root).summaries())
    except KeystoneError as error:
        problem = str(error)
    return {
        "open": counts["open"] + counts["paused"],
        "finished": counts["finished"],
        "redirected": counts["redirected"],
        "unreadable": counts["unknown"],
        "problem": problem,
    }


# -- settings --------------------------------------------------------------------------


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
        files.append({"path": _shown(path), "sets": list(fields), "problem": problem})
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


# -- providers -------------------------------------------------------------------------


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
    from ...models.language.spec import base_url, key_variable

    for spec in chain:
        facts = spec.facts
        lacks = []
        if facts.remote and not is_installed(facts):
            lacks.append(f"its library is not installed. Install it: {facts.install_command}")
        if facts.key_needed and not key_variable(facts, environment):
            lacks.append(f"no key. Set {' or '.join(facts.key_variables)}")
        try:
            base_url(facts, environment)
        except KeystoneError as error:
            lacks.append(str(error))
        if lacks:
            yield str(spec), "; ".join(lacks)


# -- asking the model in force ---------------------------------------------------------


def check(spec: ModelSpec, environment: Mapping[str, str]) -> dict[str, str]:
    """Whether the model answers: `verdict` is `works`, `refused` or `unreachable`.

    Takes `CHECK_LIMIT_S` at most. `reason` says what to do where it does not work. It asks for the
    list of models; a server without one gets the word "ping".
    """
    from queue import Empty, SimpleQueue
    from threading import Thread

    if not spec.facts.remote:
        return _trial(spec, "works", "it needs no server")
    answers: SimpleQueue[dict[str, str]] = SimpleQueue()
    # A thread, since looking up a name and a reply that drips in know no time limit.
    Thread(target=lambda: answers.put(_ask(spec, environment)), daemon=True).start()
    try:
        return answers.get(timeout=CHECK_LIMIT_S)
    except Empty:
        reason = f"no answer in {CHECK_LIMIT_S:g} s. {_way_to_reach(spec.facts)}"
        return _trial(spec, "unreachable", reason)


def _trial(spec: ModelSpec, verdict: str, reason: str) -> dict[str, str]:
    return {"model": str(spec), "verdict": verdict, "reason": one_line(reason)}


def _ask(spec: ModelSpec, environment: Mapping[str, str]) -> dict[str, str]:
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError

    from ...models.language.spec import base_url

    facts = spec.facts
    try:
        base = base_url(facts, environment)
        headers = _headers(facts, environment)
        try:
            reply = _fetch(base + _LISTS.get(facts.kind, "/models"), headers)
        except HTTPError as error:
            if facts.kind != "openai-chat" or error.code not in (404, 405):
                raise
            _fetch(f"{base}/chat/completions", headers, _ping(spec.name))
            return _trial(spec, "works", "it answers; it has no list of models")
        return _judged(spec, reply)
    except KeystoneError as error:
        return _trial(spec, "refused", str(error))
    except HTTPError as error:
        return _trial(spec, "refused", _refusal(facts, error.code, environment))
    except URLError as error:
        cause = error.reason
        told = cause.strerror if isinstance(cause, OSError) and cause.strerror else str(cause)
        return _trial(spec, "unreachable", f"{told}. {_way_to_reach(facts)}")
    except (OSError, HTTPException) as error:
        reason = f"the connection broke ({type(error).__name__}). {_way_to_reach(facts)}"
        return _trial(spec, "unreachable", reason)
    except ValueError:  # its message would repeat the key
        reason = "the key or the address holds characters that no request can carry. Set it anew"
        return _trial(spec, "refused", reason)


_LISTS = {"anthropic": "/v1/models", "google": "/v1beta/models"}


def _headers(facts: KindFacts, environment: Mapping[str, str]) -> dict[str, str]:
    """Raises `ValueError` for a key that no header should carry."""
    from ...models.language.spec import key_variable

    variable = key_variable(facts, environment)
    key = environment[variable].strip() if variable else ""
    if not (key.isascii() and key.isprintable()):
        raise ValueError
    headers = {"Accept": "application/json", "User-Agent": f"keystone-roundtable/{__version__}"}
    if facts.kind == "anthropic":
        headers["anthropic-version"] = "2023-06-01"
    if key:
        name = {"anthropic": "x-api-key", "google": "x-goog-api-key"}.get(facts.kind)
        headers |= {name: key} if name else {"Authorization": f"Bearer {key}"}
    return headers


def _ping(model: str) -> bytes:
    body = {"model": model, "messages": [{"role": "user", "content": "ping"}], "max_tokens": 1}
    return json.dumps(body).encode()


def _fetch(url: str, headers: Mapping[str, str], body: bytes | None = None) -> bytes:
    """The start of the reply. Redirections are refused: urllib would send the key along."""
    from urllib.request import HTTPRedirectHandler, Request, build_opener

    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *_: Any) -> None:
            return None

    if body is not None:
        headers = {**headers, "Content-Type": "application/json"}
    request = Request(url, data=body, headers=dict(headers))
    with build_opener(Stay).open(request, timeout=CHECK_LIMIT_S) as reply:
        data: bytes = reply.read(_MAX_REPLY_BYTES)
    return data


def _judged(spec: ModelSpec, reply: bytes) -> dict[str, str]:
    """What the list of models tells about the one in force."""
    facts = spec.facts
    try:
        listed = _names(json.loads(reply))
    except (ValueError, RecursionError):
        listed = None
    if listed is None:
        where = " or ".join(facts.url_variables)
        reason = f"what answers there is no server of models. Check {where}"
        return _trial(spec, "refused", reason)
    if facts.kind in ("anthropic", "google") or {spec.name, f"{spec.name}:latest"} & set(listed):
        return _trial(spec, "works", "it answers")
    shown = ", ".join(listed[:8]) + (", ..." if len(listed) > 8 else "") if listed else "none"
    if facts.kind == "ollama":
        reason = f"it has no such model. Get it: ollama pull {spec.name}. It has: {shown}"
        return _trial(spec, "refused", reason)
    # Some servers hold one model and take any name for it.
    return _trial(spec, "works", f"it answers, but lists other models: {shown}")


def _names(reply: Any) -> list[str] | None:
    """The listed models; None where it is no such list."""
    listed = (reply.get("data", reply.get("models"))) if isinstance(reply, dict) else None
    if listed is None and isinstance(reply, dict) and reply.get("object") == "list":
        listed = []  # Ollama without a model
    if not isinstance(listed, list):
        return None
    entries = [entry for entry in listed if isinstance(entry, dict)]
    return [str(entry.get("id", entry.get("name", "")))[:80] for entry in entries]


def _refusal(facts: KindFacts, status: int, environment: Mapping[str, str]) -> str:
    from ...models.language.spec import key_variable

    where = " or ".join(facts.url_variables)
    if status in (401, 403):
        variable = key_variable(facts, environment)
        if variable:
            return f"the key is not accepted (HTTP {status}). Set {variable} to a valid one"
        needed = " or ".join(facts.key_variables)
        return f"it wants a key (HTTP {status}). Set {needed}" if needed else f"HTTP {status}"
    if 300 <= status < 400:
        return f"it sends on to another address (HTTP {status}). Set {where} to that one"
    if status == 404:
        return f"there is no list of models at this address (HTTP 404). Check {where}"
    if status == 429:
        return (
            "too many requests, or nothing left to spend (HTTP 429). Wait, or look at the account"
        )
    return f"the server fails (HTTP {status}). Look at its log, or try again later"


def _way_to_reach(facts: KindFacts) -> str:
    if facts.kind == "ollama":
        return "Start it: ollama serve"
    where = " or ".join(facts.url_variables)
    server = "the network" if facts.default_url else "that the server runs"
    return f"Check {server}, and {where}"


# -- surroundings ----------------------------------------------------------------------


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
        "command": as_typed(command) or None,
        "program": as_typed(program) if program else None,
        "problem": as_typed(problem) if problem else None,
    }


# -- as text ---------------------------------------------------------------------------


def _lines(found: dict[str, Any]) -> Iterator[str]:
    """What a person reads; every line is safe for a screen."""
    yield f"keystone-roundtable {found['version']}, Python {found['python']}"
    for title, rows in _sections(found):
        width = max(len(name) for name, _ in rows)
        yield f"\n{title}"
        yield from (f"  {name:{width}}  {one_line(told)}" for name, told in rows)
    yield f"\n{found['privacy']}."
    yield "\nProblems" if found["problems"] else "\nNothing in force is amiss."
    yield from (f"  {problem}" for problem in found["problems"])


def _sections(found: dict[str, Any]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Titles, each with names and what is told of them."""
    yield "Project", _project_rows(found)
    yield "Settings", [(s["name"], _setting_told(s)) for s in found["settings"]]
    yield "Providers", [row for p in found["providers"] for row in _provider_rows(p)]
    terminal = found["terminal"]
    streams = [f"{name} {'yes' if terminal[name] else 'no'}" for name in ("input", "output")]
    size = f"{terminal['columns']} x {terminal['lines']}" if terminal["output"] else "none"
    yield (
        "Terminal",
        [
            ("is one", ", ".join(streams)),
            ("size", size),
            ("colour", f"{terminal['colour']} (TERM={terminal['term'] or 'not set'})"),
            ("encoding", f"{terminal['encoding']} by the locale; texts are UTF-8 all the same"),
        ],
    )
    if found["check"]:
        yield "Check", [(t["model"], f"{t['verdict']}: {t['reason']}") for t in found["check"]]


def _project_rows(found: dict[str, Any]) -> list[tuple[str, str]]:
    sessions, cli = found["sessions"], found["keystone_cli"]
    unreadable = f", {sessions['unreadable']} unreadable" if sessions["unreadable"] else ""
    through = (
        f"{cli['command']} ({cli['program'] or 'this program'})" if cli["command"] else "not set"
    )
    return [
        ("root", found["root"]),
        (".keystone", _keystone_told(found["keystone"])),
        ("sessions", f"{sessions['open']} open, {sessions['finished']} finished{unreadable}"),
        ("telemetry", found["telemetry"]["told"]),
        ("KEYSTONE_CLI", "cannot be used" if cli["problem"] else through),
        *(("config", _config_told(file)) for file in found["config_files"]),
    ]


def _keystone_told(keystone: dict[str, Any]) -> str:
    writable = "writable" if keystone["writable"] else "NOT writable"
    if not keystone["exists"]:
        return f"not there yet; the folder for it is {writable}"
    if keystone["owner_only"]:
        return f"{writable}, for its owner alone"
    return f"{writable}, but others may look into it: chmod 700 {keystone['path']}"


def _config_told(file: dict[str, Any]) -> str:
    sets = ", ".join(file["sets"]) or "nothing"
    return f"{file['path']} " + ("cannot be used" if file["problem"] else f"sets {sets}")


def _setting_told(setting: dict[str, Any]) -> str:
    if setting["problem"]:
        return f"cannot be used: {setting['problem']}"
    value, unset = setting["value"], {"lang": "the topic's language"}
    told = unset.get(setting["name"], "no limit") if value is None else json.dumps(value)
    return f"{told.strip(chr(34))}  ({setting['origin']})"


def _provider_rows(provider: dict[str, Any]) -> Iterator[tuple[str, str]]:
    extra = "installed" if provider["installed"] else f"not installed: {provider['install']}"
    yield provider["kind"], f"library {extra}"
    if provider["key_variable"]:
        yield "", f"{provider['key_variable']}: {provider['key']}; used by {provider['key_for']}"
    else:
        yield "", f"key: {provider['key']}"
    yield (
        "",
        f"text would go to {provider['sends_to'] or 'nowhere: ' + provider['address_problem']}",
    )


def _shown(path: Path) -> str:
    return as_typed(str(path))
