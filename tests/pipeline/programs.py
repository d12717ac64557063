"""The program on a search path of its own, as a shell of an agent finds it."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


def path_with_program(folder: Path) -> str:
    """A value for `PATH` where `keystone-roundtable` is this checkout's."""
    programs = folder / "bin"
    programs.mkdir()
    program = programs / "keystone-roundtable"
    program.write_text(
        f"#!/bin/sh\nPYTHONPATH={shlex.quote(str(REPOSITORY))} "
        f'exec {shlex.quote(sys.executable)} -m keystone_roundtable "$@"\n'
    )
    program.chmod(0o700)
    return f"{programs}:{os.environ['PATH']}"
