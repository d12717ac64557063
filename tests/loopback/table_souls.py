"""Souls of a table as a model plays them: who is asked, and in which round, is read off the prompt.

It shares no code with the package.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .dialects import Asked
from .replies import Reaction, Response

AXES = 0
_NAME = re.compile(r'^Your name at this table: (".*")$', re.MULTILINE)
_ROUND = re.compile(r"^Round (\d), [A-Z]+\.", re.MULTILINE)
_SOULS = re.compile(r"^The souls: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Turn:
    """One prompt: the soul and the round. The convener is "", its round `AXES`. `again` says that
    an earlier reply was put back.
    """

    name: str
    round: int
    others: tuple[str, ...]
    again: bool


def turn_of(request: Asked) -> Turn:
    text = f"{request.system}\n{request.user}"
    name = _NAME.search(text)
    if name is None:
        return Turn("", AXES, (), "cannot be used" in text)
    own = json.loads(name[1])
    souls = _SOULS.search(text)
    assert souls is not None
    others = tuple(one for one in json.loads(f"[{souls[1]}]") if one != own)
    again = "cannot be used" in text or "cannot be counted:" in text
    round_ = _ROUND.search(text)
    assert round_ is not None
    return Turn(own, int(round_[1]), others, again)


Play = Callable[[Turn], Response | None]
"""What a soul does instead of playing well; None plays well."""


def playing_souls(options: tuple[str, ...], plays: Mapping[str, Play] | None = None) -> Reaction:
    """Every soul takes the last option at 7 and votes for it at 8, unless its play says other."""

    def react(request: Asked) -> Response:
        turn = turn_of(request)
        play = (plays or {}).get(turn.name)
        response = play(turn) if play else None
        return response or Response(json.dumps(good(turn, options[-1])))

    return react


def good(turn: Turn, position: str, confidence: int | None = None) -> dict[str, Any]:
    """A reply that fits the round."""
    if turn.round == AXES:
        return {"axes": ["What it costs to wait", "Who is woken at night"]}
    if turn.round == 4:
        return {
            "vote": position,
            "confidence": confidence or 8,
            "rationale": f"{turn.name} says it pays",
            "dissent_note": "",
        }
    reply = {
        "position": position,
        "confidence": confidence or 7,
        "argument": f"{turn.name} argues in round {turn.round}",
    }
    if turn.round == 2:
        reply["challenges"] = turn.others[0]
    if turn.round > 1:
        reply["self_update"] = f"{turn.others[0]} moved me a little"
    return reply
