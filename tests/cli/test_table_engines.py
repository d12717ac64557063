"""Souls of one table, each spoken for by what `--engine` names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
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
