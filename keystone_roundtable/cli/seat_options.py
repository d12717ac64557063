"""What can be typed after every command that asks seats. Imports nothing heavy."""

from __future__ import annotations

import argparse

_MODEL = ("--model", "SPEC", "what speaks: offline, KIND:NAME, or an engine's name")


def put_seat_options(
    parser: argparse.ArgumentParser, *, model: bool = True, timeout_s: float = 120.0
) -> None:
    """Who speaks and within what limits. Values are checked by `cli.settings` and `cli.seating`;
    None means that the flag was not given. `model` is False where the seats are named already.
    """
    group = parser.add_argument_group("who speaks, and within what limits")
    for flag, metavar, told in (
        *([_MODEL] if model else []),
        ("--timeout", "SECONDS", f"how long one invocation of one seat may take ({timeout_s:g})"),
        ("--max-seconds", "SECONDS", "how long all rounds together may take"),
        ("--max-invocations", "N", "at most so many invocations in the whole run"),
        ("--budget-usd", "USD", "at most so many US dollars in the whole run"),
    ):
        group.add_argument(flag, metavar=metavar, default=None, help=told)
    group.add_argument(
        "--allow-unknown-price",
        action="store_true",
        default=None,
        help="go on under --budget-usd where nobody knows what the model costs",
    )
    group.add_argument("--yes", action="store_true", help="say yes to the plan without being asked")


def put_listing_options(parser: argparse.ArgumentParser) -> None:
    """Of `seats`."""
    parser.add_argument(
        "--root", metavar="DIR", help="the folder that holds .keystone (default: found upwards)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
