"""Which paths an answer chooses, rules out, or brings in."""

from __future__ import annotations

from dataclasses import replace

from ..core.limits import MIN_ANSWERED
from ..core.plain import one_line
from ..core.preference import preference
from ..core.second_reading import LEAVING
from ..core.suggestions import picked_suggestion
from ..reading.conditions import is_conditional
from ..reading.stance import Stance
from .hearing import Hearing

# Slots whose answers name a path: the payoff is a choice, a dismissed path is only put back on the
# table, a path not worth choosing now is excluded.
_NAMING_SLOTS = ("payoff", "dismissed", "not_now")
_TELLING_OF_HARM = ("cost", "reversal", "skeptic")  # "we cannot get rid of them" sets no limit
MAX_BRIEF_WORDS = 3
MAX_BARE_CHOICE_WORDS = 8  # a longer answer needs a word of choosing; chosen by judgement


def take_paths(heard: Hearing) -> Stance | None:
    """What the answer says of paths, into `heard.learned`.

    Gives the stance it was read from; None where a suggestion was picked, which says all.
    """
    _describe(heard)
    if _picked(heard):
        return None
    stance = _with_pick(heard, _stance(heard))
    _take_stance(heard, stance)
    if not (heard.learned.choices or heard.learned.exclusions):
        _bare_choice(heard)
        _consent(heard)
        _name_alternative(heard)
    return stance


def _describe(heard: Hearing) -> None:
    """An answer that describes the problem from scratch is read like a topic."""
    if heard.slot != "describe":
        return
    found = heard.rules.options(heard.text)
    heard.learned.decision_topic = found.decision_topic and one_line(found.decision_topic)
    for option in found.options:
        heard.add_option(
            option.text,
            option.reversibility,
            option.reversibility_words,
            status_quo=option.status_quo,
        )
    if found.lean is not None:
        heard.learned.choices.append(heard.learned.options[found.lean].id)


def _picked(heard: Hearing) -> bool:
    if not heard.answer.picked:
        return False
    suggestion = picked_suggestion(heard.text, heard.turn.question)
    if suggestion is None or suggestion.option is None:
        return False
    if heard.leaning == "exclusion":
        heard.exclude([suggestion.option], suggestion.text)
    else:
        heard.choose([suggestion.option], suggestion.text)
    return True


def _stance(heard: Hearing) -> Stance:
    names = {role.id: role.aliases for role in heard.catalog.roles.values()}
    texts = heard.option_texts
    # Where a path is asked for, what is picked decides; a bare mention may stand in the reason.
    meant = None if heard.leaning == "choice" or _on_condition(heard) else heard.leaning
    return heard.rules.stance(heard.text, texts, names, meant)


def _on_condition(heard: Hearing) -> bool:
    """Whether, asked what is not worth it, it says when something would be."""
    return heard.leaning == "exclusion" and is_conditional(heard.text)


def _with_pick(heard: Hearing, stance: Stance) -> Stance:
    """The stance with what was picked; a path named in the reason is not the one chosen.

    An answer that opens with what a role wants reports that, and picks nothing.
    """
    reports = any(heard.text.strip().startswith(said.words) for said in stance.positions)
    if heard.leaning is None or reports or _on_condition(heard):
        return stance
    pick = heard.rules.pick(heard.text, heard.option_texts)
    if heard.leaning == "exclusion":
        # The opening narrows what is excluded; a path that is new here may share a word.
        if pick.by_place and pick.chosen is not None:
            return replace(stance, exclusions=(pick.chosen,))
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


def _take_stance(heard: Hearing, stance: Stance) -> None:
    heard.choose([heard.options[i].id for i in stance.choices], heard.text)
    heard.exclude([heard.options[i].id for i in stance.exclusions], heard.text)
    if stance.refusals:
        heard.fact("refusal", heard.text, [heard.options[i].id for i in stance.refusals])
    for clause in stance.limits if heard.slot not in _TELLING_OF_HARM else ():
        if not _only_leaves(heard, clause):
            heard.fact("limit", clause)
    for position in stance.positions:
        kind = "support" if position.favours else "objection"
        named = [heard.options[i].id for i in position.options]
        heard.fact(kind, position.words, named, position.role)


def _only_leaves(heard: Hearing, clause: str) -> bool:
    """Whether a clause of a stop or a deferral does nothing but that: no limit of the topic."""
    if heard.answer.signal not in LEAVING:
        return False
    read = heard.rules.signal(clause, heard.turn.question.text, ())
    return read.signal in LEAVING or heard.answer.signal == "defer"


def _bare_choice(heard: Hearing) -> None:
    """A short answer that is little more than an option's name chooses it."""
    short = len(heard.text.split()) <= MAX_BARE_CHOICE_WORDS
    if not short or heard.leaning != "choice" or not heard.options:
        return
    index = heard.rules.same_option(heard.text, heard.option_texts)
    if index is not None:
        heard.choose([heard.options[index].id], heard.text)


def _consent(heard: Hearing) -> None:
    """ "Let's do it" and "better not", where there is one thing to do or leave."""
    doing = [o.id for o in heard.options if not o.status_quo and o.source != "answer"]
    leaving = [o.id for o in heard.options if o.status_quo]
    consent = heard.rules.consent(heard.text)
    said = one_line(heard.text).strip(" .!").casefold()
    named = [o.id for o in heard.options if o.text.casefold() == said] or _named_briefly(heard)
    if named and heard.leaning is None:
        heard.choose(named[:1], heard.text)
    elif len(doing) == 1 and len(leaving) == 1 and consent is not None:
        heard.choose(doing if consent else leaving, heard.text)


def _named_briefly(heard: Hearing) -> list[str]:
    """The option that a word or two stand for, once the person was told that none leads."""
    undecided = preference(heard.session).option is None
    if not undecided or len(heard.session.answered) <= MIN_ANSWERED:
        return []
    if len(heard.text.split()) > MAX_BRIEF_WORDS:
        return []
    index = heard.rules.same_option(heard.text, heard.option_texts)
    return [] if index is None else [heard.options[index].id]


def _name_alternative(heard: Hearing) -> None:
    """A path that the topic did not list, named where the question asks for one.

    Where no path is listed at all, a choice in so many words names one under any question.
    """
    if heard.learned.choices or heard.learned.options:
        return
    chosen = not heard.options and heard.rules.opens_with_choice(heard.text)
    if heard.slot not in _NAMING_SLOTS and not chosen:
        return
    named = heard.rules.alternative(heard.text)
    known = heard.option_texts
    if named is None or heard.rules.mentioned(named, known):
        return
    if heard.slot == "payoff" and known and not heard.rules.chooses(heard.text):
        return  # a goal ("lower cost") is no path beside those that stand open
    option = heard.add_option(named, *heard.rules.reversibility(heard.text))
    if heard.slot == "payoff" or chosen:
        heard.choose([option], heard.text)
    elif heard.slot == "not_now":
        heard.exclude([option], heard.text)
