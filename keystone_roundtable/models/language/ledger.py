"""What was said, as numbered facts: a prompt is built from these and not from a transcript."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...core.plain import plain
from ...core.session import Session

MAX_WORDS = 4000
"""Characters kept of one entry; a pasted page says what matters at its beginning."""


@dataclass(frozen=True)
class Entry:
    """One thing that was said. `ref` is its id in the session: `topic`, `A2`, `N1`, `R1`."""

    id: str
    ref: str
    question: str
    words: str
    leaning: bool = False
    """It tells which path the person prefers; the roles' views must not rest on it."""
    said: str = ""
    """The words uncut: the topic and the text handed in stand whole in the stable part."""


@dataclass(frozen=True)
class Ledger:
    entries: tuple[Entry, ...]

    def ref(self, entry_id: str) -> str | None:
        """The session's own id for an entry, or for a ref given as such; None for neither."""
        for entry in self.entries:
            if entry_id in (entry.id, entry.ref):
                return entry.ref
        return None

    @property
    def ids(self) -> tuple[str, ...]:
        """What an entry may be named by."""
        return tuple(entry.id for entry in self.entries)

    @property
    def said(self) -> str:
        """Everything that a quote may be taken from."""
        return "\n".join(entry.said for entry in self.entries)

    @property
    def facts(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if not entry.leaning)

    @property
    def leanings(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.leaning)


def ledger_of(session: Session) -> Ledger:
    """The ledger of what is in force: topic, context, earlier facts, answers, notes."""
    leaning = {f.ref for f in session.facts if f.kind in ("choice", "exclusion")}
    found = [("topic", "", session.start.topic)]
    if session.start.context:
        found.append(("context", "", session.start.context))
    found += [(fact.ref, "", fact.text) for fact in session.start.facts]
    found += [
        (turn.answer_id, turn.question.text, turn.words)
        for turn in session.turns
        if turn.answer is not None and turn.answer.signal not in ("low_information", "clarify")
    ]
    found += [(note.id, "", note.text) for note in session.notes]
    return Ledger(tuple(_entries(found, leaning)))


def _entries(said: Iterable[tuple[str, str, str]], leaning: set[str]) -> Iterable[Entry]:
    for number, (ref, question, words) in enumerate(said, 1):
        whole = plain(words)
        yield Entry(f"F{number}", ref, question, whole[:MAX_WORDS], ref in leaning, whole)
