"""Which option is preferred by what was said, and which answers contradict each other.

The ruling: the option the person chose explicitly, else the one the topic leans to, else the only
one no answer excludes. Two choices in conflict leave none preferred until an answer to the
question that showed the conflict settles it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .records import Assessment
from .session import Session

Basis = Literal["chosen", "lean", "only_left"]


@dataclass(frozen=True)
class Preference:
    """`option` is an option id or None; `conflict` the ids of the answers that disagree."""

    option: str | None = None
    basis: Basis | None = None
    conflict: tuple[str, ...] = ()
    chosen: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Option id -> the answers that chose it."""
    excluded: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Option id -> the answers that excluded it."""

    @property
    def by_answer(self) -> bool:
        """True where an answer, not the topic alone, made the preference."""
        return self.basis in ("chosen", "only_left")


def preference(session: Session) -> Preference:
    """The preference as the answers in force stand."""
    chosen, excluded = _votes(session)
    conflict = _conflict(chosen, excluded)
    if conflict:
        return Preference(conflict=conflict, chosen=chosen, excluded=excluded)
    option, basis = _decide(session, chosen, excluded)
    return Preference(option, basis, (), chosen, excluded)


def unshown_conflict(session: Session) -> tuple[str, ...]:
    """The answers that contradict each other and were not yet shown side by side; else empty."""
    conflict = preference(session).conflict
    shown = {answer for turn in session.turns for answer in turn.question.conflict}
    return () if set(conflict) <= shown else conflict


def conflict_to_show(session: Session) -> tuple[str, ...]:
    """What the next question puts side by side: choices that clash, else what a model holds to."""
    if clash := unshown_conflict(session):
        return clash
    shown = {answer for turn in session.turns for answer in turn.question.conflict}
    for turn, assessment in session.assessments:
        told = {t.answer_id for t in session.turns if t.answer is not None}
        pair = tuple(a for a in (*assessment.contradicts, turn.answer_id) if a in told)
        if len(pair) > 1 and not set(pair) <= shown:
            return pair
    return ()


Votes = dict[str, tuple[str, ...]]


def _votes(session: Session) -> tuple[Votes, Votes]:
    chosen: Votes = {}
    excluded: Votes = {}
    shown = False
    for turn, assessment in session.assessments:
        shown = shown or bool(turn.question.conflict)
        if shown and (turn.question.conflict or _conflict(chosen, excluded)):
            chosen, excluded = _settled(chosen, excluded, assessment)
        for option in assessment.choices:
            chosen[option] = (*chosen.get(option, ()), turn.answer_id)
        for option in assessment.exclusions:
            excluded[option] = (*excluded.get(option, ()), turn.answer_id)
    return chosen, excluded


def _settled(chosen: Votes, excluded: Votes, assessment: Assessment) -> tuple[Votes, Votes]:
    """What is left of the earlier votes once a shown conflict was answered.

    A choice outweighs every earlier one and any exclusion of it, an exclusion the earlier choice.
    """
    if assessment.choices:
        chosen = {}
    return (
        {o: ids for o, ids in chosen.items() if o not in assessment.exclusions},
        {o: ids for o, ids in excluded.items() if o not in assessment.choices},
    )


def _conflict(chosen: Votes, excluded: Votes) -> tuple[str, ...]:
    torn = chosen if len(chosen) > 1 else {o: ids for o, ids in chosen.items() if o in excluded}
    answers = [a for o, ids in torn.items() for a in (*ids, *excluded.get(o, ()))]
    return tuple(sorted(set(answers), key=lambda a: int(a[1:])))


def _decide(session: Session, chosen: Votes, excluded: Votes) -> tuple[str | None, Basis | None]:
    if chosen:
        return next(iter(chosen)), "chosen"
    lean = session.prepared.lean
    if lean is not None and lean not in excluded:
        return lean, "lean"
    left = [o.id for o in session.options if o.id not in excluded]
    if len(left) == 1 and excluded:
        return left[0], "only_left"
    return None, None
