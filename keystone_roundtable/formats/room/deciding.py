"""The decision: one call, why, what it costs, and the dissent by name. Nothing is blended.

Source: roundtable, 5.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from ...core.errors import UsageError
from ...core.plain import as_read, is_blank, one_line
from .quoting import first_words, is_quote, quote_fault, sentences
from .records import Dissent, Quote, Reason, RoomDecision
from .room import Room

_MOST_REASONS = 6  # chosen by judgement: a page, not a transcript
_IN_MARKS = re.compile(
    r'"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|»([^«]+)«|「([^」]+)」|‘([^’]{12,})’|”([^”]+)”|＂([^＂]+)＂'
)
_MARKS = re.compile(r"[\"“”„«»「」『』‘’'＂]")
_BLENDS = re.compile(
    r"\b(both|either|neither|hybrid|mix|blend|combin\w*|compromise|middle way|as well as)\b",
    re.IGNORECASE,
)


class DecisionRefusedError(UsageError):
    """`part` is where it breaks a rule: `call`, `why`, `cost`, `signal`, `dissent`."""

    def __init__(self, part: str, reason: str, words: str = "") -> None:
        super().__init__(f"decision, {part}: {reason}", "Nothing was changed")
        self.part, self.words = part, words


class WhyReply(BaseModel):
    model_config = ConfigDict(frozen=True)

    text: str = ""
    """What the quote shows, in a few words; may be empty."""
    quote: str
    seat: str
    turn: int


class DissentReply(BaseModel):
    model_config = ConfigDict(frozen=True)

    seat: str
    text: str


class DecisionReply(BaseModel):
    """What whoever draws up the decision gives."""

    model_config = ConfigDict(frozen=True)

    call: str
    why: tuple[WhyReply, ...] = Field(min_length=1)
    cost: str
    signal: str
    dissent: tuple[DissentReply, ...] = ()


def decision_of(room: Room, reply: DecisionReply, by: str) -> RoomDecision:
    """The decision in the options' own spelling; it is checked by `check_decision`."""
    call = call_of(room, reply.call)
    return RoomDecision(
        call=call,
        why=tuple(
            Reason(
                text=one_line(one.text),
                source=Quote(quote=one.quote, seat=one.seat, turn=one.turn),
                alone=stands_alone(room, call, one.seat, one.quote),
            )
            for one in reply.why
        ),
        cost=reply.cost.strip(),
        signal=reply.signal.strip(),
        dissent=tuple(Dissent(seat=one.seat, text=one.text.strip()) for one in reply.dissent),
        by=by,
    )


def call_of(room: Room, words: str) -> str:
    """The one option that the words are. Raises `DecisionRefusedError` for anything besides: what
    is added to an option is how a call is blended.
    """
    line = one_line(words)
    bare = as_read(line.strip("\"'“”. "))
    options = room.now.options
    for option in options:
        if as_read(option) in (as_read(line), bare):
            return option
    listed = ", ".join(f"'{one_line(option)}'" for option in options)
    if any(_names(line, option) for option in options) or _BLENDS.search(line):
        raise DecisionRefusedError("call", f"'{line}' blends; it is one of: {listed}", words)
    raise DecisionRefusedError("call", f"'{line}' is none of the options: {listed}", words)


def _names(line: str, option: str) -> bool:
    return (
        re.search(rf"(?<!\w){re.escape(one_line(option))}(?!\w)", line, re.IGNORECASE) is not None
    )


def dissenters(room: Room, call: str) -> tuple[str, ...]:
    """Every seat whose final position is another, also one that was excused later."""
    return tuple(name for name, said in room.holders.items() if said.turn.position != call)


def stands_alone(room: Room, call: str, seat: str, quote: str) -> bool:
    """Whether no other seat holds what this one is quoted for: the claim it is quoted in, where
    there is one, else the call.
    """
    # In a draft nobody's silence was read, so that it says nothing of who agrees.
    for claim in room.claims.claims if room.claims and not room.claims.draft else ():
        quotes = {one_line(claim.source.quote), *(one_line(v.quote) for v in claim.votes)}
        if one_line(quote) in quotes:
            return not any(v.vote == "agree" and v.seat != seat for v in claim.votes)
    return [n for n, s in room.holders.items() if s.turn.position == call] == [seat]


def check_decision(room: Room, decision: RoomDecision) -> None:
    """Raises `DecisionRefusedError` with the first rule that is broken."""
    if not room.holders:
        raise DecisionRefusedError("call", "nobody has said anything yet")
    if decision.call not in room.now.options:
        call_of(room, decision.call)
    if not 1 <= len(decision.why) <= _MOST_REASONS:
        raise DecisionRefusedError("why", f"{len(decision.why)} quotes, 1 to {_MOST_REASONS} fit")
    for one in decision.why:
        source = one.source
        if fault := quote_fault(room, source.quote, source.seat, source.turn):
            raise DecisionRefusedError("why", fault, source.quote)
        _check_quoted(room, "why", one.text)
    _check_for_it(room, decision)
    for part in ("cost", "signal"):
        if is_blank(getattr(decision, part)):
            told = {"cost": "what it costs if it is wrong", "signal": "the earliest signal"}[part]
            raise DecisionRefusedError(part, f"it does not say {told}")
    _check_dissent(room, decision)


def _check_for_it(room: Room, decision: RoomDecision) -> None:
    """What speaks for the call is not taken from its opponents alone."""
    holders = [n for n, said in room.holders.items() if said.turn.position == decision.call]
    if holders and not any(one.source.seat in holders for one in decision.why):
        raise DecisionRefusedError(
            "why", f"no quote is of a seat that holds the call ({', '.join(holders)})"
        )


def _check_quoted(room: Room, part: str, text: str) -> None:
    """Raises `DecisionRefusedError` for words put into somebody's mouth: in quotation marks, and
    said by nobody.
    """
    said = _bare(
        " \n ".join(
            f"{one.turn.text} \n {one.turn.changed} \n {one.turn.would_change}" for one in room.said
        )
    )
    known = {_bare(option) for option in room.now.options}
    paired = text if text.count('"') % 2 == 0 else text.replace('"', "")
    for words in map("".join, _IN_MARKS.findall(paired)):
        bare = _bare(words)
        if is_quote(words) and bare not in known and bare not in said:
            raise DecisionRefusedError(
                part, f'"{one_line(words)[:80]}" stands in nobody\'s turn', words
            )


def _bare(text: str) -> str:
    """Without quotation marks of any kind, which words in marks may hold again."""
    return one_line(_MARKS.sub("", text)).casefold()


def _check_dissent(room: Room, decision: RoomDecision) -> None:
    named = [one.seat for one in decision.dissent]
    for name in dissenters(room, decision.call):
        held = one_line(room.holders[name].turn.position)
        told = next((one.text for one in decision.dissent if one.seat == name), "")
        if is_blank(told):
            raise DecisionRefusedError("dissent", f"{name} holds '{held}' and is left out")
        if decision.by != "rules":
            _check_quoted(room, "dissent", told)
    for name in named:
        if name not in room.holders:
            raise DecisionRefusedError("dissent", f"'{one_line(name)}' has no turn here", name)
        if room.holders[name].turn.position == decision.call:
            raise DecisionRefusedError(
                "dissent", f"{name} holds the call and dissents from nothing"
            )
        if named.count(name) > 1:
            raise DecisionRefusedError("dissent", f"{name} is named twice", name)


def mechanical_decision(
    room: Room, call: str, cost: str, signal: str, quotes: Sequence[WhyReply] = ()
) -> DecisionReply:
    """The call with what can be read off: the first words of each seat that holds it, and of each
    that does not. What it costs and how it would show, nobody can read off.

    Where no seat holds the call nothing that was said speaks for it: `why` is one empty quote, to
    be filled in.
    """
    chosen = call_of(room, call)
    held = {n: s for n, s in room.holders.items() if s.turn.position == chosen}
    why = quotes or tuple(_words_for(room, name, chosen) for name in list(held)[:_MOST_REASONS])
    return DecisionReply(
        call=chosen,
        why=tuple(why) or (WhyReply(quote="", seat="", turn=0),),
        cost=cost,
        signal=signal,
        dissent=tuple(
            DissentReply(seat=name, text=_still_holds(room, name))
            for name in dissenters(room, chosen)
        ),
    )


def _words_for(room: Room, name: str, call: str) -> WhyReply:
    """What a seat said for the call: its latest sentence that names it, else how it began to hold
    it. A turn may open with what it says against others.
    """
    holding = [s for s in room.said if s.seat == name and s.turn.position == call]
    latest_first = sorted(holding, key=lambda said: -said.number)
    for said in latest_first:
        for sentence in sentences(said.turn.text):
            if re.search(rf"(?<!\w){re.escape(call)}(?!\w)", sentence, re.IGNORECASE):
                return WhyReply(quote=sentence, seat=name, turn=said.number)
    first = latest_first[-1]
    return WhyReply(quote=first_words(first.turn.text), seat=name, turn=first.number)


def _still_holds(room: Room, name: str) -> str:
    turn = room.holders[name].turn
    told = f'still holds "{one_line(turn.position)}": "{one_line(first_words(turn.text))}"'
    return f"{told} Would change it: {one_line(turn.would_change)}" if turn.would_change else told
