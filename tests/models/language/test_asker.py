"""One model asked over real HTTP: what each fault of a server or a model comes to."""

from __future__ import annotations

import json
import signal
import threading
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from loopback import replies
from loopback.server import LoopbackServer
from pydantic import BaseModel

from keystone_roundtable.core.errors import ModelFailureError
from keystone_roundtable.core.reply_schema import schema_of
from keystone_roundtable.models.language.retrying import RetryRule

from .conftest import MakeAsker
from .loopback_model import GOOD, Opinion, ask, failure_of


def test_a_good_reply_comes_back_typed_with_what_it_took(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    reply = make_asker().ask(ask())
    assert isinstance(reply.value, Opinion)
    assert reply.reason == ""
    call = reply.call
    assert (call.step, call.asking, call.model) == ("assess", "k3", "openai-chat:loopback")
    assert (call.result, call.requests) == ("ok", 1)
    assert call.input_tokens and call.output_tokens
    assert call.cost_usd is None, "a server of one's own has no list price"
    assert 0 < call.seconds < 5


def test_the_stable_part_comes_first_and_the_schema_goes_both_ways(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    make_asker().ask(ask())
    body = server.requests[0].body
    assert [m["role"] for m in body["messages"]] == ["system", "user"]
    assert body["messages"][0]["content"] == ask().stable
    assert body["messages"][1]["content"].endswith(ask().task)
    assert '"properties"' in body["messages"][1]["content"]
    assert body["response_format"]["type"] == "json_schema"
    assert "strict" not in body["response_format"]["json_schema"]
    assert server.requests[0].headers["authorization"] == "Bearer loopback-key"


def test_cached_tokens_are_told_where_the_server_tells_them(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    asker = make_asker()
    first, second = asker.ask(ask()), asker.ask(ask())
    assert first.call.cached_tokens is None
    assert second.call.cached_tokens == len(ask().stable) // 4


def test_a_reply_without_usage_leaves_the_tokens_unknown(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.script(replies.uncounted())
    call = make_asker().ask(ask()).call
    assert (call.result, call.input_tokens, call.output_tokens) == ("ok", None, None)


@pytest.mark.parametrize(
    "reaction",
    [
        replies.fenced(),
        replies.thinking_aloud(),
        replies.reasoning_apart(),
        replies.wrapped("Here it is: ", " I hope it helps {smile}."),
        replies.wrapped("[", "]"),
        replies.saying(
            '{"signal": "informative", "reason": "two\nlines", "items": [{"text": "ab"}]}'
        ),
    ],
    ids=["fenced", "think", "reasoning", "prose", "list", "line break in a string"],
)
def test_an_object_is_found_in_what_surrounds_it(
    reaction: replies.Reaction, server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.script(reaction)
    reply = make_asker().ask(ask())
    assert (reply.value is not None, reply.call.requests) == (True, 1)


# -- replies that cannot be used -------------------------------------------------------

UNUSABLE = {
    "malformed": (replies.malformed(), "is broken"),
    "wrong schema": (replies.wrong_schema(), "signal: Field required"),
    "prose": (replies.saying("I would buy it."), "no JSON object"),
    "empty": (replies.empty(), "empty"),
    "truncated": (replies.truncated(), "cut off"),
    "surrogate": (
        replies.saying(json.dumps({**GOOD, "reason": "\ud800"})),
        "Invalid JSON",
    ),
    "surrogate in the text": (replies.saying("\ud800 {"), "is broken"),
    "an object inside a broken one": (
        replies.saying('{"outer": ' + json.dumps(GOOD) + ', "more": '),
        "is broken",
    ),
    "deep": (replies.saying('{"a":' * 100_000), "nested too deeply"),
}


@pytest.mark.parametrize("fault", UNUSABLE)
def test_an_unusable_reply_goes_back_with_the_reason(
    fault: str, server: LoopbackServer, make_asker: MakeAsker
) -> None:
    reaction, reason = UNUSABLE[fault]
    server.script(reaction)
    reply = make_asker().ask(ask())
    assert (reply.value is not None, reply.call.result, reply.call.requests) == (True, "ok", 2)
    first, second = (r.asked for r in server.requests)
    assert second.system == first.system
    assert second.user.startswith(first.user), "the prompt stays a cached prefix"
    assert reason in second.user[len(first.user) :]


def test_an_invalid_reply_has_three_attempts(server: LoopbackServer, make_asker: MakeAsker) -> None:
    server.default = replies.wrong_schema()
    reply = make_asker().ask(ask())
    assert reply.value is None
    assert "signal: Field required" in reply.reason
    assert (reply.call.result, reply.call.requests) == ("invalid", 3)
    assert reply.call.reason == reply.reason
    assert len(server.requests) == 3


def test_the_tokens_of_every_attempt_are_counted(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.script(replies.wrong_schema(), replies.good())
    call = make_asker().ask(ask()).call
    assert call.output_tokens is not None
    assert call.output_tokens > len(json.dumps({"something": "else"})) // 4


def test_a_breach_goes_back_once(server: LoopbackServer, make_asker: MakeAsker) -> None:
    reply = make_asker().ask(ask(check=lambda opinion: "it puts two questions into one"))
    assert (reply.value, reply.reason) == (None, "it puts two questions into one")
    assert (reply.call.result, reply.call.requests) == ("breach", 2)
    assert "it puts two questions into one" in server.requests[1].asked.user


def test_a_breach_that_is_mended_is_used(server: LoopbackServer, make_asker: MakeAsker) -> None:
    server.script(replies.giving({**GOOD, "lean": "o99"}), replies.giving(GOOD))
    reply = make_asker().ask(ask(check=lambda o: "there is no o99" if o.lean == "o99" else None))
    assert reply.value is not None
    assert reply.call.requests == 2


def test_no_mix_of_faults_has_more_than_three_attempts(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.script(replies.malformed(), replies.empty(), replies.giving(GOOD))
    reply = make_asker().ask(ask(check=lambda opinion: "no"))
    assert (reply.call.result, reply.call.requests) == ("breach", 3)


def test_an_error_in_a_check_is_no_failure_of_the_model(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    def broken(reply: Opinion) -> str | None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        make_asker().ask(ask(check=broken))


# -- failures of the transport ---------------------------------------------------------


def test_a_refused_key_names_the_variable_and_hides_the_key(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.default = replies.unauthorized()
    failure = failure_of(lambda: make_asker().ask(ask()))
    assert failure.kind == "refused"
    assert "OPENAI_API_KEY" in failure.hint
    assert "sk-proj" not in str(failure) and "[masked: openai key]" in failure.message
    assert "\n" not in str(failure)
    assert failure.call is not None
    assert (failure.call.result, failure.call.requests) == ("failed", 1)


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_busy_server_is_asked_again(
    status: int, server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.script(*[replies.failing(status, Retry_After="0")] * 3)
    call = make_asker().ask(ask()).call
    assert (call.result, call.requests) == ("ok", 4)
    assert "retried" in call.reason


@pytest.mark.parametrize(("status", "kind"), [(429, "limited"), (500, "server")])
def test_after_three_retries_it_fails(
    status: int, kind: str, server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.default = replies.failing(status)
    failure = failure_of(lambda: make_asker().ask(ask()))
    assert failure.kind == kind
    assert len(server.requests) == 4


def test_retry_after_may_be_a_date(server: LoopbackServer, make_asker: MakeAsker) -> None:
    past = format_datetime(datetime.now(UTC) - timedelta(minutes=1), usegmt=True)
    server.script(replies.limited(past))
    # A first wait of its own would break the limit, so what is honoured is the date.
    rule = RetryRule(first_wait_s=1000)
    assert make_asker(retry_rule=rule).ask(ask()).call.requests == 2


@pytest.mark.parametrize(
    "wait",
    ["31", format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)],
    ids=["in seconds", "as a date"],
)
def test_a_longer_wait_than_thirty_seconds_fails_at_once(
    wait: str, server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.default = replies.limited(wait)
    failure = failure_of(lambda: make_asker().ask(ask()))
    assert (failure.kind, len(server.requests)) == ("limited", 1)
    assert failure.call is not None and failure.call.seconds < 5
    assert "Try again in 3" in failure.hint


def test_no_reply_in_time_is_a_timeout(server: LoopbackServer, make_asker: MakeAsker) -> None:
    server.default = replies.hanging()
    failure = failure_of(lambda: make_asker(timeout_s=0.3).ask(ask()))
    assert (failure.kind, len(server.requests)) == ("timeout", 1)
    assert "0.3 s" in failure.message and "--timeout" in failure.hint
    assert failure.call is not None and 0.2 < failure.call.seconds < 3


def test_a_slow_reply_within_the_limit_is_used(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.script(replies.slow(0.05))
    assert make_asker().ask(ask()).value is not None


def test_a_dropped_connection_is_tried_once_more(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.script(replies.dropped())
    call = make_asker().ask(ask()).call
    assert (call.result, call.requests) == ("ok", 2)


def test_a_connection_dropped_twice_is_unreachable(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.default = replies.dropped()
    failure = failure_of(lambda: make_asker().ask(ask()))
    assert (failure.kind, len(server.requests)) == ("unreachable", 2)


def test_nobody_listening_is_unreachable_at_once(make_asker: MakeAsker) -> None:
    gone = LoopbackServer().start()
    gone.stop()
    failure = failure_of(lambda: make_asker(url=gone.url).ask(ask()))
    assert failure.kind == "unreachable"
    assert f"127.0.0.1:{gone.port}" in failure.message and "OPENAI_BASE_URL" in failure.hint
    assert failure.call is not None and failure.call.requests == 1


def test_a_web_page_is_told_as_what_it_is(server: LoopbackServer, make_asker: MakeAsker) -> None:
    server.default = replies.page()
    failure = failure_of(lambda: make_asker().ask(ask()))
    assert (failure.kind, len(server.requests)) == ("server", 1)
    assert "OPENAI_BASE_URL" in failure.hint


def test_an_unknown_model_is_refused(server: LoopbackServer, make_asker: MakeAsker) -> None:
    server.default = replies.failing(404, "model 'loopback' not found")
    failure = failure_of(lambda: make_asker().ask(ask()))
    assert (failure.kind, len(server.requests)) == ("refused", 1)
    assert "'loopback'" in failure.message


def test_a_server_that_does_not_take_a_schema_is_asked_without(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.default = replies.without_schema_only()
    asker = make_asker()
    assert asker.ask(ask()).call.requests == 2
    assert asker.ask(ask()).call.requests == 1, "it is not tried again"
    assert "response_format" not in server.requests[-1].body


def test_the_servers_words_reach_the_screen_safe(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.default = replies.failing(400, "\x1b[31mno\x07\nway" + "!" * 10_000)
    failure = failure_of(lambda: make_asker().ask(ask()))
    assert "\x1b" not in failure.message and "\n" not in failure.message
    assert len(failure.message) < 400


# -- setting up ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "variable"),
    [
        ("openai:gpt", "OPENAI_API_KEY"),
        ("anthropic:claude", "ANTHROPIC_API_KEY"),
        ("google:gemini", "GOOGLE_API_KEY or GEMINI_API_KEY"),
        ("openai-chat:x", "OPENAI_BASE_URL"),
    ],
)
def test_what_is_not_set_is_named_and_nothing_is_sent(
    spec: str, variable: str, server: LoopbackServer, make_asker: MakeAsker
) -> None:
    environ = {"OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""}
    failure = failure_of(lambda: make_asker(spec, environ=environ).ask(ask()))
    assert (failure.kind, failure.call) == ("refused", None)
    assert variable in failure.message


def test_a_missing_library_says_what_to_install(
    make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openai", None)
    failure = failure_of(lambda: make_asker().ask(ask()))
    assert (failure.kind, failure.call) == ("missing", None)
    assert "pip install 'keystone-roundtable[openai]'" in failure.hint


def test_secrets_are_masked_before_anything_is_sent(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    make_asker().ask(ask(task=f"Our token {secret}", stable=f"Topic: {secret}"))
    sent = json.dumps(server.requests[0].body)
    assert secret not in sent
    assert sent.count("[masked: github token]") == 2


def test_the_schema_wants_every_field_and_keeps_fields_with_words_of_its_own() -> None:
    class Book(BaseModel):
        title: str
        properties: str
        default: str = ""

    schema = schema_of(Book)
    assert list(schema["properties"]) == ["title", "properties", "default"]
    assert schema["required"] == ["title", "properties", "default"]
    assert "title" not in schema and schema["properties"]["title"] == {"type": "string"}


def test_the_schema_offers_only_ids_that_may_stand() -> None:
    class View(BaseModel):
        role: str
        prefers: str | None = None
        refs: tuple[str, ...] = ()
        free: str

    class Reply(BaseModel):
        views: tuple[View, ...]

    ids = {"role": ("sre", "ux"), "prefers": ("o1",), "refs": ("F1", "F2"), "free": ()}
    fields = schema_of(Reply, ids)["$defs"]["View"]["properties"]
    assert fields["role"] == {"type": "string", "enum": ["sre", "ux"]}
    assert fields["prefers"]["anyOf"] == [{"type": "string", "enum": ["o1"]}, {"type": "null"}]
    assert fields["refs"]["items"] == {"type": "string", "enum": ["F1", "F2"]}
    assert fields["free"] == {"type": "string"}, "no list at all leaves it open"
    fields = schema_of(Reply, {"refs": (), "View.role": ("ux",), "Book.role": ("sre",)})
    fields = fields["$defs"]["View"]["properties"]
    assert fields["refs"]["maxItems"] == 0, "what can hold nothing stays empty"
    assert fields["role"]["enum"] == ["ux"], "for one shape alone"


def test_a_long_list_that_stands_twice_is_written_once() -> None:
    class Reply(BaseModel):
        first: str
        second: str
        third: str

    long, short = ("the words of the first clause", "the words of the second, which is longer"), ()
    schema = schema_of(Reply, {"first": long * 2, "second": long * 2, "third": ("a", "b")})
    fields = schema["properties"]
    assert fields["first"] == fields["second"] == {"$ref": "#/$defs/Words1"}
    assert schema["$defs"]["Words1"] == {"type": "string", "enum": [*long * 2]}
    assert fields["third"] == {"type": "string", "enum": ["a", "b"]}
    assert "$defs" not in schema_of(Reply, {"first": long * 2, "second": short})


# -- breaking off ----------------------------------------------------------------------


def test_cancelling_ends_every_call_that_runs(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.default = replies.hanging()
    asker = make_asker()
    ended: list[ModelFailureError] = []
    threads = [
        threading.Thread(target=lambda: ended.append(failure_of(lambda: asker.ask(ask()))))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for _ in threads:
        assert server.arrived.acquire(timeout=10)
    asker.cancel()
    for thread in threads:
        thread.join(10)
    assert [failure.kind for failure in ended] == ["cancelled"] * 3
    assert all(f.call and f.call.result == "cancelled" for f in ended)


def test_after_cancelling_it_can_be_asked_again(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.script(replies.hanging())
    asker = make_asker()
    thread = threading.Thread(target=lambda: failure_of(lambda: asker.ask(ask())))
    thread.start()
    assert server.arrived.acquire(timeout=10)
    asker.cancel()
    thread.join(10)
    assert asker.ask(ask()).value is not None


def test_ctrl_c_breaks_off_the_call(server: LoopbackServer, make_asker: MakeAsker) -> None:
    server.default = replies.hanging()
    asker = make_asker()

    def interrupt() -> None:
        server.arrived.acquire(timeout=10)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        asker.ask(ask())


def test_several_threads_may_ask_at_once(server: LoopbackServer, make_asker: MakeAsker) -> None:
    server.default = replies.slow(0.05)
    asker = make_asker()
    got: list[Any] = []
    threads = [threading.Thread(target=lambda: got.append(asker.ask(ask()))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert [reply.call.result for reply in got] == ["ok"] * 8
