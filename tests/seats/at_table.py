"""Seats of the loopback server: one prompt each, which says whose it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from loopback.dialects import Asked
from loopback.replies import Reaction, Response, good
from pydantic import BaseModel, Field

from keystone_roundtable.core.engines import Engine
from keystone_roundtable.core.seating import Receipt, Seat, Turn
from keystone_roundtable.core.spending_plan import Limits
from keystone_roundtable.models.language.retrying import RetryRule
from keystone_roundtable.models.language.seat_engine import ApiEngine
from keystone_roundtable.models.language.spec import parse_spec
from keystone_roundtable.seats.asking import SeatAsk
from keystone_roundtable.seats.rounds import Rounds


class Opening(BaseModel):
    position: Literal["build", "defer"]
    confidence: int = Field(ge=1, le=10)
    reason: str = Field(min_length=1, max_length=400)


BUILD = '{"position": "build", "confidence": 7, "reason": "it {pays} now"}'
DEFER = '{"position": "defer", "confidence": 9, "reason": "it can wait"}'


class FixedClock:
    def now(self) -> str:
        return "2026-09-30T10:00:00.000000+00:00"


class Kept:
    """A watcher that keeps everything, in order."""

    def __init__(self, on_landed: Callable[[Turn], None] = lambda turn: None) -> None:
        self.told: list[tuple[str, str]] = []
        self.receipts: list[Receipt] = []
        self.turns: list[Turn] = []
        self._on_landed = on_landed

    def began(self, seat: Seat, attempt: int, begun: Receipt) -> None:
        self.told.append(("began", seat.name))

    def received(self, receipt: Receipt) -> None:
        self.told.append(("received", receipt.seat))
        self.receipts.append(receipt)

    def landed(self, turn: Turn) -> None:
        self.told.append(("landed", turn.seat))
        self.turns.append(turn)
        self._on_landed(turn)


def ask(name: str, *, model: str = "openai-chat:loopback", **changes: Any) -> SeatAsk[Opening]:
    given: dict[str, Any] = {
        "seat": Seat(name=name, engine="api", model=model, soul=f"{name} looks at the risk"),
        "stable": f"You sit at a table as <{name}>.",
        "task": "Should we build it or defer it?",
        "shape": Opening,
    }
    return SeatAsk(**{**given, **changes})


def by_seat(reactions: Mapping[str, Reaction], otherwise: Reaction | None = None) -> Reaction:
    """Each seat's own reaction, whatever the order in which their requests come in."""

    def react(request: Asked) -> Response:
        name = request.system.partition("<")[2].partition(">")[0]
        return reactions.get(name, otherwise or good())(request)

    return react


def engine_at(url: str, model: str = "openai-chat:loopback", **options: Any) -> ApiEngine:
    environ = {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": "loopback-key"}
    environ |= options.pop("environ", {})
    options = {"timeout_s": 10.0, "retry_rule": RetryRule(first_wait_s=0.01), **options}
    return ApiEngine(parse_spec(model), environ=environ, **options)


def rounds_of(engine: Engine, limits: Limits | None = None, **options: Any) -> Rounds:
    return Rounds(lambda seat: engine, FixedClock(), limits or Limits(seat_s=10), **options)
