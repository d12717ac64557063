"""Requests answered in this process, with the reading rules loaded once."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from keystone_roundtable.cli import wiring
from keystone_roundtable.cli.stepping import ProjectTable
from keystone_roundtable.core.errors import KeystoneError
from keystone_roundtable.pipeline.errors import coded
from keystone_roundtable.pipeline.requests import read_request
from keystone_roundtable.pipeline.responses import RESPONSE, failed, written
from keystone_roundtable.pipeline.step import respond

from .agent import Agent, Send

load_rules_once = cache(wiring.load_rules)


def sending(root: Path) -> Send:
    """What `step --root ROOT` does with one request, each time from what is on disk."""
    said: list[str] = []

    def send(request: Any) -> dict[str, Any]:
        try:
            parsed = read_request(json.dumps(request).encode())
        except KeystoneError as error:
            response = written(failed(coded(error)))
        else:
            response = respond(parsed, ProjectTable(wiring.Project(root), said.append))
        RESPONSE.validate_json(json.dumps(response))
        return response

    return send


@pytest.fixture(autouse=True)
def rules_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring, "load_rules", load_rules_once)
    monkeypatch.delenv("KEYSTONE_CLI", raising=False)


@pytest.fixture
def send(tmp_path: Path) -> Send:
    return sending(tmp_path)


@pytest.fixture
def agent(send: Send) -> Agent:
    return Agent(send)


@pytest.fixture
def events_of(tmp_path: Path) -> Callable[[str], list[dict[str, Any]]]:
    def read(session: str) -> list[dict[str, Any]]:
        folder = tmp_path / ".keystone" / "roundtable" / "sessions" / session
        return [json.loads(line) for line in (folder / "events.jsonl").read_bytes().splitlines()]

    return read
