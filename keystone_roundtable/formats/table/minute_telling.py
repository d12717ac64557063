"""The sentences of a minute: who agreed, where the table stands, and whether one voice spoke."""

from __future__ import annotations

from ...core.plain import one_line
from ...core.seating import OFFLINE
from ..table_state import QUORUM
from .ending import rehearsed, voices
from .records import ROUND_NAMES
from .rounds import answered
from .status import TableStatus
from .table import Table

_SOURCES = {
    "given": "They were given with the question",
    "question": "They were read from the question",
    "session": "They are those of the session that are still open",
}
_CAUSES = {
    "interrupt": "It was paused by Ctrl-C",
    "end_of_input": "It was paused, since the input ended",
    "declined": "It was left for later",
}


def options_by(table: Table) -> str:
    """Where the options are from and who agreed to them."""
    start = table.start
    if table.options_by == "person" and table.options != start.options:
        return "They were typed at the terminal."
    agreed = {
        None: "",
        "person": ", and a person agreed to them",
        "flag": "; --yes was given, and nobody was asked about them",
    }
    return f"{_SOURCES[start.options_source]}{agreed[table.options_by]}."


def convened_by(table: Table) -> str:
    """Who said yes to the plan; "" before anybody did."""
    if table.agreed is None:
        return ""
    if table.agreed.by == "flag":
        return "The plan was not put to anybody: --yes was given."
    return "A person said yes to the plan."


def stopped(table: Table) -> str:
    """Why a table that is not over stands still, and how to go on; "" where it is over."""
    written_last = (TableStatus.CLOSING, TableStatus.FAILING)
    if table.over or table.status in written_last or table.convened is None:
        return ""
    way_on = f"Go on with: keystone-roundtable table resume {table.id}"
    if (stalled := table.stalled) is not None:
        return (
            f"It stopped: too few souls answered round {stalled.round}, "
            f"{ROUND_NAMES[stalled.round]} ({answered(table)}, a table needs {QUORUM}). What was "
            f"answered is kept. {way_on}"
        )
    if table.paused is not None:
        return f"{_CAUSES[table.paused.cause]}; nothing is decided. {way_on}"
    return f"It is not over. If it was cut off: {way_on[0].lower()}{way_on[1:]}"


def axes_by(table: Table) -> str:
    """Who drew up what the souls disagree on; "" before that."""
    axes = table.axes
    if axes is None:
        return ""
    if axes.source == OFFLINE:
        why = f": {one_line(axes.fallback)}" if axes.fallback else ""
        return f"from the options that differ, by code{why}"
    return f"by {one_line(axes.source)}"


def too_few(table: Table) -> str:
    """That nothing was decided for want of souls; "" otherwise."""
    if table.status not in (TableStatus.FAILING, TableStatus.FAILED):
        return ""
    return (
        f"Nothing was decided: {len(table.seated)} souls are left with a vote, "
        f"a table needs {QUORUM}."
    )


def one_voice(table: Table) -> str:
    """What has to be said where a single model, or none, spoke; "" where several did."""
    spoke = voices(table)
    names = rehearsed(table)
    if len(names) == len(table.souls):
        return "A rehearsal: no model was consulted, and the votes mean nothing."
    if names:
        told = f"No model spoke for {', '.join(map(one_line, names))}: rehearsed seats, whose votes"
        return f"{told} mean nothing. With them nothing is decided."
    if len(spoke) > 1:
        return ""
    return (
        f"All souls are one model ({one_line(spoke[0])}): a mirror, not a panel, and their "
        "agreement is weak evidence."
    )
