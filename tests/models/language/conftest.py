from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from keystone_roundtable.models.language.asker import ModelAsker

from .loopback_model import asker_at

MakeAsker = Callable[..., ModelAsker]


@pytest.fixture
def server() -> Iterator[Any]:
    from loopback.server import LoopbackServer

    with LoopbackServer() as running:
        yield running


@pytest.fixture
def make_asker(server: Any) -> Iterator[MakeAsker]:
    """Askers of the loopback server, closed at the end."""
    pytest.importorskip("pydantic_ai", reason="the extra 'openai' is not installed")
    pytest.importorskip("openai", reason="the extra 'openai' is not installed")
    made: list[ModelAsker] = []

    def make(spec: str = "openai-chat:loopback", **options: Any) -> ModelAsker:
        made.append(asker_at(options.pop("url", server.url), spec, **options))
        return made[-1]

    yield make
    for asker in made:
        asker.close()
