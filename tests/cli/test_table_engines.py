"""Souls of one table, each spoken for by what `--engine` names."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from loopback.server import LoopbackServer
from loopback.table_souls import playing_souls
from replays import put_engines

from keystone_roundtable.cli.main import main

NAMES = ("ops", "product", "security")


def test_each_soul_has_the_engine_that_was_named_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("KEYSTONE_MODEL", raising=False)
    put_engines(tmp_path / "config", {"one": "good", "two": "plain", "out": "login-0"})
    for name in NAMES:
        (tmp_path / f"{name}.md").write_text(f"I am {name}.\n", encoding="utf-8")
    seats = [word for n in NAMES for word in ("--seat", f"{n}={tmp_path / n}.md")]
    words = ["table", "Keep it or split it?", "--options", "keep,split", "--yes", "--json", *seats]
    words += ["--root", str(tmp_path), "--model", "one", "--engine", "product=two"]
    monkeypatch.setattr("sys.stdin", open("/dev/null"))  # noqa: SIM115, PTH123
    assert main([*words, "--engine", "ops=nobody:there"]) == 1
    assert "nobody" in capsys.readouterr().err
    assert main([*words, "--engine", "brand=two"]) == 1
    assert "--engine brand: nobody of that name has a seat" in capsys.readouterr().err
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert {r["seat"]: r["engine"] for r in told["receipts"] if r["round"] == "OPEN"} == {
        "ops": "one", "product": "two", "security": "one",
    }  # fmt: skip


@pytest.mark.parametrize("named", ["here", "here:openai-chat:loopback", "here:loopback"])
def test_an_entry_of_the_engines_file_speaks_for_the_souls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Callable[..., Any], named: str
) -> None:
    """Behind its colon a model stands in full, or by its name where the entry tells the kind."""
    pytest.importorskip("pydantic_ai", reason="the extra 'openai' is not installed")
    put_entry(Path.cwd(), "here:\n  kind: api\n  model: openai-chat:loopback\n")
    with LoopbackServer(default=playing_souls(("keep", "split"))) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        words = ("table", "Keep it or split it?", "--options", "keep,split", "--yes", "--json")
        told = call(*words, "--model", named).object
    assert {(r["engine"], r["model"]) for r in told["receipts"]} == {
        ("here", "openai-chat:loopback")
    }


def test_a_broken_engines_file_is_named(call: Callable[..., Any], project: Path) -> None:
    put_entry(project, "here:\n  kind: apix\n")
    ran = call("table", "Keep it or split it?", "--options", "keep,split", "--yes")
    assert (ran.status, "engines.yaml, line 2" in ran.one_line) == (1, True)


def put_entry(root: Path, entry: str) -> None:
    folder = root / ".keystone" / "roundtable"
    folder.mkdir(parents=True)
    (folder / "engines.yaml").write_text(entry, encoding="utf-8")
