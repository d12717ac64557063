"""Outcomes stay with their session; telemetry gets a line for each, once, without the note."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from past_sessions import put_session

from keystone_roundtable.review import outcomes
from keystone_roundtable.review.outcomes import Recorded, Stated, read_outcomes, record_outcome
from keystone_roundtable.stores.held import Held, find_held

ID = "20260411-abcd"
STATED = Stated("roundtable-aligned", 0.9, "align", "socratic")


def told(outcome: str, note: str = "", at: str = "2026-09-01T08:00:00.5+00:00") -> Recorded:
    return Recorded(at, outcome, note, telemetry=True)


def lines(root: Path) -> list[dict[str, Any]]:
    folder = root / ".keystone" / "telemetry" / "events"
    return [json.loads(x) for file in sorted(folder.glob("*")) for x in file.open()]


def held(root: Path) -> Held:
    return find_held(root, ID)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return put_session(tmp_path, ID)


def test_an_outcome_is_kept_and_counted_without_its_note(tmp_path: Path, folder: Path) -> None:
    record = record_outcome(tmp_path, held(tmp_path), told("held", "SQLite was enough"), STATED)
    assert (record.new, record.before) == (True, None)
    assert read_outcomes(folder) == (told("held", "SQLite was enough"),)
    assert (folder / "outcomes.jsonl").stat().st_mode & 0o777 == 0o600
    assert lines(tmp_path) == [
        {
            "skill": "roundtable",
            "ts": "2026-09-01T08:00:00Z",
            "confidence": 0.9,
            "mode": "align",
            "schema_version": 1,
            "event": "outcome",
            "format": "socratic",
            "session": ID,
            "project": "p1",
            "version": "0.1.0",
            "model": "offline",
            "outcome": "held",
            "revision": 1,
        }
    ]


def test_a_second_one_counts_instead_and_both_stay(tmp_path: Path, folder: Path) -> None:
    record_outcome(tmp_path, held(tmp_path), told("held"), STATED)
    record = record_outcome(
        tmp_path, held(tmp_path), told("reversed", at="2027-01-02T00:00:00+00:00"), STATED
    )
    assert record.before == told("held")
    assert [one.outcome for one in read_outcomes(folder)] == ["held", "reversed"]
    assert [(x["outcome"], x["revision"]) for x in lines(tmp_path)] == [
        ("held", 1),
        ("reversed", 2),
    ]


def test_the_same_told_again_adds_nothing(tmp_path: Path, folder: Path) -> None:
    record_outcome(tmp_path, held(tmp_path), told("held", "so"), STATED)
    again = record_outcome(
        tmp_path, held(tmp_path), told("held", "so", "2027-01-01T00:00:00+00:00"), STATED
    )
    assert not again.new
    assert len(read_outcomes(folder)) == len(lines(tmp_path)) == 1


@pytest.mark.parametrize("repeated", ["held", "partly"])
def test_a_crash_before_the_telemetry_line_is_mended_by_the_next_outcome(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, repeated: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(outcomes, "_complete_telemetry", lambda *a: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            record_outcome(tmp_path, held(tmp_path), told("held"), STATED)
    assert (len(read_outcomes(folder)), lines(tmp_path)) == (1, [])
    record_outcome(tmp_path, held(tmp_path), told(repeated), STATED)
    record_outcome(tmp_path, held(tmp_path), told(repeated), STATED)
    expected = ["held"] if repeated == "held" else ["held", "partly"]
    assert [line["outcome"] for line in lines(tmp_path)] == expected


def test_a_session_held_without_telemetry_gets_no_line(tmp_path: Path) -> None:
    put_session(tmp_path, ID, telemetry=False)
    record_outcome(tmp_path, held(tmp_path), told("held"), STATED)
    assert lines(tmp_path) == []
    record_outcome(tmp_path, held(tmp_path), told("partly"), STATED)
    assert lines(tmp_path) == []


def test_a_line_that_was_not_wanted_is_not_written_later(tmp_path: Path, folder: Path) -> None:
    record_outcome(tmp_path, held(tmp_path), told("held")._replace(telemetry=False), STATED)
    record_outcome(tmp_path, held(tmp_path), told("reversed"), STATED)
    assert [(x["outcome"], x["revision"]) for x in lines(tmp_path)] == [("reversed", 2)]


def test_lines_that_hold_no_outcome_are_passed_over_and_kept(tmp_path: Path, folder: Path) -> None:
    odd = b'{"at": 7}\n{"at": "x", "outcome": "splendid"}\n\xff\n{"at": "2026'
    (folder / "outcomes.jsonl").write_bytes(odd)
    record_outcome(tmp_path, held(tmp_path), told("held"), STATED)
    assert read_outcomes(folder) == (told("held"),)
    assert odd in (folder / "outcomes.jsonl").read_bytes()
