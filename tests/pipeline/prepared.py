"""An agent's model that prepares a topic as the built-in rules do, in its own words.

So the answers of the outcome table reach the same rows: what tells the rows apart is in the answers
and in the paths, not in the wording.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from loopback.player import Change, playing
from loopback.reading import Situation, Slot
from loopback.replies import Reaction

from keystone_roundtable.content.catalog import load_catalog
from keystone_roundtable.core import events as ev
from keystone_roundtable.core.fold import apply
from keystone_roundtable.core.records import Option, Preview
from keystone_roundtable.core.session import Session
from keystone_roundtable.models.offline import OfflineModerator

from .conftest import load_rules_once


@cache
def preview_of(topic: str) -> Preview:
    """What the built-in rules make of the topic."""
    started = ev.SessionStarted(
        at="2026-11-30T10:00:00+00:00", session="s", topic=topic, route="roundtable"
    )
    moderator = OfflineModerator(load_rules_once(), load_catalog(None))
    return moderator.preview(apply(Session(), started))


def prepared(topic: str) -> Reaction:
    return playing(_change(preview_of(topic)))


def _change(known: Preview) -> Change:
    def change(value: dict[str, Any], seen: Situation) -> dict[str, Any]:
        if seen.step == "preview":
            return value | _preparation(known, value, seen)
        if seen.step == "assess":
            return value | {"next_questions": [_question(s, known) for s in seen.open_slots[:6]]}
        return value

    return change


def _preparation(known: Preview, value: dict[str, Any], seen: Situation) -> dict[str, Any]:
    slots = {slot.id: slot for slot in seen.modes[known.mode]}
    view = value["views"][0]
    return {
        "mode": known.mode,
        "views": [view | {"role": role, "position": f"{role} first"} for role in known.roles],
        "options": [_option(one, seen.topic) for one in known.options],
        "questions": [_question(slots[q.slot], known) for q in known.bank],
    }


def _option(option: Option, topic: str) -> dict[str, Any]:
    return {
        "id": option.id,
        "text": option.text,
        "quote": "" if option.source == "implied" else _quote(option.text, topic),
        "status_quo": option.status_quo,
    }


def _quote(text: str, topic: str) -> str:
    """The longest end of the option's text that stands in the topic."""
    words = text.split()
    ends = (" ".join(words[start:]) for start in range(len(words)))
    return next(end for end in ends if end.casefold() in topic.casefold())


def _question(slot: Slot, known: Preview) -> dict[str, Any]:
    offered = next((q.suggestions for q in known.bank if q.slot == slot.id), ())
    return {
        "slot": slot.id,
        "text": slot.question,
        "stakes": f"It settles {slot.id.replace('_', ' ')}.",
        "explanation": f"One line on {slot.id.replace('_', ' ')} will do.",
        "suggestions": [suggestion.text for suggestion in offered],
        "recommended": None,
    }
