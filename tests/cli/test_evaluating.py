"""`eval answers|topics FILE`: the reading rules measured on labelled lines."""

from __future__ import annotations

import json

import pytest

ANSWERS = [
    {"question": "What must survive?", "answer": "Orders and refunds", "label": "informative"},
    {"question": "What must survive?", "answer": "up to you", "label": "low_information"},
    {"question": "What must survive?", "answer": "", "label": "low_information"},
    {"question": "What must survive?", "answer": "up to you", "label": "informative"},
]
TOPICS = [
    {
        "topic": "Should we move to Postgres or stay?",
        "route": "roundtable",
        "mode": "brainstorm",
        "complexity": "normal",
    },
    {"topic": "Why does the login page fail since yesterday?", "route": "diagnose"},
]


@pytest.fixture
def lines(project):
    def write(items, name="lines.jsonl"):
        (project / name).write_text("".join(json.dumps(item) + "\n" for item in items) + "\n")
        return name

    return write


def test_answers_are_measured_with_what_was_missed(call, lines):
    shown = call("eval", "answers", lines(ANSWERS), "--json").object
    assert shown["signal"]["items"] == 4
    assert shown["signal"]["right"] == 3
    assert shown["signal"]["accuracy"] == 0.75
    assert [miss["read"] for miss in shown["signal"]["misses"]] == ["low_information"]


def test_topics_are_measured_by_route_and_where_they_enter_by_mode_and_size(call, lines):
    shown = call("eval", "topics", lines(TOPICS), "--json").object
    assert {name: result["items"] for name, result in shown.items()} == {
        "route": 2,
        "mode": 1,
        "complexity": 1,
    }


def test_without_json_it_is_a_few_lines_to_read(call, lines):
    ran = call("eval", "answers", lines(ANSWERS))
    assert ran.out.splitlines()[0] == "signal: 3 of 4 right (75.0%)"


def test_an_empty_file_is_nothing_to_measure(call, lines):
    assert call("eval", "answers", lines([])).status == 0


@pytest.mark.parametrize(
    ("what", "text", "told"),
    [
        ("answers", '{"answer": "x"}', "line 1: field 'question' must be a text"),
        ("answers", '{"answer": "x", "question": "y"}\n', "line 1: field 'label' must be a text"),
        ("answers", "\nnot json", "line 2: not JSON"),
        ("answers", "[1]", "line 1: not a JSON object"),
        ("topics", '{"topic": "x"}', "line 1: field 'route' must be a text"),
        ("topics", '{"topic": "x", "route": "roundtable"}', "line 1: field 'mode' must be a text"),
    ],
)
def test_a_broken_line_is_named(call, project, what, text, told):
    (project / "lines.jsonl").write_text(text)
    ran = call("eval", what, "lines.jsonl")
    assert ran.status == 2
    assert told in ran.one_line
