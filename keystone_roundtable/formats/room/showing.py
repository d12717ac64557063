"""A room as a page or a screen shows it: plain data, in order, with every absence."""

from __future__ import annotations

from collections.abc import Mapping

from ...core.plain import is_blank, one_line
from ...core.records import Record
from .claims import Standing, split_lines, standing
from .ending import is_ready, what_lacks
from .records import QUORUM, Motion, RoomDecision, VoteWord
from .room import Room, Step
from .rounds import absence, answered, mirror_line, quorum_line, unanswered, what_next

ROUND_TITLES = {
    "opening": "Opening, sealed",
    "cross": "Cross-examination",
    "converge": "Convergence",
}


class Phase(Record):
    title: str
    state: str
    """`done`, `now`, `next`, or `skipped` where the room was decided without it."""


class Cell(Record):
    """A seat in a round: what it said, or why it did not."""

    seat: str
    text: str = ""
    position: str = ""
    confidence: int = 0
    before: str = ""
    """Where it stood before it read the others, with how sure it was; "" in an opening."""
    moved: bool = False
    changed: str = ""
    moved_by: str = ""
    would_change: str = ""
    letters: tuple[tuple[str, str], ...] = ()
    words: int = 0
    absent: str = ""
    detail: str = ""
    waiting: bool = False


class Row(Record):
    folder: str
    title: str
    quorum: str
    point: str = ""
    cells: tuple[Cell, ...]


class Column(Record):
    name: str
    engine: str
    vendor: str
    stance: str
    role: str = ""
    excused: str | None = None


class ShownVote(Record):
    seat: str
    vote: VoteWord
    quote: str
    where: str


class ShownClaim(Record):
    claim: str
    quote: str
    seat: str
    where: str
    standing: Standing
    votes: tuple[ShownVote, ...]


class ShownRoom(Record):
    id: str
    motion: Motion
    preset: str
    phases: tuple[Phase, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    claims: tuple[ShownClaim, ...]
    claims_by: str = ""
    claims_draft: bool = False
    claims_quorum: str = ""
    split: tuple[str, ...] = ()
    agreed: str = ""
    """The option that all hold who have spoken; "" where they differ, or fewer than two spoke."""
    decision: RoomDecision | None
    decision_quorum: str = ""
    mirror: str
    sandbox: str
    evidence: tuple[str, ...]
    lacking: tuple[str, ...]
    overtaken: bool = False
    """Whether somebody has answered since the decision was made."""
    ready: bool
    next: str
    word_cap: int
    labels: Mapping[str, str]
    """Each seat's name as a line shows it; an assigned side shows."""
    closed: bool = False


def show(room: Room) -> ShownRoom:
    """Raises `KeystoneError` for a room that cannot be."""
    last = room.last_step
    return ShownRoom(
        id=room.id,
        motion=room.now,
        preset=room.start.preset,
        phases=_phases(room),
        columns=tuple(_column(room, name) for name in room.names),
        rows=tuple(_row(room, step) for step in room.steps),
        claims=_claims(room),
        claims_by=room.claims.by if room.claims else "",
        claims_draft=bool(room.claims and room.claims.draft),
        claims_quorum=(
            quorum_line(room, room.step(room.claimed_at)) if room.claims and room.claimed_at else ""
        ),
        split=split_lines(room),
        agreed=_agreed(room),
        decision=room.decision,
        decision_quorum=quorum_line(room, last) if last else "",
        mirror=mirror_line(room),
        sandbox=_sandbox(room),
        evidence=room.start.evidence,
        lacking=what_lacks(room) if room.decision else unanswered(room),
        overtaken=room.overtaken,
        ready=is_ready(room),
        next=what_next(room),
        word_cap=room.start.word_cap,
        labels={name: room.label(name) for name in room.names},
        closed=room.closed,
    )


def _agreed(room: Room) -> str:
    held = [said.turn.position for said in room.holders.values()]
    return held[0] if len(held) >= QUORUM and len(set(held)) == 1 else ""


def _phases(room: Room) -> tuple[Phase, ...]:
    claims, ready = room.claims, is_ready(room)
    done = {
        "Motion": True,
        "Opening": _complete(room, room.latest_of("opening")),
        "Cross-examination": _complete(room, room.latest_of("cross")),
        "Claims": claims is not None and not claims.draft,
        "Convergence": _complete(room, room.latest_of("converge")),
        "Decision": room.decision is not None and not room.overtaken,
        "Verdict": ready,
    }
    begun = {
        "Opening": room.latest_of("opening") is not None,
        "Cross-examination": room.latest_of("cross") is not None,
        "Claims": claims is not None,
        "Convergence": room.latest_of("converge") is not None,
        "Decision": room.decision is not None,
    }
    later = "skipped" if ready else "next"
    return tuple(
        Phase(title=title, state="done" if finished else "now" if begun.get(title) else later)
        for title, finished in done.items()
    )


def _complete(room: Room, step: Step | None) -> bool:
    """Whether nobody is still being asked in it, and enough answered for something to follow."""
    if step is None or (step == room.last_step and room.asking):
        return False
    return len(answered(room, step)) >= QUORUM


def _column(room: Room, name: str) -> Column:
    seat = next(one for one in room.seats if one.name == name)
    speaks = f"{seat.seat.engine} {seat.seat.model}" if seat.seat.model else seat.seat.engine
    role = "judge" if seat.judge else ""
    if room.start.preset == "red-team":
        role = f"told to break “{one_line(room.now.options[0])}”"
    return Column(
        name=name,
        engine=speaks,
        vendor=seat.vendor,
        stance=seat.seat.stance or "",
        role=role,
        excused=dict(room.excused).get(name),
    )


def _row(room: Room, step: Step) -> Row:
    points = room.now.points
    passes = [one for one in room.steps if one.round == "cross"]
    title = ROUND_TITLES[step.round]
    if step.round == "cross" and len(passes) > 1:
        title = f"{title}, pass {passes.index(step) + 1}"
    return Row(
        folder=step.folder,
        title=title,
        quorum=quorum_line(room, step),
        point=points[step.points - 1] if step.round == "cross" and step.points else "",
        cells=tuple(_cell(room, step, name) for name in room.names),
    )


def _cell(room: Room, step: Step, name: str) -> Cell:
    said = room.turn_of(step.number, name)
    waiting = step == room.last_step and name in room.asking
    if said is None:
        missed = room.missed_of(step.number, name)
        return Cell(
            seat=name,
            absent="" if waiting else absence(room, step, name),
            detail=one_line(missed.detail) if missed else "",
            waiting=waiting,
        )
    turn, earlier = said.turn, room.last_turn(name, step.number)
    before = f"{earlier.turn.position} at {earlier.turn.confidence}" if earlier else ""
    return Cell(
        seat=name,
        text=turn.text,
        position=turn.position,
        confidence=turn.confidence,
        before=before,
        moved=earlier is not None and earlier.turn.position != turn.position,
        changed=turn.changed,
        moved_by=room.label(turn.moved_by) if turn.moved_by else "",
        would_change=turn.would_change,
        letters=tuple(said.letters.items()),
        words=len(turn.text.split()),
        waiting=waiting,
    )


def _claims(room: Room) -> tuple[ShownClaim, ...]:
    """Those that split first: they are the decision."""
    if room.claims is None:
        return ()
    order = {"split": 0, "open": 1, "settled": 2}
    shown = [
        ShownClaim(
            claim=claim.claim,
            quote=claim.source.quote,
            seat=claim.source.seat,
            where=room.step(claim.source.turn).folder,
            standing=standing(room, claim),
            votes=tuple(
                ShownVote(
                    seat=vote.seat,
                    vote=vote.vote,
                    quote=vote.quote,
                    where=room.step(vote.turn).folder if vote.turn else "",
                )
                for vote in sorted(claim.votes, key=lambda v: room.names.index(v.seat))
            ),
        )
        for claim in room.claims.claims
    ]
    return tuple(sorted(shown, key=lambda claim: order[claim.standing]))


def _sandbox(room: Room) -> str:
    if not room.sandboxed:
        return ""
    if all(room.sandboxed):
        return (
            "sandboxed: no seat saw the room, the project, another seat's folder, or more of a "
            "home folder than its entry names"
        )
    return "not sandboxed" if not any(room.sandboxed) else "partly not sandboxed"


def changes(room: Room) -> tuple[str, ...]:
    """Who moved and why, a line each; who did not is not named."""
    lines = []
    for said in sorted(room.said, key=lambda said: said.number):
        earlier = room.last_turn(said.seat, said.number)
        if earlier is None or earlier.turn.position == said.turn.position:
            continue
        why = one_line(said.turn.changed)
        by = f", moved by {room.label(said.turn.moved_by)}" if said.turn.moved_by else ""
        before, after = (f"{t.position} ({t.confidence})" for t in (earlier.turn, said.turn))
        lines.append(
            f"{room.label(said.seat)} went from {before} to {after} in "
            f"{room.step(said.number).folder}{by}"
            + (f": {why}" if not is_blank(why) else ", and did not say why")
        )
    return tuple(lines)
