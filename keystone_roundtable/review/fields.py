"""Fields of a line that are not what the counting expects at first sight: taken, or refused."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from pydantic_core import from_json

from .lines import MAX_LINE_BYTES, TOO_LONG
from .statistics import CONFIDENCE_STEPS
from .tally import RESULTS, Result

MAX_NAME = 1000
"""Characters of a name, such as a decision or a session's id; chosen by judgement."""

MAX_AMOUNT = 1e12
"""Of seconds, dollars, tokens: beyond it a number is a mistake, and sums would lose digits."""

MAX_QUESTIONS = 1000
"""A session asks seven at most; chosen by judgement."""

_BLANKS = b" \t\r\n"


class BrokenLineError(Exception):
    """The line is not what telemetry looks like; `reason` says why, in a few words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def object_of(line: bytes) -> dict[str, Any]:
    """The line as an object with a skill and a moment. Raises `BrokenLineError`."""
    if line is TOO_LONG:
        raise BrokenLineError(f"longer than {MAX_LINE_BYTES // 1024} kB")
    try:
        event = from_json(line)
    except ValueError as error:
        raise BrokenLineError(_why_not_json(line, error)) from error
    if not isinstance(event, dict):
        raise BrokenLineError("not a JSON object")
    name_of("skill", event.get("skill"))
    moment_of(event.get("ts"))
    return event


def _why_not_json(line: bytes, error: ValueError) -> str:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return "not UTF-8"
    return "holds NUL bytes" if b"\x00" in line else f"not JSON: {error}"


def is_blank(line: bytes) -> bool:
    return not line.strip(_BLANKS)


def moment_of(ts: object) -> datetime:
    """The moment in UTC; one without an offset is UTC."""
    if not isinstance(ts, str):
        raise BrokenLineError("no ts" if ts is None else "ts is not a text")
    try:
        return as_utc(datetime.fromisoformat(ts))
    except (ValueError, OverflowError) as error:
        raise BrokenLineError("ts is not a moment of ISO 8601") from error


def as_utc(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC)


def name_of(field: str, value: object) -> str:
    """A text that has to be there."""
    if value is None:
        raise BrokenLineError(f"no {field}")
    if not isinstance(value, str):
        raise BrokenLineError(f"{field} is not a text")
    if len(value) > MAX_NAME:
        raise BrokenLineError(f"{field} is longer than {MAX_NAME} characters")
    return value


def flag_of(field: str, value: object) -> bool | None:
    """True or false, or None where nothing is said."""
    if value is not None and not isinstance(value, bool):
        raise BrokenLineError(f"{field} is neither true nor false")
    return value


def count_of(field: str, value: object, most: float = MAX_AMOUNT) -> int | None:
    """A whole number, or None where nothing is known."""
    if value is None:
        return None
    if type(value) is not int:
        raise BrokenLineError(f"{field} is not a whole number")
    return int(amount_of(field, value, most) or 0)


def amount_of(field: str, value: object, most: float = MAX_AMOUNT) -> float | None:
    """A number from 0 to `most`, or None where nothing is known."""
    if value is None:
        return None
    if type(value) is not int and type(value) is not float:
        raise BrokenLineError(f"{field} is not a number")
    if not 0 <= value <= most:
        raise BrokenLineError(f"{field} is out of range")
    return value


def step_of(value: object) -> int | None:
    """A confidence in steps of 1/10,000, or None where none is stated."""
    if value is None:
        return None
    if type(value) is not int and type(value) is not float:
        raise BrokenLineError("confidence is not a number")
    if not 0 <= value <= 1:
        raise BrokenLineError("confidence is not within 0 and 1")
    return int(value * CONFIDENCE_STEPS + 0.5)


def result_of(value: object) -> Result:
    named = name_of("outcome", value)
    if named not in RESULTS:
        raise BrokenLineError(f"outcome is none of {', '.join(RESULTS)}")
    return RESULTS[RESULTS.index(named)]
