"""A review says what an independent reading of the same lines says."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from reading_apart import NOW, totals_of
from telemetry_store import BREAKINGS, write_store

from keystone_roundtable.review.figures import Review
from keystone_roundtable.review.reviewing import Wanted, review

SMALL = 5000 * len(BREAKINGS)  # of every breaking one
LONG = 1_000_000


def reviewed(*roots: Path) -> Review:
    return review(Wanted(roots), NOW)


def told(given: Review) -> dict[str, Any]:
    """The review in the shape of `totals_of`."""
    found = given.model_dump(mode="json")
    judged = ("held", "reversed", "partly", "unknown")
    return {
        **{name: found[name] for name in ("lines", "broken_count", "events", "decisions")},
        "broken": [(broken["file"], broken["line"]) for broken in found["broken"]],
        "by_month": {
            row["month"]: {
                **{kind: row[kind] for kind in found["events"] if row[kind]},
                **row["decisions"],
            }
            for row in found["by_month"]
        },
        **{name: found[name] for name in ("by_mode", "by_format", "forced", "breaker")},
        **{name: found[name] for name in ("escalated", "deferred", "abandoned")},
        "confidence": found["confidence"]["mean"],
        **{name: found[name] for name in ("questions", "seconds", "brier", "other_skills")},
        "models": {row.pop("model"): row for row in found["models"]},
        "calibration": {
            row["band"]: {name: row[name] for name in judged if row[name]}
            for row in found["calibration"]
            if any(row[name] for name in judged)
        },
        "outcomes": {name: found["outcomes"][name] for name in judged},
        "left_out": found["left_out"],
    }


def assert_same(given: Review, wanted: dict[str, Any]) -> None:
    found = told(given)
    assert found.keys() == wanted.keys()
    for name, value in wanted.items():
        assert found[name] == _near(value), name


def _near(value: Any) -> Any:
    """Means and sums of money may differ in the last digits."""
    if isinstance(value, dict):
        return {key: _near(inner) for key, inner in value.items()}
    return pytest.approx(value, abs=1e-6) if isinstance(value, float) else value


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_store(tmp_path_factory.mktemp("store"), SMALL)


def test_totals_are_those_of_an_independent_reading_at_first_and_from_the_cache(store):
    wanted = totals_of([store], NOW)
    assert wanted["broken_count"] == len(BREAKINGS)
    assert wanted["left_out"]["repeated"] > 0
    assert wanted["abandoned"] > 0
    first = reviewed(store)
    assert_same(first, wanted)
    assert any((store / ".keystone" / "roundtable" / "cache").iterdir())
    assert reviewed(store) == first


def test_two_projects_are_the_sum_of_both(store, tmp_path):
    other = write_store(tmp_path / "other", 9000, seed=2)
    assert_same(reviewed(store, other), totals_of([store, other], NOW))


def test_a_copied_project_adds_nothing(store, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(store, copy)
    both = reviewed(store, copy)
    assert both.left_out.copied_files == 24
    wanted = reviewed(store).model_dump()
    for changed in ("roots", "left_out"):
        wanted.pop(changed)
    assert both.model_dump(exclude={"roots", "left_out"}) == wanted


def test_a_copy_that_went_on_adds_only_what_is_new(store, tmp_path):
    """Lines of other tools and of the bare five fields cannot be told apart, and count twice."""
    copy = tmp_path / "copy"
    shutil.copytree(store, copy, ignore=shutil.ignore_patterns("roundtable", "202[45]-0*"))
    for path in (copy / ".keystone" / "telemetry" / "events").iterdir():
        with path.open("ab") as file:
            file.write(b'{"skill": "qa", "ts": "2025-12-31T00:00:00Z", "event": "ran"}\n')
    assert_same(reviewed(store, copy), totals_of([store, copy], NOW))
    assert_same(reviewed(store, copy), totals_of([store, copy], NOW))


@pytest.mark.long
def test_totals_of_a_million_lines_are_those_of_an_independent_reading(tmp_path):
    root = write_store(tmp_path, LONG)
    wanted = totals_of([root], NOW)
    assert wanted["broken_count"] == LONG // 5000
    first = reviewed(root)
    assert_same(first, wanted)
    assert reviewed(root) == first
