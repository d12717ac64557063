"""`table inspect` and `table vote`: the arithmetic of a table, on a file that holds its state."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from ...core.errors import KeystoneError
from ...core.plain import one_line
from ...formats.decision_block import as_object, block, reprompt_lines
from ...formats.errors import TableStateError, TooFewSoulsError
from ...formats.inspecting import inspect
from ...formats.table.records import MAX_SOULS, MIN_SOULS
from ...formats.table_state import TableState, read_state
from ...formats.voting import VoteOutcome, vote
from ...stores.errors import doing
from ...stores.json_text import from_json
from ..json_lines import json_text
from ..typed import as_typed

_STATUS: dict[VoteOutcome, int] = {"DECIDED": 0, "RE-PROMPT": 2, "ESCALATE": 3}
_BOM = b"\xef\xbb\xbf"


def count(what: str, path: str, *, as_json: bool) -> int:
    """Prints what the inspector or the count gives, and returns its status. Raises
    `KeystoneError`, and with `as_json` prints an object that says so first.
    """
    try:
        state = _read(Path(path))
        for note in _notes(what, state):
            print(note, file=sys.stderr, flush=True)
        return _inspect(state, as_json) if what == "inspect" else _vote(state, as_json)
    except (TableStateError, TooFewSoulsError) as error:
        told = _in_file(error, path)
        if as_json:
            print(json_text(_bad_input(error)))
            told.told_as_object = True
        raise told from error


def _notes(what: str, state: TableState) -> Iterator[str]:
    """What is counted all the same, and may be a slip."""
    for kind, told in (("souls", [a.name for a in state.agents]), ("options", state.options)):
        lines = [one_line(one) for one in told]
        for number, line in enumerate(lines):
            alike = [one for one in lines[:number] if one.casefold() == line.casefold()]
            if alike:
                yield f"the {kind} '{alike[0]}' and '{line}' differ only in their letters' case"
    if len(state.agents) > MAX_SOULS:
        yield f"{len(state.agents)} souls: a table that is held seats {MIN_SOULS} to {MAX_SOULS}"
    if what == "inspect" and all(agent.final for agent in state.seated()):
        yield "all have voted, and no round is left: table vote counts it"


def _inspect(state: TableState, as_json: bool) -> int:
    found = inspect(state)
    if as_json:
        print(
            json_text(
                {
                    "outcome": found.outcome,
                    "round": found.round,
                    "reason": found.reason,
                    "expert": found.expert or None,
                }
            )
        )
    else:
        print(found.outcome)
        print(found.reason, file=sys.stderr, flush=True)
    return 0


def _vote(state: TableState, as_json: bool) -> int:
    counted = vote(state)
    if as_json:
        print(json_text(as_object(counted)))
    elif counted.outcome == "RE-PROMPT":
        print(reprompt_lines(counted))
    else:
        print(block(counted))
        if counted.tie_broken:
            print(counted.tie_broken, file=sys.stderr, flush=True)
    return _STATUS[counted.outcome]


def _bad_input(error: TableStateError | TooFewSoulsError) -> dict[str, Any]:
    kind: Literal["too_few_souls", "bad_input"] = (
        "too_few_souls" if isinstance(error, TooFewSoulsError) else "bad_input"
    )
    return {
        "outcome": "BAD-INPUT",
        "winner": None,
        "reasons": [{"kind": kind, "text": one_line(error.message)}],
        "reprompt": [],
    }


class StateFileError(KeystoneError):
    """A state file that cannot be counted. `told_as_object` says that standard output has it."""

    told_as_object = False


def _in_file(error: KeystoneError, path: str) -> StateFileError:
    return StateFileError(f"{as_typed(path)}: {error.message}", error.hint)


def _read(path: Path) -> TableState:
    with doing("read", path, named=True):
        if path.exists() and not path.is_file() and not path.is_dir():
            raise TableStateError("", "is no ordinary file", "Give the state as a file")
        data = path.read_bytes()
    try:
        value = from_json(data.removeprefix(_BOM))
    except ValueError as error:
        raise TableStateError("", f"is not JSON ({error})") from error
    return read_state(value)
