"""`telemetry`: whether its lines fit the schema, and old months in fewer bytes."""

from __future__ import annotations

import json
from argparse import Namespace
from datetime import UTC, datetime
from typing import Any

from ...core.plain import one_line
from .review import roots_of


def telemetry(options: Namespace) -> int:
    match options.deed:
        case "check":
            return _check(options)
        case "compact":
            return _compact(options)
        case _:
            from ...review.telemetry_lines import telemetry_schema

            return _print_json(telemetry_schema())


def _check(options: Namespace) -> int:
    """Status 1 where a line does not fit."""
    from ...review.checking import check_telemetry

    found = check_telemetry(roots_of(options.root))
    if options.json:
        _print_json(found.model_dump(mode="json"))
    else:
        for broken in found.broken:
            print(one_line(f"{broken.file}:{broken.line}: {broken.reason}"))
        more = found.broken_count - len(found.broken)
        if more:
            print(f"and {more:,} more")
        print(f"{_counted(found.lines, 'line')} in {_counted(found.files, 'file')}: ", end="")
        print(f"{found.broken_count:,} do not fit" if found.broken_count else "every one fits")
    return 1 if found.broken_count else 0


def _compact(options: Namespace) -> int:
    from ...review.compacting import compact_telemetry

    done = compact_telemetry(roots_of(options.root), datetime.now(UTC))
    if options.json:
        return _print_json(done.model_dump(mode="json"))
    for file in done.files:
        repeated = f", {_counted(file.repeated, 'repeated line')} less" if file.repeated else ""
        sizes = f"{file.bytes_before:,} to {file.bytes_after:,} bytes"
        print(one_line(f"{file.file}: {sizes}{repeated}"))
    if not done.files:
        print("Nothing to compact.")
    return 0


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _print_json(value: Any) -> int:
    print(json.dumps(value, ensure_ascii=False, indent=2))
    return 0
