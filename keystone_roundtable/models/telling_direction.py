"""The report's lines on the direction: which one, and why."""

from __future__ import annotations

from ..core.outcome import clashes
from ..core.records import Line, Option
from .said import Quote
from .telling import Draft, Telling
from .wording import capitalised, joined, quoted

MAX_LIMITS = 3  # limits quoted in one line; the rest stand in the answers
MAX_NOTES = 2


class DirectionTold(Telling):
    """Decision and why, or why there is none."""

    def decision(self) -> Line:
        option = self.outcome.option
        if option is None:
            return self._no_decision()
        refs = self.support(option) or ("topic",)
        backing = tuple(v.role for v in self.session.views if v.prefers == option.id)
        return Line(text=self._direction(option), refs=(*refs, *backing))

    def _direction(self, option: Option) -> str:
        """The option as a direction: one sentence that holds its text as it stands."""
        text = option.text.rstrip(".")
        if not text.isascii():
            return text
        if option.status_quo or self.rules.is_action(text):
            return f"{capitalised(text)}."
        return self.wording.say("decision.thing", option=text)

    def _no_decision(self) -> Line:
        paths = self.open_options() or list(self.session.options)
        open_paths = joined((quoted(o.text, 80) for o in paths), "or")
        key = self.outcome.row if open_paths else "no_options"
        text = self.wording.say(f"decision.none.{key}", options=open_paths)
        refs = [t.question.id for t in self.said.unusable]
        if self.outcome.row == "irreconcilable":
            refs = [v.role for v in self.session.views if v.prefers]
        return Line(text=f"None: {text}", refs=tuple(refs or ("topic",)))

    def why(self) -> Line:
        draft = Draft()
        option = self.outcome.option
        if option is None:
            self._why_not(draft)
        else:
            self._basis(draft, option)
            self._served(draft)
        self._limits(draft)
        return draft.line("topic")

    def _basis(self, draft: Draft, option: Option) -> None:
        current = self.said.preference
        name = quoted(option.text)
        if current.option == option.id and current.basis == "chosen":
            choice = self.said.answer(current.chosen[option.id][0])
            key = "why.picked" if self.is_name(choice.text, option) else "why.chosen"
            draft.add(
                self.wording.say(key, option=name, quote=quoted(choice.text), ref=choice.ref),
                choice.ref,
            )
        elif current.option == option.id and current.basis == "lean":
            draft.add(self.wording.say("why.lean", option=name), "topic")
        elif current.option == option.id:
            refs = tuple(a for answers in current.excluded.values() for a in answers)
            draft.add(self.wording.say("why.only_left", option=name, refs=joined(refs)), *refs)
        else:
            self._cheapest(draft, option)

    def _cheapest(self, draft: Draft, option: Option) -> None:
        others = [o for o in self.open_options() if o.id != option.id]
        draft.add(
            self.wording.say("why.cheapest", option=quoted(option.text)),
            *(self.support(option)),
        )
        draft.add(self.reversibility(option, "why"))
        harder = [o for o in others if o.reversibility == "irreversible"]
        if harder:
            names = joined((quoted(o.text, 80) for o in harder), "and")
            draft.add(self.wording.say("why.harder", options=names))

    def _served(self, draft: Draft) -> None:
        """What else was said that the direction answers to, at most two answers."""
        used = set(draft.refs)
        by_mode = {
            "brainstorm": ("outcome", "payoff", "minimum"),
            "align": ("loop", "survive", "dependency"),
            "challenge": ("survive", "skeptic", "blind_spot"),
        }
        told = 0
        brought = {self.said.brought_in(o) for o in self.said.others(self.outcome.option)}
        for slot in by_mode[self.session.prepared.mode]:
            quote = self.said.slot(slot)
            if quote is None or quote.ref in used or quote.ref in brought or told == 2:
                continue
            key = "why.open" if self.rules.declines(quote.text) else f"why.{slot}"
            draft.add(self.wording.say(key, quote=quoted(quote.text), ref=quote.ref), quote.ref)
            used.add(quote.ref)
            told += 1

    def _why_not(self, draft: Draft) -> None:
        key = f"why.none.{self.outcome.row}"
        answers, questions = self.counts()
        draft.add(
            self.wording.say(key, answers=answers, questions=questions),
            *(t.question.id for t in self.said.unusable),
        )
        for a, b in clashes(self.session)[:1]:
            draft.add(
                self.wording.say("why.equal_cost", a=quoted(a.text, 80), b=quoted(b.text, 80)),
                *(v.role for v in self.session.views if v.prefers in (a.id, b.id)),
            )
        for turn, quote in enumerate(self._usable_answers()[:2]):
            draft.add(
                self.wording.say("why.kept", turn=turn, quote=quoted(quote.text), ref=quote.ref),
                quote.ref,
            )

    def _usable_answers(self) -> list[Quote]:
        return [self.said.answer(t.answer_id) for t in self.session.answered]

    def _limits(self, draft: Draft) -> None:
        quotes = [q for q in self.said.limits if not self._told_whole(q, draft)][:MAX_LIMITS]
        if quotes:
            words = joined(f"{quoted(q.text, 80)} ({q.ref})" for q in quotes)
            draft.add(self.wording.say("why.limits", quotes=words), *(q.ref for q in quotes))
        notes = (*self.said.notes, *self.said.earlier)[:MAX_NOTES]
        if notes:
            words = joined(f"{quoted(q.text, 80)} ({q.ref})" for q in notes)
            draft.add(self.wording.say("why.notes", quotes=words), *(q.ref for q in notes))

    def _told_whole(self, quote: Quote, draft: Draft) -> bool:
        """Whether the line already quotes these words."""
        return any(quoted(quote.text, 80).strip("“”…") in text for text in draft.sentences)
