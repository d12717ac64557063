"""A finished table as an account of its decision: facts, axes, each option's votes, the dissent."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.account import Account, Considered, Reason, quoted
from ...core.contract import Contract
from ...core.plain import is_blank, one_line
from ..voting import Count
from .minute import make_minute
from .minute_rounds import lens
from .rounds import count_of
from .table import Table


def account_of(table: Table, contract: Contract) -> Account:
    """The account of a table whose votes were counted."""
    count = count_of(table)
    souls = ", ".join(lens(soul.name) for soul in table.souls)
    led = table.ruling or count.winner
    return Account(
        question=table.start.question,
        date=(table.finished_at or table.last_at)[:10],
        makers=(_maker(table),),
        context=(f"A table of {len(table.souls)} souls: {souls}.",),
        drivers=tuple(_drivers(table)),
        options=tuple(
            Considered(one, tuple(_reasons(count, one, one == led))) for one in table.options
        ),
        decision=one_line(contract.option) if contract.option else "The table left it to a person.",
        why=contract.rationale,
        consequences=tuple(_consequences(count, led if contract.option else None)),
        more=tuple(_more(table)),
    )


def _maker(table: Table) -> str:
    return "the person to whom the table left it" if table.ruling else "the votes of the souls"


def _drivers(table: Table) -> Iterator[str]:
    for fact in table.facts.splitlines():
        if not is_blank(fact):
            yield f"{quoted(fact)} (a fact that the souls were given)"
    for axis in table.axes.axes if table.axes else ():
        yield f"{quoted(axis)} (what the table disagreed on)"


def _reasons(count: Count, option: str, led: bool) -> Iterator[Reason]:
    """Who voted for it; of the one that led, also who voted for another, and what was noted."""
    for vote in count.votes:
        why = f": {quoted(vote.rationale)}" if not is_blank(vote.rationale) else ""
        if vote.option == option:
            yield Reason("good", f"{lens(vote.name)} voted for it at {vote.confidence}{why}")
        elif led:
            told = f"{lens(vote.name)} voted for {quoted(vote.option)} at {vote.confidence}"
            yield Reason("bad", f"{told}{why}")
        if led and vote.dissents:
            yield Reason("bad", f"{lens(vote.name)} noted: {quoted(vote.dissent_note)}")


def _consequences(count: Count, taken: str | None) -> Iterator[str]:
    for one in count.tally:
        if one.option != taken:
            votes = f"{one.heads} vote{'' if one.heads == 1 else 's'}"
            yield f"Not taken: {one_line(one.option)} ({votes})"
    if taken is not None:
        against = [lens(vote.name) for vote in count.votes if vote.option != taken]
        yield f"Dissent: {', '.join(against) or 'nobody voted for another option'}"
    for reason in count.reasons:
        yield f"Why it was left to a person: {one_line(reason.text)}"


def _more(table: Table) -> Iterator[str]:
    minute = make_minute(table)
    for name, why in table.emptied:
        yield f"The seat of {lens(name)} was emptied: {one_line(why)}"
    moved = [move.name for move in minute.moves if move.moved]
    if moved:
        yield f"Moved since their sealed openings: {', '.join(map(lens, moved))}"
    if minute.one_voice:
        yield minute.one_voice
