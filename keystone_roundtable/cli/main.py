"""The entry point: parses, carries out, and turns errors into messages and statuses."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import KeystoneError, UsageError
from .parser import parse
from .typed import as_typed

if TYPE_CHECKING:
    from argparse import Namespace

_OK, _FAILURE, _USAGE, _INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and gives the process status."""
    # Nearly all that a start makes lives to its end: looking for garbage in it costs a twentieth.
    gc.set_threshold(50_000)
    _open_missing_streams()
    _speak_utf8()
    _load_no_plugins()
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        try:
            return int(_carry_out(parse(words)))
        finally:
            sys.stdout.flush()  # here an error can still be told, at exit it cannot
    except KeystoneError as error:
        from ..core.plain import one_line
        from ..core.secrets import mask

        usage = isinstance(error, UsageError) and words[:1] != ["table"]  # whose 2 says "ask again"
        status = _USAGE if usage else _FAILURE
        return _complain(mask(one_line(as_typed(str(error)))), status)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:  # the reader of our output left, and wants to hear no more
        return _mute()
    except OSError as error:
        # What is expected of files was told above: without a name it is standard output itself.
        _mute()
        return _complain(
            f"{as_typed(str(error.filename or 'standard output'))}: {error.strerror}", _FAILURE
        )


def _complain(message: str, status: int) -> int:
    with contextlib.suppress(OSError):
        print(f"keystone-roundtable: {message}", file=sys.stderr, flush=True)
    return status


def _mute() -> int:
    """Sends what is still to come to nowhere: Python would complain once more at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return _FAILURE


def _open_missing_streams() -> None:
    """Gives streams that the caller closed an end: `print` to a missing one goes elsewhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def _load_no_plugins() -> None:
    """pydantic looks through every installed package for plugins, which costs a quarter of it."""
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


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
        case "decisions":
            from .verbs.decisions import decisions

            return decisions(options)
        case "outcome":
            from .verbs.outcome import outcome

            return outcome(options)
        case "export":
            from .verbs.export import export

            return export(options)
        case "review":
            from .verbs.review import review

            return review(options)
        case "telemetry":
            from .verbs.telemetry import telemetry

            return telemetry(options)
        case "table":
            from .verbs.table import table

            return table(options)
        case "room":
            from .verbs.room import room

            return room(options)
        case "seats":
            from .verbs.seats import seats

            return seats(options)
        case "state":
            from .verbs.state import carry_out

            return carry_out(options)
        case "modes" | "roles":
            from .verbs.catalog import list_catalog

            return list_catalog(options)
        case "doctor":
            from .verbs.doctor import doctor

            return doctor(options)
        case "step":
            from .verbs.step import step

            return step(options)
        case "skill":
            from .verbs.skill import carry_out as carry_out_skill

            return carry_out_skill(options)
        case "mcp":
            from .verbs.mcp import mcp

            return mcp(options)
        case "contract-schema":
            from .verbs.catalog import print_contract_schema

            return print_contract_schema()
        case _:
            from .verbs.evaluating import evaluate

            return evaluate(options)
