"""No test reads or changes the settings of whoever runs it, or meets that person's keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import chromium, open_page  # noqa: F401

PERSONAL = (
    "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "GEMINI_API_KEY", "GOOGLE_API_KEY",
    "GOOGLE_GEMINI_BASE_URL", "KEYSTONE_BUDGET_USD", "KEYSTONE_FALLBACK", "KEYSTONE_LANG",
    "KEYSTONE_MAX_CALLS", "KEYSTONE_MODEL", "KEYSTONE_PATIENCE", "KEYSTONE_TIMEOUT",
    "OLLAMA_BASE_URL", "OLLAMA_HOST", "OPENAI_API_KEY", "OPENAI_BASE_URL",
    "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_TRACES_EXPORTER",
)  # fmt: skip


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what takes minutes or a large download, unless it is asked for."""
    for name, why in (("long", "takes minutes"), ("vendors", "installs vendors' commands")):
        if name in config.option.markexpr:
            continue
        for item in items:
            if item.get_closest_marker(name) is not None:
                item.add_marker(pytest.mark.skip(reason=f"{why}; on demand: -m {name}"))


@pytest.fixture(autouse=True)
def nobodys_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """An empty folder for the user's config."""
    for name in PERSONAL:
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path_factory.mktemp("config")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    return folder
