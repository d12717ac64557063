"""Route, mode and complexity of a topic, on our own labelled topics and rule by rule."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from keystone_roundtable.content.lexicons import load_topic_lexicons
from keystone_roundtable.reading import topic as rules
from keystone_roundtable.reading.sentences import split_sentences
from keystone_roundtable.reading.topic_lexicon import CueKind, TopicLexicon
from keystone_roundtable.reading.topic_sentences import lexicons_for

TOPICS = Path(__file__).parents[1] / "data" / "topics.jsonl"
LEXICONS = load_topic_lexicons()
LEAST_ACCURACY = 0.92
SIZES = ("small", "normal", "complex")


def labelled_topics() -> list[dict[str, Any]]:
    return [json.loads(line) for line in TOPICS.read_text(encoding="utf-8").splitlines()]


def read(topic: str) -> rules.Topic:
    return rules.read_topic(topic, LEXICONS)


def route_of(topic: str) -> str:
    return rules.route_of(read(topic)).route


def mode_of(topic: str) -> str:
    assert route_of(topic) == "roundtable", topic
    return rules.mode_of(read(topic)).mode


def test_routes_of_the_labelled_topics() -> None:
    topics = labelled_topics()
    wrong = [t["id"] for t in topics if route_of(t["topic"]) != t["route"]]
    assert 1 - len(wrong) / len(topics) >= LEAST_ACCURACY, wrong


def test_modes_of_the_labelled_topics() -> None:
    topics = [t for t in labelled_topics() if t["route"] == "roundtable"]
    wrong = [t["id"] for t in topics if rules.mode_of(read(t["topic"])).mode != t["mode"]]
    assert 1 - len(wrong) / len(topics) >= LEAST_ACCURACY, wrong


def test_complexity_of_the_labelled_topics_is_within_one_step() -> None:
    topics = [t for t in labelled_topics() if t["route"] == "roundtable"]
    wrong = [
        t["id"]
        for t in topics
        if abs(SIZES.index(rules.complexity_of(read(t["topic"]))) - SIZES.index(t["complexity"]))
        > 1
    ]
    assert 1 - len(wrong) / len(topics) >= LEAST_ACCURACY, wrong


def test_every_shipped_language_has_labelled_topics() -> None:
    assert {t["lang"] for t in labelled_topics()} == {lexicon.language for lexicon in LEXICONS}


@pytest.mark.parametrize("lexicon", LEXICONS, ids=lambda lexicon: lexicon.language)
def test_every_language_has_cues_of_every_kind_that_decides(lexicon: TopicLexicon) -> None:
    orders = {CueKind.ORDER, CueKind.ORDER_VERBS}
    assert set(CueKind) - orders <= lexicon.phrases.keys()
    assert orders & lexicon.phrases.keys()


class TestRouteRulings:
    def test_the_last_request_decides_not_the_first_verb(self) -> None:
        order_at_the_end = (
            "Should rows be blue or grey? The guide says grey; just set them to grey."
        )
        question_at_the_end = "Rename the service, the ticket said. Should we rename it at all?"
        assert route_of(order_at_the_end) == "writing-plan"
        assert route_of(question_at_the_end) == "roundtable"

    @pytest.mark.parametrize("order", ["before or after", "now or after"])
    def test_when_to_look_for_a_cause_is_a_direction(self, order: str) -> None:
        assert route_of(f"Should we find out why uploads stall {order} the launch?") == "roundtable"

    def test_an_executable_block_goes_to_writing_plan(self) -> None:
        assert route_of("Add an index on orders.created_at and drop the old one.") == "writing-plan"

    @pytest.mark.parametrize(
        "topic",
        [
            "我们决定把旧系统换成新系统，但不知道先换哪些部门。",
            "Rename the plans, but it is unclear which of them belong to the first version.",
        ],
    )
    def test_a_change_with_something_left_open_is_no_executable_block(self, topic: str) -> None:
        assert route_of(topic) == "roundtable"

    def test_decided_work_that_lacks_only_its_steps_goes_to_writing_plan(self) -> None:
        topic = "It is decided and signed: we retire the fax line. List the steps."
        assert route_of(topic) == "writing-plan"

    def test_an_unknown_cause_goes_to_diagnose(self) -> None:
        assert route_of("Why do uploads stall at 99 percent?") == "diagnose"

    def test_bare_misbehaviour_goes_to_diagnose(self) -> None:
        assert route_of("Since Monday every second upload fails on tablets.") == "diagnose"

    def test_an_unproven_claim_goes_to_verify(self) -> None:
        assert route_of("Is the new route really shorter? Nobody has measured it.") == "verify"

    def test_missing_figures_go_to_verify(self) -> None:
        assert route_of("How many members renewed after the reminder?") == "verify"

    def test_a_blank_topic_stays_at_the_round_table(self) -> None:
        assert route_of(" \n ") == "roundtable"


class TestModeRulings:
    @pytest.mark.parametrize(
        "topic",
        [
            "Should we build the notification system now or defer it until after the settings "
            "refactor?",
            "A bigger hall or a second evening? No preference so far.",
        ],
    )
    def test_alternatives_without_a_lean_are_brainstormed(self, topic: str) -> None:
        assert mode_of(topic) == "brainstorm"

    @pytest.mark.parametrize(
        "topic",
        ["Should we sell gift cards?", "¿Deberíamos vender por teléfono?", "要不要开分店？"],
    )
    def test_a_bare_should_we_is_challenged(self, topic: str) -> None:
        assert mode_of(topic) == "challenge"

    @pytest.mark.parametrize(
        "missing",
        [
            "What is the smallest loop we can close?",
            "Which parts are in scope at first?",
            "What does it depend on?",
            "What has to be true before we start?",
        ],
    )
    def test_a_fixed_direction_without_its_edge_is_aligned(self, missing: str) -> None:
        assert mode_of(f"Self-checkout is decided. {missing}") == "align"

    @pytest.mark.parametrize(
        "doubt",
        [
            "I worry about the risk.",
            "What if it is wrong?",
            "What are we overlooking?",
            "Is that a mistake?",
        ],
    )
    def test_a_chosen_direction_in_doubt_is_challenged(self, doubt: str) -> None:
        assert mode_of(f"We have decided on self-checkout. {doubt}") == "challenge"

    def test_a_leaning_with_doubts_about_cost_is_challenged(self) -> None:
        assert mode_of("We lean towards leasing, but fear the cost of leaving.") == "challenge"

    def test_a_conclusion_reached_in_passing_is_challenged(self) -> None:
        topic = "They agreed on it over lunch. I am not sure the conclusion holds."
        assert mode_of(topic) == "challenge"

    def test_a_clear_direction_without_a_nameable_loop_is_aligned(self) -> None:
        assert mode_of("The direction is clear but nobody can name the smallest loop.") == "align"

    @pytest.mark.parametrize("topic", ["Make the service better.", "help", "we have a mess"])
    def test_a_topic_that_cannot_be_compressed_is_vague_and_brainstormed(self, topic: str) -> None:
        reading = rules.mode_of(read(topic))
        assert (route_of(topic), reading.mode, reading.vague) == ("roundtable", "brainstorm", True)

    def test_a_real_fork_is_not_vague(self) -> None:
        assert not rules.mode_of(read("Rent or buy the van?")).vague

    def test_every_mode_comes_with_a_reason(self) -> None:
        assert all(rules.mode_of(read(t["topic"])).reason for t in labelled_topics())


@pytest.mark.parametrize(
    "topic",
    [
        "",
        "\x00\x00",
        "\ud800 why \udfff",
        "🤷🏽‍♀️👍",
        "?!…。।",
        "A\u0301" * 3_000,
        "a" * 200_000,
        "should we " * 20_000,
        "or? " * 50_000,
        "... " * 50_000,
        "\n" * 200_000,
        " " * 200_000,
        "為什麼" * 60_000,
        "i.e. " * 40_000,
        "\u064b" * 100_000,
    ],
    ids=lambda topic: f"{len(topic)} of {topic[:4]!a}",
)
def test_hostile_text_is_read_without_a_crash(topic: str) -> None:
    rules.route_of(read(topic))
    rules.mode_of(read(topic))
    rules.complexity_of(read(topic))
    split_sentences(topic)


def test_the_last_request_is_found_at_the_end_of_a_very_long_brief() -> None:
    brief = "The hall was painted in spring by the members. " * 4_000
    assert route_of(f"{brief}\n\nWhy does the door stick?") == "diagnose"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wir wissen nicht, ob das geht.", "de"),
        ("Nous ne savons pas si ça marche.", "fr"),
        ("我们不知道。", "zh"),
        ("決まっていません。", "ja"),
        ("Kami belum tahu apakah ini bisa.", "id"),
    ],
)
def test_a_text_is_read_with_the_lexicon_of_its_language(text: str, language: str) -> None:
    assert [lexicon.language for lexicon in lexicons_for(text, LEXICONS)] == [language]


class TestLexiconShape:
    def test_an_unknown_field_is_named(self) -> None:
        with pytest.raises(ValueError, match="xx: unknown field 'causes'"):
            TopicLexicon.from_mapping("xx", {"script": "latin", "causes": "why"})

    def test_a_kind_that_is_no_text_is_named(self) -> None:
        with pytest.raises(ValueError, match="xx: field 'cause' must be text"):
            TopicLexicon.from_mapping("xx", {"script": "latin", "cause": ["why"]})

    def test_a_missing_script_is_named(self) -> None:
        with pytest.raises(ValueError, match="xx: field 'script' must be text"):
            TopicLexicon.from_mapping("xx", {})

    def test_a_cue_of_nothing_but_marks_is_refused(self) -> None:
        with pytest.raises(ValueError, match="field 'cause' holds an empty cue"):
            TopicLexicon.from_mapping("xx", {"script": "latin", "cause": "why\n^ ..."})

    def test_a_file_that_is_no_mapping_is_refused(self) -> None:
        with pytest.raises(ValueError, match="xx: expected a mapping"):
            TopicLexicon.from_mapping("xx", None)


class TestSentences:
    @pytest.mark.parametrize(
        ("text", "sentences"),
        [
            ("Use e.g. a queue. It costs 3.5 days.", ("Use e.g. a queue.", "It costs 3.5 days.")),
            ("See settings.py. Done?", ("See settings.py.", "Done?")),
            ("定了。怎么办？", ("定了。", "怎么办？")),
            ("هل هذا صحيح؟ نعم.", ("هل هذا صحيح؟", "نعم.")),
            ("नहीं पता। क्या करें?", ("नहीं पता।", "क्या करें?")),
            ("ช่วยดูหน่อยค่ะ ทำไมช้า", ("ช่วยดูหน่อยค่ะ", "ทำไมช้า")),
            ("a wrapped\nline\n\nA new one", ("a wrapped line", "A new one")),
            ("Todo:\n- one\n- two", ("Todo:", "- one", "- two")),
            ("1. Move it\n2. Check it", ("1. Move it", "2. Check it")),
            ("Das gilt z. B. hier usw. Dann dort.", ("Das gilt z. B. hier usw.", "Dann dort.")),
            (" \n ", ()),
        ],
    )
    def test_a_text_splits_where_a_reader_would_stop(
        self, text: str, sentences: tuple[str, ...]
    ) -> None:
        assert split_sentences(text) == sentences
