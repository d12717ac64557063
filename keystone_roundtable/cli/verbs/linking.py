"""`decisions link`: how one decision stands to another."""

from __future__ import annotations

import json
import re
from argparse import Namespace
from collections.abc import Sequence

from ...core.errors import UsageError
from ...review.links import RELATIONS, Link, add_link, remove_link
from ...terminal import remembering as words
from ..named import Named, finished, named
from ..roots import root_of
from ..wiring import SystemClock

_LOOKS_LIKE_ID = re.compile(r"[0-9]{8}(-[0-9a-z]*)?")


def is_link(typed: Sequence[str]) -> bool:
    """Whether words that begin with `link` ask for one, and are no query."""
    return any(word in RELATIONS for word in typed) or bool(_LOOKS_LIKE_ID.fullmatch(typed[1]))


def link(options: Namespace) -> int:
    """Makes the link, or takes it back; both sessions stay as they were closed."""
    if len(options.words) != 4 or options.words[2] not in RELATIONS:
        raise UsageError(
            "a link is an ID, a relation and another ID",
            f"Write: decisions link ID {'|'.join(RELATIONS)} ID",
        )
    _, first, relation, second = options.words
    root = root_of(options.root)
    choose = named if options.remove else finished  # what is gone from a log can be unlinked
    source, target = choose(root, first), choose(root, second)
    made = Link(SystemClock().now(), source.id, relation, target.id)
    changed = (remove_link if options.remove else add_link)(root, made)
    if options.json:
        told = {**made._asdict(), "removed": options.remove, "changed": changed}
        print(json.dumps(told, ensure_ascii=False, indent=2))
        return 0
    print(words.linked(made.source, made.relation, made.target, options.remove, changed))
    if (
        changed
        and not options.remove
        and relation != "contradicts"
        and _began_later(target, source)
    ):
        print(words.older_one(source.id, target.id))
    return 0


def _began_later(one: Named, other: Named) -> bool:
    return one.summary.started_at[:10] > other.summary.started_at[:10]
