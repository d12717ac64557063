"""Settings in files: what a `config.yaml` may hold, and how a fault in it is named."""

from __future__ import annotations

import os

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from keystone_roundtable.content.config import (
    KEYS,
    project_config,
    read_config,
    user_config,
    with_key,
)
from keystone_roundtable.content.errors import ContentError

WHOLE = """\
# mine
model: ollama:qwen3
patience: 0
timeout: 12.5
fallback: offline
max_calls: 9
budget_usd: 0.25
allow_unknown_price: true
lang: pt-BR
"""


@pytest.fixture
def config(tmp_path):
    return tmp_path / "config.yaml"


def test_every_key_is_read_as_it_stands(config):
    config.write_text(WHOLE)
    fields = read_config(config)
    assert list(fields) == list(KEYS)
    assert fields["model"] == "ollama:qwen3"
    assert fields["patience"] == 0
    assert fields["budget_usd"] == 0.25
    assert fields["allow_unknown_price"] is True


@pytest.mark.parametrize("text", ["", "\n\n", "# model: offline\n\n  # later\n", "\ufeff# note\n"])
def test_a_file_with_nothing_in_it_sets_nothing(config, text):
    config.write_text(text, encoding="utf-8")
    assert read_config(config) == {}


def test_no_file_sets_nothing(tmp_path):
    assert read_config(tmp_path / "absent" / "config.yaml") == {}
    (tmp_path / "file").write_text("")
    assert read_config(tmp_path / "file" / "config.yaml") == {}


@pytest.mark.parametrize(
    ("line", "field", "told"),
    [
        ("modle: offline", "modle", "no such setting; possible: model, patience"),
        ("5: offline", "5", "no such setting"),
        ("model:", "model", "an empty value is not possible; it takes a model"),
        ("model: 5", "model", "5 is not possible"),
        ("model: ''", "model", "this text is not possible"),
        ("model: [offline]", "model", "a list or mapping is not possible"),
        ('model: "a\\nb"', "model", "this text is not possible"),
        ("patience: -1", "patience", "-1 is not possible; it takes seconds from 0 to 600"),
        ("patience: soon", "patience", "this text is not possible"),
        ("patience: true", "patience", "true is not possible"),
        ("patience: !!float .nan", "patience", "nan is not possible"),
        ("timeout: 0", "timeout", "0 is not possible; it takes seconds from 0.1"),
        ("timeout: !!float .inf", "timeout", "inf is not possible"),
        ("fallback: online", "fallback", "it takes offline or fail"),
        ("max_calls: 1.5", "max_calls", "1.5 is not possible; it takes a whole number"),
        ("max_calls: -1", "max_calls", "-1 is not possible"),
        ("max_calls: '5'", "max_calls", "this text is not possible"),
        (f"budget_usd: {'9' * 400}", "budget_usd", "this number is not possible"),
        ("allow_unknown_price: yes", "allow_unknown_price", "it takes true or false"),
        ("lang: English please", "lang", "a language code, such as en"),
        ("lang: {a: b}", "lang", "a list or mapping is not possible"),
    ],
)
def test_a_fault_is_named_with_file_line_and_field(config, line, field, told):
    config.write_text(f"# first\n{line}\n")
    with pytest.raises(ContentError) as caught:
        read_config(config)
    assert caught.value.path == config
    assert caught.value.line == 2
    assert caught.value.field == field
    assert told in str(caught.value)
    assert f"{config}, line 2, field '{field}'" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("model: a\nmodel: b\n", "line 2, field 'model': the field stands there twice"),
        ("model: [a\n", "not YAML"),
        ("- model\n", "must hold a mapping"),
        ("offline\n", "must hold a mapping"),
    ],
)
def test_a_file_that_is_no_mapping_is_named(config, text, told):
    config.write_text(text)
    with pytest.raises(ContentError, match=told):
        read_config(config)


def test_bytes_that_are_no_utf_8_are_named(config):
    config.write_bytes(b"model: caf\xe9\n")
    with pytest.raises(ContentError, match="line 1: not UTF-8"):
        read_config(config)


def test_a_key_put_into_the_wrong_place_is_not_repeated(config):
    """Error messages end in logs and screenshots."""
    config.write_text("api_key: sk-very-secret\n")
    with pytest.raises(ContentError) as caught:
        read_config(config)
    assert "secret" not in str(caught.value)
    config.write_text("lang: sk-very secret\n")
    with pytest.raises(ContentError) as caught:
        read_config(config)
    assert "secret" not in str(caught.value)


# -- writing one key -------------------------------------------------------------------


def test_one_key_is_set_and_comments_and_other_keys_stay(config):
    config.write_text(WHOLE)
    text = with_key(config, "model", "offline")
    assert text == WHOLE.replace("ollama:qwen3", "offline")
    assert config.read_text() == WHOLE


def test_a_missing_key_is_added_at_the_end(config):
    assert with_key(config, "model", "offline") == "model: offline\n"
    config.write_text("# mine\nlang: en")
    assert with_key(config, "model", "offline") == "# mine\nlang: en\nmodel: offline\n"


@pytest.mark.parametrize(
    "text",
    [
        "{lang: en, model: x}\n",
        "---\nlang: en\n",
        "lang: en\nmodel:\n  ollama:x\n",
        "lang: en\nmodel: >-\n  ollama:\n",
        '"lang": en\n',
        "lang: en\r\nmodel: x\r\n",
        "lang: 'en' # mine\n",
        "model: &m x\nlang: en\n",
        "lang: en\n...\n",
        "\ufefflang: en\n",
    ],
)
def test_however_the_file_is_written_the_other_keys_stay(config, text):
    config.write_text(text, encoding="utf-8", newline="")
    config.write_text(with_key(config, "model", "anthropic:a,offline"), encoding="utf-8")
    assert read_config(config) == {"lang": "en", "model": "anthropic:a,offline"}


def test_a_broken_file_or_a_bad_value_is_not_written_over(config):
    with pytest.raises(ContentError, match="lang"):
        with_key(config, "lang", "no such language")
    config.write_text("modle: x\n")
    with pytest.raises(ContentError, match="modle"):
        with_key(config, "model", "offline")


values = {
    "model": st.text(min_size=1, max_size=60).filter(str.isprintable),
    "patience": st.floats(0, 600) | st.integers(0, 600),
    "max_calls": st.integers(0, 1_000_000),
    "allow_unknown_price": st.booleans(),
    "lang": st.sampled_from(["en", "no", "pt-BR", "zh-Hant"]),
}


@given(st.fixed_dictionaries({}, optional=values), st.sampled_from(sorted(values)), st.data())
def test_whatever_is_written_reads_back(tmp_path_factory, fields, name, data):
    value = data.draw(values[name])
    config = tmp_path_factory.mktemp("config") / "config.yaml"
    for known, there in fields.items():
        config.write_text(with_key(config, known, there), encoding="utf-8")
    config.write_text(with_key(config, name, value), encoding="utf-8")
    assert read_config(config) == {**fields, name: value}


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (os.mkfifo, "is no regular file"),
        (lambda path: path.mkdir(), "Is a directory"),
        (lambda path: path.symlink_to(path), "cannot be read"),
        (lambda path: path.symlink_to("gone.yaml"), "cannot be read"),
    ],
    ids=["a pipe", "a folder", "a link to itself", "a link to nothing"],
)
def test_what_is_no_file_is_told_and_waited_for_by_nobody(config, make, told):
    make(config)
    with pytest.raises(ContentError, match=told):
        read_config(config)


# -- where the files are ---------------------------------------------------------------


def test_the_files_lie_in_the_project_and_in_the_users_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert user_config() == tmp_path / "keystone-roundtable" / "config.yaml"
    assert project_config(tmp_path) == tmp_path / ".keystone" / "roundtable" / "config.yaml"


def test_a_user_without_a_home_has_no_file(monkeypatch):
    """As in a container that runs under a bare user id."""

    def unknown(uid):
        raise KeyError(uid)

    for name in ("XDG_CONFIG_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    assert user_config() is None


def test_the_yaml_written_is_plain_enough_for_any_reader(config):
    config.write_text(with_key(config, "lang", "no"))
    assert yaml.safe_load(config.read_text()) == {"lang": "no"}
