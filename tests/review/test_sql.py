"""SQL over every event: what it sees, and what it may not do."""

from __future__ import annotations

from datetime import datetime

import pytest
from telemetry_files import event, finished, outcome, put

pytest.importorskip("duckdb", reason="comes with the extra 'analytics'")

from keystone_roundtable.core.errors import UsageError
from keystone_roundtable.review.sql import ask


def test_every_event_of_every_root_is_there(tmp_path):
    one, other = tmp_path / "it's one", tmp_path / "other"
    put(one, finished(seconds=10, cost_usd=0.5), event("started"), month="2026-10")
    put(one, outcome("held"), {"skill": "qa", "ts": "2026-11-10T10:00:00+02:00", "n": {"a": 1}})
    put(other, {"skill": "roundtable", "ts": "2026-11-10T10:00:00Z", "decision": "go"})
    answer = ask([one, other], "SELECT event, count(*) FROM events GROUP BY ALL ORDER BY event")
    assert answer.rows == [("finished", 2), ("outcome", 1), ("started", 1), (None, 1)]
    (row,) = ask([one], "SELECT ts, seconds, cost_usd, escalate FROM events WHERE seconds > 1").rows
    assert row == (datetime(2026, 11, 10, 10), 10.0, 0.5, False)
    query = "SELECT ts, line->'n'->>'a' AS a, file LIKE '%2026-11.jsonl' FROM events"
    (row,) = ask([one], f"{query} WHERE skill = 'qa'").rows
    assert row == (datetime(2026, 11, 10, 8), "1", True)


def test_broken_lines_are_left_out_and_broken_fields_are_null(tmp_path):
    put(tmp_path, finished(confidence="high", forced=[]), b"torn {", b'["list"]', b"17", b"")
    put(tmp_path, b'{"skill": "x\xff"}', finished(session="s2"))
    rows = ask([tmp_path], "SELECT decision, confidence, forced FROM events ORDER BY 2").rows
    assert rows == [("roundtable-aligned", 0.9, False), ("roundtable-aligned", None, None)]


def test_without_any_telemetry_there_are_no_rows(tmp_path):
    answer = ask([tmp_path], "SELECT * FROM events")
    assert answer.rows == []
    assert answer.columns[:3] == ("file", "ts", "event") and answer.columns[-1] == "line"


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM read_csv('{secret}')",
        "SELECT * FROM read_text('{secret}')",
        "SELECT * FROM '{secret}'",
        "SELECT * FROM glob('{folder}/*')",
        "COPY (SELECT 1) TO '{folder}/out.csv'",
        "COPY (SELECT 1) TO '{events}'",
        "CREATE TABLE t AS SELECT 1",
        "DROP VIEW events",
        "ATTACH '{folder}/x.db'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "SELECT 1; SET threads = 1",
        "PRAGMA database_list; COPY (SELECT 1) TO '{events}'",
        "SELECT * FROM nowhere",
        "SELECT",
        "",
        "; ;",
    ],
)
def test_a_query_only_selects_and_reads_nothing_else(tmp_path, query):
    secret = tmp_path / "secret.csv"
    secret.write_text("a,b\n1,2\n")
    events = put(tmp_path, finished())
    before = events.read_bytes(), sorted(tmp_path.iterdir())
    typed = query.format(secret=secret, folder=tmp_path, events=events)
    with pytest.raises(UsageError) as refused:
        ask([tmp_path], typed)
    assert "\n" not in str(refused.value)
    assert (events.read_bytes(), sorted(tmp_path.iterdir())) == before
