"""The trained weights: their files, and that the material rebuilds them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.reading.material import answer_lines, digest, topic_lines
from benchmarks.reading.models import (
    KINDS,
    LABELS,
    SETTINGS,
    answer_examples,
    examples_of,
    topic_examples,
)
from benchmarks.reading.training import fit
from keystone_roundtable.content.trained import load_weights, path_of
from keystone_roundtable.reading.linear_model import FeatureGroup, dump, load

NAMES = tuple(LABELS)
MOST_BYTES = 2_000_000


@pytest.mark.parametrize("name", NAMES)
def test_the_shipped_weights_are_those_of_the_material(name):
    """Where this fails, run `python -m benchmarks.reading train`."""
    assert load_weights(name).trained_on == digest("seen", KINDS[name])


@pytest.mark.parametrize("name", NAMES)
def test_a_weights_file_is_small_and_says_the_same_when_written_again(name):
    data = path_of(name).read_bytes()
    assert len(data) < MOST_BYTES
    assert dump(load(data)) == data


def test_training_gives_the_same_bytes_every_time():
    lines = answer_lines("seen")[::120]
    examples = [one.example for one in answer_examples(lines)]
    settings = replace(SETTINGS["signals"], rounds=1)
    built = [dump(fit(examples, LABELS["signals"], settings)) for _ in range(2)]
    assert built[0] == built[1]


def test_what_was_learned_is_found_again():
    lines = topic_lines("seen")[::20]
    labelled = topic_examples(lines, "routes")
    model = fit([one.example for one in labelled], LABELS["routes"], SETTINGS["routes"])
    likely = model.probabilities([FeatureGroup(("never met",))])
    assert sum(likely.values()) == pytest.approx(1.0)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_the_material_rebuilds_the_shipped_weights_byte_for_byte(name):
    examples = [one.example for one in examples_of(name)]
    model = fit(examples, LABELS[name], SETTINGS[name])
    assert (
        dump(replace(model, trained_on=digest("seen", KINDS[name]))) == path_of(name).read_bytes()
    )


@pytest.mark.parametrize("data", [b"", b"{}", b"not json\n", b'{"format": 1}\nxx'])
def test_a_damaged_file_is_refused(data):
    with pytest.raises(ValueError, match="not a model file"):
        load(data)


def test_no_line_is_in_both_halves():
    def keys(half):
        return {(line.question, line.answer) for line in answer_lines(half)}

    assert not keys("seen") & keys("unseen")
    assert not {t.topic for t in topic_lines("seen")} & {t.topic for t in topic_lines("unseen")}
