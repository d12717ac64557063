"""Answers that people and programs really send: blank, huge, hostile, evasive, in any script."""

from __future__ import annotations

import json

import pytest

from keystone_roundtable.core.plain import plain

TOPIC = "Should we build the notification system now or defer it until after the refactor?"
HOSTILE = [
    "\x1b[2J\x1b[31mred\x1b[0m alert",
    "\x1b]0;owned\x07 title",
    "\x1b]52;c;ZXZpbA==\x1b\\ clipboard",
    "bell\x07 back\x08space \x9b31m C1",
    "NUL\x00 in the middle",
    "bidi \u202egnirts\u202c \u2066x\u2069",
    "line\u2028separator",
    "carriage\rreturn",
]


def signals(shown):
    return [[a["signal"] for a in q["answers"]] for q in shown["questions"]]


def test_a_blank_answer_is_asked_again_and_recorded_as_nothing(call):
    shown = call(
        "run", TOPIC, "--answers", "-", "--json", stdin='\n   \n{"text": " \\t "}\n'
    ).object
    assert shown["exit"]["name"] == "paused"
    assert [q["answers"] for q in shown["questions"]] == [[]]


def test_what_a_question_means_is_explained_and_it_stays_open(call):
    ran = call("run", TOPIC, "--answers", "-", "--json", stdin="why does that matter?\n")
    assert signals(ran.object) == [["clarify"]]
    assert len(ran.object["questions"]) == 1


def test_a_clarification_neither_advances_nor_resets_the_breaker(call):
    stdin = "you choose\nwhy does that matter?\nyou choose\n"
    shown = call("run", TOPIC, "--answers", "-", "--json", stdin=stdin).object
    assert signals(shown) == [["low_information"], ["clarify", "low_information"]]
    assert shown["exit_reason"] == "circuit_breaker"


def test_you_choose_twice_forces_an_end_and_no_third_question(call):
    stdin = "you choose\nyou choose\nnever read\n"
    shown = call("run", TOPIC, "--answers", "-", "--json", stdin=stdin).object
    assert len(shown["questions"]) == 2
    assert shown["exit_reason"] == "circuit_breaker"
    assert shown["contract"]["confidence"] == 0.7
    assert (
        "Direction was forced due to insufficient user input; risk disclosure applies"
        in (shown["report_markdown"])
    )


def test_a_careless_word_with_two_limits_is_an_answer_and_resets_the_breaker(call):
    limits = "Whatever, but never store customer data abroad and we launch in six weeks"
    stdin = f"you choose\n{limits}\nyou choose\n"
    shown = call("run", TOPIC, "--answers", "-", "--json", stdin=stdin).object
    assert shown["exit"]["name"] == "paused"
    assert signals(shown)[:3] == [["low_information"], ["informative"], ["low_information"]]
    ended = call("resume", "--answers", "-", "--json", stdin="you choose\n").object
    assert ended["exit_reason"] == "circuit_breaker"
    said = json.dumps(ended["report"], ensure_ascii=False)
    assert "never store customer data abroad" in said
    assert "launch in six weeks" in said


def test_a_300_kb_answer_is_kept_whole_and_quoted_shortly(call, session_of):
    answer = "The pilot customer must be told when an import fails. " * 5_600
    assert len(answer) > 300_000
    stdin = f"{answer}\nThe refactor first\nA mobile channel\nOne mail\n/stop\n"
    ran = call("run", TOPIC, "--answers", "-", "--json", stdin=stdin)
    assert ran.status == 0
    assert ran.object["questions"][0]["answers"][0]["text"].strip() == answer.strip()
    assert len(ran.object["report_markdown"]) < 20_000
    assert call("show", session_of().name).status == 0


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("place", ["topic", "answer", "note", "context"])
def test_control_characters_never_reach_a_screen_or_the_report(
    call, project, session_of, hostile, place
):
    topic = f"Should we build {hostile} now or defer it?" if place == "topic" else TOPIC
    answers = [f"Import {hostile} fails", f"/note {hostile}", "The refactor", "A push channel"]
    (project / "brief.md").write_text(f"We build {hostile} or we wait.", newline="")
    stdin = "".join(json.dumps({"text": answer}) + "\n" for answer in answers)
    options = ["--context", "brief.md"] if place == "context" else []
    ran = call("run", topic, "--answers", "-", *options, stdin=f"{stdin}/stop\n")
    assert ran.status == 0
    report = (session_of() / "report.md").read_bytes().decode()
    shown = call("show", session_of().name, "--internal")
    listed = call("list")
    for text in (ran.out, ran.err, report, shown.out, listed.out):
        assert text == plain(text)
        assert "\x1b" not in text and "\x00" not in text


@pytest.mark.parametrize("end", ["--json", "--plain"])
def test_lone_surrogates_are_replaced_and_nothing_fails(process, project, end):
    topic = b"Should we move to caf\xe9 now or later?"
    answers = b'caf\xe9 opens\n{"text": "lone \\ud800 surrogate"}\n\xff\xfe first\n/stop\n'
    ran = process("run", topic, "--answers", "-", end, stdin=answers)
    assert ran.returncode == 0, ran.stderr
    shown = ran.stdout.decode("utf-8")
    assert "\\udc" not in shown and "\\ud8" not in shown
    for path in (project / ".keystone").rglob("*"):
        if path.is_file():
            path.read_bytes().decode("utf-8")


@pytest.mark.parametrize(
    "line", ["/", "/etc/hosts is shared", "/unknown", "//", "/skip it", "{", "🙂", "\u200b"]
)
def test_odd_lines_never_end_in_a_traceback(call, line):
    ran = call("run", TOPIC, "--answers", "-", "--json", stdin=f"{line}\n")
    assert ran.status in (2, 6)
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    "script",
    [
        "/back\n",
        "/skip\n/skip\n",
        "/mode align\n/mode challenge\nOne\n/mode align\n",
        "/why\n/help\n/mode\n",
        "One\n/back\n/back\nTwo\n",
        "/defer\n/defer\n",
        "/stop\n/stop\n",
        "/note\u3000x\n/note a fact\n/stop\n",
        '{"confirm": "x"}\n{"confirm": "y", "by": "agent"}\n/stop\n',
        "/quit\nnever read\n",
    ],
)
def test_commands_in_any_order_end_in_a_status(call, script):
    ran = call("run", TOPIC, "--answers", "-", "--json", stdin=script)
    assert ran.status in (0, 2, 4, 6)
    assert "Traceback" not in ran.err


def test_a_note_is_a_fact_and_no_answer(call):
    shown = call("run", TOPIC, "--answers", "-", "--json", stdin="/note We launch in May\n").object
    assert [q["answers"] for q in shown["questions"]] == [[]]


def test_answers_of_an_agent_cap_the_confidence_and_the_report_says_so(call, script_of):
    answers = script_of("finished").answers
    stdin = "".join(json.dumps({"text": a, "by": "agent"}) + "\n" for a in answers)
    topic = script_of("finished").topic
    shown = call("run", topic, "--answers", "-", "--json", stdin=stdin).object
    assert shown["contract"]["confidence"] <= 0.7
    assert "answered_by_agent" in shown["contract"]["confidence_reasons"]
    assert "agent" in shown["report_markdown"]
