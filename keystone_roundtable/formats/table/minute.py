"""The minute as data: what the template prints after every round and at the end."""

from __future__ import annotations

from statistics import mean

from ...core.plain import one_line
from ...core.records import Record
from ..decision_block import block
from ..errors import TooFewSoulsError
from ..voting import MAX_CONFIDENCE, Count, vote
from .ending import is_rehearsal
from .minute_rounds import HeldRound, held_round, held_rounds, lens
from .minute_telling import axes_by, convened_by, one_voice, options_by, stopped, too_few
from .minute_votes import Moved, Voted, asked_again, moved, voted, voting_began
from .records import Soul, SoulKind
from .status import TableStatus
from .table import Table


class Seated(Record):
    """`lens` is how the seat is spoken of: it is no person and no other Oracle."""

    name: str
    lens: str
    kind: SoulKind
    source: str
    voice: str


class Minute(Record):
    id: str
    title: str
    question: str
    options: tuple[str, ...]
    options_by: str
    """Where they are from and who agreed to them, in one sentence."""
    convened_by: str
    aggregator: str
    date: str
    facts: str
    from_session: str
    roster: tuple[Seated, ...]
    rounds: tuple[HeldRound, ...]
    axes: tuple[str, ...]
    axes_by: str
    asked_again: tuple[str, ...]
    """A sentence for each soul whose vote was asked for again."""
    votes: tuple[Voted, ...]
    moves: tuple[Moved, ...]
    moved_count: int
    compared: int
    """How many souls have both an opening vote and a final one."""
    mean_opening: float | None
    mean_final: float | None
    one_voice: str
    """One line where all souls are one model, or none at all; "" where they are several."""
    rehearsal: bool
    block: str
    ruling: str | None
    ruled: bool
    deadlock: tuple[str, ...]
    """Why the human decides, a sentence each."""
    percentages: str
    """What the two parts are that are told of the winner; "" where none leads."""
    tie_broken: str
    """How a tie was broken; "" where there was none, or nothing broke it."""
    stopped: str
    """One line where the table is not over: why, and how to go on."""
    too_few: str
    """One line where the table came to no vote that counts."""
    status: str


def make_minute(table: Table) -> Minute:
    """The minute as far as the table has come."""
    start = table.start
    count = _count(table)
    moves = tuple(moved(table, soul) for soul in table.souls) if table.casts else ()
    both = [m for m in moves if m.opening_confidence is not None and m.final_confidence is not None]
    return Minute(
        id=start.table,
        title=table.name,
        question=start.question,
        options=table.options,
        options_by=options_by(table),
        convened_by=convened_by(table),
        aggregator=start.aggregator,
        date=start.name[:10],
        facts=table.facts,
        from_session=start.from_session or "",
        roster=tuple(_seated(soul) for soul in table.souls),
        rounds=tuple(held_round(table, number) for number in held_rounds(table)),
        axes=table.axes.axes if table.axes else (),
        axes_by=axes_by(table),
        asked_again=tuple(asked_again(table)),
        votes=tuple(voted(table, soul) for soul in table.souls) if voting_began(table) else (),
        moves=moves,
        moved_count=sum(bool(move.moved) for move in both),
        compared=len(both),
        mean_opening=_mean([m.opening_confidence for m in both]),
        mean_final=_mean([m.final_confidence for m in both]),
        one_voice=one_voice(table),
        rehearsal=is_rehearsal(table),
        block=block(count) if count else "",
        ruling=table.ruling,
        ruled=table.ruled,
        deadlock=tuple(reason.text for reason in count.reasons) if count else (),
        percentages=_percentages(count) if count else "",
        tie_broken=_sentence(count.tie_broken) if count else "",
        stopped=stopped(table),
        too_few=too_few(table),
        status=str(table.status),
    )


def _seated(soul: Soul) -> Seated:
    seat = soul.seat
    voice = f"{seat.engine} {seat.model}" if seat.model else seat.engine
    return Seated(
        name=soul.name, lens=lens(soul.name), kind=soul.kind, source=soul.source, voice=voice
    )


def _mean(numbers: list[int | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return round(mean(known), 1) if known else None


def _count(table: Table) -> Count | None:
    """The count that stands; None before it, and where too few souls are left."""
    if table.status not in (TableStatus.RULING, TableStatus.CLOSING, TableStatus.FINISHED):
        return None
    try:
        return vote(table.counted_state())
    except TooFewSoulsError:
        return None


def _percentages(count: Count) -> str:
    if count.winner is None:
        return ""
    return (
        f"{count.percent}% is the confidence in {one_line(count.winner)} out of "
        f"{MAX_CONFIDENCE} for each vote; of all the confidence that was cast it holds "
        f"{round(100 * count.share)}%."
    )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""
