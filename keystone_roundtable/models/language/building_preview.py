"""A checked preparation as the session's own preview."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ...core.catalog import Catalog
from ...core.limits import MAX_TOPIC
from ...core.plain import one_line
from ...core.records import (
    Fact,
    Option,
    Preview,
    Question,
)
from ...core.report import shorten
from ...core.second_reading import is_quoted
from ...core.session import Session
from ...reading.rules import Rules
from ..casting import complexity_of
from ..preparing import put
from .building_parts import fact_of, option_of, question_of, source_of, views_of
from .drafts import (
    PreviewDraft,
    QuestionDraft,
)
from .ledger import Ledger


def preview_of(
    draft: PreviewDraft,
    session: Session,
    by_rules: Preview,
    rules: Rules,
    catalog: Catalog,
    ledger: Ledger,
) -> Preview:
    """The preparation. `by_rules` is what the built-in moderator made of the same topic."""
    equal = {option.text.casefold(): option for option in by_rules.options}
    options = tuple(
        option_of(one, equal.get(one.text.casefold()), rules, ledger) for one in draft.options
    )
    mode = catalog.mode(draft.mode)
    facts = [fact_of(known, source_of(known.quote, ledger)) for known in draft.known]
    known_words = {fact.text for fact in by_rules.facts}
    return Preview(
        decision_topic=shorten(one_line(draft.decision_topic), MAX_TOPIC),
        vague=False,
        mode=draft.mode,
        mode_reason=by_rules.mode_reason if session.asked_mode else _reason(draft.mode_reason),
        complexity=complexity_of(len(draft.roles)),
        roles=draft.roles,
        views=views_of(draft.views, {}, ledger),
        options=options,
        lean=_lean(draft, by_rules, options, rules),
        facts=(
            *by_rules_facts(by_rules, options),
            *(f for f in facts if f.text not in known_words and f.kind in ("limit", "statement")),
        ),
        bank=_bank(draft.questions, session, mode_slots(catalog, draft), catalog, draft),
        scope_question=put(mode.scope_question, session.start.topic, ()),
        needed=mode.needed,
        scope_slot=mode.scope_slot,
    )


def _lean(
    draft: PreviewDraft, by_rules: Preview, options: Sequence[Option], rules: Rules
) -> str | None:
    """Where the rules read a leaning, theirs; else the model's, where its quote bears it out.

    The quote must name that option alone and say more than its name: a path that is merely listed
    is no leaning.
    """
    if by_rules.lean is not None:
        text = next(o.text for o in by_rules.options if o.id == by_rules.lean).casefold()
        return next((o.id for o in options if o.text.casefold() == text), None)
    if draft.lean is None:
        return None
    named = rules.mentioned(draft.lean_quote, [option.text for option in options])
    lean = next(option for option in draft.options if option.id == draft.lean)
    bare = is_quoted(draft.lean_quote, lean.text) or is_quoted(draft.lean_quote, lean.quote)
    return draft.lean if [options[n].id for n in named] == [draft.lean] and not bare else None


def _reason(text: str) -> str:
    """Without its full stop, as it stands within a sentence."""
    line = one_line(text)
    return line.rstrip(".。") or line


def by_rules_facts(by_rules: Preview, options: Sequence[Option]) -> list[Fact]:
    """The rules' facts with the ids that their options have here; without the others."""
    ids = {option.text.casefold(): option.id for option in options}
    texts = {option.id: option.text.casefold() for option in by_rules.options}
    renamed = []
    for fact in by_rules.facts:
        known = [ids[texts[o]] for o in fact.options if texts.get(o) in ids]
        renamed.append(fact.model_copy(update={"options": tuple(known)}))
    return renamed


def mode_slots(catalog: Catalog, draft: PreviewDraft) -> Mapping[str, str]:
    """The template key of each slot of the mode."""
    questions = catalog.mode(draft.mode).questions
    return {q.slot: q.key for q in questions if not q.only_when_vague}


def _bank(
    drafts: Sequence[QuestionDraft],
    session: Session,
    keys: Mapping[str, str],
    catalog: Catalog,
    preview: PreviewDraft,
) -> tuple[Question, ...]:
    """One question a slot, in the model's order; a second one for the same slot is left out.

    What tells of several questions alike tells of none: there the mode's own words stand.
    """
    offers = {q.slot for q in catalog.mode(preview.mode).questions if q.suggests}
    own = {q.slot: put(q, session.start.topic, ()) for q in catalog.mode(preview.mode).questions}
    told = Counter(text.casefold() for q in drafts for text in (q.stakes, q.explanation))
    ids = {option.text.casefold(): option.id for option in preview.options}
    found: dict[str, Question] = {}
    for draft in drafts:
        if draft.slot in keys and draft.slot not in found:
            naming = ids if draft.slot in offers else {}
            question = question_of(draft, keys[draft.slot], session, naming)
            mode = own[draft.slot]
            if told[draft.stakes.casefold()] > 1:
                question = question.model_copy(update={"stakes": mode.stakes})
            if told[draft.explanation.casefold()] > 1:
                question = question.model_copy(update={"explanation": mode.explanation})
            found[draft.slot] = question
    return tuple(found.values())
