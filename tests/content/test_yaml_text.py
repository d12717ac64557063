"""What is written as YAML reads back the same, in its own order and script."""

from __future__ import annotations

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from keystone_roundtable.content.yaml_files import to_yaml

SCALARS = st.none() | st.booleans() | st.integers() | st.text() | st.floats(0, 1)


def test_keys_keep_their_order_and_text_its_script():
    text = to_yaml({"topic": "ควรเปิดไหม", "decision": "roundtable-aligned", "confidence": 0.9})
    assert text == "topic: ควรเปิดไหม\ndecision: roundtable-aligned\nconfidence: 0.9\n"


def test_words_that_yaml_would_take_for_something_else_are_quoted():
    content = {"option": "no", "topic": "2020-01-01", "notes": ["on", "null", "- x", "a: b"]}
    assert yaml.safe_load(to_yaml(content)) == content


def test_what_stands_twice_is_written_twice():
    notes = ["scope needs compression"]
    text = to_yaml({"notes": notes, "confidence_reasons": notes})
    assert "&" not in text
    assert yaml.safe_load(text)["confidence_reasons"] == notes


@example({"option": "a\x85b\u2028c\ufeffd\u2029"})
@given(st.dictionaries(st.text(min_size=1), SCALARS | st.lists(SCALARS)))
def test_any_mapping_reads_back_the_same(content):
    assert yaml.safe_load(to_yaml(content)) == content
