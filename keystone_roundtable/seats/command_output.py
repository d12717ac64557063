"""The answer in what a vendor's command put out, what it took, and what it complained of."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from ..core.engine_entries import CliEntry, OutputShape
from ..core.engines import EngineUse
from ..core.plain import is_blank, one_line, plain
from ..core.programs import Ran

_LINE_STARTS = re.compile(r"^\{", re.MULTILINE)
_MOST_STARTS = 1000  # lines that begin like an object and are none; chosen by judgement
_READINGS = 4
_VERSION = 80  # characters of a version
_SHORT = 2000  # characters up to which a text without an object may be a complaint


@dataclass(frozen=True)
class Told:
    """`error` is what the command says went wrong, "" where nothing did; `failed` tells whether it
    says so. `readable` is False where the output has not the shape that it should have.
    """

    answer: str = ""
    error: str = ""
    failed: bool = False
    use: EngineUse = field(default_factory=EngineUse)
    readable: bool = True


def told_by(stdout: str, shape: OutputShape) -> Told:
    """What `stdout` tells. A command may print lines of its own around its object."""
    if shape.form == "text":
        return Told(answer=stdout)
    values = _values(stdout, shape)
    if not values:
        return Told(answer="", readable=False)
    return Told(
        answer=_answer(values, shape),
        error=one_line(" ".join(_texts(values, shape.error_text))),
        failed=any(bool(one) for value in values for one in _found(value, shape.error)),
        use=EngineUse(
            requests=None,
            input_tokens=_count(values, shape.input_tokens),
            cached_tokens=_count(values, shape.cached_tokens),
            output_tokens=_count(values, shape.output_tokens),
            cost_usd=_sum(values, shape.cost_usd),
        ),
    )


def _values(stdout: str, shape: OutputShape) -> list[Any]:
    stdout = plain(stdout)  # colours around an object; those inside its texts are escaped there
    if shape.form == "lines":
        return [value for line in stdout.splitlines() if (value := _object(line)) is not None]
    value = _object(stdout)
    if value is None:
        value = _object_within(stdout)
    return [] if value is None else [value]


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _object_within(text: str) -> dict[str, Any] | None:
    """The first object that begins a line: a brace in prose does not.

    What is read in vain is counted, so that no text takes longer than a few times its length.
    """
    left, decoder = _READINGS * len(text), json.JSONDecoder()
    starts = _LINE_STARTS.finditer(text)
    for start in islice((one.start() for one in starts), _MOST_STARTS):
        try:
            value, _ = decoder.raw_decode(text, start)
        except RecursionError:  # nor is what lies inside of it an answer
            return None
        except ValueError as error:
            left -= getattr(error, "pos", len(text)) - start
            if left < 0:
                return None
        else:
            return value if isinstance(value, dict) else None
    return None


def _answer(values: Sequence[Any], shape: OutputShape) -> str:
    parts = [
        one
        for value in values
        if all(wanted in list(_found(value, path)) for path, wanted in shape.where.items())
        for one in _found(value, shape.answer)
        if isinstance(one, str)
    ]
    return "".join(parts) if shape.all_parts else (parts[-1] if parts else "")


def _texts(values: Sequence[Any], path: str) -> list[str]:
    return [one for value in values for one in _found(value, path) if isinstance(one, str)]


def _count(values: Sequence[Any], paths: Sequence[str]) -> int | None:
    total = _sum(values, paths)
    return None if total is None else int(total)


def _sum(values: Sequence[Any], paths: Sequence[str]) -> float | None:
    """None where nothing of it is told, which is not 0."""
    numbers = [
        float(one)
        for value in values
        for path in paths
        for one in _found(value, path)
        if isinstance(one, int | float) and not isinstance(one, bool) and 0 <= one < 1e15
    ]
    return sum(numbers) if numbers else None


def _found(value: Any, path: str) -> Iterator[Any]:
    """What stands at the path; nothing for an empty path."""
    if not path:
        return
    step, _, rest = path.partition(".")
    if step == "*":
        within = list(value.values()) if isinstance(value, dict) else value
        inner = within if isinstance(within, list) else []
    else:
        inner = [value[step]] if isinstance(value, dict) and step in value else []
    for one in inner:
        if rest:
            yield from _found(one, rest)
        else:
            yield one


def version_in(said: Ran) -> str:
    """What a command says of itself; "" where that looks like no version."""
    lines = [one_line(line) for line in plain(said.stdout).splitlines() if not is_blank(line)]
    if said.status != 0 or said.timed_out or len(lines) != 1 or len(lines[0]) > _VERSION:
        return ""
    return lines[0] if any(one.isdigit() for one in lines[0]) else ""


def logged_out(entry: CliEntry, ran: Ran, told: Told) -> bool:
    """Whether the command says that nobody is logged in, wherever it says so.

    Some say it on standard output, some with status 0. An answer that holds an object is an answer,
    whatever words stand in it.
    """
    if ran.status in entry.login_statuses:
        return True
    failed = ran.status != 0 or told.failed
    answer = told.answer if told.readable else ran.stdout
    bare = "{" not in answer and len(answer) <= _SHORT
    if not failed and not bare:
        return False
    said = f"{answer}\n{told.error}\n{ran.stderr}\n{ran.stdout if failed else ''}".casefold()
    return any(words.casefold() in said for words in entry.login_words)


def complaint(ran: Ran) -> str:
    """The last line that says anything, of standard error before standard output."""
    for text in (ran.stderr, ran.stdout):
        lines = [line for line in plain(text).splitlines() if not is_blank(line)]
        if lines:
            return one_line(lines[-1])
    return ""
