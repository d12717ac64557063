"""What `doctor` found, for a person to read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...core.plain import one_line
from ..typed import as_typed


def lines_of(found: dict[str, Any]) -> Iterator[str]:
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
        *(("state.json", "cannot be used") for part in [found["state"]] if part["problem"]),
        ("sessions", f"{sessions['open']} open, {sessions['finished']} finished{unreadable}"),
        ("decisions", found["decisions"]["told"]),
        *(("content", "cannot be used") for part in [found["content"]] if part["problem"]),
        ("telemetry", _telemetry_told(found["telemetry"])),
        ("", found["telemetry"]["health"]),
        ("KEYSTONE_CLI", "cannot be used" if cli["problem"] else through),
        *(("config", _config_told(file)) for file in found["config_files"]),
    ]


def _telemetry_told(telemetry: dict[str, Any]) -> str:
    told = "cannot be written; sessions go on without it" if telemetry["problem"] else None
    return told or str(telemetry["told"])


def _keystone_told(keystone: dict[str, Any]) -> str:
    if keystone["problem"] and keystone["exists"]:
        return "cannot be used"
    writable = "writable" if keystone["writable"] else "NOT writable"
    if not keystone["exists"]:
        return f"not there yet; the folder for it is {writable}"
    if keystone["owner_only"]:
        return f"{writable}, for its owner alone"
    return f"{writable}, but others may look into it: chmod 700 {keystone['path']}"


def _config_told(file: dict[str, Any]) -> str:
    if file["problem"]:
        told = "cannot be used"
    elif not file["exists"]:
        told = "is not there, and need not be"
    else:
        told = f"sets {', '.join(file['sets']) or 'nothing'}"
    return f"{file['path']} {told}"


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


def shown(path: Path) -> str:
    return as_typed(str(path))
