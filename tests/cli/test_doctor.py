"""`doctor`: what it finds, what it never shows, and what it says of a model that is really asked.

The servers are real ones on the loopback interface.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from keystone_roundtable.cli.doctoring import examining, trying
from keystone_roundtable.cli.parser import parse
from keystone_roundtable.cli.verbs import doctor as module
from keystone_roundtable.core.errors import KeystoneError
from keystone_roundtable.core.plain import plain
from keystone_roundtable.models.language.spec import KINDS, parse_spec

SECRET = "sk-" + "Zq7" * 16
KEY_VARIABLES = sorted({name for facts in KINDS.values() for name in facts.key_variables})
URL_VARIABLES = sorted({name for facts in KINDS.values() for name in facts.url_variables})


@pytest.fixture(autouse=True)
def bare(project, tmp_path, monkeypatch):
    """No key, address or setting of the machine that runs the tests."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    names = [*KEY_VARIABLES, *URL_VARIABLES, "KEYSTONE_PATIENCE", "KEYSTONE_LANG"]
    for name in [*names, "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"]:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def diagnose(capsys):
    """Runs `doctor`; gives its status, the object, and the text."""

    def run(*flags):
        status = module.doctor(parse(["doctor", "--json", *flags]))
        found = json.loads(capsys.readouterr().out)
        assert module.doctor(parse(["doctor", *flags])) == status == found["status"]
        return status, found, capsys.readouterr().out

    return run


class Served:
    """What a server answers to the next requests, and what it was asked."""

    def __init__(self):
        self.replies = {}
        self.asked = []


@pytest.fixture
def served():
    """A server on the loopback interface: `replies[path]` is a status, headers and a body."""
    state = Served()

    class Handler(BaseHTTPRequestHandler):
        def answer(self):
            length = int(self.headers.get("Content-Length") or 0)
            state.asked.append(
                (self.command, self.path, dict(self.headers), self.rfile.read(length))
            )
            status, headers, body = state.replies.get(self.path, (404, {}, b"{}"))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = answer

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield state
    server.shutdown()
    server.server_close()


def models(*names):
    data = [{"id": name, "object": "model"} for name in names]
    return 200, {}, json.dumps({"object": "list", "data": data}).encode()


# -- what it finds ---------------------------------------------------------------------


def test_a_fresh_project_is_fine_and_says_what_is_there(diagnose, project):
    status, found, text = diagnose()
    assert status == 0
    assert found["problems"] == []
    assert found["root"] == str(project)
    assert found["keystone"]["exists"] is False
    assert found["sessions"]["open"] == 0
    assert found["check"] is None
    assert "Nothing in force is amiss" in text
    assert list(project.iterdir()) == []


def test_the_object_has_the_documented_keys(diagnose):
    _, found, _ = diagnose()
    assert list(found) == [
        "version",
        "python",
        "root",
        "keystone",
        "state",
        "sessions",
        "content",
        "decisions",
        "config_files",
        "settings",
        "model",
        "providers",
        "privacy",
        "terminal",
        "keystone_cli",
        "telemetry",
        "check",
        "problems",
        "status",
    ]


def test_the_index_and_telemetry_are_looked_at(diagnose, hold, call, project):
    _, found, text = diagnose()
    assert found["decisions"]["state"] == "none" and "no index yet" in text
    hold("finished")
    assert not (project / ".keystone/roundtable/decisions.db").exists()
    call("decisions")
    _, found, text = diagnose()
    assert found["decisions"]["sessions"] == 1 and "1 session in the index" in text
    assert (found["telemetry"]["lines"], found["telemetry"]["broken"]) == (2, 0)
    (project / ".keystone/roundtable/decisions.db").write_bytes(b"no database" * 999)
    (month,) = (project / ".keystone/telemetry/events").glob("*.jsonl")
    month.write_bytes(month.read_bytes() + b"rubbish\n")
    status, found, text = diagnose()
    assert found["decisions"]["state"] == "damaged" and "makes it anew" in text
    assert found["telemetry"]["broken"] == 1 and "1 broken" in text
    assert status == 0, "both mend themselves or harm nothing"


def test_open_and_finished_sessions_are_counted(diagnose, project):
    ends = ("session_finished", "paused", "answer_given", "redirected", "torn")
    for number, end in enumerate(ends):
        folder = project / ".keystone" / "roundtable" / "sessions" / f"20261130-abcd{number}"
        folder.mkdir(parents=True)
        first = {"type": "session_started", "at": "2026-11-30T10:00:00Z", "topic": "T"}
        last = {"type": end, "at": "2026-11-30T10:01:00Z"}
        lines = [] if end == "torn" else [json.dumps(first), json.dumps(last), ""]
        (folder / "events.jsonl").write_text("\n".join(lines))
    _, found, text = diagnose()
    counts = {name: number for name, number in found["sessions"].items() if name != "problem"}
    assert counts == {"open": 2, "finished": 1, "redirected": 1, "unreadable": 1}
    assert "2 open, 1 finished, 1 unreadable" in text


def test_a_folder_for_its_owner_alone_is_told_as_such(diagnose, project):
    (project / ".keystone").mkdir(0o700)
    _, found, text = diagnose()
    assert found["keystone"]["owner_only"] is True
    assert "writable, for its owner alone" in text


def test_a_folder_that_others_may_read_is_told_and_no_failure(diagnose, project):
    (project / ".keystone").mkdir(0o755)
    (project / ".keystone").chmod(0o755)
    status, found, text = diagnose()
    assert status == 0
    assert found["keystone"]["owner_only"] is False
    assert f"chmod 700 {project}/.keystone" in text


def test_a_file_in_the_place_of_the_folder_is_a_problem(diagnose, project):
    (project / ".keystone").write_text("")
    status, found, _ = diagnose()
    assert status == 1
    assert any("is no folder" in problem for problem in found["problems"])


def test_each_setting_has_its_value_and_origin(diagnose, project, monkeypatch):
    config = project / ".keystone" / "roundtable" / "config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("timeout: 5\n")
    monkeypatch.setenv("KEYSTONE_PATIENCE", "0")
    _, found, text = diagnose()
    settings = {s["name"]: (s["value"], s["origin"]) for s in found["settings"]}
    assert settings["timeout"] == (5.0, str(config))
    assert settings["patience"] == (0.0, "KEYSTONE_PATIENCE")
    assert settings["model"] == ("offline", "default")
    assert f"5.0 ({config})" in text


def test_what_is_wrong_with_one_setting_does_not_hide_the_others(diagnose, project, monkeypatch):
    config = project / ".keystone" / "roundtable" / "config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("modle: offline\n")
    monkeypatch.setenv("KEYSTONE_PATIENCE", "soon")
    monkeypatch.setenv("KEYSTONE_MODEL", "gpt")
    status, found, text = diagnose("--check")
    assert status == 1
    assert len(found["problems"]) == 3
    assert f"{config}, line 1, field 'modle'" in text
    assert "KEYSTONE_PATIENCE: 'soon' is not possible" in text
    assert "KEYSTONE_MODEL: " in text
    assert found["check"] == []
    assert {s["name"]: s["value"] for s in found["settings"]}["timeout"] == 60.0


def test_an_unknown_root_is_a_usage_error(call, project):
    with pytest.raises(KeystoneError, match="no such folder"):
        module.doctor(parse(["doctor", "--root", "absent"]))


# -- keys and libraries ----------------------------------------------------------------


@pytest.mark.parametrize("variable", KEY_VARIABLES)
def test_a_key_is_told_by_its_length_and_never_shown(diagnose, monkeypatch, variable):
    monkeypatch.setenv(variable, SECRET)
    status, found, text = diagnose("--check")
    assert status == 0
    assert f"{variable}: set, {len(SECRET)} characters" in text
    assert "Nothing is sent because a key lies here" in text
    for shown in (text, json.dumps(found)):
        assert SECRET not in shown and SECRET[:6] not in shown


def test_where_text_would_go_is_a_host_without_credentials(diagnose, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "https://me:hunter2@models.example.org:8443/v1")
    _, found, text = diagnose()
    hosts = {p["kind"]: p["sends_to"] for p in found["providers"]}
    assert hosts["openai-chat"] == "models.example.org:8443"
    assert hosts["anthropic"] == "api.anthropic.com"
    assert "hunter2" not in text and "hunter2" not in json.dumps(found)


def test_a_model_in_force_without_its_key_is_a_problem(diagnose, monkeypatch):
    monkeypatch.setenv("KEYSTONE_MODEL", "anthropic:claude,offline")
    status, found, _ = diagnose()
    assert status == 1
    assert any("anthropic:claude: " in p and "ANTHROPIC_API_KEY" in p for p in found["problems"])


def test_whether_a_library_is_there_is_seen_without_importing_it(project):
    script = (
        "import sys; from keystone_roundtable.cli.parser import parse;"
        "from keystone_roundtable.cli.verbs.doctor import doctor;"
        "doctor(parse(['doctor']));"
        "print([n for n in ('openai', 'anthropic', 'google', 'pydantic_ai') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=project, capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_library_that_is_not_there_is_seen(monkeypatch, tmp_path):
    (tmp_path / "pydantic_ai").mkdir()
    (tmp_path / "pydantic_ai" / "__init__.py").touch()
    (tmp_path / "google" / "genai").mkdir(parents=True)
    (tmp_path / "google" / "genai" / "__init__.py").touch()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    for name in [n for n in sys.modules if n.split(".")[0] in ("pydantic_ai", "google", "openai")]:
        monkeypatch.delitem(sys.modules, name)
    assert examining.is_installed(KINDS["google"])
    assert not examining.is_installed(KINDS["openai"])


# -- asking the model in force ---------------------------------------------------------


@pytest.fixture
def ask(monkeypatch):
    """Checks a spec at an address."""

    def asked(spec, url, key=None):
        environment = {name: url for name in parse_spec(spec).facts.url_variables[:1]}
        if key is not None:
            environment[parse_spec(spec).facts.key_variables[0]] = key
        return trying.check(parse_spec(spec), environment)

    return asked


@pytest.mark.parametrize("spec", ["offline", "host"])
def test_what_needs_no_server_works(spec):
    assert trying.check(parse_spec(spec), {})["verdict"] == "works"


def test_a_server_that_lists_the_model_works_and_gets_the_key_and_no_text(ask, served):
    served.replies["/v1/models"] = models("other", "qwen3")
    trial = ask("openai-chat:qwen3", f"{served.url}/v1", SECRET)
    assert trial == {"model": "openai-chat:qwen3", "verdict": "works", "reason": "it answers"}
    ((command, path, headers, body),) = served.asked
    assert (command, path, body) == ("GET", "/v1/models", b"")
    assert headers["Authorization"] == f"Bearer {SECRET}"


def test_without_a_key_none_is_sent(ask, served):
    served.replies["/v1/models"] = models("qwen3")
    assert ask("openai-chat:qwen3", f"{served.url}/v1")["verdict"] == "works"
    assert "Authorization" not in served.asked[0][2]


@pytest.mark.parametrize(
    ("spec", "path", "header"),
    [
        ("openai:gpt", "/models", "Authorization"),
        ("anthropic:claude", "/v1/models", "x-api-key"),
        ("google:gemini", "/v1beta/models", "x-goog-api-key"),
    ],
)
def test_each_provider_is_asked_in_its_own_way(ask, served, spec, path, header):
    served.replies[path] = models("gpt", "claude", "gemini")
    assert ask(spec, served.url, SECRET)["verdict"] == "works"
    headers = {name.casefold(): value for name, value in served.asked[0][2].items()}
    assert SECRET in headers[header.casefold()]


def test_another_list_of_models_is_told_and_works(ask, served):
    """A server with one model often takes any name for it."""
    served.replies["/v1/models"] = models("a", "b\x1b[31m")
    trial = ask("openai-chat:qwen3", f"{served.url}/v1")
    assert trial["verdict"] == "works"
    assert "lists other models: a, b" in trial["reason"]
    assert trial["reason"] == plain(trial["reason"])


@pytest.mark.parametrize("reply", [models(), models("llama3:latest")])
def test_ollama_without_the_model_is_refused_with_the_command_that_gets_it(ask, served, reply):
    served.replies["/v1/models"] = reply
    trial = ask("ollama:qwen3", served.url)
    assert trial["verdict"] == "refused"
    assert "ollama pull qwen3" in trial["reason"]


def test_ollama_with_no_list_at_all_has_no_model(ask, served):
    served.replies["/v1/models"] = 200, {}, b'{"object": "list", "data": null}'
    assert "ollama pull qwen3" in ask("ollama:qwen3", served.url)["reason"]


def test_ollama_knows_a_model_by_its_latest_tag(ask, served):
    served.replies["/v1/models"] = models("qwen3:latest")
    assert ask("ollama:qwen3", served.url)["verdict"] == "works"


def test_a_server_without_a_list_gets_one_word(ask, served):
    served.replies["/v1/chat/completions"] = 200, {}, b"{}"
    trial = ask("openai-chat:qwen3", f"{served.url}/v1")
    assert trial["verdict"] == "works"
    sent = json.loads(served.asked[1][3])
    assert sent["messages"] == [{"role": "user", "content": "ping"}]


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (401, "Set OPENAI_API_KEY to a valid one"),
        (403, "Set OPENAI_API_KEY to a valid one"),
        (404, "Check OPENAI_BASE_URL"),
        (429, "nothing left to spend"),
        (500, "the server fails (HTTP 500)"),
        (503, "the server fails (HTTP 503)"),
    ],
)
def test_a_refusal_says_what_to_do(ask, served, status, told):
    served.replies["/v1/models"] = status, {}, f'{{"error": "{SECRET}"}}'.encode()
    served.replies["/v1/chat/completions"] = status, {}, b""
    trial = ask("openai-chat:qwen3", f"{served.url}/v1", SECRET)
    assert trial["verdict"] == "refused"
    assert told in trial["reason"]
    assert SECRET not in json.dumps(trial)


def test_a_server_that_wants_a_key_names_the_variable(ask, served):
    served.replies["/v1/models"] = 401, {}, b""
    assert "it wants a key" in ask("openai-chat:qwen3", f"{served.url}/v1")["reason"]


def test_a_key_is_not_sent_on_to_where_a_server_points(ask, served):
    served.replies["/v1/models"] = 302, {"Location": f"{served.url}/elsewhere"}, b""
    served.replies["/elsewhere"] = models("qwen3")
    trial = ask("openai-chat:qwen3", f"{served.url}/v1", SECRET)
    assert trial["verdict"] == "refused"
    assert [path for _, path, _, _ in served.asked] == ["/v1/models"]


@pytest.mark.parametrize(
    "body", [b"<html>", b"[]", b"{}", b"", b"\xff", b"[" * 100_000, b'{"data": 5}', b"null"]
)
def test_what_is_no_server_of_models_is_refused(ask, served, body):
    served.replies["/v1/models"] = 200, {}, body
    trial = ask("openai-chat:qwen3", f"{served.url}/v1")
    assert trial["verdict"] == "refused"
    assert "no server of models" in trial["reason"]


@pytest.fixture
def listening():
    """A socket that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def test_nobody_there_is_unreachable(ask, listening):
    port = listening.getsockname()[1]
    listening.close()
    trial = ask("ollama:qwen3", f"http://127.0.0.1:{port}")
    assert trial["verdict"] == "unreachable"
    assert "ollama serve" in trial["reason"]


def test_silence_is_unreachable_within_the_limit(ask, listening, monkeypatch):
    monkeypatch.setattr(trying, "CHECK_LIMIT_S", 0.2)
    began = time.monotonic()
    trial = ask("openai-chat:qwen3", f"http://127.0.0.1:{listening.getsockname()[1]}/v1")
    assert trial["verdict"] == "unreachable"
    assert time.monotonic() - began < 2


def test_a_reply_that_drips_in_ends_at_the_limit_too(ask, listening, monkeypatch):
    """Each byte comes well within the time that a socket waits."""
    monkeypatch.setattr(trying, "CHECK_LIMIT_S", 0.3)
    stopped = threading.Event()

    def drip():
        connection, _ = listening.accept()
        with connection:
            while not stopped.wait(0.05):
                try:
                    connection.sendall(b"H")
                except OSError:
                    return

    thread = threading.Thread(target=drip)
    thread.start()
    trial = ask("openai-chat:qwen3", f"http://127.0.0.1:{listening.getsockname()[1]}/v1")
    stopped.set()
    thread.join(5)
    assert trial["verdict"] == "unreachable"
    assert "no answer in 0.3 s" in trial["reason"]


def test_a_connection_that_breaks_is_unreachable(ask, listening):
    def drop():
        listening.accept()[0].close()

    thread = threading.Thread(target=drop)
    thread.start()
    trial = ask("openai-chat:qwen3", f"http://127.0.0.1:{listening.getsockname()[1]}/v1")
    thread.join(5)
    assert trial["verdict"] == "unreachable"


@pytest.mark.parametrize("key", [f"{SECRET}\nX-Other: 1", f"{SECRET}é\u2028", f"{SECRET}\x00"])
def test_a_key_that_no_header_can_carry_is_told_without_it(ask, served, key):
    served.replies["/v1/models"] = models("qwen3")
    trial = ask("openai-chat:qwen3", f"{served.url}/v1", key)
    assert trial["verdict"] == "refused"
    assert SECRET[:8] not in json.dumps(trial)
    assert served.asked == []


def test_such_a_key_is_a_problem_without_a_check_too(diagnose, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "“sk-abc”")
    monkeypatch.setenv("KEYSTONE_MODEL", "openai:gpt-5")
    status, found, _ = diagnose()
    assert status == 1
    (problem,) = [p for p in found["problems"] if "no request can carry" in p]
    assert "OPENAI_API_KEY" in problem and "sk-abc" not in problem


@pytest.mark.parametrize("key", [None, SECRET])
def test_a_name_and_password_in_the_address_are_sent_as_a_session_sends_them(ask, served, key):
    """They take the place of a key, as in the library that a session asks through."""
    served.replies["/v1/models"] = models("qwen3")
    url = served.url.replace("//", "//user:p%40w@")
    assert ask("openai-chat:qwen3", f"{url}/v1", key)["verdict"] == "works"
    assert served.asked[0][2]["Authorization"] == "Basic dXNlcjpwQHc="
    assert served.asked[0][2]["Host"] == served.url.removeprefix("http://")


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://127.0.0.1/v1",
        "localhost",
        "http://",
        "http://a\nb/v1",
        "http://ho st/v1",
        "http://127.0.0.1:9/v 1",
    ],
)
def test_an_address_that_is_no_http_is_refused(ask, url):
    assert ask("openai-chat:qwen3", url)["verdict"] == "refused"


def test_the_model_in_force_is_asked_and_decides_the_status(diagnose, served, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", f"{served.url}/v1")
    monkeypatch.setenv("KEYSTONE_MODEL", "openai-chat:qwen3,offline")
    monkeypatch.setattr(examining, "is_installed", lambda facts: True)
    served.replies["/v1/models"] = models("qwen3")
    status, found, text = diagnose("--check")
    assert status == 0
    assert [t["verdict"] for t in found["check"]] == ["works", "works"]
    assert "works: it answers" in text
    served.replies["/v1/models"] = 401, {}, b""
    status, found, _ = diagnose("--check")
    assert status == 1
    assert any("it wants a key" in problem for problem in found["problems"])


def test_without_check_nothing_is_asked(diagnose, served, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", f"{served.url}/v1")
    monkeypatch.setenv("KEYSTONE_MODEL", "openai-chat:qwen3")
    diagnose()
    assert served.asked == []


# -- surroundings ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "told"), [("no-such-program state", "no program"), ("'open", "cannot be read")]
)
def test_a_keystone_cli_that_cannot_run_is_a_problem(diagnose, monkeypatch, command, told):
    monkeypatch.setenv("KEYSTONE_CLI", command)
    status, found, _ = diagnose()
    assert status == 1
    assert any("KEYSTONE_CLI" in p and told in p for p in found["problems"])


@pytest.mark.parametrize(
    "command", ["keystone-roundtable", "python3 -m keystone_roundtable", "sh x"]
)
def test_a_keystone_cli_that_can_run_is_fine(diagnose, monkeypatch, command):
    monkeypatch.setenv("KEYSTONE_CLI", command)
    status, found, text = diagnose()
    assert status == 0
    assert found["keystone_cli"]["command"] == command
    assert command in text


def test_hostile_values_reach_no_screen(diagnose, monkeypatch):
    monkeypatch.setenv("KEYSTONE_CLI", "\x1b[31mred\x1b[0m")
    monkeypatch.setenv("KEYSTONE_LANG", "\x1b]0;owned\x07")
    monkeypatch.setenv("TERM", "x\x1b[2J")
    _, _, text = diagnose()
    assert text == plain(text)
