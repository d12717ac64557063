"""The minute as data: what the template prints after every round and at the end."""

from __future__ import annotations

from itertools import pairwise
from statistics import mean

from ...core.plain import is_blank, one_line
from ...core.records import Record
from ...core.seating import OFFLINE
from ..decision_block import block
from ..errors import TooFewSoulsError
from ..table_state import QUORUM
from ..voting import MAX_CONFIDENCE, Count, vote
from .ending import is_rehearsal, rehearsed, voices
from .records import ROUND_NAMES, VOTE, Missed, Soul, SoulKind
from .rounds import answered
from .status import TableStatus
from .table import Table


class Seated(Record):
    """`lens` is how the seat is spoken of: it is no person and no other Oracle."""

    name: str
    lens: str
    kind: SoulKind
    source: str
    voice: str


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
    moves = tuple(_moved(table, soul) for soul in table.souls) if table.casts else ()
    both = [m for m in moves if m.opening_confidence is not None and m.final_confidence is not None]
    return Minute(
        id=start.table,
        title=table.name,
        question=start.question,
        options=table.options,
        options_by=_options_by(table),
        convened_by=_convened_by(table),
        aggregator=start.aggregator,
        date=start.name[:10],
        facts=table.facts,
        from_session=start.from_session or "",
        roster=tuple(_seated(soul) for soul in table.souls),
        rounds=tuple(_round(table, number) for number in _held_rounds(table)),
        axes=table.axes.axes if table.axes else (),
        axes_by=_axes_by(table),
        asked_again=tuple(_asked_again(table)),
        votes=tuple(_voted(table, soul) for soul in table.souls) if _voting_began(table) else (),
        moves=moves,
        moved_count=sum(bool(move.moved) for move in both),
        compared=len(both),
        mean_opening=_mean([m.opening_confidence for m in both]),
        mean_final=_mean([m.final_confidence for m in both]),
        one_voice=_one_voice(table),
        rehearsal=is_rehearsal(table),
        block=block(count) if count else "",
        ruling=table.ruling,
        ruled=table.ruled,
        deadlock=tuple(reason.text for reason in count.reasons) if count else (),
        percentages=_percentages(count) if count else "",
        tie_broken=_sentence(count.tie_broken) if count else "",
        stopped=_stopped(table),
        too_few=_too_few(table),
        status=str(table.status),
    )


def lens(name: str) -> str:
    """How a seat is spoken of."""
    return f"the {one_line(name)} lens"


def _seated(soul: Soul) -> Seated:
    seat = soul.seat
    voice = f"{seat.engine} {seat.model}" if seat.model else seat.engine
    return Seated(
        name=soul.name, lens=lens(soul.name), kind=soul.kind, source=soul.source, voice=voice
    )


# -- rounds ----------------------------------------------------------------------------


def _held_rounds(table: Table) -> list[int]:
    said = {answer.round for answer in table.answers} | {m.round for m in table.missed}
    return sorted(number for number in said if number != VOTE)


def _round(table: Table, number: int) -> HeldRound:
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
            *(f"{_absent(m)}; asked again later" for m in table.waived if m.round == number),
            *(_absent(m) for m in table.missed if m.round == number),
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


# -- who agreed ------------------------------------------------------------------------

_NOBODY_THERE = ": nobody was there to be asked, so the next round is held"
_SOURCES = {
    "given": "They were given with the question",
    "question": "They were read from the question",
    "session": "They are those of the session that are still open",
}


def _options_by(table: Table) -> str:
    start = table.start
    if table.options_by == "person" and table.options != start.options:
        return "They were typed at the terminal."
    agreed = {
        None: "",
        "person": ", and a person agreed to them",
        "flag": "; --yes was given, and nobody was asked about them",
    }
    return f"{_SOURCES[start.options_source]}{agreed[table.options_by]}."


def _convened_by(table: Table) -> str:
    if table.agreed is None:
        return ""
    if table.agreed.by == "flag":
        return "The plan was not put to anybody: --yes was given."
    return "A person said yes to the plan."


# -- where it stands -------------------------------------------------------------------

_CAUSES = {
    "interrupt": "It was paused by Ctrl-C",
    "end_of_input": "It was paused, since the input ended",
    "declined": "It was left for later",
}


def _stopped(table: Table) -> str:
    written_last = (TableStatus.CLOSING, TableStatus.FAILING)
    if table.over or table.status in written_last or table.convened is None:
        return ""
    way_on = f"Go on with: keystone-roundtable table resume {table.id}"
    if (stalled := table.stalled) is not None:
        return (
            f"It stopped: too few souls answered round {stalled.round}, "
            f"{ROUND_NAMES[stalled.round]} ({answered(table)}, a table needs {QUORUM}). What was "
            f"answered is kept. {way_on}"
        )
    if table.paused is not None:
        return f"{_CAUSES[table.paused.cause]}; nothing is decided. {way_on}"
    return f"It is not over. If it was cut off: {way_on[0].lower()}{way_on[1:]}"


def _absent(missed: Missed) -> str:
    return f"{lens(missed.seat)} brought nothing: {_why(missed)}"


def _why(missed: Missed) -> str:
    return f"{missed.reason}{f' ({one_line(missed.detail)})' if missed.detail else ''}"


def _axes_by(table: Table) -> str:
    axes = table.axes
    if axes is None:
        return ""
    if axes.source == OFFLINE:
        why = f": {one_line(axes.fallback)}" if axes.fallback else ""
        return f"from the options that differ, by code{why}"
    return f"by {one_line(axes.source)}"


# -- the vote --------------------------------------------------------------------------


def _voting_began(table: Table) -> bool:
    return bool(table.casts) or any(m.round == VOTE for m in table.missed)


def _asked_again(table: Table) -> list[str]:
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
        first += [_why(m) for m in before]
        if not first or len(casts) + len(missed) + len(waived) < 2:
            continue
        unasked = all(m.reason == "over_budget" for m in before) and len(first) == len(before)
        how = "could not be asked at first" if unasked else "was asked again"
        told.append(f"{lens(soul.name)} {how}: {'; '.join(first)}")
    return told


def _voted(table: Table, soul: Soul) -> Voted:
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
    return f"no vote yet: {_why(missed[-1])}" if missed else "no vote yet"


def _moved(table: Table, soul: Soul) -> Moved:
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


def _too_few(table: Table) -> str:
    if table.status not in (TableStatus.FAILING, TableStatus.FAILED):
        return ""
    return (
        f"Nothing was decided: {len(table.seated)} souls are left with a vote, "
        f"a table needs {QUORUM}."
    )


def _one_voice(table: Table) -> str:
    spoke = voices(table)
    if is_rehearsal(table):
        return "A rehearsal: no model was consulted, and the votes mean nothing."
    if names := rehearsed(table):
        return (
            f"No model spoke for {', '.join(map(one_line, names))}: rehearsed seats, whose votes "
            "mean nothing."
        )
    if len(spoke) > 1:
        return ""
    return (
        f"All souls are one model ({one_line(spoke[0])}): a mirror, not a panel, and their "
        "agreement is weak evidence."
    )
