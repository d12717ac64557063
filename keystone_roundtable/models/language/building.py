"""Checked drafts as the session's own records.

What decides an outcome is never taken on a model's word: a choice, an exclusion or a cost counts
where the rules read it, or where its quote names the option. Roles keep the preferences that the
person reported of them; the model words what they hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...core.catalog import Catalog
from ...core.limits import MAX_TOPIC
from ...core.plain import one_line
from ...core.records import (
    Assessment,
    Conclusion,
    Fact,
    Line,
    Option,
    Preview,
    Question,
    Reassessment,
    RoleLine,
    RoleView,
    SignalOpinion,
    StatedCost,
    Suggestion,
)
from ...core.report import shorten
from ...core.second_reading import is_quoted
from ...core.session import Session
from ...reading.rules import Rules
from ..preparing import put
from .drafts import (
    AssessDraft,
    ConcludeDraft,
    KnownDraft,
    LineDraft,
    OptionDraft,
    PreviewDraft,
    QuestionDraft,
    ViewDraft,
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
        _option(one, equal.get(one.text.casefold()), rules, ledger) for one in draft.options
    )
    mode = catalog.mode(draft.mode)
    facts = [_fact(known, _source_of(known.quote, ledger)) for known in draft.known]
    known_words = {fact.text for fact in by_rules.facts}
    return Preview(
        decision_topic=shorten(one_line(draft.decision_topic), MAX_TOPIC),
        vague=False,
        mode=draft.mode,
        mode_reason=by_rules.mode_reason if session.asked_mode else one_line(draft.mode_reason),
        complexity=draft.complexity,
        roles=draft.roles,
        views=_views(draft.views, {}, ledger),
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
    """One question a slot, in the model's order; a second one for the same slot is left out."""
    offers = {q.slot for q in catalog.mode(preview.mode).questions if q.suggests}
    found: dict[str, Question] = {}
    for draft in drafts:
        if draft.slot in keys and draft.slot not in found:
            ids = {option.text.casefold(): option.id for option in preview.options}
            naming = ids if draft.slot in offers else {}
            found[draft.slot] = _question(draft, keys[draft.slot], session, naming)
    return tuple(found.values())


def _question(
    draft: QuestionDraft, template: str, session: Session, ids: Mapping[str, str]
) -> Question:
    """`ids` are the options by folded text, where picking one of them chooses it."""
    suggestions = tuple(
        Suggestion(
            text=one_line(text),
            option=ids.get(text.casefold()),
            recommended=number == draft.recommended,
        )
        for number, text in enumerate(draft.suggestions, 1)
    )
    return Question(
        id="Q0",
        template=template,
        slot=draft.slot,
        text=one_line(draft.text),
        lead=f"“{shorten(one_line(session.start.topic), 110)}”",
        stakes=one_line(draft.stakes),
        explanation=one_line(draft.explanation),
        suggestions=suggestions if len(suggestions) > 1 else (),
    )


def _option(draft: OptionDraft, equal: Option | None, rules: Rules, ledger: Ledger) -> Option:
    """`equal` is the option of the same name that the rules read; what they know of it stays.

    Else reversibility counts where the quote tells so by itself.
    """
    told, words = rules.reversibility(draft.reversibility_quote)
    if equal is not None:
        told, words = equal.reversibility, equal.reversibility_words
    from_context = draft.quote and _source_of(draft.quote, ledger) == "context"
    return Option.model_validate(
        {
            "id": draft.id,
            "text": one_line(draft.text),
            "source": ("context" if from_context else "topic") if draft.quote else "implied",
            "reversibility": told,
            "reversibility_words": one_line(words),
            "status_quo": draft.status_quo if equal is None else equal.status_quo,
        }
    )


def _source_of(quote: str, ledger: Ledger) -> str:
    """The ref of the first entry that holds the words."""
    return next((e.ref for e in ledger.entries if is_quoted(quote, e.said)), "topic")


def _fact(known: KnownDraft, ref: str) -> Fact:
    return Fact(
        kind=known.kind,
        text=one_line(known.quote),
        ref=ref,
        options=known.options,
        role=known.role if known.kind in ("support", "objection") else None,
    )


def _views(
    drafts: Sequence[ViewDraft], held: Mapping[str, RoleView], ledger: Ledger
) -> tuple[RoleView, ...]:
    """`held` are the views as the rules read them: what the person said the roles prefer."""
    return tuple(
        RoleView(
            role=draft.role,
            position=one_line(draft.position),
            reason=one_line(draft.reason),
            risk=one_line(draft.risk),
            prefers=held[draft.role].prefers if draft.role in held else None,
            cannot_accept=held[draft.role].cannot_accept if draft.role in held else (),
            refs=_refs(draft.refs, ledger),
        )
        for draft in drafts
    )


def _refs(ids: Iterable[str], ledger: Ledger, roles: Sequence[str] = ()) -> tuple[str, ...]:
    found = (one if one in roles else ledger.ref(one) for one in ids)
    return tuple(dict.fromkeys(ref for ref in found if ref is not None))


def assessment_of(
    draft: AssessDraft, session: Session, by_rules: Assessment, rules: Rules, ledger: Ledger
) -> Assessment:
    """What the answer taught: all that the rules read, and what the model's quotes bear out."""
    turn = session.turns[-1]
    opinion = SignalOpinion(
        signal=draft.signal,
        reason=one_line(draft.signal_reason),
        quote=one_line(draft.signal_quote),
    )
    told = Assessment(
        asking=turn.asking,
        opinion=opinion,
        views=_views(draft.views, {v.role: v for v in by_rules.views or session.views}, ledger),
        questions=_reworded(draft.next_questions, session),
        agenda=_agenda(draft.next_questions, session) or by_rules.agenda,
    )
    if turn.signal == "low_information" or draft.signal == "low_information":
        return told if turn.answer and not turn.answer.firm else _merged(told, by_rules)
    learned = _Learned(draft, session, by_rules, rules)
    return _merged(told, by_rules).model_copy(
        update={
            "choices": learned.choices(),
            "exclusions": learned.exclusions(),
            "facts": (*by_rules.facts, *learned.facts()),
            "options": (*by_rules.options, *learned.options()),
            "costs": (*by_rules.costs, *learned.costs()),
            "reassessed": (*learned.reassessed(), *by_rules.reassessed),
            "contradicts": tuple(
                ref
                for ref in _refs(draft.contradicts, ledger)
                if ref.startswith("A") and ref != turn.answer_id
            ),
        }
    )


def _merged(told: Assessment, by_rules: Assessment) -> Assessment:
    return by_rules.model_copy(
        update={
            "opinion": told.opinion,
            "views": told.views,
            "questions": told.questions,
            "agenda": told.agenda,
        }
    )


def _reworded(drafts: Sequence[QuestionDraft], session: Session) -> tuple[Question, ...]:
    """Sharper wordings of questions that were not put yet."""
    bank = {question.slot: question for question in session.bank}
    ids = {option.text.casefold(): option.id for option in session.options}
    found: dict[str, Question] = {}
    for draft in drafts:
        question = bank.get(draft.slot)
        if question is not None and draft.slot not in session.asked_slots | found.keys():
            naming = ids if any(s.option for s in question.suggestions) else {}
            found[draft.slot] = _question(draft, question.template, session, naming)
    return tuple(found.values())


def _agenda(drafts: Sequence[QuestionDraft], session: Session) -> tuple[str, ...]:
    """The model's order, but what the mode needs comes first."""
    bank = {question.slot: question.template for question in session.bank}
    wanted = [bank[draft.slot] for draft in drafts if draft.slot in bank]
    needed = [bank[slot] for slot in session.unfilled_needed if slot in bank]
    return tuple(dict.fromkeys([*(t for t in wanted if t in needed), *needed, *wanted]))


class _Learned:
    """What a model drew from an answer, as far as the quotes bear it out."""

    def __init__(
        self, draft: AssessDraft, session: Session, by_rules: Assessment, rules: Rules
    ) -> None:
        self._draft = draft
        self._session = session
        self._by_rules = by_rules
        self._rules = rules
        self._ref = session.turns[-1].answer_id

    def choices(self) -> tuple[str, ...]:
        """Those of the rules; where they read none, the one option that a quoted choice names."""
        if self._by_rules.choices:
            return self._by_rules.choices
        found = self._named_by("choice")
        return found if len(found) == 1 and not set(found) & set(self.exclusions()) else ()

    def exclusions(self) -> tuple[str, ...]:
        if self._by_rules.choices or self._by_rules.exclusions:
            return self._by_rules.exclusions
        found = self._named_by("exclusion")
        return found if len(found) < len(self._session.options) else ()

    def _named_by(self, kind: str) -> tuple[str, ...]:
        found: list[str] = []
        for known in self._draft.learned:
            if known.kind == kind:
                named = self._mentioned(known.quote)
                found += [option for option in known.options if option in named]
        return tuple(dict.fromkeys(found))

    def _mentioned(self, words: str) -> set[str]:
        """The options that words name."""
        options = self._session.options
        texts = [option.text for option in options]
        return {options[index].id for index in self._rules.mentioned(words, texts)}

    def facts(self) -> tuple[Fact, ...]:
        """A choice or exclusion that is not borne out stays a statement of what was said."""
        listed = {option.id for option in self._session.options}
        decided = {"choice": self.choices(), "exclusion": self.exclusions()}
        known_words = {fact.text for fact in self._by_rules.facts}
        found = []
        for known in self._draft.learned:
            fact = _fact(known, self._ref)
            if fact.text in known_words:
                continue
            borne_out = set(fact.options) <= set(decided.get(fact.kind, ()))
            if fact.kind not in ("limit", "statement") and not (fact.options and borne_out):
                fact = fact.model_copy(update={"kind": "statement", "role": None})
            options = tuple(option for option in fact.options if option in listed)
            found.append(fact.model_copy(update={"options": options}))
        return tuple(found)

    def options(self) -> tuple[Option, ...]:
        known = {option.text.casefold() for option in self._session.options}
        known |= {option.text.casefold() for option in self._by_rules.options}
        fresh = [o for o in self._draft.options if o.text.casefold() not in known and o.quote]
        taken = len(self._session.options) + len(self._by_rules.options)
        return tuple(
            Option(
                id=f"o{taken + number}",
                text=one_line(option.text),
                source="answer",
            )
            for number, option in enumerate(fresh, 1)
        )

    def costs(self) -> tuple[StatedCost, ...]:
        """Costs that the rules did not read, in the person's words, without an amount."""
        told = {cost.option for cost in self._by_rules.costs}
        return tuple(
            StatedCost(option=cost.option, words=one_line(cost.quote))
            for cost in self._draft.costs
            if cost.option not in told and cost.option in self._mentioned(cost.quote)
        )

    def reassessed(self) -> tuple[Reassessment, ...]:
        """Where the quote tells so by itself and names the option, or no other could be meant."""
        told = {change.option for change in self._by_rules.reassessed}
        lone = {o.id for o in self._session.options if not o.status_quo}
        return tuple(
            Reassessment(
                option=change.option,
                reversibility=change.reversibility,
                words=one_line(change.quote),
            )
            for change in self._draft.reversals
            if change.option not in told
            and self._rules.reversibility(change.quote)[0] == change.reversibility
            and change.option in (self._mentioned(change.quote) or (lone if len(lone) == 1 else ()))
        )


def conclusion_of(
    draft: ConcludeDraft, session: Session, by_rules: Conclusion, ledger: Ledger, model: str
) -> Conclusion:
    """The report's words. What is missing, and whether risk is disclosed, stay the rules'."""
    roles = session.prepared.roles

    def line(one: LineDraft) -> Line:
        return Line(text=one_line(one.text), refs=_refs(one.refs, ledger, roles))

    risk = by_rules.risk_disclosure
    if risk is not None and draft.risk_disclosure is not None:
        risk = line(draft.risk_disclosure)
    told = {view.role: view.text for view in draft.role_views}
    return Conclusion(
        role_views=tuple(RoleLine(role=role, text=one_line(told[role])) for role in roles),
        consensus=line(draft.consensus),
        disagreement=line(draft.disagreement),
        decision=line(draft.decision),
        why=line(draft.why),
        excluded_paths=line(draft.excluded_paths),
        wrong_choice_cost=line(draft.wrong_choice_cost),
        entry_condition=line(draft.entry_condition),
        risk_disclosure=risk,
        missing_points=by_rules.missing_points,
        simulated_by=by_rules.simulated_by,
        source=model,
    )
