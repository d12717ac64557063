"""No command waits for a terminal that is not there, or for input that nobody asked of it.

The subcommands are read from the parser, so that a new one cannot be forgotten.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from keystone_roundtable.cli.parser import make_parser

pytestmark = pytest.mark.real

REPOSITORY = Path(__file__).parents[2]
WITHIN_S = 5.0
TOPIC = "Should we build the notification system now or defer it until after the settings refactor?"
STATUSES = {0, 1, 2, 3, 4, 5, 6}
CLOSED, NOTHING, KEPT_OPEN = "closed", "/dev/null", "a pipe kept open"

# A command that serves whoever is at the other end of its input has every right to wait.
SERVES = {("mcp",)}

Words = tuple[str, ...]


def leaves(parser: argparse.ArgumentParser, above: Words = ()) -> Iterator[tuple[Words, Any]]:
    """Every command that can be carried out, with its parser."""
    below = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    if not below:
        yield above, parser
    for action in below:
        for name, one in action.choices.items():
            yield from leaves(one, (*above, name))


def fillings(parser: argparse.ArgumentParser) -> list[Words]:
    """Words for the places of a command: with what may be left out, and without it."""
    given: list[Words] = [()]
    for action in parser._actions:
        if action.option_strings or action.dest == "help":
            continue
        words = list(action.choices or [_word(action)])
        extended = [(*before, word) for before in given for word in words]
        given = [*given, *extended] if action.nargs in ("?", "*") else extended
    return given


def _word(action: argparse.Action) -> str:
    return {"FILE": "lines.jsonl", "TOPIC": TOPIC, "ID": "20260101-nothere0"}.get(
        str(action.metavar), action.dest
    )


LEAVES = list(leaves(make_parser()))
COMMANDS: list[Words] = [
    *((*name, *words) for name, parser in LEAVES for words in fillings(parser)),
    (),
    (TOPIC,),
    ("--help",),
    ("run", TOPIC, "--json"),
    ("run", TOPIC, "--plain"),
    ("run", TOPIC, "--dry-run"),
    ("run", TOPIC, "--answers", "/dev/null"),
    ("run", TOPIC, "--context", "/dev/null"),
    ("run", TOPIC, "--model", "host"),
    ("doctor", "--check"),
    ("skill", "install", "--yes", "--target", "."),
    ("step", "--schema"),
]
READING: list[Words] = [
    ("run", TOPIC, "--answers", "-"),
    ("run", TOPIC, "--answers", "-", "--json"),
    ("reopen", "20260101-nothere0", "--answers", "-"),
    ("resume", "--answers", "-"),
]
"""These read the answers from standard input, by their nature to its end."""


def named(words: Sequence[str]) -> str:
    return " ".join(words) or "(nothing)"


def ended(folder: Path, words: Words, stdin: str) -> tuple[int, str]:
    """The status and the messages. Raises `TimeoutExpired` where it does not end in time."""
    command = [sys.executable, "-m", "keystone_roundtable", *words]
    if stdin == CLOSED:
        command = ["sh", "-c", f"exec {shlex.join(command)} <&-"]
    source = subprocess.PIPE if stdin == KEPT_OPEN else subprocess.DEVNULL
    said = folder / "said"  # a pipe that nobody empties would stop whoever says much
    with said.open("wb") as out:
        process = subprocess.Popen(
            command, cwd=folder, stdin=source, stdout=out, stderr=subprocess.STDOUT,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY), "HOME": str(folder)},
            start_new_session=True,  # no terminal to fall back to either
        )  # fmt: skip
    try:
        return process.wait(WITHIN_S), said.read_text(encoding="utf-8")
    finally:
        process.kill()
        process.wait()
        if process.stdin is not None:
            process.stdin.close()


def check(folder: Path, words: Words, stdin: str) -> None:
    (folder / "lines.jsonl").write_text('{"text": "no", "question": "Now?", "topic": "x"}\n')
    status, said = ended(folder, words, stdin)
    assert status in STATUSES, said
    assert "Traceback" not in said
    assert status == 0 or said.strip()


def test_every_subcommand_is_tried() -> None:
    names = {name for name, _ in LEAVES}
    assert names >= {("run",), ("state", "get"), ("step",), ("skill", "print")}
    assert names <= {words[:length] for words in COMMANDS for length in (1, 2)}


@pytest.mark.parametrize("words", [*COMMANDS, *READING], ids=named)
def test_with_a_closed_input_a_command_ends(tmp_path: Path, words: Words) -> None:
    check(tmp_path, words, CLOSED)


@pytest.mark.parametrize("words", READING, ids=named)
def test_with_an_empty_input_a_command_that_reads_it_ends(tmp_path: Path, words: Words) -> None:
    check(tmp_path, words, NOTHING)


@pytest.mark.long
@pytest.mark.parametrize("words", COMMANDS, ids=named)
def test_with_an_empty_input_any_other_command_ends(tmp_path: Path, words: Words) -> None:
    check(tmp_path, words, NOTHING)


@pytest.mark.parametrize("words", [w for w in COMMANDS if w not in SERVES], ids=named)
def test_with_an_input_that_never_ends_a_command_ends_all_the_same(
    tmp_path: Path, words: Words
) -> None:
    check(tmp_path, words, KEPT_OPEN)


@pytest.mark.parametrize("words", [("run", TOPIC), (TOPIC,), ("resume",)], ids=named)
def test_what_would_need_a_terminal_says_what_else_there_is(tmp_path: Path, words: Words) -> None:
    status, said = ended(tmp_path, words, NOTHING)
    assert status == 2
    assert "--answers" in said and "step" in said
    assert len(said.splitlines()) == 1


def test_nothing_is_decided_where_nobody_said_anything(tmp_path: Path) -> None:
    status, said = ended(tmp_path, ("run", TOPIC, "--answers", "-"), CLOSED)
    assert status == 6
    assert "nothing is decided" in said
    (folder,) = (tmp_path / ".keystone" / "roundtable" / "sessions").iterdir()
    assert not (folder / "contract.json").exists()
