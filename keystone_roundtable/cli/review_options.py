"""What can be typed after `review` and `telemetry`. Imports nothing heavy."""

from __future__ import annotations

import argparse

_CHECK_STATUSES = """exit statuses:
  0  done     1  a line does not fit (check), or something failed     2  usage
"""


def put_review_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--since", metavar="WHEN", help="from this month or day on: 2026-09, 2026-09-30 (UTC)"
    )
    parser.add_argument("--until", metavar="WHEN", help="up to the end of this month or day")
    _put_roots(parser)
    parser.add_argument(
        "--skill", metavar="NAME", help="whose events the figures are about (default: roundtable)"
    )
    parser.add_argument(
        "--plain", action="store_true", help="line by line, no charts (for screen readers)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    others = parser.add_mutually_exclusive_group()
    others.add_argument("--html", metavar="FILE", help="one page for a browser, in this file")
    others.add_argument(
        "--sql", metavar="QUERY", help="SELECT over the view `events` (extra: analytics)"
    )
    others.add_argument(
        "--schema", action="store_true", help="print the JSON Schema of what --json prints"
    )


def put_telemetry_options(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _CHECK_STATUSES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    deeds = parser.add_subparsers(
        dest="deed", metavar="DEED", required=True, parser_class=type(parser)
    )
    for name, told in (
        ("check", "hold every line against the schema"),
        ("compact", "rewrite old months in fewer bytes, every event as it was"),
    ):
        deed = deeds.add_parser(name, help=told)
        _put_roots(deed)
        deed.add_argument("--json", action="store_true", help="one JSON object on standard output")
    deeds.add_parser("schema", help="print the JSON Schema of a line")


def _put_roots(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--root",
        metavar="DIR",
        action="append",
        default=[],
        help="a folder that holds .keystone; may be repeated (default: found upwards)",
    )
