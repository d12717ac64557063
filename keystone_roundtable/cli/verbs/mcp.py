"""`mcp`: the MCP server on standard input and output, until the client closes it."""

from __future__ import annotations

import os
import signal
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ... import __version__
from ...core.errors import KeystoneError
from ..stepping import ProjectTable
from ..wiring import Project, root_of

if TYPE_CHECKING:
    from ..shelf import ProjectShelf

INSTALL = "pip install 'keystone-roundtable[mcp]'"
_EXTRA = ("mcp", "mcp_types")
_INTERRUPTED = 130


def mcp(options: Namespace) -> int:
    try:
        from ...pipeline.mcp.server import make_server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        raise KeystoneError("the MCP server needs an extra", f"Install it: {INSTALL}") from error
    root = root_of(options.root)
    telemetry = not options.no_telemetry
    if sys.stdin.isatty():
        _say("this speaks MCP with a client, not with a person: see docs/mcp.md. Ctrl-C ends it")
    server = make_server(
        lambda: ProjectTable(Project(root, telemetry=telemetry), _say), shelf_of(root), __version__
    )
    with _ended_by_interrupt():
        try:
            server.run("stdio")
        except BaseExceptionGroup as group:
            left, rest = group.split(BrokenPipeError)
            if left is None or rest is not None:
                raise
            raise BrokenPipeError from group  # the client left without a word
    return 0


def shelf_of(root: Path) -> ProjectShelf:
    from ..shelf import ProjectShelf

    return ProjectShelf(root)


@contextmanager
def _ended_by_interrupt() -> Iterator[None]:
    """Ctrl-C ends the process at once: the thread that reads the input would wait for more of it.

    Nothing is lost by that; whatever was answered is on disk.
    """
    before = signal.signal(signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _say(message: str) -> None:
    print(f"keystone-roundtable: {message}", file=sys.stderr, flush=True)
