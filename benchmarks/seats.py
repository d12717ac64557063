"""What a round of eight seats costs beside its slowest seat alone, against our own server."""

from __future__ import annotations

import importlib.util
import statistics
import time
from typing import Literal

from pydantic import BaseModel

from .measuring import Ratio

DELAYS_S = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0)
"""How long the server takes for each seat's reply."""

_TARGET = 1.25  # what a round of eight may cost, over its slowest call


class Opening(BaseModel):
    position: Literal["build", "defer"]
    reason: str


def seat_ratios(runs: int = 5) -> list[Ratio]:
    """Nothing where no provider is installed."""
    if importlib.util.find_spec("pydantic_ai") is None:
        return []
    alone, together, longest = round_costs(runs)
    return [
        Ratio("a round of eight seats / its slowest seat alone", together / alone, _TARGET),
        Ratio("  the same / the slowest call within it", together / longest, _TARGET),
        Ratio("  the same / the calls one after the other", together / sum(DELAYS_S)),
    ]


def round_costs(runs: int) -> tuple[float, float, float]:
    """Medians in seconds: the slowest seat alone, all eight, and the slowest call among them."""
    from keystone_roundtable.cli.wiring import SystemClock
    from keystone_roundtable.core.seating import Seat
    from keystone_roundtable.models.language.seat_engine import ApiEngine
    from keystone_roundtable.models.language.spec import parse_spec
    from keystone_roundtable.seats.asking import SeatAsk
    from keystone_roundtable.seats.rounds import Rounds
    from tests.loopback.dialects import Asked
    from tests.loopback.replies import Response, saying, slow
    from tests.loopback.server import LoopbackServer

    said = saying('{"position": "build", "reason": "it pays"}')

    def react(request: Asked) -> Response:
        return slow(float(request.system), said)(request)

    def asks(delays: tuple[float, ...]) -> list[SeatAsk[Opening]]:
        return [
            SeatAsk(Seat(name=f"after {delay}", engine="api"), f"{delay}", "Which?", Opening)
            for delay in delays
        ]

    alone, together, longest = [], [], []
    with LoopbackServer(default=react) as server:
        engine = ApiEngine(
            parse_spec("openai-chat:loopback"), environ={"OPENAI_BASE_URL": server.url}
        )
        with Rounds(lambda seat: engine, SystemClock()) as rounds:
            for number in range(-1, runs):
                began = time.perf_counter()
                rounds.hold("alone", asks(DELAYS_S[-1:]))
                between = time.perf_counter()
                turns = rounds.hold("together", asks(DELAYS_S))
                ended = time.perf_counter()
                if any(turn.kind != "reply" for turn in turns):
                    raise SystemExit(f"a seat was absent: {turns}")
                if number >= 0:  # the first one warms up
                    alone.append(between - began)
                    together.append(ended - between)
                    longest.append(max(turn.receipts[-1].seconds for turn in turns))
    return statistics.median(alone), statistics.median(together), statistics.median(longest)
