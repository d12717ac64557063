"""Holds every line of telemetry against the schema that ships."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..core.records import Record
from .figures import Broken
from .files import event_files, named, opened, unreadable
from .lines import whole_lines
from .tally import MAX_NAMED
from .telemetry_lines import check_line


class Checked(Record):
    """What the check found: `broken` are the first hundred lines that do not fit."""

    schema_version: int = 1
    roots: tuple[str, ...]
    files: int
    lines: int
    broken: tuple[Broken, ...]
    broken_count: int


def check_telemetry(roots: Sequence[Path]) -> Checked:
    """Reads every whole line of the projects. An unterminated last line is being written."""
    files = lines = broken_count = 0
    broken: list[Broken] = []

    def complain(path: Path, line: int, reason: str) -> None:
        nonlocal broken_count
        broken_count += 1
        if len(broken) < MAX_NAMED:
            broken.append(Broken(file=named(path), line=line, reason=reason))

    for root in roots:
        try:
            paths = event_files(root)
        except OSError as error:
            complain(root, 0, unreadable(error))
            continue
        for path in paths:
            files += 1
            try:
                with opened(path) as (descriptor, stamp):
                    first = 1
                    for some in whole_lines(descriptor, stamp.size):
                        for number, line in enumerate(some, first):
                            if not line.strip():
                                continue
                            lines += 1
                            if (reason := check_line(line)) is not None:
                                complain(path, number, reason)
                        first += len(some)
            except OSError as error:
                complain(path, 0, unreadable(error))
    return Checked(
        roots=tuple(map(named, roots)),
        files=files,
        lines=lines,
        broken=tuple(broken),
        broken_count=broken_count,
    )
