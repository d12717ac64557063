"""Who is still to be asked in the round that is open, and what its end means."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from ...core.plain import one_line
from ..decision_block import PROBLEMS
from ..errors import TooFewSoulsError
from ..inspecting import Inspection, inspect
from ..table_state import QUORUM
from ..voting import Count, Problem, VoteOutcome, vote
from .records import DEEPEN, OPEN, OUTAGES, VOTE, Missed, Soul
from .table import Table


def to_ask(table: Table) -> tuple[Soul, ...]:
    """The souls that have neither answered nor been missed in the open round and attempt."""
    return tuple(soul for soul in _due(table) if not _was_asked(table, soul.name))


def _due(table: Table) -> tuple[Soul, ...]:
    """All souls; those with a fault in their vote where the vote is asked again."""
    if table.round != VOTE or table.attempt == 1:
        return table.seated
    again = faults(table)
    # A second ballot may be sound: who was named by the first count is due for this attempt.
    return tuple(
        soul for soul in table.seated if soul.name in again or _was_asked(table, soul.name)
    )


def _was_asked(table: Table, name: str) -> bool:
    # After an outage the attempts begin anew: what came of a second one is asked for no more.
    missed = any(m.attempt >= table.attempt for m in table.missed_in(table.round, name))
    if table.round == VOTE:
        return missed or any(c.seat == name and c.attempt >= table.attempt for c in table.casts)
    return missed or table.reply_in(table.round, name) is not None


def answered(table: Table) -> int:
    """How many souls answered the open round; in the vote, how many ballots can be counted."""
    if table.round == VOTE:
        return len(table.seated) - len(faults(table))
    return sum(table.reply_in(table.round, soul.name) is not None for soul in table.seated)


def faults(table: Table) -> dict[str, Problem]:
    """The souls whose vote cannot be counted as it stands, each with the problem."""
    try:
        count = vote(table.counted_state())
    except TooFewSoulsError:
        return {}
    return {one.name: one.problem for one in count.reprompt}


def problem_told(table: Table, name: str, problem: Problem) -> str:
    """What is put back to a soul whose vote cannot be used."""
    if problem != "missing":
        ballot = table.ballot_of(name)
        given = f" (you gave {one_line(ballot.vote)!r}, {ballot.confidence})" if ballot else ""
        return f"{PROBLEMS[problem]}{given}"
    last = last_missed(table, name)
    return f"{last.reason}: {last.detail}" if last else PROBLEMS[problem]


def why_emptied(table: Table, name: str, problem: Problem) -> str:
    """Why a seat has no vote, how often it was asked, and what came of it: in one line."""
    waived = [m for m in table.waived if m.round == VOTE and m.seat == name]
    missed = [*waived, *table.missed_in(VOTE, name)]
    told = [f"{m.reason}{f' ({m.detail})' if m.detail else ''}" for m in missed]
    told += [
        f"voted {one_line(c.ballot.vote)!r} at {c.ballot.confidence}"
        for c in table.casts
        if c.seat == name
    ]
    # Without budget nothing was sent.
    asked = len(told) - sum(m.reason == "over_budget" for m in missed)
    times = {0: "not asked", 1: "asked once", 2: "asked twice"}.get(asked, f"asked {asked} times")
    return f"{PROBLEMS[problem]}, {times}: {'; '.join(told)}" if told else PROBLEMS[problem]


def last_missed(table: Table, name: str) -> Missed | None:
    missed = table.missed_in(table.round, name)
    return missed[-1] if missed else None


def out_of_budget(table: Table) -> bool:
    """Whether somebody was not asked in this round for want of budget."""
    return any(
        (last := last_missed(table, soul.name)) is not None and last.reason == "over_budget"
        for soul in table.seated
    )


def stalls(table: Table) -> bool:
    """Whether too few answered to go on, and may do so another time.

    In the vote that takes souls that are out: a vote that twice could not be counted is lost.
    Whoever is out is asked once more first, save for want of budget: asking brings none back.
    """
    votes = answered(table)
    if votes >= QUORUM:
        return False
    if table.round != VOTE:
        return True
    if table.attempt == 1:
        return out_of_budget(table)
    return votes + len(_out(table)) >= QUORUM


def _out(table: Table) -> tuple[str, ...]:
    """The souls without a vote that counts whose last asking brought an outage."""
    return tuple(
        name
        for name in faults(table)
        if (last := last_missed(table, name)) is not None
        and last.attempt == table.attempt
        and last.reason in OUTAGES
    )


def inspection(table: Table) -> Inspection | None:
    """What the inspector says of the open round; None after the first.

    Where a soul brought nothing, "all" and "nobody" cannot be said, so the table goes on.
    """
    if table.round == OPEN:
        return None
    if answered(table) < len(table.seated):
        return "CONTINUE"
    found = inspect(table.counted_state()).outcome
    return found if found != "SKIP-ROUND-3" or table.round == DEEPEN else "CONTINUE"


def expert(table: Table) -> str:
    """The one soul at 10, after an inspection that found it."""
    return inspect(table.counted_state()).expert


def count_of(table: Table) -> Count:
    """The count as it stands. Raises `TooFewSoulsError`."""
    return vote(table.counted_state())


def outcome_of(table: Table) -> VoteOutcome | Literal["TOO-FEW"]:
    """What the count gives, also where there are too few souls for one."""
    try:
        return count_of(table).outcome
    except TooFewSoulsError:
        return "TOO-FEW"


def counted(table: Table) -> Table:
    """The table once its votes are counted. The first count may name souls to ask again; the second
    empties their seats.
    """
    found = faults(table)
    if found and table.attempt == 1:
        return replace(table, attempt=2)
    emptied = tuple((name, why_emptied(table, name, found[name])) for name in found)
    return replace(table, emptied=(*table.emptied, *emptied))
