"""What is told of sessions: which count once, which were abandoned, how they turned out."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from telemetry_files import event, finished, outcome, put, reviewed

LAST = datetime(2026, 11, 30, 12, tzinfo=UTC)
LONG_AGO = "2026-11-01T10:00:00Z"
LATELY = "2026-11-25T10:00:00Z"


def abandoned(*roots, **wanted) -> int:
    return reviewed(*roots, now=LAST, **wanted).abandoned


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        ([event("started", LONG_AGO)], 1),
        ([event("started", LATELY)], 0),  # it may be open in another window
        ([event("started", LONG_AGO), event("paused", LATELY)], 0),
        ([event("started", LONG_AGO), event("paused", LONG_AGO)], 1),
        ([event("started", LONG_AGO), finished(LATELY)], 0),
        ([event("started", LONG_AGO), event("redirected", LATELY)], 0),
        ([event("started", LONG_AGO), outcome("held", LATELY)], 1),
        ([finished(LATELY), event("started", LONG_AGO)], 0),
        ([event("paused", LONG_AGO)], 0),
        ([event("started", LONG_AGO), event("started", LONG_AGO)], 1),
        ([event("started", LONG_AGO), event("started", LONG_AGO, session="s2")], 2),
        ([event("started", "2026-11-23T12:00:00Z")], 0),
        ([event("started", "2026-11-23T11:59:59Z")], 1),
        ([event("started", LONG_AGO, session=...)], 0),  # nobody can tell
    ],
)
def test_abandoned_is_started_not_ended_and_silent_for_seven_days(tmp_path, lines, count):
    put(tmp_path, *lines)
    assert abandoned(tmp_path) == count


def test_a_session_may_span_months_and_folders(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    put(here, event("started", "2026-08-30T10:00:00Z"), month="2026-08")
    assert abandoned(here) == 1
    put(here, event("paused", LATELY))
    assert abandoned(here) == 0
    put(there, finished("2026-09-02T10:00:00Z"), month="2026-09")
    put(here, event("started", "2026-08-30T10:00:00Z", session="s2"), month="2026-08")
    assert abandoned(here, there) == 1


def test_within_bounds_silence_counts_back_from_their_end(tmp_path):
    put(tmp_path, event("started", "2026-09-20T10:00:00Z"), month="2026-09")
    put(tmp_path, finished("2026-10-20T10:00:00Z"), month="2026-10")
    assert abandoned(tmp_path) == 0
    assert abandoned(tmp_path, until="2026-09") == 1
    assert abandoned(tmp_path, until="2026-09-25") == 0


def test_an_event_told_twice_counts_once(tmp_path):
    put(tmp_path, *[event("started", LONG_AGO), finished(LATELY), finished(LATELY)] * 2)
    put(tmp_path, *[event("paused", LONG_AGO), event("paused", LATELY)] * 2)
    told = reviewed(tmp_path)
    assert (told.events.started, told.events.finished, told.events.paused) == (1, 1, 2)
    assert told.left_out.repeated == 6
    assert (told.seconds.count, told.confidence.count, told.models[0].sessions) == (1, 1, 1)


def test_the_first_of_two_finished_lines_of_a_session_counts(tmp_path):
    put(tmp_path, finished(decision="first"), finished(decision="second"))
    assert reviewed(tmp_path).decisions == {"first": 1}


def test_an_event_told_in_two_months_counts_once(tmp_path):
    """The clock may pass midnight between a line and the crash that repeats it."""
    put(tmp_path, finished("2026-10-31T23:59:59Z"), month="2026-10")
    put(tmp_path, finished("2026-11-01T00:00:01Z"), finished(session="s2"))
    told = reviewed(tmp_path)
    assert [(row.month, row.finished) for row in told.by_month] == [("2026-10", 1), ("2026-11", 1)]
    assert (told.left_out.repeated, told.models[0].sessions, told.lines) == (1, 2, 3)


def test_lines_that_name_no_session_are_all_counted(tmp_path):
    put(tmp_path, *[finished(session=...)] * 3, *[outcome("held", session=...)] * 2)
    told = reviewed(tmp_path)
    assert (told.events.finished, told.events.outcome, told.outcomes.held) == (3, 2, 2)


def test_the_same_folder_named_twice_is_read_once(tmp_path):
    put(tmp_path / "project", finished(session=...))
    (tmp_path / "link").symlink_to("project")
    told = reviewed(tmp_path / "project", tmp_path / "link")
    assert (told.events.finished, told.roots) == (1, (str(tmp_path / "project"),))


# -- outcomes --------------------------------------------------------------------------


def test_the_last_outcome_of_a_session_counts(tmp_path):
    put(tmp_path, outcome("held", "2026-11-02T10:00:00Z"), outcome("held", session="s2"))
    put(tmp_path, outcome("reversed", "2026-11-03T10:00:00Z"))
    told = reviewed(tmp_path)
    assert (told.outcomes.held, told.outcomes.reversed, told.events.outcome) == (1, 1, 3)


@pytest.mark.parametrize("order", [("held", "reversed"), ("reversed", "held")])
def test_of_two_at_one_second_the_later_line_counts(tmp_path, order):
    put(tmp_path, *(outcome(result) for result in order))
    assert getattr(reviewed(tmp_path).outcomes, order[-1]) == 1


def test_the_moment_decides_and_not_the_file(tmp_path):
    put(tmp_path, outcome("reversed", "2026-11-03T10:00:00Z"), month="2026-10")
    put(tmp_path, outcome("held", "2026-11-02T10:00:00Z"), month="2026-11")
    assert reviewed(tmp_path).outcomes.reversed == 1


def test_calibration_holds_stated_confidence_against_what_happened(tmp_path):
    stated = [(0.9, "held")] * 8 + [(0.9, "reversed")] * 2 + [(0.7, "held"), (0.7, "reversed")]
    put(
        tmp_path,
        *(outcome(r, session=f"s{n}", confidence=c) for n, (c, r) in enumerate(stated)),
        outcome("partly", session="p"),
        outcome("unknown", session="u", confidence=0.7),
        outcome("held", session="n", confidence=None),
    )
    told = reviewed(tmp_path)
    rows = {row.band: row for row in told.calibration}
    assert len(rows) == 10
    high, low = rows["0.9-1.0"], rows["0.7-0.8"]
    assert (high.judged, high.held, high.reversed, high.partly, high.unknown) == (10, 8, 2, 1, 0)
    assert (high.confidence, high.held_share, high.enough) == (0.9, 0.8, True)
    assert (high.interval_low, high.interval_high) == pytest.approx((0.490162, 0.943318), abs=1e-6)
    assert (low.judged, low.held_share, low.unknown, low.enough) == (2, 0.5, 1, False)
    assert told.brier == pytest.approx((8 * 0.01 + 2 * 0.81 + 0.09 + 0.49) / 12)
    assert told.outcomes.model_dump() == {
        "held": 10,
        "reversed": 3,
        "partly": 1,
        "unknown": 1,
        "judged": 12,
        "enough": True,
    }


def test_nine_judged_are_too_few_to_tell_and_ten_are_not(tmp_path):
    put(tmp_path, *(outcome("held", session=f"s{n}") for n in range(9)))
    told = reviewed(tmp_path)
    assert (told.outcomes.enough, told.calibration[9].enough) == (False, False)
    put(tmp_path, outcome("partly", session="p"))
    assert not reviewed(tmp_path).outcomes.enough
    put(tmp_path, outcome("reversed", session="s10"))
    assert reviewed(tmp_path).outcomes.enough


# -- bounds ----------------------------------------------------------------------------

DAYS = ("2026-08-31", "2026-09-01", "2026-09-15", "2026-09-30", "2026-10-01")


@pytest.mark.parametrize(
    ("since", "until", "days"),
    [
        (None, None, DAYS),
        ("2026-09", None, DAYS[1:]),
        (None, "2026-09", DAYS[:4]),
        ("2026-09", "2026-09", DAYS[1:4]),
        ("2026-09-15", "2026-09-30", DAYS[2:4]),
        ("2026-09-16", "2026-09-29", ()),
        ("2026-10-02", None, ()),
        (None, "2026-08-30", ()),
    ],
)
def test_bounds_are_months_or_days_and_both_are_included(tmp_path, since, until, days):
    for day in DAYS:
        put(tmp_path, finished(f"{day}T00:00:00Z", session=day), month=day[:7])
        put(tmp_path, finished(f"{day}T23:59:59Z", session=f"{day}b"), month=day[:7])
    told = reviewed(tmp_path, since=since, until=until)
    assert told.events.finished == told.lines == 2 * len(days)
    assert sum(row.finished for row in told.by_month) == 2 * len(days)


def test_a_line_in_the_file_of_another_month_is_found_by_its_moment(tmp_path):
    """A shell snippet goes by local time."""
    put(tmp_path, finished("2026-09-30T20:00:00Z"), month="2026-10")
    assert reviewed(tmp_path, until="2026-09").events.finished == 1
    assert reviewed(tmp_path, since="2026-10").events.finished == 0


def test_broken_lines_belong_to_the_month_of_their_file(tmp_path):
    put(tmp_path, finished("2026-09-10T00:00:00Z"), b"torn", month="2026-09")
    put(tmp_path, finished("2026-10-10T00:00:00Z", session="s2"), b"torn", month="2026-10")
    assert reviewed(tmp_path, since="2026-10").broken_count == 1
    assert reviewed(tmp_path, since="2026-10-11").broken_count == 1
    assert reviewed(tmp_path, until="2026-09").broken[0].file.endswith("2026-09.jsonl")
    assert reviewed(tmp_path, since="2026-11").lines == 0
