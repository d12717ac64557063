"""Each kind of provider through its own library, against the loopback server."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import Any

import pytest
from loopback import replies
from loopback.server import LoopbackServer

from keystone_roundtable.models.language import providers
from keystone_roundtable.models.language.spec import parse_spec
from keystone_roundtable.models.language.transport import Prompt

from .conftest import MakeAsker
from .loopback_model import ask, failure_of

SPECS = {
    "openai:gpt-4o": "openai",
    "openai-chat:loopback": "openai",
    "ollama:qwen3:8b": "openai",
    "anthropic:claude-sonnet-4-6": "anthropic",
    "google:gemini-2.5-flash": "google.genai",
}


@pytest.fixture(params=SPECS)
def spec(request: pytest.FixtureRequest) -> str:
    pytest.importorskip(SPECS[request.param], reason="the extra is not installed")
    return str(request.param)


@pytest.fixture
def environ(server: LoopbackServer) -> dict[str, str]:
    return {
        "ANTHROPIC_BASE_URL": server.root,
        "ANTHROPIC_API_KEY": "a-key",
        "GOOGLE_GEMINI_BASE_URL": server.root,
        "GEMINI_API_KEY": "g-key",
        "OLLAMA_HOST": f"127.0.0.1:{server.port}",
    }


def test_every_kind_gets_a_typed_reply(
    spec: str, environ: dict[str, str], server: LoopbackServer, make_asker: MakeAsker
) -> None:
    asker = make_asker(spec, environ=environ)
    reply = asker.ask(ask())
    assert reply.value is not None and reply.call.requests == 1
    asked = server.requests[0].asked
    assert (asked.system, asked.schema_by_api) == (ask().stable, True)
    assert asked.user.endswith(ask().task)
    again = asker.ask(ask()).call
    assert again.cached_tokens == len(ask().stable) // 4
    assert again.input_tokens == len(ask().stable) // 4 + len(asked.user) // 4


def test_every_kind_is_retried_by_us_and_not_by_its_library(
    spec: str, environ: dict[str, str], server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.default = replies.failing(500)
    failure = failure_of(lambda: make_asker(spec, environ=environ).ask(ask()))
    assert failure.kind == "server"
    assert failure.call is not None and failure.call.requests == len(server.requests) == 4


def test_every_kind_honours_retry_after(
    spec: str, environ: dict[str, str], server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.script(replies.limited("0"))
    assert make_asker(spec, environ=environ).ask(ask()).call.requests == 2
    server.script(replies.limited("3600"))
    assert failure_of(lambda: make_asker(spec, environ=environ).ask(ask())).kind == "limited"


def test_every_kind_knows_a_refused_key(
    spec: str, environ: dict[str, str], server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.default = replies.unauthorized()
    failure = failure_of(lambda: make_asker(spec, environ=environ).ask(ask()))
    assert (failure.kind, len(server.requests)) == ("refused", 1)


def test_every_kind_knows_a_truncated_reply_and_a_dropped_connection(
    spec: str, environ: dict[str, str], server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.script(replies.truncated(), replies.dropped())
    call = make_asker(spec, environ=environ).ask(ask()).call
    assert (call.result, call.requests) == ("ok", 3)


def test_every_kind_keeps_the_time_limit(
    spec: str, environ: dict[str, str], server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.default = replies.hanging()
    failure = failure_of(lambda: make_asker(spec, environ=environ, timeout_s=0.3).ask(ask()))
    assert (failure.kind, len(server.requests)) == ("timeout", 1)


def test_anthropic_caches_the_stable_part(
    environ: dict[str, str], server: LoopbackServer, make_asker: MakeAsker
) -> None:
    pytest.importorskip("anthropic", reason="the extra is not installed")
    make_asker("anthropic:claude-sonnet-4-6", environ=environ).ask(ask())
    system = server.requests[0].body["system"]
    assert [part["text"] for part in system] == [ask().stable]
    assert system[0]["cache_control"]["type"] == "ephemeral"


def test_openai_gets_the_strict_form_and_no_schema_twice(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    make_asker("openai:gpt-4o").ask(ask())
    body = server.requests[0].body
    assert body["messages"][1]["content"] == ask().task
    assert body["response_format"]["json_schema"]["strict"] is True


def test_a_model_in_ollamas_cloud_gets_the_schema_in_the_prompt_alone(
    environ: dict[str, str], server: LoopbackServer, make_asker: MakeAsker
) -> None:
    """It accepts `response_format` and ignores it (ollama/ollama#12362)."""
    assert make_asker("ollama:gpt-oss:20b-cloud", environ=environ).ask(ask()).value is not None
    assert "response_format" not in server.requests[0].body


def test_a_listed_model_has_a_price(server: LoopbackServer, make_asker: MakeAsker) -> None:
    cost = make_asker("openai:gpt-4o").ask(ask()).call.cost_usd
    assert cost is not None and 0 < cost < 0.01


def test_nothing_of_a_provider_is_imported_before_it_is_needed() -> None:
    script = (
        "import sys, keystone_roundtable.models.language.asker,"
        "keystone_roundtable.models.language.chain\n"
        "print(json.dumps(sorted({m.split('.')[0] for m in sys.modules})))"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import json\n{script}"], capture_output=True, text=True, check=True
    )
    heavy = {"pydantic_ai", "openai", "anthropic", "google", "genai_prices", "httpx2", "httpx"}
    assert heavy & set(json.loads(done.stdout)) == set()


@pytest.mark.parametrize("key", ["“sk-abc”", "sk-a\nbc", "sk-a\x7fbc", "clé"])
@pytest.mark.parametrize("kind", ["openai:x", "openai-chat:x", "anthropic:x", "google:x"])
def test_a_key_that_no_request_can_carry_is_told_and_nothing_is_sent(
    kind: str, key: str, server: LoopbackServer, make_asker: MakeAsker
) -> None:
    variables = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY")
    failure = failure_of(lambda: make_asker(kind, environ=dict.fromkeys(variables, key)).ask(ask()))
    assert failure.kind == "refused" and not server.requests
    assert "holds characters that no request can carry" in failure.message
    assert key not in str(failure)


def test_a_name_and_password_in_the_address_are_sent_and_not_shown(
    spec: str, environ: dict[str, str], server: LoopbackServer, make_asker: MakeAsker
) -> None:
    there = f"http://user:p%40w@127.0.0.1:{server.port}"
    addresses = {
        "OPENAI_BASE_URL": f"{there}/v1",
        "ANTHROPIC_BASE_URL": there,
        "GOOGLE_GEMINI_BASE_URL": there,
        "OLLAMA_HOST": there,
    }
    assert make_asker(spec, environ=environ | addresses).ask(ask()).value is not None
    assert server.requests[0].headers["authorization"] == "Basic dXNlcjpwQHc="
    server.default = replies.unauthorized()
    failure = failure_of(lambda: make_asker(spec, environ=environ | addresses).ask(ask()))
    assert "p@w" not in str(failure) and "p%40w" not in str(failure)


def test_no_kind_gives_up_before_the_time_limit_that_was_asked_for(
    spec: str, environ: dict[str, str], server: LoopbackServer
) -> None:
    """The libraries' own limit is ten minutes; a model on a slow machine may take longer."""
    waits: list[float] = []

    async def note(request: Any) -> None:
        waits.append(request.extensions["timeout"]["read"])

    async def once() -> None:
        base = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "o-key"}
        connection: Any = providers.connect(parse_spec(spec), environ | base, 1800.0)
        connection._http.event_hooks = {"request": [note]}
        prompt = Prompt(ask().stable, ask().task, ask().reply_schema, "preview")
        await connection.request(prompt)
        await connection.close()

    asyncio.run(once())
    assert waits and min(waits) > 1800
