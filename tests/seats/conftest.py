from __future__ import annotations

from collections.abc import Iterator

import pytest
from loopback.server import LoopbackServer


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    pytest.importorskip("pydantic_ai", reason="the extra 'openai' is not installed")
    pytest.importorskip("openai", reason="the extra 'openai' is not installed")
    with LoopbackServer() as running:
        yield running
