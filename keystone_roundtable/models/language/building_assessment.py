"""A checked reading of an answer as the session's own assessment.

What decides an outcome is never taken on a model's word: a choice, an exclusion or a cost counts
where the rules read it, or where its quote names the option. Roles keep the preferences that the
person reported of them; the model words what they hold.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core.plain import one_line
from ...core.records import (
    Assessment,
    Fact,
    Option,
    Question,
    Reassessment,
    SignalOpinion,
    StatedCost,
)
from ...core.session import Session
from ...reading.rules import Rules
from .building_parts import fact_of, free_ids, question_of, refs_of, views_of
from .drafts import (
    AssessDraft,
    QuestionDraft,
)
from .ledger import Ledger


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
        views=views_of(draft.views, {v.role: v for v in by_rules.views or session.views}, ledger),
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
                for ref in refs_of(draft.contradicts, ledger)
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
            found[draft.slot] = question_of(draft, question.template, session, naming)
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
            fact = fact_of(known, self._ref)
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
        taken = {option.id for option in (*self._session.options, *self._by_rules.options)}
        return tuple(
            Option(id=new, text=one_line(option.text), source="answer")
            for new, option in zip(free_ids(taken), fresh, strict=False)
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
            and change.reversibility != "unknown"  # which no words need to tell
            and self._rules.reversibility(change.quote)[0] == change.reversibility
            and change.option in (self._mentioned(change.quote) or (lone if len(lone) == 1 else ()))
        )
