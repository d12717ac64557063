"""What can be typed after `room`. Imports nothing heavy."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from ..seat_options import put_seat_options

STATUSES = """exit statuses:
  0  done; of `decide`, and of `excuse` after a decision: the verdict is ready
  1  something failed
  2  refused, or bad usage; the line says why
  6  not there yet: fewer than two answered, or the verdict is still open
  130  broken off by Ctrl-C; what was answered is kept
"""
TIMEOUT_S = 600.0


def put_room_options(parser: argparse.ArgumentParser) -> None:
    parser.epilog = STATUSES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    deeds = parser.add_subparsers(
        dest="deed", metavar="DEED", required=True, parser_class=type(parser)
    )
    _deed(deeds, "open", "make the question decidable, and seat the room", _open)
    _deed(deeds, "run", "ask the seats that are missing in a round", _run)
    _deed(deeds, "claims", "draw up the claim map, with checked quotes", _claims)
    _deed(deeds, "press", "press a point: the next run of cross is about it", _press)
    _deed(deeds, "decide", "one call, why, what it costs, the dissent by name", _decide)
    _deed(deeds, "excuse", "go on without a seat, and say so", _excuse)
    _deed(deeds, "view", "the room as a page that redraws as turns land", _view)
    _deed(deeds, "show", "the room in a terminal; --json for programs", _nothing)
    _deed(deeds, "list", "this project's rooms", _nothing)


def _deed(deeds: Any, name: str, told: str, put: Callable[[argparse.ArgumentParser], None]) -> None:
    parser = deeds.add_parser(name, help=told, description=told)
    put(parser)
    parser.add_argument(
        "--root", metavar="DIR", help="the folder that holds .keystone (default: found upwards)"
    )
    parser.add_argument(
        "--dir", metavar="DIR", help="the room's own folder, where not in .keystone"
    )
    if name != "open":
        parser.add_argument("--room", metavar="NAME", help="which room (default: the latest)")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")


def _nothing(parser: argparse.ArgumentParser) -> None:
    """No options of its own."""


def _open(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("question", nargs="*", metavar="QUESTION", help="the decision, as a question")
    add("--motion", metavar="FILE", help="Markdown: constraints, what would settle it, options")
    add("--options", metavar="X,Y,Z", help="2 to 4 options to choose from")
    add("--evidence", action="append", default=[], metavar="PATH",
        help="what seats may read, never change; may be repeated")  # fmt: skip
    add("--preset", choices=("panel", "red-team", "trial"), default="panel",
        help="no stances (default); all break one proposal; two sides and a judge")  # fmt: skip
    add("--seat", action="append", default=[], metavar="NAME=ENGINE",
        help="claude, codex:MODEL, ollama:NAME, ...; may be repeated")  # fmt: skip
    add("--stance", action="append", default=[], metavar="NAME=TEXT",
        help="a side that a seat is told to argue; shown as assigned")  # fmt: skip
    add("--word-cap", type=int, default=250, metavar="N", help="words in a turn (250)")
    add("--model", metavar="SPEC", default=None,
        help="without --seat: three seats of this one; offline rehearses")  # fmt: skip
    add("--from", dest="from_session", metavar="SESSION",
        help="take topic, options and answers of a session")  # fmt: skip
    add("--yes", action="store_true", help="take what was drafted without being asked")
    add("--no-telemetry", action="store_true", help="write no telemetry lines")
    add("--unsealed", action="store_true", help=argparse.SUPPRESS)


def _run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("round", choices=("opening", "cross", "converge"))
    parser.add_argument("--only", metavar="SEAT", help="ask this seat alone, also once more")
    parser.add_argument(
        "--dry-run", action="store_true", help="print what each seat would be sent; ask nobody"
    )
    parser.add_argument(
        "--plain", action="store_true", help="one line at a time, no colour, no redraw"
    )
    put_seat_options(parser, model=False, timeout_s=TIMEOUT_S)
    parser.add_argument("--unsealed", action="store_true", help=argparse.SUPPRESS)


def _moderated(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--file", metavar="FILE", help="take it from JSON, - for standard input; --schema says how"
    )
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of that file")
    parser.add_argument("--edit", action="store_true", help="write it in $VISUAL or $EDITOR")
    put_seat_options(parser, timeout_s=TIMEOUT_S)


def _claims(parser: argparse.ArgumentParser) -> None:
    _moderated(parser)


def _press(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("point", nargs="+", metavar="POINT")


def _decide(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--call", metavar="OPTION", help="the one option")
    parser.add_argument("--cost", metavar="TEXT", help="what it costs if this is wrong")
    parser.add_argument("--signal", metavar="TEXT", help="the earliest that would show it")
    _moderated(parser)


def _excuse(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("seat", metavar="SEAT")
    parser.add_argument("--why", default="", metavar="TEXT", help="kept with the room, and shown")


def _view(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=0, metavar="N", help="a port (a free one)")
    parser.add_argument("--serve", action="store_true", help="serve it also without a terminal")
    parser.add_argument(
        "--file", metavar="FILE", help="write the page as it stands to FILE instead, and serve none"
    )
    parser.add_argument("--force", action="store_true", help="write over a file that is there")
