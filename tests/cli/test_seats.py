"""`seats`: what can take a seat here, and why not; the servers are real ones on this machine."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from keystone_roundtable.cli import seat_listing
from keystone_roundtable.cli.main import main
from keystone_roundtable.cli.parser import parse
from keystone_roundtable.cli.seating import SeatEngines
from keystone_roundtable.cli.verbs.seats import seats
from keystone_roundtable.core.errors import UsageError
from keystone_roundtable.core.seating import Seat
from keystone_roundtable.core.spending_plan import Limits
from keystone_roundtable.terminal.seat_lines import plan_lines

SECRET = "sk-" + "Zq7" * 16


@pytest.fixture
def listed(tmp_path, capsys):
    """The list as JSON, each by engine and model, beside its text."""

    def run():
        assert seats(parse(["seats", "--root", str(tmp_path), "--json"])) == 0
        found = json.loads(capsys.readouterr().out)["seats"]
        assert seats(parse(["seats", "--root", str(tmp_path)])) == 0
        return {(one["engine"], one["model"]): one for one in found}, capsys.readouterr().out

    return run


@pytest.fixture
def serving(request):
    """A server that gives `status` and `body` to every request, and keeps what it was sent."""
    servers = []

    def start(status=200, body='{"object": "list", "data": [{"id": "qwen3"}]}', hang=None):
        asked = []

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                asked.append((self.path, dict(self.headers)))
                if hang is not None:
                    hang.wait()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        server.block_on_close = False
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        servers.append((server, hang))
        return f"http://127.0.0.1:{server.server_address[1]}/v1", asked

    yield start
    for server, hang in servers:
        if hang is not None:
            hang.set()
        server.shutdown()
        server.server_close()


def test_without_keys_and_servers_there_is_the_rehearsal(listed, monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    found, text = listed()
    assert [key for key, one in found.items() if one["can_sit"]] == [("offline", None)]
    assert found["api", "openai:NAME"]["why"] == "no key: set OPENAI_API_KEY"
    assert found["api", "openai:NAME"]["logged_in"] is False
    assert "ollama serve" in found["api", "ollama:NAME"]["why"]
    assert "OPENAI_BASE_URL" in found["api", "openai-chat:NAME"]["why"]
    assert all(line in text for line in ("offline", "no key: set ANTHROPIC_API_KEY"))


def test_a_key_is_enough_and_is_neither_sent_nor_shown(listed, monkeypatch, serving):
    url, asked = serving()
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    found, text = listed()
    assert found["api", "anthropic:NAME"]["can_sit"]
    assert "not tried" in found["api", "anthropic:NAME"]["why"]
    assert found["api", "anthropic:NAME"]["sends_to"] == "api.anthropic.com"
    assert asked and all(path == "/v1/models" for path, _ in asked)
    assert SECRET not in str(asked) + str(found) + text


@pytest.mark.parametrize(
    ("status", "body", "sits", "why"),
    [
        (200, '{"data": [{"id": "qwen3"}, {"id": "gem\\u001b[31mma"}]}', True, "it answers"),
        (401, "{}", True, "it answers"),
        (404, "", True, "it answers"),
        (500, "", False, "the server fails (HTTP 500)"),
        (200, "<html>Welcome</html>", False, "no server of models"),
    ],
)
def test_a_server_on_this_machine_is_asked(status, body, sits, why, listed, monkeypatch, serving):
    monkeypatch.setenv("OPENAI_BASE_URL", serving(status, body)[0])
    found, text = listed()
    one = found["api", "openai-chat:NAME"]
    assert (one["can_sit"], why in one["why"]) == (sits, True), one["why"]
    assert "\x1b" not in text
    if "qwen3" in body:
        assert one["models"] == ["qwen3", "gemma"]


def test_an_engine_of_the_project_needs_its_own_model(listed, monkeypatch, serving, tmp_path):
    path = tmp_path / ".keystone" / "roundtable" / "engines.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(
        "here: {kind: api, model: 'openai-chat:qwen3'}\n"
        "other: {kind: api, model: 'openai-chat:gemma'}\n"
        "odd: {kind: api, model: magic}\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("OPENAI_BASE_URL", serving()[0])
    found, _ = listed()
    assert found["here", "openai-chat:qwen3"]["can_sit"]
    assert found["other", "openai-chat:gemma"]["why"] == "the server has no such model"
    assert "no kind of model" in found["odd", "magic"]["why"]


def test_a_server_that_hangs_does_not_keep_the_others_waiting(listed, monkeypatch, serving):
    monkeypatch.setattr(seat_listing, "CHECK_LIMIT_S", 0.5)
    url, _ = serving(hang=threading.Event())
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    found, _ = listed()
    assert not found["api", "openai-chat:NAME"]["can_sit"]
    assert "no answer" in found["api", "openai-chat:NAME"]["why"]
    assert found["offline", None]["can_sit"]


def test_a_command_that_hangs_is_not_left_behind(listed, monkeypatch, tmp_path):
    monkeypatch.setattr(seat_listing, "COMMAND_LIMIT_S", 0.5)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    own = tmp_path / "config" / "keystone-roundtable" / "engines.yaml"
    own.parent.mkdir(parents=True)
    hangs = f"import time; open({str(tmp_path / 'began')!r}, 'w'); time.sleep(613)"
    asked = f"version_argv: [-c, {json.dumps(hangs)}], login_argv: [-c, {json.dumps(hangs)}]"
    own.write_text(f"hangs: {{kind: cli, argv: [{sys.executable}], {asked}}}\n", encoding="utf-8")
    found, _ = listed()
    assert "no answer within" in found["hangs", None]["why"] and (tmp_path / "began").exists()
    for thread in threading.enumerate():
        if thread.daemon and "look_at" in thread.name:
            thread.join(20)
    assert not [one for one in Path("/proc").glob("[0-9]*/cmdline") if b"sleep(613)" in _read(one)]


def _read(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


# -- what is named, and what is agreed to ------------------------------------------------


@pytest.fixture
def engines(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    own = tmp_path / "config" / "keystone-roundtable" / "engines.yaml"
    own.parent.mkdir(parents=True)
    own.write_text(
        "ann: {kind: cli, argv: [sh, ann.sh], vendor: acme}\n"
        "bob: {kind: cli, argv: [no-such-program], sends_to: bob.example}\n",
        encoding="utf-8",
    )
    return SeatEngines(tmp_path, os.environ, Limits())


def test_a_name_that_means_nothing_is_told_what_there_is(engines):
    with pytest.raises(UsageError) as refused:
        engines.named("nosuch")
    told = str(refused.value)
    assert "no engine and no kind of model 'nosuch'" in told
    assert all(name in told for name in ("claude", "codex", "ann", "offline", "KIND:MODEL"))
    with pytest.raises(UsageError) as refused:
        engines.named("openai:")
    assert "KIND:MODEL" in str(refused.value) and "chain" not in str(refused.value)


@pytest.mark.parametrize("verb", [["room", "open"], ["table"]])
def test_a_model_that_means_nothing_is_told_the_engines_too(verb, tmp_path, capsys):
    words = ["A or B?", "--options", "a,b", "--model", "nosuch", "--root", str(tmp_path)]
    assert main([*verb, *words]) != 0
    told = capsys.readouterr().err
    assert "claude" in told and "KIND:MODEL" in told and "chain" not in told


def test_the_plan_says_what_is_started_for_a_seat_and_who_made_it(engines):
    seats = [Seat(name="a", engine="ann"), Seat(name="b", engine="bob")]
    plan = engines.plan(seats, ["1-opening"], 100)
    lines = list(plan_lines(plan))
    program = shutil.which("sh")
    assert f"ann, runs {program} (made by acme), sent to a place that only this" in lines[1]
    assert "bob, runs no-such-program (made by bob), sent to bob.example" in lines[2]


def test_the_list_says_how_to_name_one_and_where_ones_own_go(listed):
    _, text = listed()
    last = text.splitlines()[-1]
    assert "--seat NAME=ENGINE" in last and "engines.yaml" in last


def test_a_command_of_ones_own_is_asked_its_version_in_an_empty_folder(
    listed, tmp_path, monkeypatch
):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    own = tmp_path / "config" / "keystone-roundtable" / "engines.yaml"
    own.parent.mkdir(parents=True)
    says = "import os; print('1.2', os.listdir(), len(os.environ) < 20)"
    own.write_text(
        f"told: {{kind: cli, argv: [{sys.executable}], version_argv: [-c, {json.dumps(says)}]}}\n"
        f"untold: {{kind: cli, argv: [{sys.executable}]}}\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    found, _ = listed()
    assert found["told", None]["version"] == "1.2 [] True"
    assert found["untold", None]["version"] is None and found["untold", None]["can_sit"]
