"""What one answer teaches, by rules: choices, exclusions, limits, costs, and new options."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.catalog import Catalog
from ..core.records import Assessment, Option, Question
from ..core.session import Session, Turn
from ..reading.rules import Rules
from .choosing import take_paths
from .costing import take_costs, take_reversibility
from .hearing import Hearing, Learned
from .preparing import put, template_of
from .viewing import Heard, views_of
from .wording import Wording


def learn(session: Session, rules: Rules, catalog: Catalog, wording: Wording) -> Assessment:
    """The assessment of the last answer."""
    turn = session.turns[-1]
    answer = turn.answer
    if answer is None or answer.signal == "low_information":
        return Assessment(asking=turn.asking)
    learned = Learned()
    hearing = Hearing(session, turn, answer, rules, catalog, learned)
    stance = take_paths(hearing)
    if stance is not None:
        take_costs(hearing, stance)
        take_reversibility(hearing)
    options = (*session.options, *learned.options)
    heard = _heard(session, turn, learned, options)
    return Assessment(
        asking=turn.asking,
        choices=tuple(dict.fromkeys(learned.choices)),
        exclusions=tuple(o for o in dict.fromkeys(learned.exclusions) if o not in learned.choices),
        facts=tuple(learned.facts),
        options=tuple(learned.options),
        reassessed=tuple(learned.reassessed),
        costs=tuple(learned.costs),
        views=views_of(session.prepared.roles, session.prepared.mode, heard, catalog, wording),
        questions=_reworded(session, catalog, options) if learned.options else (),
        agenda=_agenda(session, learned),
        decision_topic=learned.decision_topic,
    )


def _heard(session: Session, turn: Turn, learned: Learned, options: Sequence[Option]) -> Heard:
    costs = [(c, t.answer_id) for t, a in session.assessments for c in a.costs]
    costs += [(c, turn.answer_id) for c in learned.costs]
    return Heard(
        options=options,
        facts=(*session.facts, *learned.facts),
        costs=costs,
        lean=session.prepared.lean,
        slots={t.answer_id: t.question.slot for t in session.turns},
    )


def _reworded(
    session: Session, catalog: Catalog, options: Sequence[Option]
) -> tuple[Question, ...]:
    """The questions about the options, with those that have come in since."""
    topic, mode = session.start.topic, session.prepared.mode
    templates = (template_of(catalog, mode, q.template) for q in session.bank)
    return tuple(put(t, topic, options) for t in templates if t is not None and t.suggests)


def _agenda(session: Session, learned: Learned) -> tuple[str, ...]:
    """Needed slots first, what is already told last among them, then the rest as listed."""
    told = {"cost"} if learned.costs else set()
    needed = session.prepared.needed
    ranked = sorted(
        session.bank,
        key=lambda q: (
            q.template != "describe",
            q.slot not in needed,
            q.slot in told,
        ),
    )
    return tuple(q.template for q in ranked)
