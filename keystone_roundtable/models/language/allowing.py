"""Which ids may stand in which field of a reply, by the field's name."""

from __future__ import annotations

from ...core.catalog import Catalog
from ...core.session import Session
from .ledger import Ledger

Ids = dict[str, tuple[str, ...]]

_NEW_OPTIONS = ("o1", "o2", "o3", "o4", "o5", "o6")


def preview_ids(session: Session, catalog: Catalog, ledger: Ledger) -> Ids:
    """The model chooses the mode, where none was asked for, and names the options, in order."""
    asked = session.asked_mode
    modes = [catalog.mode(asked)] if asked else catalog.modes.values()
    slots = dict.fromkeys(q.slot for m in modes for q in m.questions if not q.only_when_vague)
    return {
        "role": tuple(catalog.roles),
        "slot": tuple(slots),
        "lean": _NEW_OPTIONS,
        "refs": ledger.ids,
    }


def assess_ids(session: Session, ledger: Ledger) -> Ids:
    """`options` is left open: the answer may bring one that the list lacks."""
    return {
        "role": session.prepared.roles,
        "slot": tuple(dict.fromkeys(question.slot for question in session.bank)),
        "refs": ledger.ids,
        "contradicts": ledger.ids,
    }


def conclude_ids(session: Session, ledger: Ledger) -> Ids:
    return {
        "role": session.prepared.roles,
        "refs": (*ledger.ids, *session.prepared.roles),
    }
