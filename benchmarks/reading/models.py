"""The three readings that are trained: their examples from labelled lines, and their settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from keystone_roundtable.cli.wiring import load_rules
from keystone_roundtable.content.trained import WeightsName
from keystone_roundtable.reading import topic as topic_reading
from keystone_roundtable.reading.answer import prepare
from keystone_roundtable.reading.answer_features import answer_features
from keystone_roundtable.reading.linear_model import FeatureGroup
from keystone_roundtable.reading.signal import read_signal
from keystone_roundtable.reading.topic_features import topic_features
from keystone_roundtable.reading.topic_sentences import read_topic_sentences

from .material import AnswerLine, TopicLine, answer_lines, topic_lines
from .training import Example, Settings, example

SIGNALS = ("informative", "low_information", "clarify", "stop", "defer")
ROUTES = ("roundtable", "diagnose", "verify", "writing-plan")
MODES = ("brainstorm", "align", "challenge")

SETTINGS: dict[WeightsName, Settings] = {
    "signals": Settings(bits=18, rounds=4, rate=0.06),
    "routes": Settings(bits=16, rounds=6, rate=0.1),
    "modes": Settings(bits=16, rounds=6, rate=0.1),
}
LABELS: dict[WeightsName, tuple[str, ...]] = {
    "signals": SIGNALS,
    "routes": ROUTES,
    "modes": MODES,
}

RULES = load_rules()


def of_answer(line: AnswerLine) -> tuple[FeatureGroup, ...]:
    lexicons = RULES.signal_lexicons.for_text(f"{line.answer} {line.question}")
    answer = prepare(line.answer, line.question, (), lexicons)
    return answer_features(answer, read_signal(answer))


def of_topic(line: TopicLine) -> tuple[FeatureGroup, ...]:
    lexicons = RULES.topic_lexicons.for_text(line.topic)
    return topic_features(
        read_topic_sentences(line.topic, lexicons),
        topic_reading.read_route(line.topic, lexicons).reason,
        topic_reading.read_mode(line.topic, lexicons).reason,
    )


@dataclass(frozen=True)
class Labelled:
    """One example with the family it belongs to."""

    family: str
    example: Example


def examples_of(name: WeightsName) -> list[Labelled]:
    """The examples that one reading is trained on."""
    if name == "signals":
        return answer_examples(answer_lines("seen"))
    return topic_examples(topic_lines("seen"), name)


def answer_examples(lines: Sequence[AnswerLine]) -> list[Labelled]:
    bits = SETTINGS["signals"].bits
    return [
        Labelled(line.family, example(of_answer(line), SIGNALS.index(line.label), bits))
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
