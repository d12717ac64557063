"""The preview by rules: decision topic, mode, roles with views, options, and the questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..core.catalog import Catalog, ModeSpec, QuestionTemplate
from ..core.plain import one_line
from ..core.records import Fact, ModeId, Option, Preview, Question, Suggestion
from ..core.report import shorten
from ..core.session import Session
from ..reading.options import OptionsReading
from ..reading.rules import Rules
from ..reading.sentences import split_sentences
from .casting import cast_roles
from .viewing import Heard, views_of
from .wording import Wording

MAX_DECISION_TOPIC = 200  # characters
MAX_LEAD = 110  # characters of the topic above a question: one or two screen lines
MAX_SUGGESTIONS = 4
_ASKED_MODE = "as you asked"


def prepare(session: Session, rules: Rules, catalog: Catalog, wording: Wording) -> Preview:
    """The preview of a session that has just started, or whose mode was changed."""
    start = session.start
    found = rules.options(start.topic)
    in_context = rules.options(start.context) if start.context and not found.options else None
    reading = rules.mode(start.topic)
    vague = reading.vague and not (found.options or found.decision_topic or _asks(start.topic))
    options = _options(found, in_context)
    several = sum(o.source == "topic" for o in found.options) > 1 and found.lean is None
    if reading.by_default and several:
        reading = replace(reading, mode="brainstorm", reason="several paths and no lean yet")
    mode_id = session.asked_mode or ("brainstorm" if vague else reading.mode)
    mode = catalog.mode(mode_id)
    complexity = rules.complexity(start.topic)
    roles = cast_roles(start.topic, mode, complexity, catalog, start.roles)
    facts = (*start.facts, *_facts(session, options, rules, catalog))
    lean = f"o{found.lean + 1}" if found.lean is not None else None
    heard = Heard(options, facts, (), lean, {})
    return Preview(
        decision_topic=_decision_topic(start.topic, found),
        vague=vague,
        mode=mode_id,
        mode_reason=_ASKED_MODE if session.asked_mode else reading.reason,
        complexity=complexity,
        roles=roles,
        views=views_of(roles, mode_id, heard, catalog, wording),
        options=options,
        lean=lean,
        facts=facts[len(start.facts) :],
        bank=question_bank(start.topic, mode, catalog, options, vague),
        scope_question=put(mode.scope_question, start.topic, ()),
        needed=mode.needed,
        scope_slot=mode.scope_slot,
    )


def _options(found: OptionsReading, in_context: OptionsReading | None) -> tuple[Option, ...]:
    source = found if in_context is None else in_context
    return tuple(
        Option(
            id=f"o{index}",
            text=one_line(option.text),
            source="context" if in_context and option.source == "topic" else option.source,
            reversibility=option.reversibility,
            reversibility_words=option.reversibility_words,
            status_quo=option.status_quo,
        )
        for index, option in enumerate(source.options, 1)
    )


def _decision_topic(topic: str, found: OptionsReading) -> str:
    """One sentence of at most 200 characters, in the person's own terms."""
    if found.decision_topic:
        return one_line(found.decision_topic)
    frame = "Which direction should be taken on “{}”?"
    told = split_sentences(topic)
    matter = " ".join(told[:-1]) if _asks(topic) else topic
    return frame.format(shorten(one_line(matter), MAX_DECISION_TOPIC - len(frame)).rstrip("?.!"))


def _asks(topic: str) -> bool:
    """Whether a situation is told first and a question about it comes last."""
    told = split_sentences(topic)
    return len(told) > 1 and told[-1].rstrip().endswith(("?", "？"))


def _facts(
    session: Session, options: Sequence[Option], rules: Rules, catalog: Catalog
) -> tuple[Fact, ...]:
    """Limits and role positions that the topic or the context states."""
    found: list[Fact] = []
    for text, ref in ((session.start.topic, "topic"), (session.start.context, "context")):
        if text:
            found += facts_of(text, ref, options, rules, catalog)
    return tuple(found)


def facts_of(
    text: str, ref: str, options: Sequence[Option], rules: Rules, catalog: Catalog
) -> list[Fact]:
    """Limits, and what roles are reported to hold, in words that are no answer."""
    names = {role.id: role.aliases for role in catalog.roles.values()}
    stance = rules.stance(text, [o.text for o in options], names)
    facts = [Fact(kind="limit", text=clause, ref=ref) for clause in stance.limits if ref != "topic"]
    facts += [
        Fact(
            kind="support" if position.favours else "objection",
            text=position.words,
            ref=ref,
            options=tuple(options[i].id for i in position.options),
            role=position.role,
        )
        for position in stance.positions
    ]
    return facts


def question_bank(
    topic: str, mode: ModeSpec, catalog: Catalog, options: Sequence[Option], vague: bool
) -> tuple[Question, ...]:
    """The mode's questions for this topic; first the one that asks for a description, if needed."""
    templates = [q for q in mode.questions if not q.only_when_vague]
    if vague:
        templates = [*_describing(mode, catalog), *templates]
    return tuple(put(template, topic, options) for template in templates)


def _describing(mode: ModeSpec, catalog: Catalog) -> list[QuestionTemplate]:
    for candidate in (mode, catalog.mode("brainstorm")):
        found = [q for q in candidate.questions if q.only_when_vague]
        if found:
            return found[:1]
    return []


def lead_of(topic: str) -> str:
    """The line above a question that names the topic."""
    return f"“{shorten(one_line(topic), MAX_LEAD)}”"


def put(template: QuestionTemplate, topic: str, options: Sequence[Option]) -> Question:
    """The template as a question on this topic. The core numbers it when it is asked."""
    suggestions = [
        Suggestion(text=option.text, option=option.id) for option in options[:MAX_SUGGESTIONS]
    ]
    return Question(
        id="Q0",
        template=template.key,
        slot=template.slot,
        text=template.text,
        lead=lead_of(topic),
        stakes=template.stakes,
        explanation=template.explanation,
        suggestions=tuple(suggestions) if template.suggests and len(suggestions) > 1 else (),
    )


def template_of(catalog: Catalog, mode: ModeId, key: str) -> QuestionTemplate | None:
    """The template that a question was made from; None for one that a model worded itself."""
    spec = catalog.mode(mode)
    known = (*spec.questions, spec.scope_question)
    return next((q for q in known if q.key == key), None)
