"""What can be typed at a shell prompt. Imports nothing heavy: `--help` must come at once."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from .. import __version__
from ..core.errors import UsageError
from .review_options import put_review_options, put_telemetry_options
from .room.options import put_room_options
from .seat_options import put_listing_options
from .table_options import put_table_options

PROGRAM = "keystone-roundtable"

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
    "decisions",
    "outcome",
    "export",
    "review",
    "telemetry",
    "table",
    "room",
    "seats",
)

STATUSES = ("decided", "deferred", "escalated", "open", "paused", "redirected", "unreadable")
"""What `list --status` takes."""

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
        from ..core.secrets import shown

        repeated = re.sub(r"[^\s']+", lambda word: shown(word[0]), message)
        raise UsageError(repeated, f"See: {self.prog} --help")


def make_parser() -> Parser:
    """The whole parser, every command with its options."""
    parser, verbs = _program()
    for name, told, put_options in _commands():
        put_options(verbs.add_parser(name, help=told))
    return parser


def _program() -> tuple[Parser, Any]:
    """The program's own parser, and where its commands are added."""
    parser = Parser(
        prog=PROGRAM,
        description="One question at a time, until one direction stands.",
        epilog=_STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    return parser, parser.add_subparsers(dest="verb", metavar="COMMAND", parser_class=Parser)


def _commands() -> tuple[tuple[str, str, Callable[[argparse.ArgumentParser], object]], ...]:
    """Every command: its name, its line in the help, and what puts its options in."""
    return (
        ("run", "hold a session (may be left out: give just the TOPIC)", _run),
        ("resume", "go on with a paused session, the latest by default", _resume),
        ("reopen", "start anew from a finished session", _reopen),
        ("list", "sessions of this project, newest first", _list),
        ("show", "a session's report or what was said so far; a table, a room", _show),
        ("decisions", "find past decisions by their words; link two of them", _decisions),
        ("outcome", "say how a decision turned out", _outcome),
        ("export", "a decision as a record or a page, or all of them as a log", _export),
        ("review", "what telemetry says: decisions, and what became of them", put_review_options),
        ("telemetry", "check the lines of telemetry; compact old months", put_telemetry_options),
        ("table", "souls argue four rounds and vote, and code counts", put_table_options),
        ("room", "vendors open sealed, cross-examine, and a chair decides", put_room_options),
        ("seats", "who can take a seat here, and why not", put_listing_options),
        ("state", "read and write .keystone/state.json", _state),
        ("modes", "the modes in force and where they come from", _catalog),
        ("roles", "the roles in force and where they come from", _catalog),
        ("contract-schema", "the JSON Schema of the decision contract", lambda parser: None),
        ("step", "one JSON request in, one JSON response out, for agents", _step),
        ("skill", "the file from which a coding agent holds a session", _skill),
        ("mcp", "the same for MCP clients, on standard input and output", _mcp),
        ("doctor", "what is set, from where, and whether it works", _doctor),
        ("eval", "measure the reading rules on labelled lines", _eval),
    )


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The parsed command line. Raises `UsageError`; `--help` leaves by `SystemExit`."""
    words = list(arguments)
    if not words or _is_topic(words):
        words.insert(0, "run")
    if words[:2] == ["state", "set"] and len(words) == 4 and "--" not in words:
        words.insert(3, "--")  # a value may begin with a dash
    return _parse(words)


def _parse(words: Sequence[str]) -> argparse.Namespace:
    """Makes no more of the parser than these words need: the whole takes a tenth of a start."""
    commands = {name: put_options for name, _, put_options in _commands()}
    verb, *rest = words
    if verb in commands:
        parser = Parser(prog=f"{PROGRAM} {verb}")
        commands[verb](parser)
        return parser.parse_args(rest, argparse.Namespace(verb=verb))
    parser, verbs = _program()
    for name, told, _ in _commands():
        verbs.add_parser(name, help=told)
    return parser.parse_args(words)


def _is_topic(words: Sequence[str]) -> bool:
    """Whether the line is `run` with the word left out."""
    first = words[0]
    if first in VERBS or first in ("-h", "--help", "--version"):
        return False
    if len(words) == 1 and " " not in first:
        from difflib import get_close_matches

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
    parser.add_argument("--limit", type=int, default=0, metavar="N", help="only the first N")
    parser.add_argument(
        "--status",
        action="append",
        default=[],
        metavar="S",
        choices=STATUSES,
        help=f"only sessions that are {', '.join(STATUSES)}; may be repeated",
    )
    parser.add_argument("--mode", choices=("brainstorm", "align", "challenge"))
    parser.add_argument("--since", metavar="DATE", help="begun on this day or later (2026-09-30)")
    parser.add_argument("--until", metavar="DATE", help="begun on this day or earlier")
    parser.add_argument("--query", metavar="WORDS", help="only sessions that hold these words")


def _decisions(parser: argparse.ArgumentParser) -> None:
    parser.usage = """keystone-roundtable decisions [WORDS ...] [options]
       keystone-roundtable decisions link ID supersedes|contradicts|refines ID [--remove]"""
    parser.add_argument(
        "words",
        nargs="*",
        metavar="WORDS",
        help='words to look for, "several together" in quotes; none shows the newest',
    )
    parser.add_argument(
        "--limit", type=int, default=20, metavar="N", help="at most N (20); 0 shows all"
    )
    parser.add_argument("--remove", action="store_true", help="take the link back")
    _root(_json(parser))


def _outcome(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", metavar="ID")
    parser.add_argument("outcome", choices=("held", "reversed", "partly", "unknown"))
    parser.add_argument(
        "--note", default="", metavar="TEXT", help="kept with the decision, and nowhere else"
    )
    parser.add_argument("--no-telemetry", action="store_true", help="write no telemetry line")
    _root(_json(parser))


def _export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", nargs="?", metavar="ID")
    parser.add_argument("--log", action="store_true", help="all decisions instead of one")
    parser.add_argument(
        "--format",
        choices=("adr", "html", "md", "json"),
        help="adr: a record in the MADR shape; html: one page; md, json: as stored",
    )
    parser.add_argument("--output", metavar="FILE", help="where to (default: standard output)")
    parser.add_argument("--force", action="store_true", help="write over a file that is there")
    _root(parser)


def _catalog(parser: argparse.ArgumentParser) -> None:
    _root(_json(parser))


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
