"""The limits on calls and dollars."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from loopback import replies
from loopback.server import LoopbackServer

from keystone_roundtable.core.records import ModelCall
from keystone_roundtable.models.language.budget import Budget
from keystone_roundtable.models.language.prices import ListPrices
from keystone_roundtable.models.language.spec import ModelSpec

from .conftest import MakeAsker
from .loopback_model import ask, failure_of


class Fixed:
    def __init__(self, price: float | None) -> None:
        self.price = price

    def estimate(self, spec: ModelSpec, input_tokens: int, output_tokens: int) -> float | None:
        return self.price


def call(cost_usd: float | None) -> ModelCall:
    return ModelCall(step="assess", model="m", result="ok", cost_usd=cost_usd)


def test_the_limit_of_calls_counts_those_before() -> None:
    budget = Budget(max_calls=3, spent=[call(None), call(0.1)])
    budget.begin(None).settle(None)
    failure = failure_of(lambda: budget.begin(None))
    assert (failure.kind, budget.calls) == ("budget", 3)
    assert "limit of 3 model calls" in failure.message and "--max-calls" in failure.hint


def test_the_budget_refuses_what_it_does_not_cover() -> None:
    budget = Budget(max_usd=1.0, spent=[call(0.5)])
    budget.begin(0.3).settle(0.4)
    failure = failure_of(lambda: budget.begin(0.2))
    assert failure.kind == "budget" and "--budget-usd" in failure.hint
    assert budget.usd == pytest.approx(0.9)
    budget.begin(0.1)


def test_what_runs_holds_its_estimate() -> None:
    budget = Budget(max_usd=1.0)
    running = budget.begin(0.7)
    assert failure_of(lambda: budget.begin(0.7)).kind == "budget"
    running.settle(0.1)
    budget.begin(0.7)


def test_an_unknown_cost_is_booked_as_estimated() -> None:
    budget = Budget(max_usd=1.0)
    budget.begin(0.6).settle(None)
    assert budget.usd == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("budget", "refused"),
    [
        (lambda: Budget(max_usd=1.0), True),
        (lambda: Budget(max_usd=1.0, allow_unknown_price=True), False),
        (lambda: Budget(), False),
    ],
)
def test_an_unknown_price_is_refused_only_under_a_budget(
    budget: Callable[[], Budget], refused: bool
) -> None:
    if not refused:
        budget().begin(None)
        return
    failure = failure_of(lambda: budget().begin(None))
    assert "price is unknown" in failure.message and "--allow-unknown-price" in failure.hint


def test_threads_do_not_overspend_together() -> None:
    budget = Budget(max_calls=50)
    begun: list[int] = []
    refused: list[str] = []

    def spend() -> None:
        for _ in range(20):
            try:
                budget.begin(None)
                begun.append(1)
            except Exception as error:
                refused.append(str(error))

    threads = [threading.Thread(target=spend) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(begun), len(refused)) == (50, 110)


def test_a_refused_call_sends_nothing(server: LoopbackServer, make_asker: MakeAsker) -> None:
    asker = make_asker(budget=Budget(max_usd=1.0))
    failure = failure_of(lambda: asker.ask(ask()))
    assert (failure.kind, failure.call, server.requests) == ("budget", None, [])


def test_retries_are_one_call(server: LoopbackServer, make_asker: MakeAsker) -> None:
    server.script(replies.failing(500), replies.wrong_schema())
    budget = Budget(max_calls=1)
    assert make_asker(budget=budget).ask(ask()).call.requests == 3
    assert budget.calls == 1


def test_the_budget_is_asked_again_before_every_attempt(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.default = replies.wrong_schema()
    budget = Budget(max_usd=0.001)
    asker = make_asker("openai:gpt-4o", budget=budget, prices=Fixed(0.001))
    failure = failure_of(lambda: asker.ask(ask()))
    assert (failure.kind, len(server.requests)) == ("budget", 1)
    assert failure.call is not None and failure.call.cost_usd == pytest.approx(budget.usd)
    assert budget.usd > 0


def test_list_prices_know_what_is_listed_and_nothing_else() -> None:
    pytest.importorskip("genai_prices", reason="comes with pydantic-ai")
    prices = ListPrices({})
    known = prices.estimate(ModelSpec("openai", "gpt-4o"), 1000, 1000)
    assert known == pytest.approx(0.0125)
    assert prices.estimate(ModelSpec("openai", "no-such-model"), 1000, 1000) is None
    assert prices.estimate(ModelSpec("ollama", "qwen3"), 1000, 1000) is None
    local = ListPrices({"OPENAI_BASE_URL": "http://localhost:1/v1"})
    assert local.estimate(ModelSpec("openai-chat", "gpt-4o"), 1000, 1000) is None
    assert ListPrices({}).estimate(ModelSpec("openai-chat", "gpt-4o"), 1, 1) is None
