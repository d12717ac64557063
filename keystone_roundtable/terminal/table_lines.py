"""What a person reads while a table is convened and held, in one place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from ..core.plain import one_line
from .columns import clipped, padded

PROPOSED = "These options were read from the question:"
TAKE_OR_TYPE = "Enter takes them; or type 2 to 4 others with commas between; n leaves: "
NO_OPTIONS = "That reads as a topic and not yet as a decision: no options stand in it."
TYPE_OPTIONS = "Type 2 to 4 options with commas between; n leaves: "
ASK_FACTS = (
    "What may the souls use as fact? They look nothing up. One fact a line, an empty line ends:"
)
FACT_PROMPT = "Fact: "
KNOWN_FACTS = "Already known:"
STAKES = (
    "A table is for a decision whose being wrong is expensive or hard to undo. Its souls are "
    "lenses: none is that person's or that Oracle's own view."
)
SAME_MODEL = "One model speaks for every soul: a mirror, not a panel."
YES_OR_NO = "y begins, n leaves it for later; Ctrl-C pauses as well."
CHANGED = "What was said yes to has changed:"
NOTHING_CHANGED = "Nothing was asked, and the table stays as it was."
NO_EVIDENCE = (
    "Nobody moved in round 2. Did no new evidence come, so that round 3 is skipped? [y/N] "
)
EVIDENCE_HEADLESS = "Nobody moved in round 2; nobody is there to confirm it, so round 3 is held."
RULE = "A number decides, Enter leaves it open: "
NOT_AN_ORACLE = (
    "This is no Oracle repository (no CLAUDE.md with ψ/): the minute stays in the project."
)
REHEARSAL = "REHEARSAL: no model was consulted, and nothing is decided. The count gave:"
DECLINED = "No table was held, and nothing was asked."

NONE_HELD = 'No table was held here. Convene one: keystone-roundtable table "QUESTION"'
NO_TABLE_OPEN = "no table is open here"


def changed_voice(seat: str, before: str, now: str) -> str:
    return f"  {one_line(seat)}: {one_line(now)}; before: {one_line(before)}"


def voice(speaks: str, sends_to: str) -> str:
    return f"{speaks}, sent to {sends_to}" if sends_to else f"{speaks}, nothing is sent"


class Seated(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> Any: ...
    @property
    def source(self) -> str: ...


_KINDS = {
    "file": "file",
    "persona": "persona",
    "oracle": "Oracle",
    "person": "a real person, in one line",
    "lens": "a lens of this program",
}


def roster_lines(
    question: str, options: Sequence[str], aggregator: str, souls: Sequence[Seated], facts: str
) -> Iterator[str]:
    """What is about to be convened; safe for a screen."""
    yield f"Question: {one_line(question)}"
    yield f"Options: {', '.join(map(one_line, options))}"
    yield f"Aggregator: {aggregator}"
    yield f"Facts: {_lines(len(facts.splitlines()))}"
    yield "Souls:"
    width = max(len(one_line(soul.name)) for soul in souls)
    for soul in souls:
        yield f"  {one_line(soul.name):{width}}  {_KINDS[soul.kind]}: {one_line(soul.source)}"


def _lines(count: int) -> str:
    return "none" if count == 0 else f"{count:,} line{'' if count == 1 else 's'}"


def reads_as(route: str, reason: str) -> str:
    return f"It reads like {route} rather than a choice: {one_line(reason)}."


def habit_question(name: str) -> str:
    return (
        f"No soul called {one_line(name)} was found. If that is a real person, type the one habit "
        "it brings; Enter refuses the seat: "
    )


def deference(expert: str) -> str:
    return (
        f"{one_line(expert)} stands at 10, all others at 3 or less. Go straight to the vote? [y/N] "
    )


def deference_headless(expert: str) -> str:
    return (
        f"{one_line(expert)} stands alone at 10; nobody is there to decide, so the table goes on."
    )


def began(table_id: str) -> str:
    return f"Table {table_id}. Should it be cut off: keystone-roundtable table resume {table_id}"


def paused(table_id: str) -> str:
    return f"Paused: nothing is decided, everything that was answered is kept.\n{go_on(table_id)}"


def go_on(table_id: str) -> str:
    return f"Go on with: keystone-roundtable table resume {table_id}"


def stalled(table_id: str, number: int, answered: int) -> str:
    return (
        f"Too few souls answered round {number}: {answered}, a table needs 3. What was answered is "
        f"kept.\nAsk only the missing ones: keystone-roundtable table resume {table_id}"
    )


def too_few(left: int) -> str:
    return f"Nothing was decided: {left} souls are left with a vote, a table needs 3."


def table_row(
    table_id: str, date: str, status: str, question: str, width: int | None
) -> Iterator[str]:
    """A table in one line of columns, as wide as the screen."""
    row = f"{padded(table_id, 17)}  {date}  {padded(status, 10)}  {one_line(question)}"
    yield clipped(row, width)


def indented(path: str) -> str:
    return f"  {one_line(path)}"


def not_convened(over: bool) -> str:
    return (
        "It was not convened, and is over." if over else "It was not convened: no soul was asked."
    )


def minute_gone(path: str) -> str:
    return f"Its minute is no longer there: {one_line(path)}"


def ruled(option: str) -> str:
    return f"The human chose {one_line(option)}."


def next_step(next_skill: str, next_action: str, contract: str) -> Iterator[str]:
    yield f"Contract: {contract}"
    yield f"Next: {next_skill}. {one_line(next_action)}" if next_skill else one_line(next_action)


def minute_line(path: str) -> str:
    return f"🪑 Minute: {path}"


def decision_line(path: str) -> str:
    return f"📥 Decision: {path}"
