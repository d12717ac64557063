"""Words in YAML stay words, and the lexicons are read when they are needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from keystone_roundtable.content.errors import ContentError
from keystone_roundtable.content.lexicons import (
    Lexicons,
    load_option_lexicons,
    load_signal_lexicons,
    load_stance_lexicons,
    load_topic_lexicons,
)
from keystone_roundtable.content.yaml_files import read_mapping

FORMATS = [load_signal_lexicons, load_topic_lexicons, load_option_lexicons, load_stance_lexicons]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("Off", "Off"),
        ("y", "y"),
        ("NO", "NO"),
        ("2026-11-30", "2026-11-30"),
        ("12:30", "12:30"),
        ("1_000", "1_000"),
        ("012", "012"),
        ("0x1f", "0x1f"),
        (".5", ".5"),
        ("true", True),
        ("false", False),
        ("12", 12),
        ("-3", -3),
        ("0.9", 0.9),
        ("null", None),
        ("~", None),
        ("", None),
        ('"true"', "true"),
    ],
)
def test_only_numbers_true_false_and_null_are_no_words(tmp_path, written, read):
    path = tmp_path / "x.yaml"
    path.write_text(f"field: {written}\nno: kept\n")
    fields = read_mapping(path)
    assert fields == {"field": read, "no": "kept"}
    assert type(fields["field"]) is type(read)


@pytest.mark.parametrize("load", FORMATS)
def test_every_shipped_lexicon_loads_english_first(load):
    lexicons = load()
    languages = [lexicon.language for lexicon in lexicons]
    assert languages[0] == "en"
    assert languages[1:] == sorted(languages[1:])
    assert len(lexicons) == len(languages) >= 14
    assert lexicons[0].language == "en" and len(lexicons[1:3]) == 2


def test_a_malformed_lexicon_is_named(tmp_path, monkeypatch):
    from keystone_roundtable.content import lexicons

    (tmp_path / "signal").mkdir()
    (tmp_path / "signal" / "xx.yaml").write_text("scripts: latin\n")
    monkeypatch.setattr(lexicons, "_FOLDER", tmp_path)

    def refuse(language: str, data: object) -> object:
        raise ValueError(f"{language} has no phrases")

    with pytest.raises(ContentError, match=r"signal/xx\.yaml: xx has no phrases"):
        list(Lexicons("signal", refuse))


READS = """
import sys
read = []
sys.addaudithook(lambda event, what: event == "open" and read.append(str(what[0])))
from keystone_roundtable.cli.wiring import load_rules
rules = load_rules()
rules.route("Should we move now or later?")
print(*sorted({path.split("/")[-2] for path in read if "/lexicons/" in path}))
"""


def test_the_words_of_answers_are_not_read_before_the_first_answer():
    done = subprocess.run([sys.executable, "-c", READS], capture_output=True, text=True, check=True)
    assert "topic" in done.stdout.split()
    assert "signal" not in done.stdout.split()
