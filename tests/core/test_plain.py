"""Text made safe for a screen, and for a file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keystone_roundtable.core.plain import one_line, plain, storable

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)  # lone surrogates included
HOSTILE = st.lists(
    st.sampled_from(
        ["\x1b", "[", "]", "31m", "0;t", "\x07", "\x1b\\", "\x9b", "\x9c", "P", "a", "\u202e", "\n"]
    ),
    max_size=12,
).map("".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[1;1Hgone", "gone"),
        ("\x1b[?25lhidden", "hidden"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]52;c;aGk=\x9crest", "rest"),
        ("\x1bPq#0\x1b\\after", "after"),
        ("\x1b_apc\x1b\\\x1b^pm\x1b\\x", "x"),
        ("\x1b(Bplain", "plain"),
        ("\x1bcreset", "reset"),
        ("\x1b\x1b[31mtwice", "twice"),
        ("\x1b[\x1b[31mbroken", "broken"),
        ("end\x1b", "end"),
    ],
)
def test_terminal_escapes_are_taken_out_whole(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b]0;no end, and a whole answer", "0;no end, and a whole answer"),
        ("\x1bPno end", "no end"),
        ("\x1b[31", "31"),
    ],
)
def test_an_escape_without_its_end_hides_nothing_that_follows(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize("code", [*range(0x09), *range(0x0E, 0x20), 0x7F])
def test_control_characters_are_taken_out(code: int) -> None:
    assert plain(f"a{chr(code)}") == "a"


@pytest.mark.parametrize("code", [*range(0x80, 0x85), *range(0x86, 0xA0)])
def test_eight_bit_controls_are_taken_out(code: int) -> None:
    assert plain(f"a{chr(code)}31m") == "a31m"


@pytest.mark.parametrize("mark", [*"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"])
def test_bidi_overrides_are_taken_out(mark: str) -> None:
    assert plain(f"pay {mark}100") == "pay 100"


@pytest.mark.parametrize("mark", ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"])
def test_every_kind_of_line_break_becomes_one_newline(mark: str) -> None:
    assert plain(f"a{mark}b") == "a\nb"


def test_tabs_stay() -> None:
    assert plain("a\tb") == "a\tb"


def test_other_scripts_and_joiners_stay() -> None:
    text = "café नमस्ते 决定 قرار 👩\u200d💻"
    assert plain(text) == text


def test_a_lone_surrogate_becomes_a_replacement_character() -> None:
    assert storable("a\udcffb\ud800") == "a\ufffdb\ufffd"


def test_nul_bytes_are_not_kept() -> None:
    assert storable("a\x00b") == "ab"


def test_escapes_are_kept_where_text_is_only_stored() -> None:
    assert storable("\x1b[31mred") == "\x1b[31mred"


def test_one_line_has_no_breaks_and_no_double_spaces() -> None:
    assert one_line("  a\n\n b\t\x1b[1mc ") == "a b c"


@given(ANY_TEXT)
def test_whatever_is_stored_can_be_written_as_utf_8(text: str) -> None:
    assert storable(storable(text).encode().decode()) == storable(text)


@given(st.one_of(ANY_TEXT, HOSTILE))
def test_nothing_on_a_screen_controls_it(text: str) -> None:
    shown = plain(text)
    assert all(c in "\n\t" or c.isprintable() or ord(c) >= 0xA0 for c in shown)
    assert plain(shown) == shown
    assert "\n" not in one_line(text)


@given(ANY_TEXT)
def test_what_is_storable_can_always_be_encoded(text: str) -> None:
    stored = storable(text)
    stored.encode("utf-8")
    assert len(stored) <= len(text)


def test_surrogate_pairs_are_joined_and_the_rest_replaced() -> None:
    assert storable("\ud83d\ude00 \ude00\ud83d") == "\U0001f600 \ufffd\ufffd"
