"""How a decision turned out, taken down from a command line or a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..core.errors import UsageError
from ..core.plain import storable
from ..core.secrets import mask
from ..review.aftermath import DECIDED, Aftermaths
from ..review.outcomes import Record, Recorded, Stated, record_outcome
from ..stores.summaries import confidence_in, read_contract
from ..terminal import remembering as words
from .named import Named
from .typed import as_typed


def take_down(
    root: Path, found: Named, outcome: str, note: str = "", *, telemetry: bool = True
) -> Record:
    """Keeps the outcome of what has ended. Raises `UsageError` where nothing was decided in it."""
    from .wiring import SystemClock

    stated = stated_in(root, found)
    if stated.decision != DECIDED:
        ended = words.ending_word(stated.decision, "finished")
        raise UsageError(
            f"{found.held.told} was {ended}: no direction was taken that could hold",
            f"Decide anew from it: keystone-roundtable reopen {found.id}"
            if found.is_session
            else f"Look at it: keystone-roundtable show {found.id}",
        )
    kept = mask(storable(as_typed(note))).strip()
    told = Recorded(SystemClock().now(), outcome, kept, telemetry)
    return record_outcome(root, found.held, told, stated)


def stated_in(root: Path, found: Named) -> Stated:
    """What the contract says, which is what was stated then; without it, what the log gives."""
    contract = read_contract(found.folder)
    confidence, decision = confidence_in(contract), contract.get("decision")
    mode, format_ = contract.get("mode"), contract.get("format")
    knows_mode = isinstance(mode, str) if found.is_session else mode is None
    if confidence is None or not isinstance(decision, str) or not knows_mode:
        return _computed(root, found)
    if not isinstance(format_, str) or (format_ != found.held.format and not found.is_session):
        return _computed(root, found)
    return Stated(decision, confidence, mode, format_)


def _computed(root: Path, found: Named) -> Stated:
    if found.is_session:
        from .ends import end_in

        contract = end_in(root, found.id).contract
    else:
        from .held_ends import held_end

        contract = held_end(root, found.held).contract
    return Stated(contract.decision, contract.confidence, contract.mode, contract.format)


def told(root: Path, found: Named, outcome: str, record: Record) -> Iterator[str]:
    """What the person reads of it."""
    yield words.outcome_kept(found.id, outcome, record.new)
    if record.before is not None and record.new:
        yield words.outcome_before(record.before.outcome, record.before.at)
    by = Aftermaths(root).of(found.id, found.folder).superseded
    if by is not None:
        yield words.outcome_of_superseded(found.id, by.source, by.at)
