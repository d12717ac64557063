"""What can be typed after `table`. Imports nothing heavy."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from .seat_options import put_seat_options

USAGE = """keystone-roundtable table "QUESTION" [options]
       keystone-roundtable table resume [ID]
       keystone-roundtable table list [--json]
       keystone-roundtable table show [ID] [--json]
       keystone-roundtable table inspect|vote STATE.json [--json]"""

STATUSES = """exit statuses:
  0  decided, or go on     1  something failed, bad usage, or fewer than 3 souls
  2  ask some souls again  3  the human decides
  6  paused: the input ended, or you said no     130  paused by Ctrl-C
  A table that stopped or is paused goes on with: table resume
"""


_DESTINATIONS = {"from_session": "--from"}


def given_flags(options: argparse.Namespace, but: Sequence[str] = ()) -> list[str]:
    """The flags that were typed, in the order of the help; those in `but` left out."""
    passed_over = ("verb", "words")
    found = []
    for name, value in vars(options).items():
        flag = _DESTINATIONS.get(name, f"--{name.replace('_', '-')}")
        if name not in passed_over and flag not in but and value not in (None, False, []):
            found.append(flag)
    return found


def put_table_options(parser: argparse.ArgumentParser) -> None:
    parser.usage = USAGE
    parser.epilog = STATUSES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("words", nargs="*", metavar="QUESTION", help="the decision, as a question")
    parser.add_argument(
        "--root", metavar="DIR", help="the folder that holds .keystone (default: found upwards)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument(
        "--agents",
        metavar="A,B,C",
        help="3 to 8 souls by name: persona files, Oracles that maw knows, or roles",
    )
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="a soul from a persona file, read whole; may be repeated",
    )
    parser.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="NAME=ENGINE",
        help="what speaks for one soul, where not --model: claude, codex:MODEL, ollama:NAME",
    )
    parser.add_argument(
        "--person",
        action="append",
        default=[],
        metavar="NAME=HABIT",
        help="a real person in one line, the habit it brings; may be repeated",
    )
    parser.add_argument("--options", metavar="X,Y,Z", help="2 to 4 options to choose from")
    parser.add_argument(
        "--aggregator",
        choices=("weighted", "majority", "unanimity-or-escalate"),
        help="sum of confidence (default), heads, or all on one side at 7 or more",
    )
    parser.add_argument(
        "--from",
        dest="from_session",
        metavar="SESSION",
        help="take topic, options and answers of a session",
    )
    parser.add_argument("--facts", metavar="FILE", help="every fact the souls may use")
    parser.add_argument(
        "--plain", action="store_true", help="one line at a time, no colour, no redraw"
    )
    parser.add_argument("--no-telemetry", action="store_true", help="write no telemetry lines")
    put_seat_options(parser)
