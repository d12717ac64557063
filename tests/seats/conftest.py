from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from loopback.server import LoopbackServer


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    pytest.importorskip("pydantic_ai", reason="the extra 'openai' is not installed")
    pytest.importorskip("openai", reason="the extra 'openai' is not installed")
    with LoopbackServer() as running:
        yield running


@pytest.fixture
def family(request: pytest.FixtureRequest) -> str:
    """What marks the processes of one test."""
    return f"test{os.getpid()}-{abs(hash(request.node.name))}"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home" / "seen").mkdir(parents=True)
    return tmp_path / "home"
