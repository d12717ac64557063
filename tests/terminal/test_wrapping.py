"""Text at a screen's width, in every script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keystone_roundtable.terminal.wrapping import MIN_WIDTH, clip, graphemes, width_of, wrap

THAI = "เราควรลบฐานข้อมูลลูกค้าเก่าหรือเก็บถาวรไว้ดี เพราะพื้นที่จัดเก็บมีค่าใช้จ่ายสูงมาก น้ำ"
CHINESE = "我们应该删除旧的客户数据库，还是把它归档？因为存储费用太高了（每月四千美元）。"
HEBREW = "האם כדאי למחוק את מסד הנתונים הישן או לשמור אותו בארכיון לתמיד?"
EMOJI = "ship it 👩‍👩‍👧 now 👍🏽 or 🇩🇪🇹🇭 later ❤️ please e\u0301 cafe\u0301s"
ENGLISH = "Should we delete the old customer database or archive it until after the migration?"
SCRIPTS = [THAI, CHINESE, HEBREW, EMOJI, ENGLISH]


@pytest.mark.parametrize("width", [20, 40, 80, 200])
@pytest.mark.parametrize("text", SCRIPTS)
def test_no_line_is_wider_than_the_screen(text: str, width: int) -> None:
    assert all(width_of(line) <= width for line in wrap(text, width))


@given(st.text(st.characters(exclude_categories=("Cc", "Cs"))), st.integers(MIN_WIDTH, 60))
def test_wrapping_loses_no_character_but_spaces(text: str, width: int) -> None:
    assert "".join(wrap(text, width)).replace(" ", "") == text.replace(" ", "")


@given(st.text(st.characters(exclude_categories=("Cc", "Cs"))), st.integers(MIN_WIDTH, 60))
def test_wrapping_breaks_no_character_people_see(text: str, width: int) -> None:
    whole = [cluster for cluster in graphemes(text) if cluster.strip(" ")]
    wrapped = [c for line in wrap(text, width) for c in graphemes(line) if c.strip(" ")]
    if not any(cluster[0].isspace() or " " in cluster for cluster in whole):
        assert "".join(wrapped) == "".join(whole)
        assert len(wrapped) >= len(whole)


def test_words_stay_whole() -> None:
    words = set(ENGLISH.split())
    assert all(set(line.split()) <= words for line in wrap(ENGLISH, 20))


@pytest.mark.parametrize("mark", ["่", "้", "ี", "ู", "ำ", "ะ", "า"])
def test_no_thai_line_begins_with_a_mark_of_the_letter_before(mark: str) -> None:
    lines = [line for width in range(MIN_WIDTH, 40) for line in wrap(THAI, width)]
    assert not any(line.startswith(mark) for line in lines)


def test_no_thai_line_ends_with_a_vowel_of_the_letter_after() -> None:
    lines = [line for width in range(MIN_WIDTH, 40) for line in wrap(THAI, width)]
    assert not any(line.rstrip().endswith(("เ", "แ", "โ", "ใ", "ไ")) for line in lines)


def test_no_chinese_line_begins_with_closing_punctuation() -> None:
    lines = [line for width in range(MIN_WIDTH, 40) for line in wrap(CHINESE, width)]
    assert not any(line.startswith(("，", "。", "？", "）")) for line in lines)
    assert not any(line.endswith("（") for line in lines)


def test_emoji_with_modifiers_and_flags_are_one_character() -> None:
    assert list(graphemes("👩‍👩‍👧👍🏽🇩🇪🇹🇭e\u0301")) == ["👩‍👩‍👧", "👍🏽", "🇩🇪", "🇹🇭", "e\u0301"]


def test_a_word_wider_than_the_line_is_broken() -> None:
    assert wrap("a" * 25, 10) == ["a" * 10, "a" * 10, "a" * 5]


def test_line_breaks_and_empty_lines_stay() -> None:
    assert wrap("one\n\ntwo", 40) == ["one", "", "two"]
    assert wrap("", 40) == [""]


@pytest.mark.parametrize("text", SCRIPTS)
def test_clipped_text_fits_and_says_that_it_was_cut(text: str) -> None:
    cut = clip(text, 20)
    assert width_of(cut) <= 20
    assert cut.endswith("…")
    assert clip(text, 500) == text
