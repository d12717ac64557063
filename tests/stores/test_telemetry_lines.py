"""Telemetry lines by month."""

from __future__ import annotations

import json
import stat

import pytest

from keystone_roundtable.stores.errors import StoreError
from keystone_roundtable.stores.telemetry import Telemetry


@pytest.fixture
def telemetry(tmp_path):
    return Telemetry(tmp_path)


def line(ts: str, session: str = "20261130-abcd", event: str = "finished") -> dict[str, object]:
    return {"skill": "roundtable", "ts": ts, "event": event, "session": session}


@pytest.mark.parametrize(
    ("ts", "month"),
    [
        ("2026-11-30T23:59:59Z", "2026-11"),
        ("2026-12-01T00:30:00+07:00", "2026-11"),
        ("2026-11-30T23:30:00-05:00", "2026-12"),
        ("2026-11-30T23:30:00.123456", "2026-11"),
    ],
)
def test_a_line_goes_to_its_utc_month(telemetry, ts, month):
    path = telemetry.append(line(ts))
    assert path == telemetry.folder / f"{month}.jsonl"
    assert json.loads(path.read_text()) == line(ts)


def test_keys_keep_their_order_and_files_are_owner_only(telemetry):
    path = telemetry.append(line("2026-11-30T10:00:00Z"))
    assert path.read_text().startswith('{"skill": "roundtable", "ts": ')
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_line_is_added_after_another_tools_unterminated_one(telemetry):
    telemetry.folder.mkdir(parents=True)
    month = telemetry.folder / "2026-11.jsonl"
    month.write_text('{"skill":"other"}')
    telemetry.append(line("2026-11-30T10:00:00Z"))
    assert [json.loads(text)["skill"] for text in month.read_text().splitlines()] == [
        "other",
        "roundtable",
    ]


def test_a_line_is_found_by_session_and_event(telemetry):
    assert not telemetry.has("20261130-abcd", "finished")
    path = telemetry.append(line("2026-11-30T10:00:00Z", event="started"))
    with path.open("ab") as file:
        file.write(b'torn 20261130-abcd\n[]\n["20261130-abcd"]\n\xff\n')
    telemetry.append(line("2026-11-30T10:00:00Z", session="20261130-efgh"))
    assert telemetry.has("20261130-abcd", "started")
    assert not telemetry.has("20261130-abcd", "finished")
    assert not telemetry.has("20261130-efg", "finished")


def test_a_line_is_found_months_later_and_never_looked_for_before_its_session(telemetry):
    written = telemetry.append(line("2026-12-05T10:00:00Z"))
    for ts in ("2027-01-05T10:00:00Z", "2027-02-05T10:00:00Z", "2027-03-05T10:00:00Z"):
        telemetry.append(line(ts, session="20270105-efgh"))
    telemetry.append(line("2026-09-05T10:00:00Z", session="20261130-zzzz"))
    assert telemetry.find("20261130-abcd", "finished") == written
    assert not telemetry.has("20261130-zzzz", "finished")


def test_the_year_turns(telemetry):
    telemetry.append(line("2026-12-31T23:00:00Z", session="20270101-abcd"))
    assert telemetry.has("20270101-abcd", "finished")


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / ".keystone").write_text("a file")
    with pytest.raises(StoreError, match=r"\.keystone"):
        Telemetry(tmp_path).append(line("2026-11-30T10:00:00Z"))
