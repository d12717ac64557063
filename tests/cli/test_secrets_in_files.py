"""A key that a person types stays in the session's log, and stands in no other file."""

from __future__ import annotations

from pathlib import Path

import pytest

KEY = "ghp_0123456789abcdefghijABCDEFGHIJ"
PASSWORD = "s3cr3t!Horse"
TOPIC = f"Should we rotate {KEY} now or keep password={PASSWORD} until after the settings refactor?"
REDIRECTED = f"Why does the login with token {KEY} return 500 since yesterday?"
ANSWERS = (
    f"Nobody signs in with {KEY} any more",
    f"rotate it now, because password={PASSWORD} was posted in a chat",
    f"an outage costs 4 hours where {KEY} is still in use; a leak costs a week",
    "/note the deploy job logs in as postgres://ci:hunter22x@db.example.org/app",
    "/stop",
    "yes",
    "yes",
)


@pytest.mark.parametrize("topic", [TOPIC, REDIRECTED])
def test_secrets_stand_in_no_file_but_the_log(topic, call, project: Path) -> None:
    ran = call("run", topic, "--answers", "-", stdin="".join(f"{a}\n" for a in ANSWERS))
    assert ran.status in (0, 5), ran.err
    assert call("list").status == 0, "what lists sessions may keep summaries"
    files = [path for path in (project / ".keystone").rglob("*") if path.is_file()]
    (log,) = [path for path in files if path.name == "events.jsonl"]
    assert KEY in log.read_text()
    others = {path.name: path.read_text(errors="replace") for path in files if path != log}
    assert {"state.json"} <= others.keys()
    for name, text in others.items():
        for secret in (KEY, PASSWORD, "hunter22x"):
            assert secret not in text, name
    if topic == TOPIC:
        assert "[masked: github token]" in others["report.md"]
        assert "[masked: " in others["contract.json"]
