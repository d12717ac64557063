"""A chain of models: who answers when one cannot be reached."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from loopback import replies
from loopback.server import LoopbackServer

from keystone_roundtable.models.language.budget import Budget
from keystone_roundtable.models.language.chain import ChainAsker

from .conftest import MakeAsker
from .loopback_model import ask, failure_of


@pytest.fixture
def second() -> Iterator[LoopbackServer]:
    with LoopbackServer() as running:
        yield running


def chained(
    make_asker: MakeAsker, server: LoopbackServer, second: LoopbackServer, **options: object
) -> ChainAsker:
    first = make_asker("openai-chat:first", **options)
    return ChainAsker([first, make_asker("openai-chat:second", url=second.url, **options)])


def test_the_first_answers_while_it_can(
    server: LoopbackServer, second: LoopbackServer, make_asker: MakeAsker
) -> None:
    chain = chained(make_asker, server, second)
    assert chain.ask(ask()).call.model == chain.name == "openai-chat:first"
    assert second.requests == []


def test_a_failed_transport_moves_on_for_good_and_says_so(
    server: LoopbackServer, second: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.script(replies.unauthorized())
    chain = chained(make_asker, server, second)
    call = chain.ask(ask()).call
    assert (call.model, call.result, call.requests) == ("openai-chat:second", "ok", 2)
    assert "instead of openai-chat:first" in call.reason and "401" in call.reason
    assert chain.name == "openai-chat:second"
    assert chain.ask(ask()).call.reason == ""
    assert len(server.requests) == 1


def test_an_unusable_reply_is_no_reason_to_move_on(
    server: LoopbackServer, second: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.default = replies.wrong_schema()
    assert chained(make_asker, server, second).ask(ask()).value is None
    assert second.requests == []


def test_the_end_of_the_chain_fails_with_every_reason(
    server: LoopbackServer, second: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.default, second.default = replies.unauthorized(), replies.failing(404, "not here")
    chain = chained(make_asker, server, second)
    failure = failure_of(lambda: chain.ask(ask()))
    assert failure.kind == "refused"
    assert "401" in failure.message and "not here" in failure.message
    assert failure.call is not None and failure.call.requests == 2
    second.default = replies.good()
    assert chain.ask(ask()).value is not None, "the last one is asked again"


def test_a_budget_is_the_budget_of_all(
    server: LoopbackServer, second: LoopbackServer, make_asker: MakeAsker
) -> None:
    chain = chained(make_asker, server, second, budget=Budget(max_calls=0))
    assert failure_of(lambda: chain.ask(ask())).kind == "budget"
    assert chain.name == "openai-chat:first"


def test_cancelling_reaches_the_one_that_runs(
    server: LoopbackServer, second: LoopbackServer, make_asker: MakeAsker
) -> None:
    import threading

    server.script(replies.failing(404))
    second.default = replies.hanging()
    chain = chained(make_asker, server, second)
    kinds: list[str] = []
    thread = threading.Thread(
        target=lambda: kinds.append(failure_of(lambda: chain.ask(ask())).kind)
    )
    thread.start()
    assert second.arrived.acquire(timeout=10)
    chain.cancel()
    thread.join(10)
    assert kinds == ["cancelled"]
