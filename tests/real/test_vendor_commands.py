"""The four real commands, each in a seat, against one server on this machine.

They are large: `npm install` them below a folder and name it in `VENDOR_COMMANDS`, else each is
installed for the test. On demand: `-m vendors`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from replays.vendor_stub import VendorStub

pytestmark = [pytest.mark.real, pytest.mark.vendors]

REPOSITORY = Path(__file__).parents[2]
PACKAGES = {
    "claude": "@anthropic-ai/claude-code@2.1.197",
    "codex": "@openai/codex@0.171.0",
    "gemini": "@google/gemini-cli@0.61.0",
    "opencode": "opencode-ai@1.18.33",
}
SEATS = ("claude", "codex", "gemini", "opencode=opencode:stub/stub")


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds the four commands."""
    named = os.environ.get("VENDOR_COMMANDS")
    if named:
        return Path(named) / "node_modules" / ".bin"
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("vendors")
    subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), *PACKAGES.values()],
        check=True, stdin=subprocess.DEVNULL, timeout=900,
    )  # fmt: skip
    return folder / "node_modules" / ".bin"


@pytest.fixture
def stub() -> Iterator[VendorStub]:
    with VendorStub() as running:
        yield running


class Machine:
    """A machine with the four commands, a home of its own, and one server."""

    def __init__(self, folder: Path, commands: Path, root: str) -> None:
        self.folder, self.commands, self.root = folder, commands, root
        self.home = folder / "home"
        self.project = folder / "project"
        (self.project / ".keystone").mkdir(parents=True)
        self._put(
            ".codex/config.toml",
            'model = "stub"\nmodel_provider = "stub"\n[model_providers.stub]\nname = "stub"\n'
            f'base_url = "{root}/v1"\nwire_api = "responses"\nenv_key = "OPENAI_API_KEY"\n'
            "request_max_retries = 0\nstream_max_retries = 0\n",
        )
        settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
        self._put(".gemini/settings.json", json.dumps(settings))
        options = {"baseURL": f"{root}/v1", "apiKey": "test"}
        provider = {"npm": "@ai-sdk/openai-compatible", "options": options,
                    "models": {"stub": {"name": "stub"}}}  # fmt: skip
        self._put(".config/opencode/opencode.json", json.dumps({"provider": {"stub": provider}}))

    def _put(self, name: str, text: str) -> None:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    @property
    def environ(self) -> dict[str, str]:
        return {
            "PATH": f"{self.commands}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(REPOSITORY),
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "ANTHROPIC_BASE_URL": self.root,
            "ANTHROPIC_API_KEY": "test",
            "OPENAI_API_KEY": "test",
            "GEMINI_API_KEY": "test",
            "GOOGLE_GEMINI_BASE_URL": self.root,
        }

    def call(self, *words: str, without: tuple[str, ...] = ()) -> tuple[int, dict[str, Any], str]:
        environ = {name: value for name, value in self.environ.items() if name not in without}
        done = subprocess.run(
            [sys.executable, "-m", "keystone_roundtable", *words, "--json"], cwd=self.project,
            env=environ, stdin=subprocess.DEVNULL, capture_output=True, timeout=600,
        )  # fmt: skip
        return done.returncode, json.loads(done.stdout or "{}"), done.stderr.decode()


@pytest.fixture
def machine(tmp_path: Path, commands: Path, stub: VendorStub) -> Machine:
    return Machine(tmp_path, commands, stub.root)


def opened(machine: Machine, *more: str) -> None:
    seats = [word for seat in SEATS for word in ("--seat", seat)]
    question = "Should the Windows port be native or WSL2?"
    status, _, err = machine.call(
        "room", "open", question, "--options", "native,WSL2", *seats, *more
    )
    assert status == 0, err


def test_each_command_fills_a_seat(machine: Machine, stub: VendorStub) -> None:
    opened(machine)
    status, told, err = machine.call("room", "run", "opening", "--yes", "--timeout", "180")
    receipts = {one["seat"]: one for one in told["receipts"]}
    assert told["rows"][0]["quorum"] == "4 of 4 answered", (receipts, err)
    assert status == 0
    assert {name: one["exit_status"] for name, one in receipts.items()} == dict.fromkeys(
        PACKAGES, 0
    )
    assert all(one["version"] for one in receipts.values())
    assert all(one["input_tokens"] and one["output_tokens"] for one in receipts.values())
    asked = [one for one in stub.requests if "takes one seat" in json.dumps(one.body)
             or "You take one seat" in json.dumps(one.body)]  # fmt: skip
    offered = {one.path.rpartition("/")[2].partition(":")[0]: one.tools for one in asked}
    print(json.dumps({"versions": {n: r["version"] for n, r in receipts.items()},
                      "tools": offered, "seconds": {n: r["seconds"] for n, r in receipts.items()},
                      "sandboxed": told["verdict"]["sandboxed"]}, indent=1))  # fmt: skip


def test_with_evidence_they_are_offered_reading_and_no_writing(
    machine: Machine, stub: VendorStub
) -> None:
    pile = machine.folder / "pile"
    pile.mkdir()
    (pile / "facts.md").write_text("The tickets: 12.\n")
    opened(machine, "--evidence", str(pile))
    _, told, err = machine.call("room", "run", "opening", "--yes", "--timeout", "180")
    assert told["rows"][0]["quorum"] == "4 of 4 answered", (told["receipts"], err)
    tools = {name for one in stub.requests for name in one.tools}
    print(sorted(tools))
    assert not tools & {"Write", "Edit", "write_file", "replace", "write", "edit", "patch"}


def test_without_keys_each_is_absent_with_its_reason(machine: Machine) -> None:
    """codex does not say it: it tries again and again, and is cut off."""
    opened(machine)
    keys = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY")
    _, told, _ = machine.call("room", "run", "opening", "--yes", "--timeout", "60", without=keys)
    missed = {one["seat"]: one["absent"] for one in told["rows"][0]["cells"]}
    print(missed, [(r["seat"], r["detail"], r["exit_status"]) for r in told["receipts"]])
    assert missed["claude"] == "not logged in"
    assert missed["gemini"] == "not logged in"
    assert missed["codex"] in ("not logged in", "timed out", "broke off")
