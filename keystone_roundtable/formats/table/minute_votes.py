"""The votes of a minute: what each soul voted, and whether it moved since it opened."""

from __future__ import annotations

from itertools import pairwise

from ...core.plain import is_blank, one_line
from ...core.records import Record
from .minute_rounds import lens, why_absent
from .records import VOTE, Soul
from .table import Table


class Voted(Record):
    """A row of the vote table; `emptied` says why a seat has no vote, and then there is none."""

    name: str
    vote: str
    confidence: int | None
    rationale: str
    dissent_note: str
    emptied: str


class Moved(Record):
    """A soul's sealed opening vote beside its final one; "" and None where there is none."""

    name: str
    opening: str
    opening_confidence: int | None
    final: str
    final_confidence: int | None
    moved: bool | None
    """None where there is an opening or a vote to compare with none."""
    ground: str
    """In the soul's own words, from the round in which it moved."""


def voting_began(table: Table) -> bool:
    """Whether anybody was asked to vote."""
    return bool(table.casts) or any(m.round == VOTE for m in table.missed)


def asked_again(table: Table) -> list[str]:
    """A line for each soul whose first vote or first attempt did not count."""
    told = []
    for soul in table.souls:
        casts = [c for c in table.casts if c.seat == soul.name]
        missed = table.missed_in(VOTE, soul.name)
        waived = [m for m in table.waived if m.round == VOTE and m.seat == soul.name]
        before = [*waived, *(m for m in missed if m.attempt == 1)]
        first = [
            f"voted {one_line(c.ballot.vote)!r} at {c.ballot.confidence}"
            for c in casts
            if c.attempt == 1 and (len(casts) > 1 or any(m.attempt == 2 for m in missed))
        ]
        first += [why_absent(m) for m in before]
        if not first or len(casts) + len(missed) + len(waived) < 2:
            continue
        unasked = all(m.reason == "over_budget" for m in before) and len(first) == len(before)
        how = "could not be asked at first" if unasked else "was asked again"
        told.append(f"{lens(soul.name)} {how}: {'; '.join(first)}")
    return told


def voted(table: Table, soul: Soul) -> Voted:
    """The vote that counts; `emptied` says why there is none."""
    ballot = table.ballot_of(soul.name)
    emptied = table.empty.get(soul.name, "")
    if ballot is None or emptied:
        return Voted(
            name=soul.name,
            vote="",
            confidence=None,
            rationale="",
            dissent_note="",
            emptied=emptied or _without_a_vote(table, soul.name),
        )
    return Voted(
        name=soul.name,
        vote=ballot.vote,
        confidence=ballot.confidence,
        rationale=ballot.rationale,
        dissent_note="" if is_blank(ballot.dissent_note) else ballot.dissent_note,
        emptied="",
    )


def _without_a_vote(table: Table, name: str) -> str:
    missed = table.missed_in(VOTE, name)
    return f"no vote yet: {why_absent(missed[-1])}" if missed else "no vote yet"


def moved(table: Table, soul: Soul) -> Moved:
    """Where the soul stood first and last; `moved` is None where one of the two is missing."""
    opening = table.reply_in(1, soul.name)
    ballot = None if soul.name in table.empty else table.ballot_of(soul.name)
    moved = None if opening is None or ballot is None else opening.position != ballot.vote
    return Moved(
        name=soul.name,
        opening=opening.position if opening else "",
        opening_confidence=opening.confidence if opening else None,
        final=ballot.vote if ballot else "",
        final_confidence=ballot.confidence if ballot else None,
        moved=moved,
        ground=_ground(table, soul.name) if moved else "",
    )


def _ground(table: Table, name: str) -> str:
    """What the soul said where it last changed sides: its self_update, or its vote's rationale."""
    ballot = table.ballot_of(name)
    own = sorted((a for a in table.answers if a.seat == name), key=lambda answer: answer.round)
    if ballot is not None and own and own[-1].reply.position == ballot.vote:
        for before, after in reversed(list(pairwise(own))):
            if before.reply.position != after.reply.position:
                return after.reply.self_update or after.reply.argument
    return ballot.rationale if ballot else ""
