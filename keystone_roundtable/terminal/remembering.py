"""What a person reads of past decisions: lists, links and outcomes. Imports nothing heavy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from .columns import clipped, padded

NONE_YET = "No sessions yet. Start one with: keystone-roundtable"
NONE_FITS = "No session fits. Without filters: keystone-roundtable list"
NO_DECISION_YET = "Nothing was decided here yet. Start with: keystone-roundtable"
NO_TERMS = "There is no word to look for in that."
SOME_TERMS = "No decision has all of these words; these have some:"

_WORDS = {
    "roundtable-aligned": "decided",
    "roundtable-deferred": "deferred",
    "roundtable-escalate": "escalated",
}
_PASSIVES = {
    "supersedes": "Superseded by",
    "contradicts": "Contradicted by",
    "refines": "Refined by",
}
_STATUS_WIDTH, _OUTCOME_WIDTH = 13, 8
_NARROW = 76  # columns; below, too little room would be left for the topic; chosen by judgement
_MAX_TOPIC = 200  # characters where no terminal limits the line; chosen by judgement


class Linked(Protocol):
    """One link between two decisions."""

    @property
    def at(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def relation(self) -> str: ...
    @property
    def target(self) -> str: ...


class Told(Protocol):
    """One outcome as it was told."""

    @property
    def at(self) -> str: ...
    @property
    def outcome(self) -> str: ...
    @property
    def note(self) -> str: ...


class After(Protocol):
    """What came after a decision."""

    @property
    def links(self) -> Sequence[Linked]: ...
    @property
    def outcomes(self) -> Sequence[Told]: ...


def ending_word(decision: str | None, status: str) -> str:
    """How a session ended, or where it stands, in one word."""
    return _WORDS.get(decision or "", decision or status)


def others(tables: int, rooms: int) -> str:
    """That what is listed are sessions alone."""
    told = [
        f"{count:,} {word}{'' if count == 1 else 's'} (keystone-roundtable {word} list)"
        for word, count in (("table", tables), ("room", rooms))
        if count
    ]
    return f"Not among these sessions: {' and '.join(told)}."


def rows(
    session_id: str,
    at: str,
    ended: str,
    confidence: float | None,
    outcome: str,
    told: str,
    width: int | None,
    id_width: int = 17,
) -> Iterator[str]:
    """One line of a listing, in columns; what is `told` comes last and takes what room is left.

    On a narrow screen it gets a line of its own.
    """
    stated = f"{ended} {confidence:g}" if confidence is not None else ended
    told = told if len(told) <= _MAX_TOPIC else f"{told[:_MAX_TOPIC].rstrip()}…"
    if width is not None and width < _NARROW:
        yield clipped("  ".join(filter(None, (session_id, stated, outcome))), width)
        yield below(told, width)
        return
    columns = (
        padded(session_id, id_width),
        padded(at[:10], 10),
        padded(stated, _STATUS_WIDTH),
        padded(outcome or "-", _OUTCOME_WIDTH),
    )
    yield clipped("  ".join((*columns, told)).rstrip(), width)


def of_format(format_: str, told: str) -> str:
    """What is told of it, with what it is where it is no session."""
    return told if format_ == "socratic" else f"[{format_}] {told}"


def below(text: str, width: int | None) -> str:
    """A line that belongs to the row above it."""
    return clipped(f"    {text}", width)


def direction(option: str) -> str:
    return f"→ {option}"


def superseded_by(session_id: str, at: str) -> str:
    return f"superseded by {session_id} ({at[:10]})"


def no_match(query: str) -> str:
    return f"No decision matches {clipped(query, 60)!r}."


def more_found(shown: int) -> str:
    return f"These are the first {shown}; --limit N shows more, --limit 0 all."


def ask_outcome(session_ids: Sequence[str]) -> str:
    """The one line that asks how old decisions turned out."""
    first, *others = session_ids
    of_others = f" ({len(others)} more have no outcome yet.)" if others else ""
    return (
        f"How did {first} turn out? keystone-roundtable outcome {first} "
        f"held|reversed|partly|unknown{of_others}"
    )


GO_ON_WITH_NEW = "Go on with the new question"
REOPEN_EARLIER = "Reopen the earlier one: its answers kept as facts, every path open again"


def sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def decided_before(at: str, topic: str, format_: str) -> str:
    where = {"table": ", at a table", "room": ", in a room"}.get(format_, "")
    return f"Something close was here before, on {at[:10]}{where}: {topic}"


def how_it_ended(ended: str, option: str, confidence: float | None) -> str:
    stated = f" with confidence {confidence:g}" if confidence is not None else ""
    return f"It was {ended}{stated}" + (f": {option}" if option else ".")


def outcome_line(outcome: str, at: str) -> str:
    return f"Outcome: {outcome} ({at[:10]})."


def reopen_it(session_id: str) -> str:
    return f"To take that one up again: keystone-roundtable reopen {session_id}"


def look_at_it(held_id: str) -> str:
    return f"To look at that one: keystone-roundtable show {held_id}"


def supersede_it(session_id: str, reopened: str) -> str:
    return (
        f"It reopens {reopened}. To say that it takes its place: keystone-roundtable decisions "
        f"link {session_id} supersedes {reopened}"
    )


HOW_DID_IT_TURN_OUT = "\nHow did it turn out? held, reversed, partly or unknown (Enter: not now) "


def outcome_later(session_id: str) -> str:
    return f"Nothing is kept. Later: keystone-roundtable outcome {session_id} held|reversed|..."


def aftermath(session_id: str, after: After) -> Iterator[str]:
    """What came after a decision, a line each; none where nothing did."""
    if after.links or after.outcomes:
        yield ""
    for link in after.links:
        if link.target != session_id:
            yield f"{link.relation.capitalize()} {link.target} ({link.at[:10]})."
        else:
            yield f"{_PASSIVES[link.relation]} {link.source} ({link.at[:10]})."
    from ..core.plain import one_line

    for number, told in enumerate(after.outcomes, 1):
        counts = "" if number == len(after.outcomes) else ", replaced since"
        yield f"Outcome: {told.outcome} ({told.at[:10]}{counts})" + (
            f": {one_line(told.note)}" if told.note else "."
        )


def linked(source: str, relation: str, target: str, removed: bool, changed: bool) -> str:
    """What came of making a link or taking it back."""
    link = f"{source} {relation} {target}"
    if removed:
        return f"Taken back: {link}." if changed else f"There is no such link: {link}."
    return f"Linked: {link}." if changed else f"Linked already: {link}."


def older_one(source: str, target: str) -> str:
    return (
        f"{source} was begun before {target}. Meant the other way round? Take the link back with "
        "--remove."
    )


def outcome_kept(session_id: str, outcome: str, new: bool) -> str:
    if not new:
        return f"That {session_id} turned out as '{outcome}' was told before; nothing is added."
    return f"Kept with {session_id}: {outcome}."


def outcome_before(outcome: str, at: str) -> str:
    return f"It counts instead of '{outcome}' of {at[:10]}, which stays in its folder."


def outcome_of_superseded(session_id: str, by: str, at: str) -> str:
    return f"{session_id} was superseded by {by} ({at[:10]}); the outcome is kept all the same."
