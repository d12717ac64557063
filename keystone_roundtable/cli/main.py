"""The entry point: parses, carries out, and turns errors into messages and statuses."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..core.errors import KeystoneError, UsageError
from .parser import parse

if TYPE_CHECKING:
    from argparse import Namespace

_OK, _FAILURE, _USAGE, _INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and gives the process status."""
    _speak_utf8()
    try:
        return int(_carry_out(parse(sys.argv[1:] if arguments is None else arguments)))
    except KeystoneError as error:
        from ..core.plain import one_line

        print(f"keystone-roundtable: {one_line(str(error))}", file=sys.stderr)
        return _USAGE if isinstance(error, UsageError) else _FAILURE
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader of our output left. Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _FAILURE


def _speak_utf8() -> None:
    """Texts are UTF-8 whatever the locale says; what a stream cannot hold is escaped, not lost."""
    for stream, errors in (
        (sys.stdin, "surrogateescape"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    ):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors=errors)


def _carry_out(options: Namespace) -> int:
    match options.verb:
        case "run":
            from .verbs.holding import run

            return run(options)
        case "resume":
            from .verbs.holding import resume

            return resume(options)
        case "reopen":
            from .verbs.holding import reopen

            return reopen(options)
        case "list":
            from .verbs.looking import list_sessions

            return list_sessions(options)
        case "show":
            from .verbs.looking import show

            return show(options)
        case "state":
            from .verbs.state import carry_out

            return carry_out(options)
        case "modes" | "roles":
            from .verbs.catalog import list_catalog

            return list_catalog(options)
        case "contract-schema":
            from .verbs.catalog import print_contract_schema

            return print_contract_schema()
        case _:
            from .verbs.evaluating import evaluate

            return evaluate(options)
