"""What can be typed after `table`. Imports nothing heavy."""

from __future__ import annotations

import argparse

USAGE = """keystone-roundtable table "QUESTION" [options]
       keystone-roundtable table resume [ID]
       keystone-roundtable table inspect|vote STATE.json [--json]"""

STATUSES = """exit statuses:
  0  decided, or go on     1  something failed, bad usage, or fewer than 3 souls
  2  ask some souls again  3  the human decides
"""


def put_table_options(parser: argparse.ArgumentParser) -> None:
    parser.usage = USAGE
    parser.epilog = STATUSES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("words", nargs="*", metavar="QUESTION", help="the decision, as a question")
    parser.add_argument(
        "--root", metavar="DIR", help="the folder that holds .keystone (default: found upwards)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
