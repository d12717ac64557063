"""Queries as people type them, in every script, against texts of every script."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from past_sessions import put_session

from keystone_roundtable.review.decisions_index import DecisionIndex, Search
from keystone_roundtable.review.decisions_text import MAX_TERMS, terms_of

TOPICS = {
    "20260101-aaaa": "Should we build the notification system now or after the settings refactor?",
    "20260102-bbbb": "现在做通知系统，还是等设置重构之后再做？",
    "20260103-cccc": "ควรทำระบบแจ้งเตือนตอนนี้หรือรอหลังปรับหน้าตั้งค่า",
    "20260104-dddd": "通知システムを今作るか、設定の後にするか",
    "20260105-eeee": "알림 시스템을 지금 만들까요, 설정 이후로 미룰까요?",
    "20260106-ffff": "क्या हमें सूचना प्रणाली अभी बनानी चाहिए?",
    "20260107-gggg": "Café-Kasse: naïve Lösung in C oder Rust 🚀?",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> DecisionIndex:
    root = tmp_path_factory.mktemp("project")
    for session_id, topic in TOPICS.items():
        put_session(root, session_id, topic, option=None)
    return DecisionIndex(root)


def found(search: Search) -> list[str]:
    return [past.id[-4:] for past in search.past] if search.every_term else []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("notification", "aaaa"),
        ("NOTIF", "aaaa"),
        ("refactor settings", "aaaa"),
        ('"settings refactor"', "aaaa"),
        ('"refactor settings"', ""),
        ("“settings refactor”", "aaaa"),
        ("notification zebra", ""),
        ("通知", "dddd bbbb"),
        ("通知系统", "bbbb"),
        ("重构", "bbbb"),
        ("构之", "bbbb"),
        ("แจ้งเตือน", "cccc"),
        ("システム", "dddd"),
        ("설정", "eeee"),
        ("설정을", ""),
        ("सूचना", "ffff"),
        ("cafe", "gggg"),
        ("naive losung", "gggg"),
        ("🚀", "gggg"),
        ("c", "gggg"),
        ("ｎｏｔｉｆｉｃａｔｉｏｎ", "aaaa"),
    ],
)
def test_a_query_finds_what_holds_its_words(
    index: DecisionIndex, query: str, expected: str
) -> None:
    assert sorted(found(index.search(query, 10))) == sorted(expected.split())


@pytest.mark.parametrize("query", ["", "   "])
def test_without_words_the_newest_come_first(index: DecisionIndex, query: str) -> None:
    search = index.search(query, 2)
    assert found(search) == ["gggg", "ffff"]
    assert search.more


@pytest.mark.parametrize("query", ["?", '"', "...", "-- ;", "''"])
def test_punctuation_alone_is_nowhere(index: DecisionIndex, query: str) -> None:
    assert index.search(query, 10).past == ()


def test_where_none_has_all_words_those_with_some_are_given(index: DecisionIndex) -> None:
    search = index.search("notification zebra", 10)
    assert not search.every_term
    assert [past.id for past in search.past] == ["20260101-aaaa"]


@example('AND OR NOT NEAR(a b, 3) col:x -y ^z * "')
@example("a" * 100_000)
@example("x " * 5_000)
@example("\x00\ud800\u202e\x1b[31m")
@example("topic : notification")
@example('"" "')
@example("\U0001f3fb\ufe0f \u0301")
@given(st.text(max_size=60))
def test_no_query_is_an_error(index: DecisionIndex, query: str) -> None:
    index.search(query, 5)
    assert len(terms_of(query)) <= MAX_TERMS


def test_a_topic_outweighs_an_answer(tmp_path: Path) -> None:
    put_session(tmp_path, "20260101-said", "Ship now?", answers=["because of the zebra"])
    put_session(tmp_path, "20260102-topic", "A zebra or a horse?", answers=["a horse"] * 30)
    search = DecisionIndex(tmp_path).search("zebra", 5)
    assert [past.id for past in search.past] == ["20260102-topic", "20260101-said"]
