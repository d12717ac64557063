"""Which lines count, which are broken and named, and which are left out."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from telemetry_files import event, finished, folder_of, outcome, put, reviewed

from keystone_roundtable.review.counting import FileCount
from keystone_roundtable.review.span import EVERYTHING

FIVE = {
    "skill": "roundtable",
    "ts": "2026-11-10T10:00:00Z",
    "decision": "roundtable-escalate",
    "confidence": 0.5,
    "mode": "align",
}


def test_the_five_fields_of_the_shell_snippet_are_a_decision(tmp_path):
    put(tmp_path, FIVE, {**FIVE, "decision": "roundtable-deferred"})
    told = reviewed(tmp_path)
    assert told.events.finished == 2
    assert told.decisions == {"roundtable-deferred": 1, "roundtable-escalate": 1}
    assert (told.escalated, told.deferred) == (1, 1)
    assert told.by_mode == {"align": 2}
    assert told.by_format == {}
    assert told.models == ()
    assert told.seconds.count == 0 and told.seconds.p50 is None


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"skill": "roundtable", "ts": "2026-11', "not JSON"),
        (b"Traceback (most recent call last):", "not JSON"),
        (b'{"skill": "roundtable"}{"skill": "roundtable"}', "not JSON"),
        (b'["skill"]', "not a JSON object"),
        (b"17", "not a JSON object"),
        (b"null", "not a JSON object"),
        (b'"skill ts"', "not a JSON object"),
        (b'{"skill": "roundtable\xff"}', "not UTF-8"),
        (b'{"skill": "round\x00table"}', "NUL"),
        (b"{" * 5000, "not JSON"),
        (b'{"ts": "2026-11-10T10:00:00Z"}', "no skill"),
        (b'{"skill": "roundtable", "decision": "x"}', "no ts"),
        (b'{"skill": 7, "ts": "2026-11-10T10:00:00Z"}', "skill is not a text"),
        (b'{"skill": "qa", "ts": 1762768800}', "ts is not a text"),
        (b'{"skill": "qa", "ts": "yesterday"}', "ts is not a moment"),
        (b'{"skill": "qa", "ts": "2026-02-30T10:00:00Z"}', "ts is not a moment"),
        (event("finished", decision="x", confidence=1.5), "confidence is not within"),
        (event("finished", decision="x", confidence=True), "confidence is not a number"),
        (event("finished", confidence=0.5), "no decision"),
        (event(["finished"]), "event is not a text"),
        (finished(decision=None), "no decision"),
        (finished(decision=["aligned"]), "decision is not a text"),
        (finished(decision="x" * 1001), "decision is longer"),
        (finished(mode=3), "mode is not a text"),
        (finished(model={"name": "x"}), "model is not a text"),
        (finished(forced=1), "forced is neither"),
        (finished(breaker="no"), "breaker is neither"),
        (finished(escalate=0), "escalate is neither"),
        (finished(questions=True), "questions is not a whole number"),
        (finished(questions=4.5), "questions is not a whole number"),
        (finished(questions=-1), "questions is out of range"),
        (finished(seconds="61"), "seconds is not a number"),
        (finished(seconds=-0.5), "seconds is out of range"),
        (finished(model_calls=False), "model_calls is not a whole number"),
        (finished(input_tokens=1.5), "input_tokens is not a whole number"),
        (finished(output_tokens=-3), "output_tokens is out of range"),
        (finished(cost_usd=False), "cost_usd is not a number"),
        (finished(cost_usd=1e15), "cost_usd is out of range"),
        (finished(session=17), "session is not a text"),
        (event("started", session=["s"]), "session is not a text"),
        (outcome("won"), "outcome is none of"),
        (outcome("held", confidence=2), "confidence is not within"),
    ],
)
def test_a_broken_line_is_counted_and_named_and_spoils_no_other(tmp_path, line, reason):
    """Whole lines of the same profile stand before it and after it."""
    path = put(tmp_path, finished(session="a"), finished(session="b"), line, finished(session="c"))
    told = reviewed(tmp_path)
    (broken,) = told.broken
    assert (broken.file, broken.line) == (str(path), 3)
    assert reason in broken.reason
    assert (told.lines, told.broken_count, told.events.finished) == (4, 1, 3)
    assert told.models[0].sessions == 3
    assert told.seconds.count == 3


def test_numbers_that_json_writes_differently_are_the_same(tmp_path):
    put(tmp_path, finished(session="a", confidence=1, seconds=60, cost_usd=0))
    put(tmp_path, finished(session="b", confidence=1.0, seconds=60.0, cost_usd=0.0))
    told = reviewed(tmp_path)
    assert told.broken == ()
    assert (told.confidence.mean, told.seconds.mean, told.models[0].cost_usd) == (1, 60, 0)


def test_what_is_not_known_is_not_zero(tmp_path):
    put(tmp_path, finished(session="a", input_tokens=None, cost_usd=None, model_calls=2))
    put(tmp_path, finished(session="b", input_tokens=10, output_tokens=5, cost_usd=0.25))
    put(tmp_path, finished(session="c", cost_usd=..., questions=..., seconds=None))
    told = reviewed(tmp_path)
    (model,) = told.models
    assert (model.sessions, model.calls, model.input_tokens, model.output_tokens) == (3, 2, 10, 5)
    assert (model.cost_usd, model.unknown_cost, model.unknown_tokens) == (0.25, 2, 1)
    assert (told.questions.count, told.seconds.count) == (2, 2)


def test_a_hundred_broken_lines_are_named_and_all_are_counted(tmp_path):
    put(tmp_path, *[b"torn"] * 150)
    told = reviewed(tmp_path)
    assert (len(told.broken), told.broken_count, told.lines) == (100, 150, 150)
    assert [broken.line for broken in told.broken] == list(range(1, 101))


def test_a_last_line_without_its_newline_is_being_written_and_not_counted(tmp_path):
    path = put(tmp_path, finished())
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:-1])
    assert reviewed(tmp_path).lines == 1
    path.write_bytes(whole + b'{"torn')
    assert (reviewed(tmp_path).lines, reviewed(tmp_path).broken_count) == (1, 0)


def test_blank_lines_are_no_lines_and_line_numbers_count_them(tmp_path):
    put(tmp_path, b"", b"  \r", finished(), b"", b"torn")
    told = reviewed(tmp_path)
    assert (told.lines, told.events.finished, told.broken[0].line) == (2, 1, 5)


def test_a_line_without_end_is_skipped_without_being_held(tmp_path):
    put(tmp_path, b'{"x": "' + b"y" * (3 << 20) + b'"}', finished())
    put(tmp_path, b"z" * (1 << 20), finished(session="s2"))
    told = reviewed(tmp_path)
    assert [(broken.line, broken.reason) for broken in told.broken] == [
        (1, "longer than 1024 kB"),
        (3, "not JSON: expected value at line 1 column 1"),
    ]
    assert told.events.finished == 2


def test_unknown_fields_are_kept_and_events_of_other_skills_counted(tmp_path):
    put(tmp_path, {**finished(), "mood": {"of": ["day"]}})
    put(tmp_path, {"skill": "ตรวจ", "ts": "2026-11-10T10:00:00+07:00", "event": 5, "session": 3})
    put(tmp_path, {"skill": "qa", "ts": "2026-11-10T10:00:00", "decision": []})
    told = reviewed(tmp_path)
    assert told.broken == ()
    assert told.other_skills == {"qa": 1, "ตรวจ": 1}
    assert told.events.finished == 1


def test_another_skill_can_be_what_is_reviewed(tmp_path):
    put(tmp_path, finished(), {**finished(), "skill": "qa", "session": "q"})
    told = reviewed(tmp_path, skill="qa")
    assert (told.skill, told.events.finished, told.other_skills) == ("qa", 1, {"roundtable": 1})


def test_events_of_a_newer_version_are_left_out_and_said_to_be(tmp_path):
    put(tmp_path, event("reopened"), event(..., decision=...), event(None))
    told = reviewed(tmp_path)
    assert (told.lines, told.left_out.unknown_events, told.broken_count) == (3, 3, 0)


@pytest.mark.parametrize(
    ("ts", "month"),
    [
        ("2026-12-01T00:30:00+07:00", "2026-11"),
        ("2026-10-31T20:00:00-05:00", "2026-11"),
        ("2026-11-01T00:00:00.000001Z", "2026-11"),
        ("2026-11-30", "2026-11"),
        ("20261130T101010Z", "2026-11"),
        ("2026-W48-1T10:10:10Z", "2026-11"),
    ],
)
def test_months_are_utc_however_the_moment_is_written(tmp_path, ts, month):
    put(tmp_path, finished(ts))
    (row,) = reviewed(tmp_path).by_month
    assert (row.month, row.finished, row.modes) == (month, 1, {"align": 1})


def test_lines_add_up(tmp_path):
    """Each is counted in exactly one place."""
    put(tmp_path, finished(), finished(), event("started"), b"torn", event("reopened"))
    put(tmp_path, {"skill": "qa", "ts": "2026-11-10T10:00:00Z"}, outcome("held"))
    told = reviewed(tmp_path)
    counted = sum(told.events.model_dump().values()) + sum(told.other_skills.values())
    left_out = told.left_out.repeated + told.left_out.unknown_events
    assert told.lines == counted + left_out + told.broken_count == 7


def test_what_cannot_be_read_is_named_as_a_whole(tmp_path):
    put(tmp_path, finished())
    folder = folder_of(tmp_path)
    (folder / "2026-01.jsonl").mkdir()
    (folder / "2026-02.jsonl").symlink_to("nowhere")
    os.mkfifo(folder / "2026-03.jsonl")
    (folder / "notes.txt").write_text("no lines")
    told = reviewed(tmp_path)
    assert [(broken.file[-13:], broken.line) for broken in told.broken] == [
        ("2026-01.jsonl", 0),
        ("2026-02.jsonl", 0),
        ("2026-03.jsonl", 0),
    ]
    assert (told.lines, told.broken_count, told.events.finished) == (1, 3, 1)


def test_a_project_without_telemetry_gives_an_empty_review(tmp_path):
    told = reviewed(tmp_path)
    assert (told.lines, told.by_month, told.brier, told.confidence.mean) == (0, (), None, None)
    assert list(tmp_path.iterdir()) == []


def test_strange_names_in_great_number_are_counted_right(tmp_path):
    """More kinds of decisions than are held at one time."""
    lines = [finished(session=f"s{n}", decision=f"d{n}", confidence=n / 9000) for n in range(9000)]
    put(tmp_path, *lines, *lines)
    told = reviewed(tmp_path)
    assert told.events.finished == len(told.decisions) == 9000
    assert told.left_out.repeated == 9000
    assert sum(bar.count for bar in told.confidence.histogram) == 9000
    assert json.loads(told.model_dump_json())["decisions"]["d0"] == 1


LINES = st.one_of(
    st.builds(finished, session=st.sampled_from(["a", "b", "c", None])),
    st.builds(event, st.sampled_from(["started", "paused", "redirected"]), session=st.just("a")),
    st.builds(outcome, st.sampled_from(["held", "won"]), session=st.sampled_from(["a", None])),
    st.just(FIVE),
)
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-1, 2000), st.floats(allow_nan=False), st.text(max_size=2)
)
CHANGES = st.dictionaries(st.sampled_from([*finished(), "outcome"]), VALUES, max_size=2)


def _changed(line: dict, changed: dict) -> dict:
    """A line of the five bare fields names no session: which of two that do counts is left open."""
    return {**line, **{k: v for k, v in changed.items() if line is not FIVE or k != "session"}}


@settings(max_examples=200)
@given(st.lists(st.tuples(LINES, CHANGES), max_size=6))
def test_a_line_counts_the_same_however_it_is_written(changed_lines):
    """Lines as this program writes them take a short way through the counting, others a long one:
    here those in which the name of the skill is escaped.
    """
    lines = [json.dumps(_changed(line, changed)).encode() for line, changed in changed_lines]
    long_way = [line.replace(b'"roundtable"', b'"round\\u0074able"') for line in lines]
    counts = [FileCount("file", "roundtable", EVERYTHING) for _ in range(2)]
    for count, written in zip(counts, (lines, long_way), strict=True):
        count.take(written, 1)
    assert counts[0].counted() == counts[1].counted()
    facts = [count.facts()[0].parts for count in counts]
    assert [sorted(map(list, vars(part).values())) for part in facts[0]] == [
        sorted(map(list, vars(part).values())) for part in facts[1]
    ]
