"""`eval answers|topics FILE`: each line as it is read, then how well, where labels stand."""

from __future__ import annotations

import json

import pytest

ANSWERS = [
    {"id": "a", "lang": "en", "answer": "Orders and refunds", "label": "informative"},
    {"id": "b", "lang": "en", "answer": "up to you", "label": "low_information"},
    {"id": "c", "lang": "de", "answer": "", "label": "low_information"},
    {"id": "d", "lang": "de", "answer": "keine Ahnung", "label": "informative"},
    {"id": "e", "answer": "no more questions, please"},
]
TOPICS = [
    {
        "id": "t1",
        "topic": "Should we move to Postgres or stay?",
        "route": "roundtable",
        "mode": "challenge",
        "complexity": "normal",
        "note": "alt mode ok: brainstorm",
    },
    {"id": "t2", "topic": "Why does the login page fail since yesterday?", "route": "diagnose"},
    {"topic": "Should we hire Anna or Bob?"},
]


@pytest.fixture
def lines(project):
    def write(items, name="lines.jsonl"):
        asked = [{"question": "What must survive?", **item} for item in items]
        (project / name).write_text("".join(json.dumps(item) + "\n" for item in asked) + "\n")
        return name

    return write


@pytest.fixture
def read(call, lines):
    """The objects that `eval --json` prints: the lines, and the summary."""

    def run(what, items):
        printed = [
            json.loads(line) for line in call("eval", what, lines(items), "--json").out.splitlines()
        ]
        return printed[:-1], printed[-1]

    return run


def test_each_answer_is_one_line_with_a_confidence_and_a_reason(read):
    shown, _ = read("answers", ANSWERS)
    assert [line["id"] for line in shown] == ["a", "b", "c", "d", "e"]
    assert [line["predicted"] for line in shown] == [
        "informative",
        "low_information",
        "low_information",
        "low_information",
        "stop",
    ]
    assert all(0 <= line["confidence"] <= 1 and line["reason"] for line in shown)


def test_the_summary_has_accuracy_confusion_languages_and_the_two_errors(read):
    _, summary = read("answers", ANSWERS)
    assert "id" not in summary
    assert (summary["items"], summary["labelled"], summary["accuracy"]) == (5, 4, 0.75)
    assert summary["confusion"]["informative"] == {"informative": 1, "low_information": 1}
    assert summary["languages"]["de"] == {"items": 2, "accuracy": 0.5}
    assert summary["informative_as_low_information"] == 0.5
    assert summary["low_information_missed"] == 0.0
    assert summary["stop_defer_found"] is None


def test_each_topic_is_one_line_with_its_options(read):
    shown, _ = read("topics", TOPICS)
    assert [line["id"] for line in shown] == ["t1", "t2", "3"]
    assert [line["route"] for line in shown] == ["roundtable", "diagnose", "roundtable"]
    assert shown[1]["mode"] is None
    assert shown[2]["options"] == ["hire Anna", "hire Bob"]


def test_a_second_defensible_label_counts(read):
    _, summary = read("topics", TOPICS)
    assert summary["route"]["accuracy"] == 1.0
    assert (summary["mode"]["labelled"], summary["mode"]["accuracy"]) == (1, 1.0)


def test_without_json_it_is_a_few_lines_to_read(call, lines):
    shown = call("eval", "answers", lines(ANSWERS)).out.splitlines()
    assert shown[0] == "signal: 3 of 4 right (75.0%)"
    assert shown[1] == "    d: informative read as low_information: keine Ahnung"


def test_an_empty_file_is_nothing_to_measure(call, lines):
    assert call("eval", "answers", lines([])).status == 0


@pytest.mark.parametrize(
    ("what", "text", "told"),
    [
        ("answers", '{"question": "x"}', "line 1: field 'answer' must be a text"),
        ("answers", '{"answer": "x", "question": 3}', "line 1: field 'question' must be a text"),
        ("answers", '{"answer": "x", "label": 1}\n', "line 1: field 'label' must be a text"),
        ("answers", "\nnot json", "line 2: not JSON"),
        ("answers", "[1]", "line 1: not a JSON object"),
        ("topics", '{"text": "x"}', "line 1: field 'topic' must be a text"),
        ("topics", '{"topic": "x", "route": []}', "line 1: field 'route' must be a text"),
    ],
)
def test_a_broken_line_is_named(call, project, what, text, told):
    (project / "lines.jsonl").write_text(text)
    ran = call("eval", what, "lines.jsonl")
    assert ran.status == 2
    assert told in ran.one_line
