"""Small tables for the tests."""

from __future__ import annotations

from typing import Any

from keystone_roundtable.formats.table_state import TableState, read_state

OPTIONS = ["keep", "split"]


def soul(name: str, vote: object = "split", confidence: object = 8, **more: Any) -> dict[str, Any]:
    """An agent of a state; `note` is its dissent note, `says` its rationale."""
    agent: dict[str, Any] = {
        "name": name,
        "soul": "argues",
        "rounds": more.pop("rounds", []),
        "final": {"vote": vote, "confidence": confidence, "rationale": more.pop("says", "because")},
        "dissent_note": more.pop("note", ""),
    }
    return agent | more


def rounds(*held: tuple[str, int] | tuple[str, int, str]) -> list[dict[str, Any]]:
    """What one soul held, from round 1 on: position, confidence, self_update."""
    return [
        {
            "round": number,
            "position": position,
            "confidence": confidence,
            "self_update": update[0] if update else "",
        }
        for number, (position, confidence, *update) in enumerate(held, 1)
    ]


def table(*agents: dict[str, Any], **more: Any) -> dict[str, Any]:
    state: dict[str, Any] = {
        "id": "t",
        "question": "Split it?",
        "options": OPTIONS,
        "agents": list(agents),
    }
    return state | more


def read(*agents: dict[str, Any], **more: Any) -> TableState:
    return read_state(table(*agents, **more))
