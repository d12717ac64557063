"""The schema of a line that ships: what this program writes fits it, and the review counts it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from telemetry_files import NOW, event, finished, outcome
from telemetry_store import BREAKINGS, write_store

from keystone_roundtable.review.checking import check_telemetry
from keystone_roundtable.review.counting import FileCount
from keystone_roundtable.review.figures import Review, review_schema
from keystone_roundtable.review.reviewing import Wanted, review
from keystone_roundtable.review.span import EVERYTHING
from keystone_roundtable.review.telemetry_lines import check_line, telemetry_schema

SCHEMA = Draft202012Validator(telemetry_schema())
FIVE = {"skill": "qa", "ts": "2026-11-10T10:00:00Z", "decision": "go", "confidence": 1, "mode": "x"}


def encoded(line: object) -> bytes:
    return json.dumps(line).encode()


@pytest.mark.parametrize(
    "line",
    [
        FIVE,
        {"skill": "qa", "ts": "2026-11-10T10:00:00Z", "event": 17, "session": ["any"]},
        {**FIVE, "skill": "roundtable"},
        {"skill": "roundtable", "ts": "2026-11-10T10:00:00Z", "event": "newer", "x": 1},
        event("started", project="p", model=None),
        finished(input_tokens=None, roles=["sre"], unheard_of={}),
        outcome("partly", revision=2, decision="roundtable-aligned"),
    ],
)
def test_lines_of_this_program_and_of_others_fit(line):
    assert list(SCHEMA.iter_errors(line)) == []
    assert check_line(encoded(line)) is None


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ({**FIVE, "skill": 3}, "skill"),
        ({"skill": "qa"}, "ts"),
        ({**FIVE, "confidence": 1.2}, "confidence"),
        ({**FIVE, "decision": []}, "decision"),
        ({"skill": "roundtable", "ts": "2026-11-10T10:00:00Z", "event": 17}, "event"),
        (event("started", session=...), "session"),
        (event("paused", schema_version="1"), "schema_version"),
        (finished(decision=...), "decision"),
        (finished(confidence=True), "confidence"),
        (finished(forced=0), "forced"),
        (finished(questions=3.5), "questions"),
        (finished(cost_usd=-1), "cost_usd"),
        (finished(roles="sre"), "roles"),
        (outcome("won"), "outcome"),
    ],
)
def test_what_does_not_fit_is_told_by_its_field(line, told):
    assert list(SCHEMA.iter_errors(line)) != []
    assert told in check_line(encoded(line))


def test_a_moment_has_to_be_one():
    """The `format` of a schema is a note to most validators; the check reads it."""
    assert check_line(encoded({**FIVE, "ts": "soon"})) == "ts is not a moment of ISO 8601"


FIELDS = st.sampled_from([*finished(), "outcome", "roles", "informative", "next_skill"])
# To JSON Schema 4.0 is a whole number, here it is none.
FLOATS = st.floats(allow_nan=False, allow_infinity=False).filter(lambda n: not n.is_integer())
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 10**14),
    FLOATS,
    st.text(max_size=3),
    st.sampled_from(["finished", "started", "held", "x" * 1001, [], {}, [1], finished()["ts"]]),
)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([finished(), event("started"), event("paused"), outcome("held"), FIVE]),
    st.dictionaries(FIELDS, VALUES, max_size=3),
)
def test_the_review_counts_every_line_that_fits(line, changed):
    """And the check and the schema agree on which do, but for the moment."""
    changed_line = {**line, **changed}
    fits = check_line(encoded(changed_line)) is None
    if changed_line["ts"] == line["ts"]:
        assert fits == (list(SCHEMA.iter_errors(changed_line)) == [])
    if fits:
        count = FileCount("file", "roundtable", EVERYTHING)
        count.take([encoded(changed_line)], 1)
        assert count.counted().broken == []


def test_a_whole_store_is_checked_and_its_broken_lines_named(tmp_path):
    root = write_store(tmp_path, 5000, broken_every=500)
    found = check_telemetry([root])
    told = review(Wanted([root]), NOW)
    assert (found.lines, found.files, found.broken_count) == (5000, 24, 10)
    assert [(b.file, b.line) for b in found.broken] == [(b.file, b.line) for b in told.broken]
    assert len(BREAKINGS) == 6


def test_the_schema_of_a_review_is_that_of_what_is_printed(tmp_path):
    root = write_store(tmp_path, 3000, broken_every=500)
    told = review(Wanted([root]), NOW)
    printed = json.loads(told.model_dump_json())
    schema = review_schema()
    Draft202012Validator.check_schema(schema)
    assert list(Draft202012Validator(schema).iter_errors(printed)) == []
    assert schema["required"] and set(schema["properties"]) == set(printed)
    assert list(printed)[:8] == [
        "schema_version", "since", "until", "roots", "lines", "broken", "broken_count", "events",
    ]  # fmt: skip
    assert Review.model_validate(printed) == told
