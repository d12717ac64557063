"""Exit statuses, and what is bad usage: the machine interface of the command line."""

from __future__ import annotations

import json

import pytest


@pytest.mark.parametrize(
    ("end", "status"),
    [
        ("finished", 0),
        ("forced", 0),
        ("escalated", 3),
        ("deferred", 4),
        ("redirected", 5),
        ("paused", 6),
    ],
)
def test_each_end_has_its_status(hold, end, status):
    assert hold(end).status == status


def test_the_word_run_may_be_left_out(call, script_of):
    script = script_of("finished")
    ran = call(script.topic, "--answers", "-", stdin="\n".join(script.answers))
    assert ran.status == 0


def test_words_of_a_topic_need_no_quotes(call):
    ran = call("run", "Should", "we", "move?", "--answers", "-", "--json")
    assert ran.status == 6
    assert ran.object["decision_topic"].startswith("Should we move")


def test_a_script_prints_the_report_and_nothing_else(hold):
    ran = hold("finished")
    assert ran.out.startswith("## Roundtable Final Report\n")
    assert "Report: " in ran.err and "Contract: " in ran.err


def test_the_help_tells_every_command_and_status(call):
    ran = call("--help")
    assert ran.status == 0
    for word in ("run", "resume", "reopen", "list", "show", "state", "modes", "roles", "eval"):
        assert f"    {word} " in ran.out
    for status in ("0", "1", "2", "3", "4", "5", "6", "130"):
        assert f"{status}  " in ran.out


def test_the_version_is_told(call):
    ran = call("--version")
    assert ran.status == 0
    assert ran.out.startswith("keystone-roundtable 0.")


# -- bad usage -------------------------------------------------------------------------


BAD_USAGE = {
    "unknown role": (["run", "T", "--role", "wizard", "--answers", "-"], "--role wizard: no such"),
    "bad mode": (["run", "T", "--mode", "fight", "--answers", "-"], "--mode"),
    "missing context": (["run", "T", "--context", "gone.md", "--answers", "-"], "gone.md: No such"),
    "context is a folder": (["run", "T", "--context", ".", "--answers", "-"], "Is a directory"),
    "missing answers": (["run", "T", "--answers", "gone.txt"], "--answers gone.txt: No such file"),
    "answers are a folder": (["run", "T", "--answers", "."], "--answers .: Is a directory"),
    "missing root": (["run", "T", "--root", "gone", "--answers", "-"], "--root gone: no such"),
    "no topic": (["run", "--answers", "-"], "no topic"),
    "empty topic": (["run", "", "--answers", "-"], "no topic"),
    "blank topic": (["run", " \t\n ", "--answers", "-"], "no topic"),
    "nothing at all": ([], "no terminal"),
    "unknown command": (["lsit"], "Did you mean 'list'?"),
    "unknown option": (["run", "T", "--jsn"], "--jsn"),
    "abbreviated option": (["run", "T", "--answer", "-"], "--answer"),
    "unknown model": (["run", "T", "--model", "gpt", "--answers", "-"], "model 'gpt'"),
    "state without deed": (["state"], "DEED"),
    "state get without key": (["state", "get"], "key"),
    "eval of nothing": (["eval", "poems", "x"], "poems"),
    "eval of a missing file": (["eval", "topics", "gone.jsonl"], "gone.jsonl: No such file"),
    "resume without sessions": (["resume", "--answers", "-"], "no session is open here"),
}


@pytest.mark.parametrize("case", BAD_USAGE)
def test_bad_usage_is_one_line_and_status_2(call, project, case):
    arguments, told = BAD_USAGE[case]
    ran = call(*arguments)
    assert ran.status == 2
    assert told in ran.one_line
    assert ran.one_line.startswith("keystone-roundtable: ")
    assert list(project.iterdir()) == []  # no session was begun


@pytest.mark.parametrize("verb", [["resume"], ["reopen"], ["show"]])
@pytest.mark.parametrize("session_id", ["20261130-abcdef", "../../etc", "", "ไทย"])
def test_a_session_that_does_not_exist_is_named(call, verb, session_id):
    ran = call(*verb, session_id, *(["--answers", "-"] if verb != ["show"] else []))
    assert ran.status in (1, 2)
    assert ran.one_line


def test_a_context_above_200_kb_is_refused_with_its_size(call, project):
    (project / "brief.md").write_text("x" * 200_001)
    ran = call("run", "T", "--context", "brief.md", "--answers", "-")
    assert ran.status == 2
    assert "brief.md: 200,001 bytes, at most 200,000" in ran.one_line


def test_a_context_of_200_kb_is_taken(call, project):
    (project / "brief.md").write_text("We may migrate. " * 12_500)
    ran = call("run", "Should we migrate?", "--context", "brief.md", "--answers", "-", "--json")
    assert ran.status == 6


def test_a_context_that_is_not_utf_8_is_refused_with_the_byte(call, project):
    (project / "brief.md").write_bytes(b"caf\xe9 or tea")
    ran = call("run", "T", "--context", "brief.md", "--answers", "-")
    assert ran.status == 2
    assert "brief.md: not UTF-8 text (byte 3)" in ran.one_line


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"text": "open', "begins like JSON and is none"),
        ('{"txt": "x"}', "unknown field 'txt'"),
        ("{}", "field 'text' must be a text"),
        ('{"text": 5}', "field 'text' must be a text"),
        ('{"text": null}', "field 'text' must be a text"),
        ('{"confirm": ["x"]}', "field 'confirm' must be a text"),
        ('{"text": "a", "confirm": "b"}', "either 'text' or 'confirm'"),
        ('{"text": "x", "by": "boss"}', "field 'by'"),
        ('{"text": "x", "by": ["user"]}', "field 'by'"),
        ('{"text": "/mode fight"}', "'fight' is no mode"),
        ("/note", "/note needs the fact"),
        ('{"text": ' + "[" * 100_000, "begins like JSON and is none"),
    ],
)
@pytest.mark.parametrize("source", ["file", "stdin"])
def test_a_malformed_answer_line_is_named_with_its_number(call, project, source, line, told):
    text = f"A fine answer of my own\n\n{line}\n"
    (project / "answers.txt").write_text(text)
    name = "answers.txt" if source == "file" else "-"
    ran = call("run", "Should we move to Postgres?", "--answers", name, stdin=text)
    assert ran.status == 2
    assert ran.out == ""
    complaint = ran.err.splitlines()[-1]
    assert "answers, line 3: " in complaint
    assert told in complaint
    assert "Traceback" not in ran.err


def test_an_answers_file_is_checked_before_the_session_begins(call, project):
    """Otherwise mending the line and running again would hold the session twice."""
    (project / "answers.txt").write_text('One answer\n{"text": 5}\n')
    assert call("run", "Should we move?", "--answers", "answers.txt").status == 2
    assert not (project / ".keystone").exists()


def test_a_malformed_line_of_a_stream_leaves_a_session_to_go_on_with(call, session_of):
    ran = call("run", "Should we move?", "--answers", "-", stdin="One answer\n{}\n")
    assert ran.status == 2
    assert f"keystone-roundtable resume {session_of().name}" in ran.err.splitlines()[-1]
    assert call("resume", "--answers", "-", "--json").object["questions"][0]["answers"]


def test_standard_input_that_is_no_terminal_needs_answers(process, project):
    ran = process("run", "Should we move?")
    assert ran.returncode == 2
    assert ran.stdout == b""
    (line,) = ran.stderr.decode().splitlines()
    assert "--answers" in line and "step" in line
    assert list(project.iterdir()) == []


@pytest.mark.parametrize("verb", ["run", "resume"])
def test_a_closed_standard_input_is_no_terminal_either(shell, call, verb):
    call("run", "Should we move?", "--answers", "-")  # something to resume
    ran = shell(f"roundtable {verb} <&-")
    assert ran.returncode == 2
    (line,) = ran.stderr.decode().splitlines()
    assert "--answers" in line


def test_a_closed_standard_error_does_not_spoil_standard_output(shell):
    ran = shell("roundtable run 'Should we move?' --answers /dev/null --json 2>&-")
    assert ran.returncode == 6
    assert json.loads(ran.stdout)["exit"]["name"] == "paused"


def test_an_answers_pipe_is_read_as_the_answers_come(shell):
    line = "roundtable run 'Should we move?' --answers <(echo One pilot is told) --json"
    ran = shell(line)
    assert ran.returncode == 6
    (answer,) = json.loads(ran.stdout)["questions"][0]["answers"]
    assert answer["text"] == "One pilot is told"
