"""The loopback server itself: what the other tests rest on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from . import mutations, replies
from .schema import made
from .server import LoopbackServer

REPOSITORY = Path(__file__).parents[2]


class Question(BaseModel):
    slot: str
    text: str = Field(min_length=8, max_length=300)
    refs: tuple[str, ...] = ()
    quote: str = ""


class View(BaseModel):
    role: str
    reason: str


class Whole(BaseModel):
    signal: Literal["informative", "stop"]
    questions: tuple[Question, ...] = Field(min_length=6, max_length=10)
    views: tuple[View, ...] = Field(min_length=2)
    option: str | None
    share: float = Field(gt=0, le=1)
    known: bool


def posted(server: LoopbackServer, schema: dict[str, Any]) -> Any:
    body = {
        "model": "loopback",
        "messages": [{"role": "user", "content": f"Fit this: {json.dumps(schema)}. Thanks {{}}."}],
    }
    request = urllib.request.Request(
        f"{server.url}/chat/completions",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10) as reply:
        return json.loads(json.load(reply)["choices"][0]["message"]["content"])


def test_what_is_made_fits_the_schema() -> None:
    value = made(Whole.model_json_schema())
    assert Whole.model_validate(value)
    assert value == made(Whole.model_json_schema())


def test_words_have_the_first_say() -> None:
    value = made(
        Whole.model_json_schema(), lambda path, node: "mine" if path[-1:] == ("role",) else None
    )
    assert {view["role"] for view in value["views"]} == {"mine"}


def test_a_schema_in_the_prompt_is_enough() -> None:
    with LoopbackServer() as server:
        assert Whole.model_validate(posted(server, Whole.model_json_schema()))


@pytest.mark.parametrize(
    "mutation",
    [
        mutations.two_questions_in_one,
        mutations.role_dropped,
        mutations.option_from_nowhere,
        mutations.evidence_from_nowhere,
        mutations.certain,
        mutations.hostile_strings,
    ],
)
def test_a_mutation_changes_a_reply_that_would_be_good(mutation: replies.Mutation) -> None:
    schema = Whole.model_json_schema()
    with LoopbackServer() as server:
        good = posted(server, schema)
        server.script(replies.mutated(mutation))
        bad = posted(server, schema)
    assert bad != good
    assert bad["signal"] == good["signal"]


@pytest.mark.real
def test_it_runs_alone_and_ends_when_told() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.loopback", "--delay", "0.05"],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    )
    assert process.stdout is not None
    port = int(process.stdout.readline())
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/models", timeout=10) as reply:
        assert [m["id"] for m in json.load(reply)["data"]] == ["loopback", "loopback-small"]
    process.send_signal(signal.SIGTERM)
    assert process.wait(10) == 0
    process.stdout.close()
