"""What can be typed at a shell prompt. Imports nothing heavy: `--help` must come at once."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from .. import __version__
from ..core.errors import UsageError

VERBS = (
    "run",
    "resume",
    "reopen",
    "list",
    "show",
    "state",
    "modes",
    "roles",
    "contract-schema",
    "doctor",
    "eval",
    "step",
    "skill",
    "mcp",
)

_STATUSES = """exit statuses:
  0  a direction was decided     3  escalated, no safe direction    6  paused, resumable
  1  something failed            4  deferred to another day       130  paused by Ctrl-C
  2  usage or bad input          5  belongs to another skill
"""


class Parser(argparse.ArgumentParser):
    """Raises `UsageError` instead of leaving the process; takes no shortened options."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **{"allow_abbrev": False, **settings})

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, f"See: {self.prog} --help")


def make_parser() -> Parser:
    parser = Parser(
        prog="keystone-roundtable",
        description="One question at a time, until one direction stands.",
        epilog=_STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"keystone-roundtable {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="COMMAND", parser_class=Parser)
    _run(verbs.add_parser("run", help="hold a session (may be left out: give just the TOPIC)"))
    _resume(verbs.add_parser("resume", help="go on with a paused session, the latest by default"))
    _reopen(verbs.add_parser("reopen", help="start anew from a finished session"))
    _list(verbs.add_parser("list", help="sessions of this project, newest first"))
    _show(verbs.add_parser("show", help="a session's report, or what was said so far"))
    _state(verbs.add_parser("state", help="read and write .keystone/state.json"))
    for name in ("modes", "roles"):
        _root(_json(verbs.add_parser(name, help=f"the {name} in force and where they come from")))
    verbs.add_parser("contract-schema", help="the JSON Schema of the decision contract")
    _step(verbs.add_parser("step", help="one JSON request in, one JSON response out, for agents"))
    _skill(verbs.add_parser("skill", help="the file from which a coding agent holds a session"))
    _mcp(verbs.add_parser("mcp", help="the same for MCP clients, on standard input and output"))
    _doctor(verbs.add_parser("doctor", help="what is set, from where, and whether it works"))
    _eval(verbs.add_parser("eval", help="measure the reading rules on labelled lines"))
    return parser


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The parsed command line. Raises `UsageError`; `--help` leaves by `SystemExit`."""
    words = list(arguments)
    if not words or _is_topic(words):
        words.insert(0, "run")
    if words[:2] == ["state", "set"] and len(words) == 4 and "--" not in words:
        words.insert(2, "--")  # a value may begin with a dash
    return make_parser().parse_args(words)


def _is_topic(words: Sequence[str]) -> bool:
    """Whether the line is `run` with the word left out."""
    first = words[0]
    if first in VERBS or first in ("-h", "--help", "--version"):
        return False
    if len(words) == 1 and " " not in first:
        close = get_close_matches(first, VERBS, n=1, cutoff=0.75)
        if close:
            raise UsageError(
                f"no command '{first}'",
                f"Did you mean '{close[0]}'? To take it as the topic: run {first}",
            )
    return True


def _root(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument(
        "--root", metavar="DIR", help="the folder that holds .keystone (default: found upwards)"
    )
    return parser


def _json(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    return parser


def _holding(parser: argparse.ArgumentParser) -> None:
    """Options of every command that holds a session."""
    _root(_json(parser))
    parser.add_argument(
        "--answers",
        metavar="FILE",
        help="answers from FILE, or - for standard input: one a line, or JSON lines",
    )
    parser.add_argument(
        "--plain",
        action="store_true",
        help="one line at a time, no colour, no redraw (for screen readers and dumb terminals)",
    )
    _playing(parser)


def _playing(parser: argparse.ArgumentParser) -> None:
    """Who plays the roles, and within what limits.

    Values are checked by `cli.settings`, which knows the other places they may come from; None
    means that the flag was not given.
    """
    group = parser.add_argument_group("the model")
    for flag, metavar, told in (
        ("--model", "SPEC", "who plays the roles: offline, host, or KIND:NAME (default: offline)"),
        ("--patience", "SECONDS", "how long the next question may wait for the model (1.5)"),
        ("--timeout", "SECONDS", "how long one call to the model may take (60)"),
        ("--fallback", "offline|fail", "what to do without a terminal when the model fails (fail)"),
        ("--max-calls", "N", "at most so many calls to the model in a session"),
        ("--budget-usd", "USD", "at most so many US dollars in a session"),
        ("--lang", "LANG", "the language in which a model asks and reports (the topic's)"),
    ):
        group.add_argument(flag, metavar=metavar, default=None, help=told)
    group.add_argument(
        "--allow-unknown-price",
        action="store_true",
        default=None,
        help="go on under --budget-usd where nobody knows what the model costs",
    )


def _starting(parser: argparse.ArgumentParser) -> None:
    _holding(parser)
    parser.add_argument("--mode", choices=("brainstorm", "align", "challenge"))
    parser.add_argument(
        "--role", action="append", default=[], metavar="R", help="seat this role; may be repeated"
    )
    parser.add_argument("--no-telemetry", action="store_true", help="write no telemetry lines")


def _run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("topic", nargs="*", metavar="TOPIC", help="the question you are stuck on")
    parser.add_argument(
        "--context", metavar="FILE", help="a proposal or brief to go with it, up to 200 kB"
    )
    parser.add_argument(
        "--force", action="store_true", help="enter even where the topic belongs to another skill"
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        default=None,
        help="print what would be sent to the model and what it may cost; send nothing",
    )
    _starting(parser)


def _resume(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", nargs="?", metavar="ID")
    _holding(parser)


def _reopen(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "session", nargs="?", metavar="ID", help="left out, a terminal lets you choose"
    )
    _starting(parser)


def _list(parser: argparse.ArgumentParser) -> None:
    _root(_json(parser))
    parser.add_argument("--limit", type=int, default=0, metavar="N", help="only the newest N")


def _show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", metavar="ID")
    parser.add_argument("--internal", action="store_true", help="also the roles' preview")
    _root(_json(parser))


def _state(parser: argparse.ArgumentParser) -> None:
    deeds = parser.add_subparsers(dest="deed", metavar="DEED", required=True, parser_class=Parser)
    _root(deeds.add_parser("init", help="make the state file and folders where missing"))
    get = _root(deeds.add_parser("get", help="print one value as JSON"))
    get.add_argument("key")
    put = _root(deeds.add_parser("set", help="store one value"))
    put.add_argument("key")
    put.add_argument("value")
    _root(deeds.add_parser("show", help="print the whole state"))


def _step(parser: argparse.ArgumentParser) -> None:
    _root(parser)
    parser.add_argument(
        "--schema", action="store_true", help="print the JSON Schemas of requests and responses"
    )
    parser.add_argument("--no-telemetry", action="store_true", help="write no telemetry lines")


def _skill(parser: argparse.ArgumentParser) -> None:
    deeds = parser.add_subparsers(dest="deed", metavar="DEED", required=True, parser_class=Parser)
    deeds.add_parser("print", help="print it")
    install = deeds.add_parser("install", help="put it where an agent looks for skills")
    install.add_argument(
        "--target",
        metavar="claude|codex|gemini|DIR",
        default="claude",
        help="for which agent, or below which folder (default: claude)",
    )
    install.add_argument("--yes", action="store_true", help="write it without asking")


def _mcp(parser: argparse.ArgumentParser) -> None:
    _root(parser)
    parser.add_argument("--no-telemetry", action="store_true", help="write no telemetry lines")


def _doctor(parser: argparse.ArgumentParser) -> None:
    _root(_json(parser))
    parser.add_argument(
        "--check", action="store_true", help="ask the model in force whether it answers (3 s)"
    )


def _eval(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        'Reads each line of FILE; --json shows how. A line of answers: {"id", "question", '
        '"answer"}, with "label" (informative, low_information, clarify, stop, defer) where it is '
        'to be measured; of topics: {"id", "topic"}, with "route", "mode", "complexity".'
    )
    parser.add_argument("what", choices=("answers", "topics"))
    parser.add_argument("file", metavar="FILE", help="JSON lines, with labels or without")
    _json(parser)
