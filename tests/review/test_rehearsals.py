"""A rehearsal is no decision, and what was told within one second is told in its order."""

from __future__ import annotations

from pathlib import Path

import pytest
from reading_apart import NOW
from telemetry_files import event, finished, outcome, put

from keystone_roundtable.review.figures import Review
from keystone_roundtable.review.reviewing import Wanted, review


def reviewed(root: Path) -> Review:
    return review(Wanted((root,)), NOW)


@pytest.mark.parametrize("odd", [b"", b"{broken\n"])  # in bulk, and a line at a time
def test_a_rehearsal_is_no_decision_and_not_abandoned(tmp_path: Path, odd: bytes) -> None:
    ts = "2026-11-01T10:00:00Z"
    nothing = {"exit_reason": "rehearsal", "confidence": 0.0, "decision": "roundtable-escalate"}
    put(
        tmp_path,
        *([odd] if odd else []),
        event("started", ts, session="s1"),
        finished(ts, session="s1", **nothing),
        finished(ts, session="s2"),
        # Nothing was sure of it, and yet it is a decision.
        finished(ts, session="s3", confidence=0.0, exit_reason="chair_decided"),
    )
    found = reviewed(tmp_path)
    assert found.events.finished == 2
    assert sum(found.decisions.values()) == 2
    assert found.abandoned == 0


@pytest.mark.parametrize("odd", [b"", b"{broken\n"])
def test_outcomes_within_one_second_are_told_apart(tmp_path: Path, odd: bytes) -> None:
    told = ("held", "reversed", "held")
    put(
        tmp_path,
        *([odd] if odd else []),
        finished(session="s1"),
        *(outcome(one, session="s1", revision=n) for n, one in enumerate(told, 1)),
    )
    (band,) = [one for one in reviewed(tmp_path).calibration if one.judged]
    assert (band.held, band.judged) == (1, 1)
