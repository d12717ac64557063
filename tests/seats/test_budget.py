"""What a run may spend: invocations, dollars and time, also when they end in the middle."""

from __future__ import annotations

import threading

import pytest
from loopback import replies
from loopback.dialects import Asked
from loopback.replies import Response
from loopback.server import LoopbackServer

from keystone_roundtable.core.engines import EngineFailureError, EngineUse
from keystone_roundtable.core.seating import Absence, Receipt, seats_to_ask
from keystone_roundtable.core.spending_plan import Limits
from keystone_roundtable.models.language.spec import ModelSpec
from keystone_roundtable.seats.budget import NOTHING_SENT, RunBudget

from .at_table import BUILD, Kept, ask, by_seat, engine_at, rounds_of


class Fixed:
    def __init__(self, price: float | None) -> None:
        self.price = price

    def estimate(self, spec: ModelSpec, input_tokens: int, output_tokens: int) -> float | None:
        return self.price


def receipt(**changes: object) -> Receipt:
    given = {"seat": "sre", "engine": "api", "round": "open", "start": "", "seconds": 1.0}
    return Receipt.model_validate({**given, "outcome": "answered", **changes})


def refused(budget: RunBudget, estimate_usd: float | None = 0.0) -> EngineFailureError:
    with pytest.raises(EngineFailureError) as error:
        budget.begin(estimate_usd)
    assert error.value.reason == "over_budget"
    return error.value


def test_invocations_reach_their_limit_in_the_middle(server: LoopbackServer) -> None:
    """Two of three are asked; one of them wants a second attempt and does not get it."""
    server.default = by_seat({"one": replies.saying(BUILD), "two": replies.empty()})
    kept = Kept()
    with rounds_of(engine_at(server.url), Limits(max_invocations=2)) as rounds:
        asks = [ask("one"), ask("two"), ask("three")]
        turns = rounds.hold("open", asks, kept)
    one, two, three = turns
    assert one.kind == "reply"
    assert isinstance(two, Absence) and isinstance(three, Absence)
    assert [r.absent for r in two.receipts] == ["empty", "over_budget"]
    assert (two.reason, three.reason) == ("over_budget", "over_budget")
    assert "--max-invocations" in three.detail and len(server.requests) == 2
    assert [turn.seat for turn in kept.turns].count("three") == 1, "it is told as well"
    again = seats_to_ask([each.seat for each in asks], turns, "open")
    assert [seat.name for seat in again] == ["two", "three"]


def test_dollars_reach_their_limit_in_the_middle(server: LoopbackServer) -> None:
    server.default = replies.saying(BUILD)
    engine = engine_at(server.url, prices=Fixed(0.4))
    with rounds_of(engine, Limits(max_usd=1.0)) as rounds:
        turns = rounds.hold("open", [ask("one"), ask("two"), ask("three")])
        assert [turn.kind for turn in turns] == ["reply", "reply", "absence"]
        assert "--budget-usd" in turns[2].detail and len(server.requests) == 2
        # The loopback server's price is unknown: what was held back counts as spent.
        assert rounds.budget.usd == pytest.approx(0.8)
        (later,) = rounds.hold("deepen", [ask("one")])
    assert later.reason == "over_budget"


def test_an_unknown_price_is_not_free(server: LoopbackServer) -> None:
    server.default = replies.saying(BUILD)
    engine = engine_at(server.url, prices=Fixed(None))
    with rounds_of(engine, Limits(max_usd=100.0)) as rounds:
        (turn,) = rounds.hold("open", [ask("one")])
    assert turn.reason == "over_budget" and "--allow-unknown-price" in turn.detail
    assert server.requests == []
    with rounds_of(engine, Limits(max_usd=100.0, allow_unknown_price=True)) as rounds:
        (turn,) = rounds.hold("open", [ask("one")])
    assert turn.kind == "reply"


def test_the_time_of_the_run_ends_in_the_middle(server: LoopbackServer) -> None:
    server.default = by_seat({"one": replies.saying(BUILD)}, replies.hanging())
    with rounds_of(engine_at(server.url), Limits(seat_s=60, run_s=2)) as rounds:
        one, two = rounds.hold("open", [ask("one"), ask("two")])
        assert one.kind == "reply"
        assert isinstance(two, Absence)
        assert two.reason == "over_budget" and "2 s are used up" in two.detail
        asked = len(server.requests)
        (later,) = rounds.hold("deepen", [ask("one")])
    assert later.reason == "over_budget"
    assert len(server.requests) == asked, "nothing goes out once the time is used up"
    assert later.receipts[0].requests == 0


def test_what_was_spent_before_counts(server: LoopbackServer) -> None:
    server.default = replies.saying(BUILD)
    spent = [receipt(), receipt(), receipt(requests=0, outcome="absent", absent="over_budget")]
    limits = Limits(max_invocations=3)
    with rounds_of(engine_at(server.url), limits, spent=spent) as rounds:
        first, second = rounds.hold("open", [ask("one"), ask("two")])
    assert (first.kind, second.kind) == ("reply", "absence")


def test_what_runs_holds_its_estimate() -> None:
    budget = RunBudget(Limits(max_usd=1.0))
    budget.begin(0.7)
    assert "0.7000 are spent or held back" in refused(budget, 0.7).message
    budget.settle(0.7, EngineUse(cost_usd=0.1))
    budget.begin(0.7)
    budget.settle(0.7, EngineUse())
    assert budget.usd == pytest.approx(0.8)


def test_what_was_not_sent_is_not_counted() -> None:
    budget = RunBudget(Limits(max_invocations=1, max_usd=1.0))
    budget.begin(0.9)
    budget.settle(0.9, NOTHING_SENT)
    assert (budget.invocations, budget.usd) == (0, 0.0)
    budget.begin(0.9)
    refused(budget)


def test_a_seat_that_was_refused_for_want_of_budget_sends_nothing_later(
    server: LoopbackServer,
) -> None:
    """Room that comes back while others run is not taken: the absence stands."""
    landed = threading.Event()

    def wait(request: Asked) -> Response:
        assert landed.wait(20)
        return Response(BUILD)

    server.default = wait

    class Waiting(Kept):
        def landed(self, turn: object) -> None:
            landed.set()

    with rounds_of(engine_at(server.url), Limits(max_invocations=1)) as rounds:
        turns = rounds.hold("open", [ask("one"), ask("two")], Waiting())
    assert [turn.kind for turn in turns] == ["reply", "absence"]


def test_the_time_of_an_earlier_part_counts_once_for_seats_side_by_side() -> None:
    def made(start: str, seconds: float) -> Receipt:
        return Receipt(
            seat="a",
            engine="api",
            round="OPEN",
            start=f"2026-09-30T10:00:{start}+00:00",
            seconds=seconds,
            outcome="answered",
        )

    earlier = [made("00", 4.0), made("01", 2.0), made("03", 3.0), made("20", 1.5)]
    left = RunBudget(Limits(run_s=10), earlier).seconds_left
    assert left == pytest.approx(10 - 6 - 1.5)
    assert RunBudget(Limits(run_s=5), earlier).seconds_left == 0
