"""Whether a command can take a seat here: installed, trusted, logged in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.engine_entries import CliEntry
from ..core.plain import one_line
from ..core.programs import Ran

if TYPE_CHECKING:
    from .seat_listing import Listed

_LIMIT_S = 5.0  # for its version, and once more for its login; chosen by judgement


def command_looked_at(
    row: Listed, name: str, entry: CliEntry, environ: Mapping[str, str], project: Path | None
) -> Listed:
    """The line of one command. `project` is the root of the project whose file names it, None where
    none does: nothing of it is started before it is trusted.
    """
    from ..runtime.processes import SeatPrograms
    from ..seats.command_line import environment, program_of
    from ..seats.workspace import Workspace
    from .trust import command_shown, is_trusted

    if project is not None and not is_trusted(name, entry, project):
        asks = f'to be asked: keystone-roundtable room open "QUESTION" --seat {name}'
        told = f"not trusted yet; it would run: {command_shown(entry)}; {asks}"
        return replace(row, why=told)
    seen = environment(entry, environ)
    program = program_of(entry, seen)
    if program is None:
        hint = f": {entry.install_hint}" if entry.install_hint else ""
        return replace(row, why=f"'{one_line(entry.argv[0])}' is not installed{hint}")
    workspace, programs = Workspace(), SeatPrograms()
    try:
        folder = str(workspace.make({}))

        def said(words: tuple[str, ...]) -> Ran:
            return programs.said((str(program), *words), seen, _LIMIT_S, folder)

        return _told(row, name, entry, seen, said)
    except OSError as error:
        return replace(row, why=f"no folder to start it in can be made: {error.strerror}")
    finally:
        workspace.close()


def _told(
    row: Listed,
    name: str,
    entry: CliEntry,
    seen: Mapping[str, str],
    said: Callable[[tuple[str, ...]], Ran],
) -> Listed:
    """What the command says of itself, started in an empty folder."""
    from ..seats.command_output import version_in

    if entry.version_argv:
        told = said(entry.version_argv)
        if told.status < 0:  # ended from outside, as by whoever waits for the list no longer
            return replace(row, why=f"it was ended by signal {-told.status}")
        row = replace(row, version=version_in(told) or None)
    if entry.sends_to:
        row = replace(row, sends_to=entry.sends_to)
    if any(seen.get(variable) for variable in entry.login_variables):
        row = replace(row, logged_in=True, can_sit=True, why="a key is set; not tried")
    elif entry.login_argv:
        status = said(entry.login_argv).status
        row = replace(row, logged_in=status == 0, can_sit=status == 0)
        hint = f". {entry.login_hint}" if entry.login_hint else ""
        row = replace(row, why="logged in" if status == 0 else f"not logged in{hint}")
    else:
        row = replace(row, can_sit=True, why="installed; whether it is logged in shows in a round")
    if row.can_sit and entry.model_needed and entry.model is None:
        return replace(row, why=f"{row.why}; it needs a model, as in {name}:PROVIDER/MODEL")
    return row
