"""The engines file: what ships, what a project adds, and what is refused, with its line."""

from __future__ import annotations

import pytest

from keystone_roundtable.content.engines import load_engines
from keystone_roundtable.content.errors import ContentError


@pytest.fixture
def put(tmp_path):
    def write(text):
        path = tmp_path / ".keystone" / "roundtable" / "engines.yaml"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_every_model_and_the_rehearsal_are_always_there(tmp_path):
    shipped = load_engines(None)
    assert {name: entry.kind for name, entry in shipped.items()} == {
        "api": "api",
        "offline": "offline",
        **dict.fromkeys(("claude", "codex", "gemini", "agy", "opencode", "command-code"), "cli"),
    }
    assert all(entry.about for entry in shipped.values())
    assert load_engines(tmp_path) == shipped


def test_a_project_adds_engines_and_replaces_them_by_name(put, tmp_path):
    put("local: {kind: api, about: this machine, model: 'ollama:qwen3'}\napi: {kind: api}\n")
    found = load_engines(tmp_path)
    assert list(found) == [*load_engines(None), "local"]
    assert found["local"].model == "ollama:qwen3"
    assert found["api"].about == ""


BROKEN = {
    "a kind that is none": ("x:\n  kind: magic\n", 2, "x.kind", "one of: api, offline, cli"),
    "no kind": ("\nx:\n  model: a\n", 2, "x.kind", "one of: api, offline, cli"),
    "no mapping": ("x: api\n", 1, "x", "one of: api, offline, cli"),
    "a field that is none": ("x:\n  kind: api\n  argv: [a]\n", 3, "x.argv", "no such field"),
    "no model": ("x:\n  kind: api\n  model: ''\n", 3, "x.model", "it is empty"),
    "a name that is none": ("'My engine':\n  kind: api\n", 1, "My engine", "small letters"),
    "a false rehearsal": ("offline:\n  kind: api\n", 2, "offline.kind", "nothing is sent"),
    "a model for the rehearsal": (
        "offline:\n  kind: offline\n  model: x\n",
        3,
        "offline.model",
        "no such field",
    ),
    "no YAML": ("x: [\n", 2, "", "not YAML"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_told_with_its_line(name, put, tmp_path):
    text, line, field, told = BROKEN[name]
    path = put(text)
    with pytest.raises(ContentError) as error:
        load_engines(tmp_path)
    found = error.value
    assert (found.path, found.line, told in found.reason) == (path, line, True), str(found)
    assert found.field.startswith(field.split(".")[0])
