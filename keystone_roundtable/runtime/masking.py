"""Records as they leave the session's log: secrets in what was said are masked."""

from __future__ import annotations

from typing import Any, TypeVar

from ..core.contract import Contract
from ..core.limits import MAX_TOPIC
from ..core.outcome import Outcome
from ..core.records import Record
from ..core.report import Report, make_report, shorten
from ..core.session import Session

Said = TypeVar("Said", bound=Record)


def report_of(session: Session, outcome: Outcome) -> Report:
    """The report as people read it. Raises as `make_report` does."""
    return _masked(make_report(session, outcome))


def masked_contract(contract: Contract) -> Contract:
    masked = _masked(contract)
    # A mask may be longer than what it hides.
    return masked.model_copy(update={"topic": shorten(masked.topic, MAX_TOPIC)})


def masked_text(text: str) -> str:
    from ..core.secrets import mask  # two dozen patterns, which only an ending session needs

    return mask(text)


def _masked(record: Said) -> Said:
    return record.model_copy(update={name: _deeply(value) for name, value in record})


def _deeply(value: Any) -> Any:
    if isinstance(value, str):
        return masked_text(value)
    if isinstance(value, Record):
        return _masked(value)
    if isinstance(value, tuple | list):
        return type(value)(_deeply(part) for part in value)
    if isinstance(value, dict):
        return {key: _deeply(part) for key, part in value.items()}
    return value
