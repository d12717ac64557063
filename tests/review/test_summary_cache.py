"""Summaries that are kept change nothing but how long a review takes."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from telemetry_files import event, finished, folder_of, outcome, put, reviewed

from keystone_roundtable.review import cache, summaries

MONTHS = ("2026-08", "2026-09", "2026-10")


@pytest.fixture(autouse=True)
def every_file_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_WORTH_BYTES", 0)


@pytest.fixture
def read_files(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files whose lines are read, from here on."""
    names: list[str] = []
    summarise = summaries.summarise

    def noted(path, *arguments):
        names.append(path.name)
        return summarise(path, *arguments)

    monkeypatch.setattr(cache, "summarise", noted)
    return names


def cache_of(root: Path) -> Path:
    return root / ".keystone" / "roundtable" / "cache"


def settle(root: Path, days: int = 1) -> None:
    """Lets the project's files look as if they had been written long ago, as far as one can."""
    for path in folder_of(root).iterdir():
        found = path.stat()
        long_ago = found.st_mtime_ns - days * 24 * 3600 * 10**9
        os.utime(path, ns=(long_ago, long_ago))


SESSIONS = st.sampled_from(["s1", "s2", "s3"])
MOMENTS = st.builds(
    "{}-{:02}T{:02}:00:00Z".format, st.sampled_from(MONTHS), *[st.integers(1, 20)] * 2
)
LINES = st.one_of(
    st.builds(
        event, st.sampled_from(["started", "paused", "redirected"]), MOMENTS, session=SESSIONS
    ),
    st.builds(
        finished,
        MOMENTS,
        session=st.one_of(SESSIONS, st.just(None)),
        seconds=st.floats(0, 1e6),
        confidence=st.sampled_from([0.5, 0.7, 0.85]),
        cost_usd=st.one_of(st.none(), st.floats(0, 10)),
        model=st.sampled_from(["offline", "openai:x"]),
    ),
    st.builds(outcome, st.sampled_from(["held", "reversed", "partly"]), MOMENTS, session=SESSIONS),
    st.just({"skill": "qa", "ts": "2026-09-01T00:00:00Z"}),
    st.sampled_from([b"torn", b"", b"\xff", b'{"skill": "roundtable"}']),
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["here", "there"]), st.sampled_from(MONTHS), st.lists(LINES, max_size=6)
    ),
    max_size=6,
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=STEPS, copied=st.booleans())
def test_a_review_from_kept_summaries_is_that_of_reading_afresh(steps, copied):
    """Whatever is added between reviews, in whatever month and project."""
    with tempfile.TemporaryDirectory() as folder:
        roots = [Path(folder) / "here", Path(folder) / "there"]
        for root in roots:
            folder_of(root)
        for place, month, lines in steps:
            put(Path(folder) / place, *lines, month=month)
            reviewed(*roots)
        if copied:
            shutil.copytree(folder_of(roots[0]), folder_of(roots[1]), dirs_exist_ok=True)
        from_kept = reviewed(*roots)
        within = reviewed(*roots, since="2026-08-10", until="2026-09-15")
        for root in roots:
            shutil.rmtree(cache_of(root), ignore_errors=True)
        assert reviewed(*roots) == from_kept
        for root in roots:
            shutil.rmtree(cache_of(root), ignore_errors=True)
        assert reviewed(*roots, since="2026-08-10", until="2026-09-15") == within


def test_a_month_is_read_once(tmp_path, read_files):
    for month in MONTHS:
        put(tmp_path, finished(f"{month}-10T00:00:00Z", session=month), month=month)
    first = reviewed(tmp_path)
    assert read_files == [f"{month}.jsonl" for month in MONTHS]
    settle(tmp_path)
    assert reviewed(tmp_path) == first
    put(tmp_path, finished("2026-09-11T00:00:00Z", session="new"), month="2026-09")
    assert reviewed(tmp_path).events.finished == 4
    assert read_files[3:] == ["2026-09.jsonl"]


def test_a_change_that_keeps_size_and_time_is_seen(tmp_path, read_files):
    path = put(tmp_path, finished(decision="aaaa"))
    settle(tmp_path)
    assert reviewed(tmp_path).decisions == {"aaaa": 1}
    before = path.stat()
    path.write_bytes(path.read_bytes().replace(b"aaaa", b"bbbb"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert reviewed(tmp_path).decisions == {"bbbb": 1}
    assert len(read_files) == 2


def test_a_project_that_was_moved_keeps_its_summaries(tmp_path, read_files):
    put(tmp_path / "old", finished(), b"torn")
    reviewed(tmp_path / "old")
    shutil.copytree(tmp_path / "old", tmp_path / "new")
    told = reviewed(tmp_path / "new")
    assert told.events.finished == 1
    assert told.broken[0].file.startswith(str(tmp_path / "new"))
    assert len(read_files) == 1


def test_another_skill_has_its_own_summary(tmp_path):
    put(tmp_path, finished(), {**finished(), "skill": "qa"})
    for _ in range(2):
        assert reviewed(tmp_path).other_skills == {"qa": 1}
        assert reviewed(tmp_path, skill="qa").other_skills == {"roundtable": 1}


def test_whatever_byte_of_a_kept_summary_is_damaged_it_is_made_anew(tmp_path):
    put(tmp_path, event("started"), event("paused"), finished(), outcome("held"), b"torn")
    whole = reviewed(tmp_path)
    (kept,) = cache_of(tmp_path).iterdir()
    good = kept.read_bytes()
    for position in [*range(0, len(good), 37), len(good) - 1]:
        kept.write_bytes(good[:position] + bytes([good[position] ^ 1]) + good[position + 1 :])
        assert reviewed(tmp_path) == whole
    for damaged in (b"", good[: len(good) // 2], good + b"x", b"\n\n", b"{}\n{}\n"):
        kept.write_bytes(damaged)
        assert reviewed(tmp_path) == whole
    assert len(kept.read_bytes()) == len(good)


def test_a_summary_of_another_file_is_not_taken(tmp_path):
    put(tmp_path, finished(), month="2026-08")
    put(tmp_path, event("started"), month="2026-09")
    whole = reviewed(tmp_path)
    one, other = cache_of(tmp_path).iterdir()
    swapped = one.read_bytes(), other.read_bytes()
    other.write_bytes(swapped[0])
    one.write_bytes(swapped[1])
    assert reviewed(tmp_path) == whole


def test_kept_summaries_are_for_their_owner_alone_and_hold_no_word_of_a_session(tmp_path):
    put(tmp_path, finished(session="20261110-secretid"))
    reviewed(tmp_path)
    folder = cache_of(tmp_path)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for kept in folder.iterdir():
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert b"secretid" not in kept.read_bytes()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_project_that_may_not_be_written_to_is_reviewed_all_the_same(tmp_path):
    put(tmp_path, finished())
    (tmp_path / ".keystone").chmod(0o500)
    try:
        assert reviewed(tmp_path).events.finished == 1
    finally:
        (tmp_path / ".keystone").chmod(0o700)
    assert not cache_of(tmp_path).exists()


def test_a_file_where_the_folder_should_be_is_left_alone(tmp_path):
    put(tmp_path, finished())
    (tmp_path / ".keystone" / "roundtable").write_text("a file")
    assert reviewed(tmp_path).events.finished == 1
    assert (tmp_path / ".keystone" / "roundtable").read_text() == "a file"
