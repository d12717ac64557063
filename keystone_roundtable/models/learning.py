"""What one answer teaches, by rules: choices, exclusions, limits, costs, and new options."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..core.catalog import Catalog
from ..core.limits import MIN_ANSWERED
from ..core.plain import one_line
from ..core.preference import preference
from ..core.records import (
    Answer,
    Assessment,
    Fact,
    Option,
    Question,
    Reassessment,
    Reversibility,
    StatedCost,
)
from ..core.second_reading import LEAVING
from ..core.session import Session, Turn
from ..core.suggestions import picked_suggestion
from ..reading.rules import Rules
from ..reading.stance import Leaning, Stance, find_quantities
from .preparing import put, template_of
from .viewing import Heard, views_of
from .wording import Wording

# Slots whose answers name a path: the payoff is a choice, a dismissed path is only put back on the
# table, a path not worth choosing now is excluded.
_TELLING_OF_HARM = ("cost", "reversal", "skeptic")  # "we cannot get rid of them" sets no limit
_NAMING_SLOTS = ("payoff", "dismissed", "not_now")
_BY_PAIN: Mapping[str | None, Reversibility] = {
    "easy": "reversible",
    "hard": "irreversible",
    None: "unknown",
}
MAX_BRIEF_WORDS = 3
MAX_BARE_CHOICE_WORDS = 8  # a longer answer needs a word of choosing; chosen by judgement


@dataclass
class _Learned:
    choices: list[str] = field(default_factory=list)
    exclusions: list[str] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    options: list[Option] = field(default_factory=list)
    reassessed: list[Reassessment] = field(default_factory=list)
    costs: list[StatedCost] = field(default_factory=list)
    decision_topic: str | None = None


def learn(session: Session, rules: Rules, catalog: Catalog, wording: Wording) -> Assessment:
    """The assessment of the last answer."""
    turn = session.turns[-1]
    answer = turn.answer
    if answer is None or answer.signal == "low_information":
        return Assessment(asking=turn.asking)
    learned = _Learned()
    _Learning(session, turn, answer, rules, catalog, learned).run()
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


def _heard(session: Session, turn: Turn, learned: _Learned, options: Sequence[Option]) -> Heard:
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


def _agenda(session: Session, learned: _Learned) -> tuple[str, ...]:
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


@dataclass(frozen=True)
class _Learning:
    session: Session
    turn: Turn
    answer: Answer
    rules: Rules
    catalog: Catalog
    learned: _Learned

    @property
    def options(self) -> tuple[Option, ...]:
        return self.session.options

    @property
    def slot(self) -> str:
        return self.turn.question.slot

    @property
    def text(self) -> str:
        return self.answer.text

    def run(self) -> None:
        self._describe()
        if self._picked():
            return
        stance = self._stance()
        stance = self._with_pick(stance)
        self._take_stance(stance)
        if not (self.learned.choices or self.learned.exclusions):
            self._bare_choice()
            self._consent()
            self._name_alternative()
        self._take_costs(stance)
        self._take_reversibility()

    def _fact(
        self, kind: str, text: str, options: Sequence[str] = (), role: str | None = None
    ) -> None:
        fact = Fact.model_validate(
            {
                "kind": kind,
                "text": one_line(text),
                "ref": self.turn.answer_id,
                "options": tuple(options),
                "role": role,
            }
        )
        self.learned.facts.append(fact)

    def _describe(self) -> None:
        """An answer that describes the problem from scratch is read like a topic."""
        if self.slot != "describe":
            return
        found = self.rules.options(self.text)
        self.learned.decision_topic = found.decision_topic and one_line(found.decision_topic)
        for option in found.options:
            self._add_option(
                option.text,
                option.reversibility,
                option.reversibility_words,
                status_quo=option.status_quo,
            )
        if found.lean is not None:
            self.learned.choices.append(self.learned.options[found.lean].id)

    def _picked(self) -> bool:
        if not self.answer.picked:
            return False
        suggestion = picked_suggestion(self.text, self.turn.question)
        if suggestion is None or suggestion.option is None:
            return False
        if self._leaning == "exclusion":
            self._exclude([suggestion.option], suggestion.text)
        else:
            self._choose([suggestion.option], suggestion.text)
        return True

    @property
    def _leaning(self) -> Leaning:
        """What a bare mention of an option means under this question."""
        question = self.turn.question
        template = template_of(self.catalog, self.session.prepared.mode, question.template)
        if question.conflict or (question.template == "loop" and self._is_scope_fork):
            return "choice"
        return template.suggests if template is not None else None

    @property
    def _is_scope_fork(self) -> bool:
        """Whether every option is a path of its own, with no silent alternative beside it."""
        return len(self.options) > 1 and not any(o.source == "implied" for o in self.options)

    def _stance(self) -> Stance:
        names = {role.id: role.aliases for role in self.catalog.roles.values()}
        texts = [option.text for option in self.options]
        # Where a path is asked for, what is picked decides; a bare mention may stand in the reason.
        meant = None if self._leaning == "choice" else self._leaning
        return self.rules.stance(self.text, texts, names, meant)

    def _with_pick(self, stance: Stance) -> Stance:
        """The stance with what was picked; a path named in the reason is not the one chosen.

        An answer that opens with what a role wants reports that, and picks nothing.
        """
        reports = any(self.text.strip().startswith(said.words) for said in stance.positions)
        if self._leaning is None or reports:
            return stance
        pick = self.rules.pick(self.text, [option.text for option in self.options])
        if self._leaning == "exclusion":
            # The opening narrows what is excluded; a path that is new here may share a word.
            named = pick.turned_from or (pick.chosen,)
            narrowed = tuple(i for i in stance.exclusions if i in named)
            return replace(stance, exclusions=narrowed) if narrowed else stance
        if pick.chosen is None:
            return replace(stance, exclusions=(*stance.exclusions, *pick.turned_from))
        against = () if pick.chosen in stance.exclusions else stance.exclusions
        return replace(
            stance,
            choices=(pick.chosen,),
            exclusions=(*pick.turned_from, *against),
            refusals=tuple(i for i in stance.refusals if i in against),
        )

    def _take_stance(self, stance: Stance) -> None:
        self._choose([self.options[i].id for i in stance.choices], self.text)
        self._exclude([self.options[i].id for i in stance.exclusions], self.text)
        if stance.refusals:
            self._fact("refusal", self.text, [self.options[i].id for i in stance.refusals])
        for clause in stance.limits if self.slot not in _TELLING_OF_HARM else ():
            if not self._only_leaves(clause):
                self._fact("limit", clause)
        for position in stance.positions:
            kind = "support" if position.favours else "objection"
            named = [self.options[i].id for i in position.options]
            self._fact(kind, position.words, named, position.role)

    def _only_leaves(self, clause: str) -> bool:
        """Whether a clause of a stop or a deferral does nothing but that: no limit of the topic."""
        if self.answer.signal not in LEAVING:
            return False
        read = self.rules.signal(clause, self.turn.question.text, ())
        return read.signal in LEAVING or self.answer.signal == "defer"

    def _choose(self, options: Sequence[str], words: str) -> None:
        if options:
            self.learned.choices += options
            self._fact("choice", words, options)

    def _exclude(self, options: Sequence[str], words: str) -> None:
        if options:
            self.learned.exclusions += options
            self._fact("exclusion", words, options)

    def _bare_choice(self) -> None:
        """A short answer that is little more than an option's name chooses it."""
        short = len(self.text.split()) <= MAX_BARE_CHOICE_WORDS
        if not short or self._leaning != "choice" or not self.options:
            return
        index = self.rules.same_option(self.text, [option.text for option in self.options])
        if index is not None:
            self._choose([self.options[index].id], self.text)

    def _consent(self) -> None:
        """ "Let's do it" and "better not", where there is one thing to do or leave."""
        doing = [o.id for o in self.options if not o.status_quo and o.source != "answer"]
        leaving = [o.id for o in self.options if o.status_quo]
        consent = self.rules.consent(self.text)
        said = one_line(self.text).strip(" .!").casefold()
        named = [o.id for o in self.options if o.text.casefold() == said] or self._named_briefly()
        if named and self._leaning is None:
            self._choose(named[:1], self.text)
        elif len(doing) == 1 and len(leaving) == 1 and consent is not None:
            self._choose(doing if consent else leaving, self.text)

    def _named_briefly(self) -> list[str]:
        """The option that a word or two stand for, once the person was told that none leads."""
        undecided = preference(self.session).option is None
        if not undecided or len(self.session.answered) <= MIN_ANSWERED:
            return []
        if len(self.text.split()) > MAX_BRIEF_WORDS:
            return []
        index = self.rules.same_option(self.text, [option.text for option in self.options])
        return [] if index is None else [self.options[index].id]

    def _name_alternative(self) -> None:
        """A path that the topic did not list, named where the question asks for one.

        Where no path is listed at all, a choice in so many words names one under any question.
        """
        if self.learned.choices or self.learned.options:
            return
        chosen = not self.options and self.rules.opens_with_choice(self.text)
        if self.slot not in _NAMING_SLOTS and not chosen:
            return
        named = self.rules.alternative(self.text)
        known = [option.text for option in self.options]
        if named is None or self.rules.mentioned(named, known):
            return
        if self.slot == "payoff" and known and not self.rules.chooses(self.text):
            return  # a goal ("lower cost") is no path beside those that stand open
        option = self._add_option(named, *self.rules.reversibility(self.text))
        if self.slot == "payoff" or chosen:
            self._choose([option], self.text)
        elif self.slot == "not_now":
            self._exclude([option], self.text)

    def _add_option(
        self, text: str, reversibility: str, words: str, *, status_quo: bool = False
    ) -> str:
        option_id = f"o{len(self.options) + len(self.learned.options) + 1}"
        self.learned.options.append(
            Option.model_validate(
                {
                    "id": option_id,
                    "text": self.rules.as_option(one_line(text)),
                    "source": "answer",
                    "reversibility": reversibility,
                    "reversibility_words": words,
                    "status_quo": status_quo,
                }
            )
        )
        return option_id

    def _take_costs(self, stance: Stance) -> None:
        if self.slot not in ("cost", "failure") and not stance.costs:
            return
        words = self.text if self.slot in ("cost", "failure") else "; ".join(stance.costs)
        for option in self._concerned(words):
            amount, unit = _amount(words)
            self.learned.costs.append(
                StatedCost(option=option, words=one_line(words), amount=amount, unit=unit)
            )

    def _take_reversibility(self) -> None:
        value, words = self.rules.reversibility(self.text)
        if self.slot == "reversal" and value == "unknown":
            pain = self.rules.reversal_pain(self.text)
            value = _BY_PAIN[pain]
            words = one_line(self.text)
        if value == "unknown":
            return
        for option in self._concerned(self.text):
            self.learned.reassessed.append(
                Reassessment.model_validate(
                    {"option": option, "reversibility": value, "words": words}
                )
            )

    def _concerned(self, words: str) -> list[str]:
        """The options that words are about: those named, else "this path" where it is clear."""
        named = self.rules.mentioned(words, [option.text for option in self.options])
        if named:
            return [self.options[i].id for i in named]
        if self.slot not in ("cost", "failure", "reversal"):
            return []
        current = preference(self.session)
        path = self.learned.choices[-1:] or [o for o in (current.option,) if o]
        doing = [option.id for option in self.options if not option.status_quo]
        return path or (doing if len(doing) == 1 else [])


_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def _amount(words: str) -> tuple[float | None, str]:
    """The first quantity with its unit, "40k" as 40000; (None, "") where there is none."""
    for quantity in find_quantities(words):
        match = _NUMBER.search(quantity)
        if match is None:
            continue
        unit = (quantity[: match.start()] + quantity[match.end() :]).strip().casefold()
        scale = {"k": 1e3, "m": 1e6}.get(
            unit[-1:] if unit[-1:] in "km" and len(unit) < 3 else "", 1.0
        )
        return float(match.group().replace(",", "")) * scale, unit
    return None, ""
