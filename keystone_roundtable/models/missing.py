"""The points that are missing for a decision, one by one."""

from __future__ import annotations

from ..core.outcome import Outcome, clashes
from ..core.records import Line
from ..core.session import Session
from .wording import joined, quoted


def missing_points(session: Session, outcome: Outcome) -> tuple[Line, ...]:
    """What an escalated or deferred session still lacks; empty where a direction was taken."""
    if outcome.option is not None:
        return ()
    points = [_unfilled(session, slot) for slot in session.unfilled_needed]
    points += [
        Line(
            text=f"Which position gives way: the one for {quoted(a.text, 80)}, or the one for "
            f"{quoted(b.text, 80)} that cannot accept it.",
            refs=tuple(v.role for v in session.views if v.prefers in (a.id, b.id)),
        )
        for a, b in clashes(session)[:1]
    ]
    points += _undecided(session)
    return tuple(points)


def _unfilled(session: Session, slot: str) -> Line:
    asked = next((t for t in session.turns if t.question.slot == slot), None)
    if asked is not None:
        return Line(
            text=f"{asked.question.text} Asked as {asked.question.id}, without a usable answer.",
            refs=(asked.question.id,),
        )
    question = next(q for q in (*session.bank, session.prepared.scope_question) if q.slot == slot)
    return Line(text=f"{question.text} It was never asked.", refs=("topic",))


def _undecided(session: Session) -> list[Line]:
    if not session.options:
        return [Line(text="A path to decide on: neither the topic nor an answer names one.")]
    irreversible = [o for o in session.options if o.reversibility == "irreversible"]
    if len(irreversible) == len(session.options):
        names = joined(quoted(o.text, 80) for o in irreversible)
        return [Line(text=f"A way to try one of them out first: {names} cannot be undone.")]
    names = joined((quoted(o.text, 80) for o in session.options), "or")
    return [Line(text=f"Your own preference among {names}.")]
