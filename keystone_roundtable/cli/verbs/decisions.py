"""`decisions`: what was decided, found again by its words; and how one stands to another."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...review.aftermath import Aftermath, Aftermaths, wants_outcome
from ...terminal import remembering as words
from ...terminal.columns import columns_of
from ..roots import root_of
from ..saying import say
from ..searching import search
from ..typed import as_typed

if TYPE_CHECKING:
    from ...review.decisions_index import Past, Search


def decisions(options: Namespace) -> int:
    """Shows the decisions that hold the words given, or the newest; or makes a link."""
    if options.words[:1] == ["link"] and len(options.words) > 1:
        from .linking import is_link, link

        if is_link(options.words):
            return link(options)
    query = as_typed(" ".join(options.words)).strip()
    root = root_of(options.root)
    found = search(root, query, options.limit)
    passed_over: list[str] = []
    after = Aftermaths(root, passed_over) if found.past else None
    told = [(past, after.at(past.id, past.place)) for past in found.past] if after else []
    for line in passed_over:
        say(f"Passed over: {line}")
    if options.json:
        import json

        print(json.dumps(_object(query, found, told), ensure_ascii=False, indent=2))
    else:
        _print(root, query, found, told)
    return 0


def _print(root: Path, query: str, found: Search, told: list[tuple[Past, Aftermath]]) -> None:
    if not told:
        print(words.no_match(query) if query else words.NO_DECISION_YET)
    elif not found.every_term:
        print(words.SOME_TERMS)
    width = columns_of(sys.stdout)
    for past, after in told:
        for line in _rows(past, after, width):
            print(line)
        if past.option:
            print(words.below(words.direction(past.option), width))
        if after.superseded:
            link = after.superseded
            print(words.below(words.superseded_by(link.source, link.at), width))
    if found.more:
        say(words.more_found(len(told)))
    if silent := [p.id for p, a in told if wants_outcome(p.decision, p.at, a, time.time())]:
        say(words.ask_outcome(silent))


def _rows(past: Past, after: Aftermath, width: int | None) -> Iterator[str]:
    outcome = after.outcome.outcome if after.outcome else ""
    ended = words.ending_word(past.decision, past.status)
    told = words.of_format(past.format, past.topic)
    return words.rows(past.id, past.at, ended, past.confidence, outcome, told, width)


def _object(query: str, found: Search, told: list[tuple[Past, Aftermath]]) -> dict[str, Any]:
    return {
        "query": query or None,
        "every_term": found.every_term,
        "more": found.more,
        "decisions": [
            {
                "session": past.id,
                "format": past.format,
                "at": past.at,
                "topic": past.topic,
                "decision": past.decision or None,
                "option": past.option or None,
                "confidence": past.confidence,
                "mode": past.mode or None,
                **after.as_object(),
            }
            for past, after in told
        ],
    }
