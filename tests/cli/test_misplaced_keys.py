"""A key that was put where something else belongs is told of, and never repeated."""

from __future__ import annotations

import pytest

TOPIC = "Should we build the notification system now or defer it until after the refactor?"
KEYS = [
    "sk-proj-abcXYZ",
    "sk-abc",
    "sk-ant-api03-0123456789abcdefghij",
    "gsk_0123456789abcdefghij0123456789abcdef",
    "AIza0123456789abcdefghijABCDEFGHIJ01234",
    "8f14e45fceea167a5a36dedd4bea2543",  # of no known shape, and random
    "Zx8Kq2Lm9Pw4Tn6V",
]
CONFIG = ".keystone/roundtable/config.yaml"


@pytest.fixture
def said(call, project, monkeypatch):
    """Everything that the commands say, on both streams."""

    def said_by(*words: str, config: str = "") -> str:
        if config:
            (project / CONFIG).parent.mkdir(parents=True, exist_ok=True)
            (project / CONFIG).write_text(config)
        ran = call(*words)
        assert ran.status != 0, words
        return ran.out + ran.err

    monkeypatch.setenv("XDG_CONFIG_HOME", str(project / "none"))
    return said_by


RUN = ("run", TOPIC, "--answers", "-")


@pytest.mark.parametrize("words", [RUN, ("doctor",), ("doctor", "--json")])
@pytest.mark.parametrize("key", KEYS)
def test_in_a_settings_file(said, key, words):
    for config in (
        f"model: {key}",
        f"{key}: offline",
        f"{key}: a\n{key}: b",
        f"fallback: {key}",
        f"model: openai,{key}",
        f"patience: {key}",
        f"? {key}\n: [",
        f"- {key}",
    ):
        assert key not in said(*words, config=f"{config}\n"), config


@pytest.mark.parametrize("words", [RUN, ("doctor",), ("doctor", "--json")])
@pytest.mark.parametrize("key", KEYS)
def test_in_a_variable(said, monkeypatch, key, words):
    for variable in ("KEYSTONE_MODEL", "KEYSTONE_PATIENCE", "KEYSTONE_FALLBACK"):
        monkeypatch.setenv(variable, key)
        text = said(*words)
        assert key not in text and variable in text
        monkeypatch.delenv(variable)


@pytest.mark.parametrize("key", KEYS)
def test_on_the_command_line(said, key):
    for flag in (
        "--model",
        "--patience",
        "--timeout",
        "--mode",
        "--fallback",
        "--max-calls",
        "--role",
    ):
        text = said(*RUN, flag, key)
        assert key not in text and flag in text


@pytest.mark.parametrize("key", [key for key in KEYS if not key[0].isdigit() and key[0] != "Z"])
@pytest.mark.parametrize("kind", ["openai", "openai-chat", "anthropic", "google", "ollama"])
def test_as_a_models_name_it_is_refused(said, project, kind, key):
    """Names are in logs, in the report and in telemetry."""
    text = said(*RUN, "--model", f"{kind}:{key}")
    assert key not in text
    assert "a key stands where the model's name belongs" in text
    assert not (project / ".keystone").exists()


@pytest.mark.parametrize(
    "name",
    ["gpt-4o-mini", "claude-3-5-sonnet-20241022", "llama3", "qwen2.5-coder-32b", "Meta-Llama-3.1"],
)
def test_a_models_name_without_its_kind_is_repeated(said, name):
    assert f"'{name}'" in said(*RUN, "--model", name)
