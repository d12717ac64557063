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
    root: Path, session: Named, outcome: str, note: str = "", *, telemetry: bool = True
) -> Record:
    """Keeps the outcome of a finished session. Raises `UsageError` where none was decided in it."""
    from .wiring import SystemClock

    stated = stated_in(root, session)
    if stated.decision != DECIDED:
        ended = words.ending_word(stated.decision, "finished")
        raise UsageError(
            f"session {session.id} was {ended}: no direction was taken that could hold",
            f"Decide anew from it: keystone-roundtable reopen {session.id}",
        )
    kept = mask(storable(as_typed(note))).strip()
    told = Recorded(SystemClock().now(), outcome, kept, telemetry)
    return record_outcome(root, session.id, told, stated)


def stated_in(root: Path, session: Named) -> Stated:
    """What the contract says, which is what was stated then; without it, what the log gives."""
    contract = read_contract(session.folder)
    confidence = confidence_in(contract)
    texts = [contract.get(name) for name in ("decision", "mode", "format")]
    if confidence is None or not all(isinstance(text, str) for text in texts):
        from .ends import end_in

        computed = end_in(root, session.id).contract
        confidence, texts = computed.confidence, [computed.decision, computed.mode, computed.format]
    decision, mode, format_ = map(str, texts)
    return Stated(decision, confidence, mode, format_)


def told(root: Path, session: Named, outcome: str, record: Record) -> Iterator[str]:
    """What the person reads of it."""
    yield words.outcome_kept(session.id, outcome, record.new)
    if record.before is not None and record.new:
        yield words.outcome_before(record.before.outcome, record.before.at)
    by = Aftermaths(root).of(session.id).superseded
    if by is not None:
        yield words.outcome_of_superseded(session.id, by.source, by.at)
