"""Model specs, chains, and where each kind would send text."""

from __future__ import annotations

import pytest

from keystone_roundtable.core.errors import UsageError
from keystone_roundtable.models.language.spec import (
    KINDS,
    ModelSpec,
    base_url,
    destination,
    key_variable,
    parse_chain,
    parse_spec,
)

GEMINI = "generativelanguage.googleapis.com"


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("offline", ModelSpec("offline")),
        ("host", ModelSpec("host")),
        ("openai:gpt-5", ModelSpec("openai", "gpt-5")),
        ("openai-chat:org/model.gguf", ModelSpec("openai-chat", "org/model.gguf")),
        ("anthropic:claude-sonnet-5", ModelSpec("anthropic", "claude-sonnet-5")),
        ("google:gemini-3-flash", ModelSpec("google", "gemini-3-flash")),
        (" ollama:qwen3:8b ", ModelSpec("ollama", "qwen3:8b")),
    ],
)
def test_a_spec_is_read_and_written_alike(text: str, spec: ModelSpec) -> None:
    assert parse_spec(text) == spec
    assert str(spec) == text.strip()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "the kind of model is missing"),
        (":gpt", "the kind of model is missing"),
        ("gpt-5", "no kind of model 'gpt-5'"),
        ("OpenAI:gpt-5", "no kind of model 'OpenAI'"),
        ("openai", "name is missing after 'openai:'"),
        ("openai:", "name is missing after 'openai:'"),
        ("offline:fast", "'offline' takes no name"),
        ("host:", "'host' takes no name"),
        ("openai:gpt 5", "no spaces"),
        ("openai:\x1b[31m", "no spaces"),
    ],
)
def test_a_wrong_spec_says_what_is_wrong_and_what_is_possible(text: str, wrong: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_spec(text)
    assert wrong in raised.value.message
    assert "\x1b" not in str(raised.value)
    assert all(kind in raised.value.hint for kind in KINDS)


def test_a_chain_keeps_its_order() -> None:
    assert [str(s) for s in parse_chain("ollama:qwen3, anthropic:claude,offline")] == [
        "ollama:qwen3",
        "anthropic:claude",
        "offline",
    ]
    assert parse_chain("offline") == (ModelSpec("offline"),)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("offline,openai:gpt-5", "nothing can follow 'offline'"),
        ("openai:gpt-5,host", "'host' stands alone"),
        ("openai:gpt-5,openai:gpt-5", "named twice"),
        ("openai:gpt-5,", "kind of model is missing"),
    ],
)
def test_a_chain_that_makes_no_sense_is_refused(text: str, wrong: str) -> None:
    with pytest.raises(UsageError, match=wrong):
        parse_chain(text)


@pytest.mark.parametrize(
    ("kind", "environ", "url", "where"),
    [
        ("offline", {}, "", ""),
        ("host", {}, "", ""),
        ("openai", {}, "https://api.openai.com/v1", "api.openai.com"),
        ("openai", {"OPENAI_BASE_URL": "https://gw.eu/v1/"}, "https://gw.eu/v1", "gw.eu"),
        ("openai-chat", {"OPENAI_BASE_URL": "http://u:p@[::1]:8"}, "http://u:p@[::1]:8", "[::1]:8"),
        ("anthropic", {}, "https://api.anthropic.com", "api.anthropic.com"),
        ("google", {}, f"https://{GEMINI}", GEMINI),
        ("ollama", {}, "http://localhost:11434/v1", "localhost:11434"),
        ("ollama", {"OLLAMA_HOST": "0.0.0.0"}, "http://127.0.0.1:11434/v1", "127.0.0.1:11434"),
        ("ollama", {"OLLAMA_HOST": "[::]:99"}, "http://[::1]:99/v1", "[::1]:99"),
        ("ollama", {"OLLAMA_HOST": "box:99"}, "http://box:99/v1", "box:99"),
        ("ollama", {"OLLAMA_HOST": "https://ollama.com"}, "https://ollama.com/v1", "ollama.com"),
        (
            "ollama",
            {"OLLAMA_BASE_URL": "http://b:1/v1", "OLLAMA_HOST": "c"},
            "http://b:1/v1",
            "b:1",
        ),
    ],
)
def test_where_text_would_go(kind: str, environ: dict[str, str], url: str, where: str) -> None:
    facts = KINDS[kind]  # type: ignore[index]
    assert base_url(facts, environ) == url
    assert destination(facts, environ) == where


@pytest.mark.parametrize("value", ["localhost:8080", "ftp://x", "http://", "http://x:notaport"])
def test_an_address_that_is_none_names_its_variable_and_not_its_value(value: str) -> None:
    with pytest.raises(UsageError, match="OPENAI_BASE_URL") as raised:
        base_url(KINDS["openai"], {"OPENAI_BASE_URL": value})
    assert value not in raised.value.message


def test_a_compatible_server_has_no_address_of_its_own() -> None:
    with pytest.raises(UsageError, match="OPENAI_BASE_URL is not set"):
        base_url(KINDS["openai-chat"], {})


def test_the_first_key_that_is_set_counts() -> None:
    google = KINDS["google"]
    assert key_variable(google, {}) is None
    assert key_variable(google, {"GOOGLE_API_KEY": " ", "GEMINI_API_KEY": "g"}) == "GEMINI_API_KEY"
    assert key_variable(google, {"GOOGLE_API_KEY": "a", "GEMINI_API_KEY": "g"}) == "GOOGLE_API_KEY"
