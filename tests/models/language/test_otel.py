"""When traces are made, and that they hold no content."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from loopback.server import LoopbackServer

from keystone_roundtable.models.language import otel

REPOSITORY = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318"}, True),
        ({"OTEL_TRACES_EXPORTER": "console"}, True),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://h"}, False),
        ({"OTEL_TRACES_EXPORTER": "otlp", "OTEL_SDK_DISABLED": "true"}, False),
    ],
)
def test_traces_are_made_only_where_asked_for(environ: dict[str, str], wanted: bool) -> None:
    assert otel.wanted(environ) is wanted
    if not wanted:
        assert otel.start(environ) is False


TRACED = """
import sys
sys.path.insert(0, "tests")
from models.language.loopback_model import ask, asker_at
asker = asker_at(sys.argv[1], environ={k: v for k, v in __import__("os").environ.items()})
asker.ask(ask(task="TASKWORDS", stable="STABLEWORDS"))
asker.close()
"""


@pytest.mark.parametrize("content", ["", "1"])
def test_a_trace_holds_content_only_where_that_is_said(
    content: str, server: LoopbackServer
) -> None:
    pytest.importorskip("opentelemetry.sdk", reason="the OpenTelemetry SDK is not installed")
    pytest.importorskip("pydantic_ai", reason="the extra is not installed")
    server_url = server.url
    done = subprocess.run(
        [sys.executable, "-c", TRACED, server_url],
        cwd=REPOSITORY,
        env={
            **os.environ,
            "OTEL_TRACES_EXPORTER": "console",
            "OTEL_METRICS_EXPORTER": "none",
            "OTEL_LOGS_EXPORTER": "none",
            "OPENAI_BASE_URL": server_url,
            "KEYSTONE_OTEL_CONTENT": content,
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert '"gen_ai.request.model": "loopback"' in done.stdout
    for words in ("TASKWORDS", "STABLEWORDS"):
        assert (words in done.stdout) is bool(content)
