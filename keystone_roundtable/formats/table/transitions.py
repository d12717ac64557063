"""Which event each status allows, and where it leads: the one table of the table's machine.

A target written as a function is decided by the table as it stands after the event.
"""

from __future__ import annotations

from collections.abc import Callable

from ...core.errors import IllegalEventError
from ..errors import TooFewSoulsError
from . import events as ev
from .records import CONVERGE, VOTE
from .rounds import count_of
from .status import TableStatus as S
from .table import Table

Target = S | Callable[[Table], S]


def _after_start(table: Table) -> S:
    return _after_options(table) if table.start.options_source == "given" else S.PROPOSING


def _after_options(table: Table) -> S:
    return S.CONVENING if table.start.facts_given else S.GATHERING


def _after_round(table: Table) -> S:
    """The round that was closed last tells; `table.round` is already the next to be asked."""
    closed = table.closed[-1]
    if closed.inspection == "SKIP-ROUND-3":
        return S.SKIPPING
    if closed.inspection == "EXPERT-DEFERENCE":
        return S.DEFERRING
    return _to_round(table)


def _to_round(table: Table) -> S:
    needs_axes = table.round == CONVERGE and table.axes is None
    return S.DRAWING if needs_axes else S.ASKING


def _after_count(table: Table) -> S:
    try:
        count = count_of(table)
    except TooFewSoulsError:
        return S.FAILING
    if count.outcome == "RE-PROMPT":
        return S.ASKING
    return S.RULING if count.outcome == "ESCALATE" else S.CLOSING


def _after_resumption(table: Table) -> S:
    return table.resumes_to or table.status


def _where_it_was(table: Table) -> S:
    return table.status


_OPEN: dict[type[ev.TableEvent], Target] = {
    ev.ReceiptTaken: _where_it_was,
    ev.TablePaused: S.PAUSED,
    # After a crash the log ends in an open status: resuming leads back into it.
    ev.TableResumed: _after_resumption,
}

TRANSITIONS: dict[S, dict[type[ev.TableEvent], Target]] = {
    S.NEW: {ev.TableStarted: _after_start},
    S.PROPOSING: {ev.OptionsConfirmed: _after_options, ev.TableDeclined: S.DECLINED, **_OPEN},
    S.GATHERING: {
        ev.FactNoted: S.GATHERING,
        ev.FactsSettled: S.CONVENING,
        ev.TableDeclined: S.DECLINED,
        **_OPEN,
    },
    S.CONVENING: {ev.TableConvened: S.ASKING, ev.TableDeclined: S.DECLINED, **_OPEN},
    S.ASKING: {
        ev.SoulAnswered: S.ASKING,
        ev.BallotCast: S.ASKING,
        ev.SoulMissed: S.ASKING,
        ev.RoundClosed: _after_round,
        ev.VotesCounted: _after_count,
        ev.TableStalled: S.PAUSED,
        **_OPEN,
    },
    S.SKIPPING: {ev.NoEvidenceConfirmed: _to_round, **_OPEN},
    S.DEFERRING: {ev.DeferenceAnswered: _to_round, **_OPEN},
    S.DRAWING: {ev.AxesDrawn: S.ASKING, **_OPEN},
    S.RULING: {ev.HumanRuled: S.CLOSING, **_OPEN},
    S.CLOSING: {ev.TableFinished: S.FINISHED, **_OPEN},
    S.FAILING: {ev.TableFailed: S.FAILED, **_OPEN},
    S.FINISHED: {},
    S.FAILED: {},
    S.DECLINED: {},
    S.PAUSED: {ev.TableResumed: _after_resumption},
}


def target_of(status: S, event: ev.Event) -> Target:
    """Where `event` leads. Raises `IllegalEventError` where the table has no entry."""
    try:
        return TRANSITIONS[status][type(event)]
    except KeyError:
        raise IllegalEventError(
            f"'{event.type}' cannot happen while the table is {status}"
        ) from None


def round_after(closed: ev.RoundClosed) -> int:
    """The round that follows where nobody has to be asked: straight to the vote when all agree."""
    if closed.inspection == "EARLY-STOP":
        return VOTE
    return min(closed.round + 1, VOTE)
