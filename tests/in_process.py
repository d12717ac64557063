"""One command line, carried out in this process: for tests of what is said, not of processes."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout

from keystone_roundtable.cli.main import main


def carried_out(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
    """Status, standard output and standard error; standard input is no terminal."""
    out, err, kept = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode("utf-8")), encoding="utf-8")
    try:
        with redirect_stdout(out), redirect_stderr(err):
            status = main(arguments)
    finally:
        sys.stdin = kept
    return status, out.getvalue(), err.getvalue()
