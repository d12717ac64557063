"""The report's lines on what was left, what a mistake costs, and what comes next."""

from __future__ import annotations

from ..core.records import Line, Option
from .said import Quote
from .telling import Draft, Telling
from .wording import quoted


class RestTold(Telling):
    """Excluded paths, wrong-choice cost, risk disclosure and entry condition."""

    def excluded_paths(self) -> Line:
        draft = Draft()
        option = self.outcome.option
        excluded = self.said.preference.excluded
        for turn, other in enumerate(self.said.others(option)):
            if other.id in excluded:
                answer = self.said.answer(excluded[other.id][-1])
                draft.add(
                    self.wording.say(
                        self._exclusion_key(answer, other),
                        turn=turn,
                        option=quoted(other.text),
                        quote=quoted(answer.text),
                        ref=answer.ref,
                    ),
                    answer.ref,
                )
            elif option is not None:
                draft.add(*self._set_aside(other, option, turn))
        self._said_not_now(draft)
        if not draft.sentences:
            key = "excluded.nothing" if option else "excluded.all_open"
            draft.add(self.wording.say(key), "topic")
        return draft.line("topic")

    def _exclusion_key(self, answer: Quote, option: Option) -> str:
        if self.is_name(answer.text, option):
            return "excluded.named"
        in_words = self.said.brought_in(option) == answer.ref
        return "excluded.in_words" if in_words else "excluded.said"

    def _set_aside(self, other: Option, option: Option, turn: int) -> tuple[str, ...]:
        """The sentence on an option that nothing rules out, and what it rests on."""
        refs = self.support(option)
        answer = self.said.brought_in(other)
        if answer is not None:
            key, refs = "excluded.aside_named", (answer, *refs)
        else:
            key = "excluded.aside_implied" if other.source == "implied" else "excluded.aside"
        sentence = self.wording.say(
            key,
            turn=turn,
            option=quoted(other.text),
            favour=self.favour(),
            ref=answer or "",
        )
        return (sentence, *refs)

    def _said_not_now(self, draft: Draft) -> None:
        quote = self.said.slot("not_now", "dismissed")
        if quote is None or quote.ref in draft.refs or self.rules.declines(quote.text):
            return
        if self._is_of_the_direction(quote):
            draft.add(
                self.wording.say("excluded.heard", quote=quoted(quote.text), ref=quote.ref),
                quote.ref,
            )
        else:
            turn = next(t for t in self.session.turns if t.answer_id == quote.ref)
            draft.add(
                self.wording.say(
                    f"excluded.{turn.question.slot}", quote=quoted(quote.text), ref=quote.ref
                ),
                quote.ref,
            )

    def _is_of_the_direction(self, quote: Quote) -> bool:
        """Whether the words name the very direction that was taken, and so may not be left out."""
        paths = self.session.options
        named = self.rules.mentioned(quote.text, [option.text for option in paths])
        return self.outcome.option in [paths[index] for index in named]

    def wrong_choice_cost(self) -> Line:
        draft = Draft()
        option = self.outcome.option
        for slot in ("cost", "failure", "reversal"):
            quote = self.said.slot(slot)
            if quote is not None:
                draft.add(
                    self.wording.say(f"cost.{slot}", quote=quoted(quote.text), ref=quote.ref),
                    quote.ref,
                )
        if not draft.sentences:
            stated = [(c, t.answer_id) for t, a in self.session.assessments for c in a.costs]
            for cost, ref in stated[:1]:
                draft.add(self.wording.say("cost.cost", quote=quoted(cost.words), ref=ref), ref)
        self._cost_unsaid(draft)
        if option is not None and self.said.slot("reversal") is None:
            draft.add(self.reversibility(option, "cost"))
            if option.reversibility != "unknown":
                draft.refs.append("topic")
        return draft.line("topic")

    def _cost_unsaid(self, draft: Draft) -> None:
        if draft.sentences:
            return
        near = self.said.slot("waste", "too_small", "assumption")
        if near is not None:
            turn = next(t for t in self.session.turns if t.answer_id == near.ref)
            draft.add(
                self.wording.say(
                    f"cost.near.{turn.question.slot}", quote=quoted(near.text), ref=near.ref
                ),
                near.ref,
            )
            return
        draft.add(self.wording.say("cost.unsaid"))
        waiting = [o for o in self.said.others(self.outcome.option) if o.source != "implied"]
        excluded = self.said.preference.excluded
        if self.outcome.option is not None and waiting:
            other = min(waiting, key=lambda o: o.id in excluded)
            draft.add(self.wording.say("cost.forgone", option=quoted(other.text)))

    def entry_condition(self) -> Line:
        row = self.outcome.row
        if self.outcome.option is None:
            return Line(text=self.wording.say(f"entry.{row}"))
        text = "direction is now clear enough to define the current block"
        entry = self.said.slot("entry", "dependency")
        if entry is not None:
            text += f"; first, in your words: {quoted(entry.text)} ({entry.ref})"
        elif "scope needs compression" in self.outcome.notes:
            text += "; its scope still needs compression"
        return Line(text=text, refs=(entry.ref,) if entry else ())

    def risk_disclosure(self) -> Line | None:
        option = self.outcome.option
        if option is None or not (self.outcome.forced or self.outcome.row == "none_preferred"):
            return None
        draft = Draft()
        answers, questions = self.counts()
        key = "risk.none_preferred" if self.outcome.row == "none_preferred" else "risk.answers"
        if self.said.preference.basis == "chosen":
            key = "risk.preferred"
        draft.add(
            self.wording.say(key, option=quoted(option.text), answers=answers, questions=questions),
            *(t.question.id for t in self.said.unusable),
        )
        draft.add(self._strongest_objection(option))
        return draft.line("topic")

    def _strongest_objection(self, option: Option) -> str:
        against = [v for v in self.session.views if v.prefers not in (None, option.id)]
        if against:
            view = against[0]
            return f"{view.role} would go the other way, to {self.quoted_text(view.prefers or '')}."
        role = self.catalog.role(self.session.prepared.roles[-1])
        return self.wording.say("risk.unheard", role=role.id, question=role.typical_question)
