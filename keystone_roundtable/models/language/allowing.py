"""What may stand in which field of a reply, by the field's name: ids, and words that were said.

A model whose decoding is held to a schema cannot break a rule that the schema keeps. What may stand
is checked all the same, and more widely: a quote may be any words that were said.
"""

from __future__ import annotations

from itertools import islice

from ...core.catalog import Catalog
from ...core.plain import plain
from ...core.records import Assessment, Preview
from ...core.session import Session
from .building_parts import free_ids
from .drafts import MAX_NEW_OPTIONS, MAX_OPTIONS
from .ledger import Ledger
from .quoting import stretches

Ids = dict[str, tuple[str, ...]]

_OPTIONS = tuple(islice(free_ids(()), MAX_OPTIONS))
_STATED = ("limit", "statement")  # what is taken over of the other kinds is what the rules read


def preview_ids(session: Session, catalog: Catalog, ledger: Ledger, by_rules: Preview) -> Ids:
    """The model chooses the mode, where none was asked for, and names the options, in order."""
    asked = session.asked_mode
    modes = [catalog.mode(asked)] if asked else catalog.modes.values()
    slots = dict.fromkeys(q.slot for m in modes for q in m.questions if not q.only_when_vague)
    read = [*(o.text for o in by_rules.options), *(f.text for f in by_rules.facts)]
    words = stretches((entry.said for entry in ledger.entries), read)
    return {
        "mode": tuple(mode.id for mode in modes),
        "role": tuple(catalog.roles),
        "slot": tuple(slots),
        "OptionDraft.id": _OPTIONS,
        "KnownDraft.kind": _STATED,
        "KnownDraft.options": _OPTIONS,
        "lean": _OPTIONS,
        "refs": tuple(entry.id for entry in ledger.facts),
        **_quotes(words),
    }


def assess_ids(session: Session, ledger: Ledger, by_rules: Assessment) -> Ids:
    """What was learned is of listed options; one that the answer brings gets an id that is free."""
    turn = session.turns[-1]
    listed = tuple(option.id for option in session.options)
    bank = tuple(dict.fromkeys(question.slot for question in session.bank))
    read = [
        *(option.text for option in by_rules.options),
        *(fact.text for fact in by_rules.facts),
        *(cost.words for cost in by_rules.costs),
    ]
    words = stretches([plain(turn.words)], read)
    return {
        "role": session.prepared.roles,
        "slot": tuple(q.slot for q in session.bank if q.slot not in session.asked_slots) or bank,
        "NewOptionDraft.id": tuple(islice(free_ids(listed), MAX_NEW_OPTIONS)),
        "KnownDraft.kind": ("choice", "exclusion", *_STATED),
        "KnownDraft.options": listed,
        "option": listed,
        "ReversalDraft.reversibility": ("reversible", "irreversible"),
        "refs": tuple(entry.id for entry in ledger.facts),
        "contradicts": tuple(
            e.id for e in ledger.entries if e.ref.startswith("A") and e.ref != turn.answer_id
        ),
        **_quotes(words),
    }


def conclude_ids(session: Session, ledger: Ledger) -> Ids:
    return {
        "role": session.prepared.roles,
        "refs": (*ledger.ids, *session.prepared.roles),
    }


def _quotes(words: tuple[str, ...]) -> Ids:
    """Nothing where there is no list: a quote is then copied freely."""
    if not words:
        return {}
    maybe = ("", *words)
    return {
        "quote": words,
        "OptionDraft.quote": maybe,
        "reversibility_quote": maybe,
        "lean_quote": maybe,
        "signal_quote": maybe,
    }
