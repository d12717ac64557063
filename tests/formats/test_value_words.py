"""When a note cites a value: whole words, any case, any script."""

from __future__ import annotations

import pytest

from keystone_roundtable.formats.value_words import VALUE_WORDS, cited


@pytest.mark.parametrize(
    "text",
    [
        "Safety first", "SAFETY", "patients' safety.", "safety's sake", "(safety)",
        "the safety-net", "saf\u00adety", "s\u200dafety", "ｓａｆｅｔｙ",
        "no\u200bsafety\u200bhere", "line\nsafety\nline",
        "เรื่องsafetyสำคัญ", "关于safety的问题",
    ],
)  # fmt: skip
def test_a_value_is_cited(text: str) -> None:
    assert cited(text, VALUE_WORDS) == ("safety",)


@pytest.mark.parametrize(
    "text",
    ["", "unsafe", "unsafety", "safetypin", "dishonesty", "consenting", "safety2", "safety_net",
     "safe", "saf ety", "safet\u00fd"],
)  # fmt: skip
def test_a_longer_or_another_word_cites_nothing(text: str) -> None:
    assert cited(text, VALUE_WORDS) == ()


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("ความปลอดภัย", "เราไม่มีความปลอดภัยเลย"),
        ("安全", "这样做不安全了"),
        ("安全", "それは安全ではない"),
        ("あんしん", "みんなのあんしんのため"),
        ("ຄວາມປອດໄພ", "ບໍ່ມີຄວາມປອດໄພເລີຍ"),
    ],
)
def test_where_no_spaces_are_written_a_word_counts_anywhere(word: str, text: str) -> None:
    assert cited(text, [word]) == (word,)


@pytest.mark.parametrize(
    ("word", "text", "stands"),
    [
        ("честность", "Это не честность, а лень", True),
        ("честность", "нечестность", False),
        ("sécurité", "La se\u0301curite\u0301 d'abord", True),
        ("sicherheit", "Die SICHERHEIT zuerst", True),
        ("sicherheit", "Unsicherheit", False),
        ("straße", "DIE STRASSE", True),
        ("सुरक्षा", "यह सुरक्षा का सवाल है", True),
        ("सुर", "यह सुरक्षा का सवाल है", False),
        ("أمان", "هذا أمان", True),
        ("informed consent", "without  informed\nconsent", True),
        (" ", "anything", False),
        ("", "anything", False),
    ],
)
def test_words_of_scripts_with_spaces_count_whole(word: str, text: str, stands: bool) -> None:
    assert bool(cited(text, [word])) is stands
