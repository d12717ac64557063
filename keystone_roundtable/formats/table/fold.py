"""How an event changes a table.

`apply` is the only way a table changes; replaying the same events gives the same table. What an
event says is checked against what the rules give: no log can skip a round or count otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from ...core.errors import IllegalEventError
from ...core.plain import as_read, is_blank, one_line
from ...core.seating import OFFLINE, with_receipt
from ...core.secrets import mask
from ..errors import TableStateError
from ..table_state import ESCALATE
from . import events as ev
from .records import (
    MAX_AXES,
    MAX_OPTIONS,
    MAX_SOULS,
    MIN_AXES,
    MIN_OPTIONS,
    MIN_SOULS,
    OUTAGES,
    VOTE,
)
from .rounds import counted, inspection, outcome_of, stalls, to_ask
from .status import TableStatus
from .table import Answered, Cast, Table
from .transitions import round_after, target_of


def apply(table: Table, event: ev.Event) -> Table:
    """The table after `event`. Raises `IllegalEventError` where it is not allowed."""
    target = target_of(table.status, event)
    changed = replace(_FOLDS[type(event)](table, event), last_at=event.at)
    status = target if isinstance(target, TableStatus) else target(changed)
    resumed = isinstance(event, ev.TableResumed)
    return replace(changed, status=status, resumes_to=None if resumed else changed.resumes_to)


def replay(events: Iterable[ev.Event]) -> Table:
    """The table that these events make. The empty sequence gives a new table."""
    table = Table()
    for event in events:
        table = apply(table, event)
    return table


def check_options(options: tuple[str, ...]) -> None:
    """Raises `TableStateError` for options that souls cannot choose from."""
    if len(options) < MIN_OPTIONS:
        raise TableStateError(
            "options", f"{len(options)} given, a table has {MIN_OPTIONS} to {MAX_OPTIONS}"
        )
    check_offered(options)
    if any(is_blank(option) or option == ESCALATE for option in options):
        raise TableStateError("options", f"none may be blank or called {ESCALATE}")
    if len(set(map(as_read, options))) < len(options):
        raise TableStateError("options", "two of them read the same")


def check_offered(options: tuple[str, ...]) -> None:
    """Raises `TableStateError` for too many options, and for one that souls would not be shown."""
    if len(options) > MAX_OPTIONS:
        raise TableStateError(
            "options",
            f"{len(options)} given, a table has {MIN_OPTIONS} to {MAX_OPTIONS}: "
            f"{', '.join(map(one_line, options))}",
            "Name those that are open with --options x,y,z",
        )
    for number, option in enumerate(options, 1):
        if is_masked(option):
            raise TableStateError(
                "options",
                f"option {number} looks like a secret ({one_line(mask(option))}): it is masked in "
                "prompts, so no soul could choose it",
                "Word it otherwise",
            )


def is_masked(words: str) -> bool:
    """Whether a prompt would hold something else in the place of these words."""
    quoted = f'"{words}"'
    return mask(words) != words or mask(quoted) != quoted


# -- one fold per event ----------------------------------------------------------------


def _fold_started(table: Table, event: ev.TableStarted) -> Table:
    if not MIN_SOULS <= len(event.souls) <= MAX_SOULS:
        raise IllegalEventError(
            f"{len(event.souls)} souls, a table seats {MIN_SOULS} to {MAX_SOULS}"
        )
    names = [soul.name.casefold() for soul in event.souls]
    if len(set(names)) < len(names):
        raise IllegalEventError("two souls have one name")
    if event.options_source == "given":
        check_options(event.options)
    return replace(
        table, started=event, options=event.options, facts=event.facts, round=1, model=event.model
    )


def _fold_options(table: Table, event: ev.OptionsConfirmed) -> Table:
    check_options(event.options)
    return replace(table, options=event.options, options_by=event.by)


def _fold_fact(table: Table, event: ev.FactNoted) -> Table:
    return replace(table, facts=f"{table.facts}\n{event.fact}" if table.facts else event.fact)


def _fold_facts(table: Table, event: ev.FactsSettled) -> Table:
    return replace(table, facts=event.facts)


def _keep(table: Table, event: ev.Event) -> Table:
    return table


def _fold_convened(table: Table, event: ev.TableConvened) -> Table:
    return replace(table, convened=event, agreed=event.agreed)


def _fold_receipt(table: Table, event: ev.ReceiptTaken) -> Table:
    return replace(table, receipts=with_receipt(table.receipts, event.receipt))


def _fold_answer(table: Table, event: ev.SoulAnswered) -> Table:
    _check_due(table, event.seat, event.round, voting=False)
    if event.reply.position not in table.options:
        raise IllegalEventError(f"'{event.seat}' holds what is none of the options")
    return replace(table, answers=(*table.answers, Answered(event.round, event.seat, event.reply)))


def _fold_ballot(table: Table, event: ev.BallotCast) -> Table:
    _check_due(table, event.seat, VOTE, voting=True)
    return replace(table, casts=(*table.casts, Cast(event.seat, table.attempt, event.ballot)))


def _fold_missed(table: Table, event: ev.SoulMissed) -> Table:
    missed = event.missed
    _check_due(table, missed.seat, missed.round, voting=table.voting)
    if missed.attempt != table.attempt:
        raise IllegalEventError(f"'{missed.seat}' was missed in another attempt")
    return replace(table, missed=(*table.missed, missed))


def _check_due(table: Table, seat: str, number: int, *, voting: bool) -> None:
    """Raises where nobody waits for this soul to answer."""
    if number != table.round or voting != table.voting:
        raise IllegalEventError(f"round {number} is not open")
    if seat not in {soul.name for soul in to_ask(table)}:
        raise IllegalEventError(f"'{seat}' is not to be asked now")


def _fold_closed(table: Table, event: ev.RoundClosed) -> Table:
    if table.voting or event.round != table.round or to_ask(table) or stalls(table):
        raise IllegalEventError(f"round {event.round} cannot be closed")
    if event.inspection != inspection(table):
        raise IllegalEventError(f"round {event.round} was not inspected as {event.inspection}")
    return replace(table, closed=(*table.closed, event), round=round_after(event), attempt=1)


def _fold_stalled(table: Table, event: ev.TableStalled) -> Table:
    if event.round != table.round or to_ask(table) or not stalls(table):
        raise IllegalEventError("the table has what it needs to go on")
    return replace(table, stalled=event, resumes_to=table.status)


def _fold_no_evidence(table: Table, event: ev.NoEvidenceConfirmed) -> Table:
    return replace(
        table,
        skipped=event.skip,
        skip_asked=event.asked,
        round=VOTE if event.skip else table.round,
    )


def _fold_deference(table: Table, event: ev.DeferenceAnswered) -> Table:
    return replace(
        table,
        deferred=event.short_circuit,
        defer_asked=event.asked,
        round=VOTE if event.short_circuit else table.round,
    )


def _fold_axes(table: Table, event: ev.AxesDrawn) -> Table:
    # A model names 2 to 4; code names no more than it finds.
    least = 1 if event.source == OFFLINE else MIN_AXES
    if not least <= len(event.axes) <= MAX_AXES:
        raise IllegalEventError(f"{len(event.axes)} axes, {MIN_AXES} to {MAX_AXES} are wanted")
    if any(is_blank(axis) or axis != one_line(axis) for axis in event.axes):
        raise IllegalEventError("an axis is one line of text")
    return replace(table, axes=event)


def _fold_counted(table: Table, event: ev.VotesCounted) -> Table:
    if not table.voting or to_ask(table) or stalls(table):
        raise IllegalEventError("the votes are not all in")
    after = counted(table)
    if event.outcome != outcome_of(after):
        raise IllegalEventError(f"the count is not {event.outcome}")
    return after


def _fold_ruled(table: Table, event: ev.HumanRuled) -> Table:
    if event.option is not None and event.option not in table.options:
        raise IllegalEventError(f"'{event.option}' is none of the options")
    return replace(table, ruling=event.option, ruled=True)


def _fold_over(table: Table, event: ev.TableFinished | ev.TableFailed) -> Table:
    return replace(table, finished_at=event.at)


def _fold_paused(table: Table, event: ev.TablePaused) -> Table:
    return replace(table, resumes_to=table.status, paused=event)


def _fold_resumed(table: Table, event: ev.TableResumed) -> Table:
    """Who was missing when the table stalled is asked again. In the vote that is who was out: what
    could not be counted was said, and stands.
    """
    table = replace(
        table,
        paused=None,
        agreed=event.agreed or table.agreed,
        model=event.model or table.model,
    )
    stalled = table.stalled
    if stalled is None:
        return table
    waived = tuple(
        m
        for m in table.missed
        if m.round == stalled.round and (not table.voting or m.reason in OUTAGES)
    )
    kept = tuple(m for m in table.missed if m not in waived)
    return replace(table, missed=kept, waived=(*table.waived, *waived), stalled=None, attempt=1)


_FOLDS: dict[type[ev.TableEvent], Callable[[Table, Any], Table]] = {
    ev.TableStarted: _fold_started,
    ev.OptionsConfirmed: _fold_options,
    ev.FactNoted: _fold_fact,
    ev.FactsSettled: _fold_facts,
    ev.TableConvened: _fold_convened,
    ev.TableDeclined: _keep,
    ev.ReceiptTaken: _fold_receipt,
    ev.SoulAnswered: _fold_answer,
    ev.BallotCast: _fold_ballot,
    ev.SoulMissed: _fold_missed,
    ev.RoundClosed: _fold_closed,
    ev.TableStalled: _fold_stalled,
    ev.NoEvidenceConfirmed: _fold_no_evidence,
    ev.DeferenceAnswered: _fold_deference,
    ev.AxesDrawn: _fold_axes,
    ev.VotesCounted: _fold_counted,
    ev.HumanRuled: _fold_ruled,
    ev.TableFinished: _fold_over,
    ev.TableFailed: _fold_over,
    ev.TablePaused: _fold_paused,
    ev.TableResumed: _fold_resumed,
}
