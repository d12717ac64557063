"""What a soul has to reply in each round, and what in a reply breaks a rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ...core.plain import as_read, is_blank, one_line
from .records import CONVERGE, DEEPEN, MAX_AXES, MIN_AXES, OPEN, VOTE, Ballot, RoundReply
from .table import Table

MAX_TEXT = 4000  # characters: 120 words are asked for; chosen by judgement
MAX_AXIS = 400  # of one line


def _a_number(value: Any) -> Any:
    """As in a state file: `"8"` is a text."""
    if isinstance(value, bool | str):
        raise ValueError("must be a number, not a text, true or false")
    return value


Confidence = Annotated[int, BeforeValidator(_a_number)]
Rating = Annotated[int, Field(ge=1, le=10), BeforeValidator(_a_number)]
Text = Annotated[str, Field(max_length=MAX_TEXT)]
Line = Annotated[str, Field(max_length=MAX_AXIS)]


class _Reply(BaseModel):
    """Fields that were not asked for are passed over."""

    model_config = ConfigDict(frozen=True)


class OpenReply(_Reply):
    position: Text
    confidence: Rating
    argument: Text


class DeepenReply(OpenReply):
    challenges: Text
    self_update: Text


class ConvergeReply(OpenReply):
    self_update: Text


class VoteReply(_Reply):
    """A number that is not allowed is no malformed reply: the count names it."""

    vote: Text
    confidence: Confidence
    rationale: Text
    dissent_note: Text = ""


class AxesReply(_Reply):
    axes: Annotated[tuple[Line, ...], Field(min_length=MIN_AXES, max_length=MAX_AXES)]


SHAPES: dict[int, type[BaseModel]] = {
    OPEN: OpenReply,
    DEEPEN: DeepenReply,
    CONVERGE: ConvergeReply,
    VOTE: VoteReply,
}


def heard(table: Table, name: str) -> tuple[str, ...]:
    """The other souls that have said something by now, and so can well be challenged."""
    said = {answer.seat for answer in table.answers}
    return tuple(soul.name for soul in table.souls if soul.name in said and soul.name != name)


def ids_of(table: Table, number: int, name: str) -> dict[str, tuple[str, ...]]:
    """By field, the strings that may stand in it."""
    if number == VOTE:
        return {"vote": table.options}
    ids = {"position": table.options}
    if number == DEEPEN:
        ids["challenges"] = heard(table, name)
    return ids


def breach(table: Table, number: int, name: str, reply: BaseModel) -> str | None:
    """Why a well-formed reply of rounds 1 to 3 cannot be used, in words for whoever gave it."""
    if not isinstance(reply, OpenReply):
        return None
    if option_named(reply.position, table.options) is None:
        return f"position must be one of the options: {_listed(table.options)}"
    if isinstance(reply, DeepenReply):
        others = _others(table, name)
        if _challenged(reply.challenges, others) is None:
            return f"challenges must name one other soul: {_listed(heard(table, name) or others)}"
    return None


def _challenged(words: str, others: Sequence[str]) -> str | None:
    """The one of `others` that is named, alone or before a colon: "sre: the cost is guessed"."""
    return option_named(words, others) or option_named(words.partition(":")[0], others)


def _others(table: Table, name: str) -> tuple[str, ...]:
    return tuple(soul.name for soul in table.souls if soul.name != name)


def round_reply(table: Table, name: str, reply: BaseModel) -> RoundReply:
    """The reply that was checked, in the options' and souls' own spelling."""
    assert isinstance(reply, OpenReply)
    challenged = ""
    if isinstance(reply, DeepenReply):
        challenged = _challenged(reply.challenges, _others(table, name)) or ""
    update = reply.self_update if isinstance(reply, DeepenReply | ConvergeReply) else ""
    return RoundReply(
        position=option_named(reply.position, table.options) or reply.position,
        confidence=reply.confidence,
        argument=reply.argument,
        challenges=challenged,
        self_update="" if is_blank(update) else update,
    )


def ballot_of(table: Table, reply: BaseModel) -> Ballot:
    """The vote as it came; an option is taken for one whatever its case and spacing."""
    assert isinstance(reply, VoteReply)
    return Ballot(
        vote=option_named(reply.vote, table.options) or reply.vote,
        confidence=reply.confidence,
        rationale=reply.rationale,
        dissent_note=reply.dissent_note,
    )


def option_named(words: str, options: Sequence[str]) -> str | None:
    """The one of `options` that `words` spell: on a screen both look the same, case apart."""
    if words in options:
        return words
    return next((option for option in options if as_read(option) == as_read(words)), None)


def axes_breach(reply: BaseModel) -> str | None:
    assert isinstance(reply, AxesReply)
    blank = any(is_blank(axis) for axis in reply.axes)
    return "each axis is one line that says something" if blank else None


def mechanical_axes(table: Table) -> tuple[str, ...]:
    """The options that differ, as code can read them off: each axis is a pair with who holds it.

    How sure they are is one as well where that differs and there is no second pair.
    """
    sides = {
        option: [
            one_line(soul.name)
            for soul in table.souls
            if (last := table.latest(soul.name)) and last.reply.position == option
        ]
        for option in table.options
    }
    held = [option for option in table.options if sides[option]]
    held.sort(key=lambda option: -len(sides[option]))
    axes = [
        f"{one_line(held[0])} ({_names(sides[held[0]])}) or {one_line(other)} "
        f"({_names(sides[other])})"
        for other in held[1:]
    ]
    if len(axes) < MIN_AXES and (sureness := _sureness(table)):
        axes.append(sureness)
    return tuple(axes[:MAX_AXES]) or (f"No option: all hold {one_line(held[0])}, equally sure",)


def _names(names: Sequence[str]) -> str:
    return ", ".join(names)


def _sureness(table: Table) -> str:
    latest = [(a.reply.confidence, one_line(s.name)) for s in table.souls
              if (a := table.latest(s.name))]  # fmt: skip
    low, high = min(latest), max(latest)
    if low[0] == high[0]:
        return ""
    return f"How sure one can be: {high[1]} at {high[0]}, {low[1]} at {low[0]}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f'"{one_line(name)}"' for name in names)
