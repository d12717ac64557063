"""An earlier decision that is close to a new topic: shown before the session, and remembered after.

Nothing here stops or delays a session: what cannot be read is passed over.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Protocol

from ..core.errors import KeystoneError
from ..stores.places import FOLDERS, INDEX_NAME, roundtable_folder

# Making the index anew reads every session, five thousand a second; chosen by judgement.
_MOST_AT_AN_END = 2_000


class Teller(Protocol):
    def tell(self, message: str) -> None: ...


class Notice(NamedTuple):
    """An earlier decision; `session` is its id where it is one, which alone can be reopened."""

    session: str | None
    lines: list[str]
    way_on: str
    """How to take it up, or to look at it."""


def notice_of(root: Path, topic: str) -> Notice | None:
    """The earlier decision that is close; None where there is none."""
    if not (roundtable_folder(root) / INDEX_NAME).is_file():
        return None  # before anything is loaded: most first sessions have nothing to look in
    with suppress(KeystoneError, OSError, ImportError):  # some builds of Python have no SQLite
        return _notice(root, topic)
    return None


def _notice(root: Path, topic: str) -> Notice | None:
    from ..core.plain import one_line
    from ..review.aftermath import Aftermaths, wants_outcome
    from ..review.decisions_close import closest
    from ..terminal import remembering as words

    past = closest(root, topic)
    if past is None:
        return None
    after = Aftermaths(root, []).at(past.id, past.place)
    lines = [words.decided_before(past.at, past.topic, past.format)]
    ended = words.ending_word(past.decision, past.status)
    lines.append(words.how_it_ended(ended, past.option, past.confidence))
    if after.superseded:
        link = after.superseded
        lines.append(words.sentence(words.superseded_by(link.source, link.at)))
    if after.outcome:
        lines.append(words.outcome_line(after.outcome.outcome, after.outcome.at))
    elif wants_outcome(past.decision, past.at, after, time.time()):
        lines.append(words.ask_outcome([past.id]))
    told = [one_line(line) for line in lines]
    if past.format == "socratic":
        return Notice(past.id, told, words.reopen_it(past.id))
    return Notice(None, told, words.look_at_it(past.id))


def tell_earlier(root: Path, topic: str, partner: Teller, *, may_choose: bool) -> str | None:
    """Shows an earlier close decision; the id of the session that the person reopens instead.

    Only a choice made in a menu reopens; where none can be shown, and of a table or a room, the
    lines are all there is.
    """
    found = notice_of(root, topic)
    if found is None:
        return None
    choose = getattr(partner, "choose_earlier", None) if may_choose and found.session else None
    if choose is not None:
        return found.session if choose(found.lines) else None
    for line in [*found.lines, found.way_on]:
        partner.tell(line)
    return None


def remember(root: Path) -> None:
    """Brings the index up to date after an end, so that the next session is told of it."""
    if not (roundtable_folder(root) / INDEX_NAME).is_file() and _many(roundtable_folder(root)):
        return  # `decisions` makes it, where it is waited for
    with suppress(KeystoneError, OSError, ImportError):
        from ..review.decisions_index import DecisionIndex

        DecisionIndex(root).refresh()


def _many(held: Path) -> bool:
    count = 0
    for name in FOLDERS.values():
        with suppress(OSError):
            count += sum(1 for _ in (held / name).iterdir())
    return count > _MOST_AT_AN_END
