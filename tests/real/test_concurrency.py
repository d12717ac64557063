"""Many sessions in one project at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

pytestmark = pytest.mark.real

REPOSITORY = Path(__file__).resolve().parents[2]
PROCESSES = 16
TOPICS = (
    "Should we build the notification system now or defer it until after the settings refactor?",
    "Do we spend the grant on more volunteers, better software, or a second van?",
    "ควรย้ายไป Postgres ตอนนี้หรือรอไตรมาสหน้า?",
    "We will turn off comments on the blog. Any reason not to?",
)
ANSWERS = (
    "A pilot customer gets told when an import fails",
    "The first one, because three customers wait for it",
    "A push channel on mobile, nobody asked for it yet 中文",
    "One kind of mail, for failed imports only",
    "/stop",
)


def test_sixteen_processes_in_one_project_all_end_whole(tmp_path: Path) -> None:
    (tmp_path / ".keystone").mkdir()
    (tmp_path / ".keystone" / "state.json").write_text('{"of_another_tool": [1, 2]}')
    variables = {"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY)}
    started = [
        subprocess.Popen(
            [
                *(sys.executable, "-m", "keystone_roundtable", "run"),
                *(TOPICS[number % len(TOPICS)], "--answers", "-", "--json"),
            ],
            cwd=tmp_path,
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for number in range(PROCESSES)
    ]
    for process in started:  # all are up before the first gets its answers
        assert process.stderr
        process.stderr.readline()
    for process in started:
        assert process.stdin
        process.stdin.write("".join(f"{answer}\n" for answer in ANSWERS).encode())
        process.stdin.close()
        process.stdin = None
    shown = []
    for process in started:
        out, err = process.communicate(timeout=120)
        assert process.returncode in (0, 3), err.decode()
        shown.append(json.loads(out))

    sessions = {each["session"]: each for each in shown}
    assert len(sessions) == PROCESSES
    for each in shown:
        contract = json.loads(Path(each["paths"]["contract"]).read_bytes())
        assert contract == each["contract"]
        assert Path(each["paths"]["report"]).read_text("utf-8") == each["report_markdown"]
        events = Path(each["paths"]["session"], "events.jsonl").read_bytes().splitlines()
        assert json.loads(events[-1])["type"] == "session_finished"

    state = json.loads((tmp_path / ".keystone" / "state.json").read_bytes())
    assert state["of_another_tool"] == [1, 2]
    last = sessions[state["artifacts"]["roundtable_session"]]
    assert state["artifacts"]["roundtable_contract"] == last["contract"]  # one end, not a mixture
    assert state["exit_code"] == last["contract"]["exit_code"]

    (month,) = (tmp_path / ".keystone" / "telemetry" / "events").iterdir()
    data = month.read_bytes()
    assert data.endswith(b"\n")
    lines = [json.loads(line) for line in data.splitlines()]
    told = Counter((line["session"], line["event"]) for line in lines)
    assert told == Counter({(s, e): 1 for s in sessions for e in ("started", "finished")})

    listed = subprocess.run(
        [sys.executable, "-m", "keystone_roundtable", "list", "--json"],
        cwd=tmp_path,
        env=variables,
        capture_output=True,
        check=True,
        timeout=60,
    )
    entries = json.loads(listed.stdout)["sessions"]
    assert {entry["id"] for entry in entries} == set(sessions)
    assert {entry["status"] for entry in entries} == {"finished"}
