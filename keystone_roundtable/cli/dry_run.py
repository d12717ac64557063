"""`run --dry-run`: what would be sent to the model, where, and about what it would cost."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..core import events as ev
from ..core.fold import apply
from ..core.limits import MAX_ASKED
from ..core.plain import plain
from ..core.ports import Moderator, Reader
from ..core.session import Session
from ..runtime.services import Beginning
from .moderators import destination_line

if TYPE_CHECKING:
    from ..models.language.moderator import LanguageModerator

MOST_CALLS = MAX_ASKED + 2


def show_what_would_be_sent(moderator: Moderator, beginning: Beginning, reader: Reader) -> int:
    """Prints the first prompt, secrets masked, and an estimate. Nothing is sent or stored."""
    if moderator.instant:
        print("The built-in rules play the roles: nothing would be sent.")
        return 0
    from ..models.language.moderator import LanguageModerator

    assert isinstance(moderator, LanguageModerator)
    session = _session(beginning, reader, moderator)
    sent = moderator.first_prompt(session)
    print(plain(destination_line(moderator.name, os.environ)))
    print("The first request would hold:\n")
    print(plain(f"{sent.stable}\n{sent.task}"))
    for line in _estimate(moderator, sent.tokens):
        print(line)
    return 0


def _session(beginning: Beginning, reader: Reader, moderator: LanguageModerator) -> Session:
    route, reason = reader.route(beginning.topic)
    started = ev.SessionStarted(
        at="1970-01-01T00:00:00+00:00",
        session=beginning.session,
        topic=beginning.topic,
        context=beginning.context,
        context_name=beginning.context_name,
        route=route,
        route_reason=reason,
        mode=beginning.mode,
        roles=beginning.roles,
        force=True,
        model=moderator.name,
    )
    return apply(Session(), started)


def _estimate(moderator: LanguageModerator, tokens: int) -> list[str]:
    """About what a session costs: each call sends the stable part again."""
    usd = moderator.price_of(tokens)
    cost = "unknown" if usd is None else f"about {usd:.4f} USD"
    most = "unknown" if usd is None else f"at most about {usd * MOST_CALLS:.4f} USD"
    return [
        f"About {tokens} tokens are sent in this request; its price: {cost}.",
        f"A session makes at most {MOST_CALLS} requests of about this size: {most}.",
        "Nothing was sent.",
    ]
