"""What each role holds, by its lens over what was said so far."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..core.catalog import Catalog, RoleSpec
from ..core.records import Fact, ModeId, Option, RoleView, StatedCost
from .wording import Wording, quoted

# How much a fact moves a role, chosen by judgement: a reported position outweighs everything,
# an exclusion outweighs a choice.
_CHOICE, _EXCLUSION, _COST, _LEAN, _POSITION = 2, -3, -2, 1, 5


@dataclass(frozen=True)
class Heard:
    """What the roles have to go by. `slots` tells the slot of each answer id."""

    options: Sequence[Option]
    facts: Sequence[Fact]
    costs: Sequence[tuple[StatedCost, str]]
    """With the answer that states it."""
    lean: str | None
    slots: Mapping[str, str]


def views_of(
    roles: Sequence[str], mode: ModeId, heard: Heard, catalog: Catalog, wording: Wording
) -> tuple[RoleView, ...]:
    """One view per role, in order. A role that has no grounds prefers nothing."""
    return tuple(
        _view(catalog.role(role), mode, heard, wording, turn) for turn, role in enumerate(roles)
    )


def _view(role: RoleSpec, mode: ModeId, heard: Heard, wording: Wording, turn: int) -> RoleView:
    scores = {option.id: 0 for option in heard.options}
    grounds: dict[str, list[Fact]] = {option.id: [] for option in heard.options}
    for fact, weight in _moving_facts(role, heard):
        for option in fact.options:
            if option in scores:
                scores[option] += weight
                grounds[option].append(fact)
    if heard.lean in scores and _reads(role, "payoff", "outcome", "loop"):
        scores[heard.lean] += _LEAN
    prefers = _clear_best(scores)
    cannot = tuple(o.id for o in heard.options if _cannot_accept(role, o, heard))
    return _worded(role, mode, heard, prefers, cannot, grounds, wording, turn)


def _moving_facts(role: RoleSpec, heard: Heard) -> list[tuple[Fact, int]]:
    moving: list[tuple[Fact, int]] = []
    for fact in heard.facts:
        if fact.kind in ("support", "objection"):
            if fact.role == role.id:
                moving.append((fact, _POSITION if fact.kind == "support" else -_POSITION))
        elif fact.kind == "choice":
            if _concerns(role, fact, heard) or _reads(role, "payoff", "outcome", "loop"):
                moving.append((fact, _CHOICE))
        elif fact.kind == "exclusion" and fact.options:
            moving.append((fact, _EXCLUSION))
    for cost, ref in heard.costs:
        fact = Fact(kind="statement", text=cost.words, ref=ref, options=(cost.option,))
        if _reads(role, "cost", "failure") or _concerns(role, fact, heard):
            moving.append((fact, _COST))
    return moving


def _concerns(role: RoleSpec, fact: Fact, heard: Heard) -> bool:
    """Whether the fact stands in an answer this role reads first, or names what it watches for."""
    return heard.slots.get(fact.ref, "") in role.reads or watches(role, fact.text)


def watches(role: RoleSpec, text: str) -> bool:
    folded = text.casefold()
    return any(
        word in folded and (not word.isascii() or re.search(rf"(?<!\w){re.escape(word)}", folded))
        for word in role.watches_for
    )


def _reads(role: RoleSpec, *slots: str) -> bool:
    return any(slot in role.reads for slot in slots)


def _cannot_accept(role: RoleSpec, option: Option, heard: Heard) -> bool:
    """Only what an answer or the topic calls unacceptable to this role's lens."""
    return any(
        option.id in fact.options
        and (
            (fact.kind == "objection" and fact.role == role.id)
            or (fact.kind == "refusal" and watches(role, fact.text))
        )
        for fact in heard.facts
    )


def _reason_key(fact: Fact, prefers: str | None) -> str:
    if prefers is None:
        return "view.weighs"
    return "view.because" if prefers in fact.options else "view.against_rest"


def _clear_best(scores: Mapping[str, int]) -> str | None:
    """The one option with the highest score; None where nothing moved or two lead."""
    if not any(scores.values()):
        return None
    best = max(scores.values())
    leading = [option for option, score in scores.items() if score == best]
    return leading[0] if len(leading) == 1 else None


def _telling(facts: Sequence[Fact], prefers: str | None) -> list[Fact]:
    """The facts that may be quoted for a preference, the best first: what speaks for another path
    speaks neither for this one nor against the rest.
    """
    if prefers is None:
        return list(facts)
    own = [fact for fact in facts if prefers in fact.options]
    return own + [f for f in facts if f not in own and f.kind not in ("choice", "support")]


def _worded(
    role: RoleSpec,
    mode: ModeId,
    heard: Heard,
    prefers: str | None,
    cannot: tuple[str, ...],
    grounds: Mapping[str, list[Fact]],
    wording: Wording,
    turn: int,
) -> RoleView:
    text_of = {option.id: option.text for option in heard.options}
    facts = [f for o in text_of for f in grounds[o]]
    refs = tuple(dict.fromkeys(f.ref for f in facts))
    if prefers is not None:
        position = wording.say("view.prefers", turn=turn, option=quoted(text_of[prefers]))
    else:
        position = wording.say("view.open", turn=turn, lens=role.lens[mode])
    telling = _telling(facts, prefers)
    if telling:
        fact = telling[0]
        key = _reason_key(fact, prefers)
        reason = wording.say(key, turn=turn, quote=quoted(fact.text), ref=fact.ref)
    elif prefers is not None:
        reason = wording.say("view.lean", turn=turn)
    else:
        reason = wording.say("view.no_grounds", turn=turn, lens=role.lens[mode])
    if prefers is not None and not refs:
        refs = ("topic",)
    return RoleView(
        role=role.id,
        position=position,
        reason=reason,
        risk=role.risk[mode],
        prefers=prefers,
        cannot_accept=cannot,
        refs=refs,
    )
