"""JSON that keeps every script readable and loses nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keystone_roundtable.stores.json_text import from_json, to_json

any_text = st.text(st.characters(exclude_categories=()))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(json_values)
def test_values_come_back(value):
    assert from_json(to_json(value)) == value


@given(
    st.text(
        st.characters(exclude_categories=(), exclude_characters=map(chr, range(0xDC00, 0xE000)))
    )
)
def test_texts_with_lone_surrogates_come_back(text):
    """A high surrogate alone; with a low one after it, it is a character and comes back as that."""
    assert from_json(to_json(text)) == text


def test_thai_and_chinese_stay_readable():
    assert to_json({"หัวข้อ": "決定"}) == '{"หัวข้อ": "決定"}'.encode()


def test_text_beside_a_lone_surrogate_stays_readable():
    assert to_json("決\udcff") == '"決\\udcff"'.encode()


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[" * 100_000, b"1e999", b"-1e999"])
def test_what_is_no_json_is_a_value_error(data):
    with pytest.raises(ValueError):
        from_json(data)
