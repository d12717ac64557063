"""The three readings that are trained: their examples from labelled lines, and their settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal
from zlib import crc32

from keystone_roundtable.cli.wiring import load_rules
from keystone_roundtable.content.catalog import load_catalog
from keystone_roundtable.reading.answer import prepare
from keystone_roundtable.reading.answer_features import answer_features
from keystone_roundtable.reading.linear_model import FeatureGroup
from keystone_roundtable.reading.rules import WeightsName
from keystone_roundtable.reading.signal import read_signal
from keystone_roundtable.reading.topic import mode_of, read_topic, route_of
from keystone_roundtable.reading.topic_features import topic_features

from .material import AnswerLine, TopicLine, answer_lines, topic_lines
from .training import Example, Settings, example

SIGNALS = ("informative", "low_information", "clarify", "stop", "defer")
ROUTES = ("roundtable", "diagnose", "verify", "writing-plan")
MODES = ("brainstorm", "align", "challenge")

SETTINGS: dict[WeightsName, Settings] = {
    "signals": Settings(bits=18, rounds=6, rate=0.06),
    "routes": Settings(bits=16, rounds=6, rate=0.1),
    "modes": Settings(bits=16, rounds=6, rate=0.1),
}
LABELS: dict[WeightsName, tuple[str, ...]] = {
    "signals": SIGNALS,
    "routes": ROUTES,
    "modes": MODES,
}
KINDS: dict[WeightsName, Literal["answers", "topics"]] = {
    "signals": "answers",
    "routes": "topics",
    "modes": "topics",
}

RULES = load_rules()


def of_answer(line: AnswerLine) -> tuple[FeatureGroup, ...]:
    lexicons = RULES.signal_lexicons.for_text(f"{line.answer} {line.question}")
    answer = prepare(line.answer, line.question, (), lexicons)
    return answer_features(answer, read_signal(answer))


def of_topic(line: TopicLine) -> tuple[FeatureGroup, ...]:
    lexicons = RULES.topic_lexicons.for_text(line.topic)
    topic = read_topic(line.topic, lexicons)
    return topic_features(topic.sentences, route_of(topic).reason, mode_of(topic).reason)


@dataclass(frozen=True)
class Labelled:
    """One example with the family it belongs to."""

    family: str
    example: Example


def examples_of(name: WeightsName) -> list[Labelled]:
    """The examples that one reading is trained on."""
    if name == "signals":
        lines = answer_lines("seen")
        return answer_examples([*lines, *asked_in_english(lines)])
    return topic_examples(topic_lines("seen"), name)


def asked_in_english(lines: Sequence[AnswerLine]) -> Iterator[AnswerLine]:
    """Every third line of another language once more, under an open question of the modes.

    The built-in moderator asks in English whatever language is answered in. Only answers to open
    questions are taken, since the others would mean something else there.
    """
    catalog = load_catalog(None)
    asked = [q.text for mode in catalog.modes.values() for q in mode.questions]
    for line in lines:
        number = crc32(f"{line.question}{line.answer}".encode())
        if line.language == "en" or number % 3 or not _is_open(line):
            continue
        yield replace(line, question=asked[number // 3 % len(asked)])


def _is_open(line: AnswerLine) -> bool:
    lexicons = RULES.signal_lexicons.for_text(f"{line.answer} {line.question}")
    question = prepare(line.answer, line.question, (), lexicons).question
    return not (question.is_polar or question.is_choice or question.wants_quantity)


def answer_examples(lines: Sequence[AnswerLine]) -> list[Labelled]:
    bits = SETTINGS["signals"].bits
    return [
        Labelled(
            line.family, example(of_answer(line), SIGNALS.index(line.label), bits, line.counts)
        )
        for line in lines
    ]


def topic_examples(lines: Sequence[TopicLine], name: WeightsName) -> list[Labelled]:
    """Modes are learned from the topics that belong to a round table."""
    bits = SETTINGS[name].bits
    labels = LABELS[name]
    found = []
    for line in lines:
        label = line.route if name == "routes" else line.mode
        if label is not None:
            found.append(Labelled(line.family, example(of_topic(line), labels.index(label), bits)))
    return found
