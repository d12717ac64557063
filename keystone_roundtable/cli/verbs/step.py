"""`step`: one JSON request on standard input, one JSON response on standard output."""

from __future__ import annotations

import io
import json
import sys
from argparse import Namespace
from typing import Any

from ...core.errors import KeystoneError
from ...pipeline.errors import coded
from ...pipeline.incoming import Piece, pieces_of, read_object
from ...pipeline.requests import read_request
from ...pipeline.responses import failed, written
from ...pipeline.step import respond
from ..saying import say
from ..stepping import ProjectTable
from ..wiring import Project, root_of


def step(options: Namespace) -> int:
    """Status 0, or 1 where the response is an error."""
    if options.schema:
        from ...pipeline.schemas import step_schemas

        print(json.dumps(step_schemas(), ensure_ascii=False, indent=2))
        return 0
    response = _response(options)
    print(json.dumps(response, ensure_ascii=False))
    return 1 if "error" in response else 0


def _response(options: Namespace) -> dict[str, Any]:
    try:
        request = read_request(read_object(_incoming()))
        project = Project(root_of(options.root), telemetry=not options.no_telemetry)
        return respond(request, ProjectTable(project, say))
    except KeystoneError as error:
        return written(failed(coded(error)))


def _incoming() -> Piece:
    try:
        return pieces_of(sys.stdin.fileno())
    except (io.UnsupportedOperation, ValueError):  # no descriptor of its own, or closed
        return lambda silence_s: b"" if sys.stdin.closed else sys.stdin.buffer.read()
