"""The rounds of a minute: who said what, who brought nothing, and what code found."""

from __future__ import annotations

from ...core.plain import one_line
from ...core.records import Record
from .records import ROUND_NAMES, VOTE, Missed
from .table import Table

_NOBODY_THERE = ": nobody was there to be asked, so the next round is held"


class Held(Record):
    """What one soul said in a round."""

    name: str
    position: str
    confidence: int
    argument: str
    challenges: str
    self_update: str


class HeldRound(Record):
    number: int
    name: str
    answers: tuple[Held, ...]
    absent: tuple[str, ...]
    """A sentence for each soul that brought nothing."""
    inspection: str


def lens(name: str) -> str:
    """How a seat is spoken of."""
    return f"the {one_line(name)} lens"


def absent(missed: Missed) -> str:
    """An absence in one sentence without its full stop."""
    return f"{lens(missed.seat)} brought nothing: {why_absent(missed)}"


def why_absent(missed: Missed) -> str:
    """The reason, with its detail where there is one."""
    return f"{missed.reason}{f' ({one_line(missed.detail)})' if missed.detail else ''}"


def held_rounds(table: Table) -> list[int]:
    """The numbers of the rounds in which anything happened, the vote aside."""
    said = {answer.round for answer in table.answers} | {m.round for m in table.missed}
    return sorted(number for number in said if number != VOTE)


def held_round(table: Table, number: int) -> HeldRound:
    """One round: its answers in order of the roster, its absences, what was found after it."""
    answers = [
        Held(
            name=soul.name,
            position=reply.position,
            confidence=reply.confidence,
            argument=reply.argument,
            challenges=reply.challenges,
            self_update=reply.self_update,
        )
        for soul in table.souls
        if (reply := table.reply_in(number, soul.name)) is not None
    ]
    closed = next((c for c in table.closed if c.round == number), None)
    return HeldRound(
        number=number,
        name=ROUND_NAMES[number],
        answers=tuple(answers),
        absent=(
            *(f"{absent(m)}; asked again later" for m in table.waived if m.round == number),
            *(absent(m) for m in table.missed if m.round == number),
        ),
        inspection=_inspection(table, number) if closed and closed.inspection else "",
    )


def _inspection(table: Table, number: int) -> str:
    closed = next(c for c in table.closed if c.round == number)
    told = str(closed.inspection)
    if closed.inspection == "SKIP-ROUND-3" and table.skipped is not None:
        came = "confirmed that no new evidence came" if table.skipped else "did not confirm it"
        told += f": the human {came}" if table.skip_asked else _NOBODY_THERE
    if closed.inspection == "EXPERT-DEFERENCE" and table.deferred is not None:
        went = "short-circuited" if table.deferred else "let the table go on"
        told += f": the human {went}" if table.defer_asked else _NOBODY_THERE
    return told
