"""`review` and `telemetry` on the command line."""

from __future__ import annotations

import json
import os
import stat
import sys

import pytest
from jsonschema import Draft202012Validator

LINES = [
    {"skill": "roundtable", "ts": "2026-08-10T10:00:00Z", "decision": "go", "confidence": 0.9},
    {"skill": "qa", "ts": "2026-09-10T10:00:00Z"},
]


@pytest.fixture
def telemetry(project):
    folder = project / ".keystone" / "telemetry" / "events"
    folder.mkdir(parents=True)
    path = folder / "2026-08.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES))
    return path


def test_what_sessions_leave_behind_is_reviewed_and_fits_the_schema(call, hold):
    for end in ("finished", "escalated", "deferred", "redirected", "paused"):
        hold(end)
    told = call("review", "--json").object
    assert told["events"] == {
        "finished": 3, "started": 4, "paused": 1, "redirected": 1, "outcome": 0,
    }  # fmt: skip
    assert (told["escalated"], told["deferred"], told["broken_count"]) == (1, 1, 0)
    assert told["by_format"] == {"socratic": 3}
    assert told["left_out"] == {"repeated": 0, "unknown_events": 0, "copied_files": 0}
    schema = call("review", "--schema").object
    assert list(Draft202012Validator(schema).iter_errors(told)) == []
    checked = call("telemetry", "check")
    assert (checked.status, checked.out) == (0, "9 lines in 1 file: every one fits\n")


def test_the_schema_of_a_line_is_printed_and_holds_for_what_is_written(call, hold, telemetry_of):
    hold("finished")
    schema = call("telemetry", "schema").object
    Draft202012Validator.check_schema(schema)
    for line in telemetry_of():
        assert list(Draft202012Validator(schema).iter_errors(line)) == []


def test_without_a_terminal_the_figures_come_line_by_line(call, telemetry):
    told = call("review")
    assert told.status == 0
    assert "\x1b" not in told.out
    assert "2026-08" in told.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--since", "September"), "--since September: no month or day"),
        (("--since", "2026-13"), "--since 2026-13: no month or day"),
        (("--until", "2026-02-30"), "--until 2026-02-30: no month or day"),
        (("--until", "2026-9"), "--until 2026-9: no month or day"),
        (("--since", "2026-09", "--until", "2026-08"), "--until 2026-08 lies before"),
        (("--root", "nowhere"), "--root nowhere: no such folder"),
        (("--html", "x.html", "--json"), "--html and --json do not go together"),
        (("--html", "x.html", "--sql", "SELECT 1"), "not allowed with"),
        (("--sql", "SELECT 1", "--since", "2026-09"), "--sql is over every event"),
    ],
)
def test_what_cannot_be_reviewed_is_told_in_one_line(call, telemetry, arguments, told):
    ran = call("review", *arguments)
    assert ran.status == 2
    assert told in ran.one_line


def test_several_roots_and_another_skill(call, project, telemetry):
    other = project / "other"
    (other / ".keystone").mkdir(parents=True)
    told = call("review", "--json", "--root", str(project), "--root", str(other), "--skill", "qa")
    assert told.object["roots"] == [str(project), str(other)]
    assert (told.object["skill"], told.object["other_skills"]) == ("qa", {"roundtable": 1})


def test_a_folder_whose_name_is_no_utf8_is_named_all_the_same(call, project):
    root = os.fsencode(project) + b"/caf\xe9"
    events = os.path.join(root, b".keystone/telemetry/events")  # noqa: PTH118
    os.makedirs(events)  # noqa: PTH103
    with open(os.path.join(events, b"2026-08.jsonl"), "wb") as file:  # noqa: PTH118, PTH123
        file.write(b"torn\n")
    told = call("review", "--json", "--root", os.fsdecode(root)).object
    assert told["roots"] == [f"{project}/caf\\xe9"]
    assert told["broken"][0]["file"].startswith(f"{project}/caf\\xe9/")


def test_broken_lines_of_a_check_are_named_and_the_status_is_1(call, telemetry):
    with telemetry.open("a") as file:
        file.write('torn\n{"skill": "qa\x1b[31m", "ts": "soon"}\n')
    checked = call("telemetry", "check")
    assert checked.status == 1
    assert checked.out.splitlines()[0].startswith(f"{telemetry}:3: not JSON")
    assert checked.out.splitlines()[-1] == "4 lines in 1 file: 2 do not fit"
    told = call("telemetry", "check", "--json")
    assert told.status == 1
    assert [broken["line"] for broken in told.object["broken"]] == [3, 4]


def test_compacting_tells_what_it_saved(call, telemetry):
    before = telemetry.stat().st_size
    told = call("telemetry", "compact", "--json").object
    (file,) = told["files"]
    assert (file["file"], file["bytes_before"]) == (str(telemetry), before)
    assert file["bytes_after"] == telemetry.stat().st_size < before
    assert stat.S_IMODE(telemetry.parent.stat().st_mode) & 0o700 == 0o700
    assert call("telemetry", "compact").out == "Nothing to compact.\n"


def test_sql_answers_as_a_table_and_as_json(call, telemetry):
    pytest.importorskip("duckdb", reason="comes with the extra 'analytics'")
    query = "SELECT skill, count(*) AS n, 'ไทย' AS t FROM events GROUP BY ALL ORDER BY skill"
    assert call("review", "--sql", query).out == (
        "skill       n  t\n----------  -  ---\nqa          1  ไทย\nroundtable  1  ไทย\n"
    )
    rows = call("review", "--sql", query, "--json").object["rows"]
    assert rows == [
        {"skill": "qa", "n": 1, "t": "ไทย"},
        {"skill": "roundtable", "n": 1, "t": "ไทย"},
    ]
    assert (
        call("review", "--sql", "SELECT '\x1b[31m' || chr(27) || '[2J' AS x").out.count("\x1b") == 0
    )
    refused = call("review", "--sql", "SELEC 1")
    assert refused.status == 2
    assert "syntax error" in refused.one_line


def test_without_the_extra_sql_says_how_to_get_it(call, telemetry, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    refused = call("review", "--sql", "SELECT 1")
    assert refused.status == 1
    assert "pip install 'keystone-roundtable[analytics]'" in refused.one_line


@pytest.mark.parametrize("words", [("review",), ("review", "--json"), ("telemetry", "check")])
def test_nothing_waits_for_input_and_a_missing_project_is_no_error(process, words):
    ran = process(*words)
    assert ran.returncode == 0
    assert ran.stderr == b""
