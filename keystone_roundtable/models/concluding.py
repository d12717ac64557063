"""The conclusion by rules, each line with what it rests on.

The outcome is given; what is written here says why, in the person's own words. Nothing is
claimed that nobody said.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..core.catalog import Catalog
from ..core.convergence import roles_disagree
from ..core.outcome import Outcome, clashes
from ..core.records import Conclusion, Line, Option, RoleLine, RoleView
from ..core.session import Session
from ..reading.rules import Rules
from .missing import missing_points
from .said import Quote, Said
from .viewing import watches
from .wording import Wording, capitalised, joined, quoted

SIMULATED_BY = (
    "The roles were played by the built-in rules over what was said; "
    "no language model was consulted."
)
MAX_LIMITS = 3  # limits quoted in one line; the rest stand in the answers
MAX_NOTES = 2


def conclude(
    session: Session, outcome: Outcome, rules: Rules, catalog: Catalog, wording: Wording
) -> Conclusion:
    """The report's words for this outcome."""
    return _Concluding(session, outcome, rules, catalog, wording, Said(session)).conclusion()


@dataclass
class _Draft:
    """A line being written: its sentences, and what they rest on in order of mention."""

    sentences: list[str] = field(default_factory=list)
    refs: list[str] = field(default_factory=list)

    def add(self, sentence: str, *refs: str) -> None:
        self.sentences.append(sentence)
        self.refs += [ref for ref in refs if ref not in self.refs]

    def line(self, *otherwise: str) -> Line:
        """The line; `otherwise` is what it rests on where nothing was said for it."""
        return Line(text=" ".join(self.sentences), refs=tuple(self.refs or otherwise))


@dataclass(frozen=True)
class _Concluding:
    session: Session
    outcome: Outcome
    rules: Rules
    catalog: Catalog
    wording: Wording
    said: Said

    def conclusion(self) -> Conclusion:
        return Conclusion(
            role_views=self._role_views(),
            consensus=self._consensus(),
            disagreement=self._disagreement(),
            decision=self._decision(),
            why=self._why(),
            excluded_paths=self._excluded_paths(),
            wrong_choice_cost=self._wrong_choice_cost(),
            entry_condition=self._entry_condition(),
            risk_disclosure=self._risk_disclosure(),
            missing_points=missing_points(self.session, self.outcome),
            simulated_by=SIMULATED_BY,
        )

    # -- the roles ---------------------------------------------------------------------

    def _role_views(self) -> tuple[RoleLine, ...]:
        worries = self._worries()
        lines: list[RoleLine] = []
        told: set[str] = set()
        for view in self.session.views:
            reason = self._reason(view, told)
            told.update(ref for ref in view.refs if f"({ref})" in reason)
            worry = worries.get(view.role)
            if worry is not None and worry.ref in told:
                worry = None
            lines.append(RoleLine(role=view.role, text=self._role_view(view, reason, worry)))
        return tuple(lines)

    def _reason(self, view: RoleView, told: set[str]) -> str:
        """The view's reason; words that another role has quoted already are only referred to."""
        again = [ref for ref in view.refs if ref in told and f"({ref})" in view.reason]
        if not again:
            return view.reason
        if view.prefers is None:
            lens = self.catalog.role(view.role).lens[self.session.prepared.mode]
            return self.wording.say("view.no_grounds", salt=view.role, lens=lens)
        return self.wording.say("view.same_ground", salt=view.role, refs=joined(again))

    def _role_view(self, view: RoleView, reason: str, worry: Quote | None) -> str:
        held = f"{view.position.rstrip('.')}: {reason[:1].lower()}{reason[1:]}"
        if worry is not None:
            risk = self.wording.say(
                "view.worry", salt=view.role, quote=quoted(worry.text), ref=worry.ref
            )
        else:
            risk = view.risk
        return f"{held} {risk}"

    def _worries(self) -> dict[str, Quote]:
        """For each role the answer on what could go wrong that is its concern, each answer once."""
        slots = ("failure", "cost", "blind_spot", "skeptic", "reversal", "assumption", "waste")
        quotes = [q for slot in slots if (q := self.said.slot(slot)) is not None]
        found: dict[str, Quote] = {}
        for role_id in self.session.prepared.roles:
            role = self.catalog.role(role_id)
            fitting = [q for q in quotes if watches(role, q.text)]
            if fitting:
                found[role_id] = fitting[0]
                quotes.remove(fitting[0])
        return found

    def _text(self, option_id: str) -> str:
        return quoted(self.session.option(option_id).text)

    def _consensus(self) -> Line:
        draft = _Draft()
        preferring = [v for v in self.session.views if v.prefers]
        named = {v.prefers for v in preferring if v.prefers}
        roles = self.session.prepared.roles
        if len(named) == 1 and len(preferring) > 1:
            draft.add(
                self.wording.say(
                    "consensus.same",
                    roles=joined(v.role for v in preferring),
                    option=self._text(next(iter(named))),
                ),
                *(v.role for v in preferring),
            )
        elif len(named) == 1:
            draft.add(
                self.wording.say(
                    "consensus.one",
                    roles=preferring[0].role,
                    option=self._text(next(iter(named))),
                ),
                preferring[0].role,
            )
        elif len(named) > 1:
            draft.add(self.wording.say("consensus.split", roles=joined(roles)), *roles)
        else:
            draft.add(self.wording.say("consensus.open", roles=joined(roles)), *roles)
        shared = self.said.slot("outcome", "loop", "failure", "describe")
        disputed = {fact.ref for fact in self.said.facts("support", "objection")}
        if shared is not None and shared.ref not in disputed:
            failure = shared == self.said.slot("failure")
            key = "consensus.line" if failure else "consensus.shared"
            draft.add(self.wording.say(key, quote=quoted(shared.text), ref=shared.ref), shared.ref)
        return draft.line("topic")

    def _disagreement(self) -> Line:
        draft = _Draft()
        session = self.session
        if roles_disagree(session):
            for view in session.views:
                if view.prefers is not None:
                    draft.add(
                        f"{view.role} prefers {self._text(view.prefers)} ({self._ground(view)}).",
                        view.role,
                        *view.refs,
                    )
        for view in session.views:
            if view.cannot_accept:
                options = joined((self._text(o) for o in view.cannot_accept), "or")
                draft.add(f"{view.role} cannot accept {options}.", view.role, *view.refs)
        conflict = self.said.preference.conflict
        if conflict:
            answers = [self.said.answer(a) for a in conflict]
            pairs = " against ".join(f"{quoted(q.text)} ({q.ref})" for q in answers)
            draft.add(f"Your own answers pull apart: {pairs}.", *conflict)
        if not draft.sentences:
            return Line(text="none", refs=session.prepared.roles)
        return draft.line()

    def _ground(self, view: RoleView) -> str:
        refs = [r for r in view.refs if r != "topic"]
        return f"going by {joined(refs)}" if refs else "going by the topic"

    # -- the conclusion ----------------------------------------------------------------

    def _decision(self) -> Line:
        option = self.outcome.option
        if option is None:
            return self._no_decision()
        refs = self._support(option) or ("topic",)
        return Line(text=self._direction(option), refs=refs)

    def _direction(self, option: Option) -> str:
        """The option as a direction: one sentence that holds its text as it stands."""
        text = option.text.rstrip(".")
        if not text.isascii():
            return text
        if option.status_quo or self.rules.is_action(text):
            return f"{capitalised(text)}."
        return self.wording.say("decision.thing", option=text)

    def _support(self, option: Option) -> tuple[str, ...]:
        """The answers that speak for the option, else what made it stand out."""
        current = self.said.preference
        if current.basis == "chosen":
            return current.chosen.get(option.id, ())
        if current.basis == "lean":
            return ("topic",)
        if current.basis == "only_left":
            return tuple(a for answers in current.excluded.values() for a in answers)
        costs = [t.answer_id for t, a in self.session.assessments if a.costs]
        return ("topic", *dict.fromkeys(costs))

    def _no_decision(self) -> Line:
        key = "deferred" if self.outcome.row == "deferred" else self.outcome.row
        open_paths = joined((quoted(o.text, 80) for o in self._open_options()), "or")
        text = self.wording.say(f"decision.none.{key}", options=open_paths or "no path at all")
        refs = [t.question.id for t in self.said.unusable]
        if self.outcome.row == "irreconcilable":
            refs = [v.role for v in self.session.views if v.prefers]
        return Line(text=f"None: {text}", refs=tuple(refs or ("topic",)))

    def _open_options(self) -> list[Option]:
        excluded = self.said.preference.excluded
        return [o for o in self.session.options if o.id not in excluded]

    def _why(self) -> Line:
        draft = _Draft()
        option = self.outcome.option
        if option is None:
            self._why_not(draft)
        else:
            self._basis(draft, option)
            self._served(draft)
        self._limits(draft)
        return draft.line("topic")

    def _basis(self, draft: _Draft, option: Option) -> None:
        current = self.said.preference
        name = quoted(option.text)
        if current.option == option.id and current.basis == "chosen":
            choice = self.said.answer(current.chosen[option.id][0])
            key = "why.picked" if self._is_name(choice.text, option) else "why.chosen"
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

    def _is_name(self, words: str, option: Option) -> bool:
        return words.strip().isdigit() or words.strip(" .").casefold() == option.text.casefold()

    def _cheapest(self, draft: _Draft, option: Option) -> None:
        others = [o for o in self._open_options() if o.id != option.id]
        draft.add(
            self.wording.say("why.cheapest", option=quoted(option.text)),
            *(self._support(option)),
        )
        draft.add(self._reversibility(option, "why"))
        harder = [o for o in others if o.reversibility == "irreversible"]
        if harder:
            names = joined((quoted(o.text, 80) for o in harder), "and")
            draft.add(self.wording.say("why.harder", options=names))

    def _served(self, draft: _Draft) -> None:
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

    def _why_not(self, draft: _Draft) -> None:
        key = f"why.none.{self.outcome.row}"
        draft.add(
            self.wording.say(key, **self._counts()),
            *(t.question.id for t in self.said.unusable),
        )
        for a, b in clashes(self.session)[:1]:
            draft.add(
                self.wording.say("why.equal_cost", a=quoted(a.text, 80), b=quoted(b.text, 80)),
                *(v.role for v in self.session.views if v.prefers in (a.id, b.id)),
            )
        for quote in self._usable_answers()[:2]:
            draft.add(
                self.wording.say(
                    "why.kept", salt=quote.ref, quote=quoted(quote.text), ref=quote.ref
                ),
                quote.ref,
            )

    def _usable_answers(self) -> list[Quote]:
        return [self.said.answer(t.answer_id) for t in self.session.answered]

    def _limits(self, draft: _Draft) -> None:
        quotes = [q for q in self.said.limits if not self._told_whole(q, draft)][:MAX_LIMITS]
        if quotes:
            words = joined(f"{quoted(q.text, 80)} ({q.ref})" for q in quotes)
            draft.add(self.wording.say("why.limits", quotes=words), *(q.ref for q in quotes))
        notes = (*self.said.notes, *self.said.earlier)[:MAX_NOTES]
        if notes:
            words = joined(f"{quoted(q.text, 80)} ({q.ref})" for q in notes)
            draft.add(self.wording.say("why.notes", quotes=words), *(q.ref for q in notes))

    def _told_whole(self, quote: Quote, draft: _Draft) -> bool:
        """Whether the line already quotes these words."""
        return any(quoted(quote.text, 80).strip("“”…") in text for text in draft.sentences)

    # -- what was left, and what it costs ----------------------------------------------

    def _excluded_paths(self) -> Line:
        draft = _Draft()
        option = self.outcome.option
        excluded = self.said.preference.excluded
        for other in self.said.others(option):
            if other.id in excluded:
                answer = self.said.answer(excluded[other.id][-1])
                draft.add(
                    self.wording.say(
                        self._exclusion_key(answer, other),
                        salt=other.id,
                        option=quoted(other.text),
                        quote=quoted(answer.text),
                        ref=answer.ref,
                    ),
                    answer.ref,
                )
            elif option is not None:
                draft.add(*self._set_aside(other, option))
        self._said_not_now(draft)
        if not draft.sentences:
            key = "excluded.nothing" if option else "excluded.all_open"
            draft.add(self.wording.say(key), "topic")
        return draft.line("topic")

    def _exclusion_key(self, answer: Quote, option: Option) -> str:
        if self._is_name(answer.text, option):
            return "excluded.named"
        in_words = self.said.brought_in(option) == answer.ref
        return "excluded.in_words" if in_words else "excluded.said"

    def _set_aside(self, other: Option, option: Option) -> tuple[str, ...]:
        """The sentence on an option that nothing rules out, and what it rests on."""
        refs = self._support(option)
        answer = self.said.brought_in(other)
        if answer is not None:
            key, refs = "excluded.aside_named", (answer, *refs)
        else:
            key = "excluded.aside_implied" if other.source == "implied" else "excluded.aside"
        sentence = self.wording.say(
            key,
            salt=other.id,
            option=quoted(other.text),
            favour=self._favour(),
            ref=answer or "",
        )
        return (sentence, *refs)

    def _favour(self) -> str:
        """What the direction was taken for, as it stands after "for"."""
        current = self.said.preference
        option = self.outcome.option
        if option is not None and current.option == option.id:
            if current.basis == "chosen":
                return f"your choice in {joined(current.chosen[option.id])}"
            if current.basis == "lean":
                return "the direction you came with"
            return "the only path left"
        return "the path that costs least if it is wrong"

    def _said_not_now(self, draft: _Draft) -> None:
        quote = self.said.slot("not_now", "dismissed")
        if quote is not None and quote.ref not in draft.refs:
            turn = next(t for t in self.session.turns if t.answer_id == quote.ref)
            draft.add(
                self.wording.say(
                    f"excluded.{turn.question.slot}", quote=quoted(quote.text), ref=quote.ref
                ),
                quote.ref,
            )

    def _wrong_choice_cost(self) -> Line:
        draft = _Draft()
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
            draft.add(self._reversibility(option, "cost"))
            if option.reversibility != "unknown":
                draft.refs.append("topic")
        return draft.line("topic")

    def _cost_unsaid(self, draft: _Draft) -> None:
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

    def _reversibility(self, option: Option, line: str) -> str:
        words = option.reversibility_words
        key = f"{line}.{option.reversibility}" + (".words" if words else "")
        return self.wording.say(key, option=quoted(option.text), words=quoted(words, 60))

    # -- the rest ----------------------------------------------------------------------

    def _entry_condition(self) -> Line:
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

    def _risk_disclosure(self) -> Line | None:
        option = self.outcome.option
        if option is None or not (self.outcome.forced or self.outcome.row == "none_preferred"):
            return None
        draft = _Draft()
        key = "risk.none_preferred" if self.outcome.row == "none_preferred" else "risk.answers"
        draft.add(
            self.wording.say(key, option=quoted(option.text), **self._counts()),
            *(t.question.id for t in self.said.unusable),
        )
        draft.add(self._strongest_objection(option))
        return draft.line("topic")

    def _counts(self) -> dict[str, str]:
        """How many usable answers to how many questions, in words."""
        answered, asked = len(self.session.answered), len(self.session.turns)
        return {
            "answers": f"{_number(answered)} usable answer{'' if answered <= 1 else 's'}",
            "questions": f"{_number(asked)} question{'' if asked == 1 else 's'}",
        }

    def _strongest_objection(self, option: Option) -> str:
        against = [v for v in self.session.views if v.prefers not in (None, option.id)]
        if against:
            view = against[0]
            return f"{view.role} would go the other way, to {self._text(view.prefers or '')}."
        role = self.catalog.role(self.session.prepared.roles[-1])
        return self.wording.say("risk.unheard", role=role.id, question=role.typical_question)


def _number(count: int) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven")
    return words[count] if count < len(words) else str(count)
