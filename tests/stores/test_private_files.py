"""Whole files, whole lines, owner-only folders."""

from __future__ import annotations

import fcntl
import multiprocessing
import stat
from collections import Counter
from pathlib import Path

import pytest

from keystone_roundtable.stores import files
from keystone_roundtable.stores.errors import StoreError
from keystone_roundtable.stores.files import append_line, atomic_write, locked, make_private_dir


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# -- folders ---------------------------------------------------------------------------


def test_new_folders_are_owner_only_and_old_ones_keep_their_mode(tmp_path):
    old = tmp_path / "old"
    old.mkdir()
    old.chmod(0o755)
    make_private_dir(old / "new" / "newer")
    assert mode_of(old) == 0o755
    assert mode_of(old / "new") == mode_of(old / "new" / "newer") == 0o700


def test_making_a_folder_that_exists_does_nothing(tmp_path):
    tmp_path.chmod(0o750)
    make_private_dir(tmp_path)
    assert mode_of(tmp_path) == 0o750


def test_a_file_in_the_way_of_a_folder_is_named(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(StoreError) as caught:
        make_private_dir(tmp_path / "file" / "inner")
    assert str(tmp_path / "file") in caught.value.message
    assert "stands where a folder is needed" in caught.value.hint
    assert (tmp_path / "file").read_text() == "mine"


# -- whole files -----------------------------------------------------------------------


def test_a_written_file_holds_the_content_and_is_owner_only(tmp_path):
    atomic_write(tmp_path / "report.md", "ภาษาไทย 中文\n")
    assert (tmp_path / "report.md").read_bytes() == "ภาษาไทย 中文\n".encode()
    assert mode_of(tmp_path / "report.md") == 0o600
    assert [p.name for p in tmp_path.iterdir()] == ["report.md"]


def test_lone_surrogates_in_a_text_do_not_stop_the_writing(tmp_path):
    atomic_write(tmp_path / "report.md", "a\udc80b")
    assert (tmp_path / "report.md").read_text("utf-8") == "a\\udc80b"


def test_a_failed_write_keeps_the_old_file_and_leaves_nothing_beside_it(tmp_path, limited):
    path = tmp_path / "state.json"
    atomic_write(path, "old")
    with limited(1000), pytest.raises(StoreError) as caught:
        atomic_write(path, b"x" * 2000)
    assert str(path) in caught.value.message
    assert "File too large" in caught.value.message
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["state.json"]


def test_a_full_disk_is_told_in_one_line_with_what_to_do(small_disk):
    with pytest.raises(StoreError) as caught:
        atomic_write(small_disk / "report.md", b"x" * 100_000)
    line = str(caught.value)
    assert "\n" not in line
    assert str(small_disk / "report.md") in line
    assert "No space left on device" in line
    assert "Free some disk space" in line
    assert list(small_disk.iterdir()) == []


def test_an_interruption_leaves_the_old_file_alone(tmp_path, monkeypatch):
    path = tmp_path / "state.json"
    atomic_write(path, "old")

    def interrupted(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(files.os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        atomic_write(path, "new")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["state.json"]


def test_a_folder_where_a_file_is_needed_is_named(tmp_path):
    (tmp_path / "report.md").mkdir()
    with pytest.raises(StoreError, match=r"report\.md: Is a directory"):
        atomic_write(tmp_path / "report.md", "text")
    assert [p.name for p in tmp_path.iterdir()] == ["report.md"]


# -- whole lines -----------------------------------------------------------------------


def write_lines(path: Path, writer: int, count: int) -> None:
    for number in range(count):
        append_line(path, f"{writer} {number} ".encode() + b"x" * (writer * 700))


def test_lines_of_many_processes_are_whole_and_none_is_missing(tmp_path):
    path = tmp_path / "2026-11.jsonl"
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=write_lines, args=(path, w, 200)) for w in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(30)
    lines = path.read_bytes().splitlines()
    heads = [tuple(map(int, line.split()[:2])) for line in lines]
    assert Counter(head[0] for head in heads) == {w: 200 for w in range(8)}
    for writer_number in range(8):
        own = [number for w, number in heads if w == writer_number]
        assert own == list(range(200))
    assert all(line.count(b"x") == head[0] * 700 for line, head in zip(lines, heads, strict=True))


def test_an_unterminated_line_is_ended_before_the_next(tmp_path):
    path = tmp_path / "lines"
    path.write_bytes(b"torn")
    append_line(path, b"whole")
    assert path.read_bytes() == b"torn\nwhole\n"


def test_a_short_write_is_taken_back(tmp_path, limited):
    """What fits below the limit is written by the system, and must not stay as half a line."""
    path = tmp_path / "lines"
    append_line(path, b"one")
    with limited(10), pytest.raises(StoreError, match="File too large"):
        append_line(path, b"a line that is too long")
    assert path.read_bytes() == b"one\n"
    append_line(path, b"two")
    assert path.read_bytes() == b"one\ntwo\n"


def test_a_full_disk_takes_the_line_back(small_disk):
    path = small_disk / "lines"
    append_line(path, b"one", durable=True)
    (small_disk / "ballast").write_bytes(b"x" * 50_000)
    with pytest.raises(StoreError, match="No space left on device"):
        append_line(path, b"y" * 20_000, durable=True)
    assert path.read_bytes() == b"one\n"


def test_a_device_is_no_file_of_lines():
    with pytest.raises(StoreError, match=r"/dev/full: it is no ordinary file\. Move it away"):
        append_line(Path("/dev/full"), b"line")


def test_a_line_with_a_newline_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no newline"):
        append_line(tmp_path / "lines", b"two\nlines")


def test_a_new_file_of_lines_is_owner_only(tmp_path):
    append_line(tmp_path / "lines", b"one")
    assert mode_of(tmp_path / "lines") == 0o600


# -- locks -----------------------------------------------------------------------------


def test_a_lock_is_held_inside_and_free_after(tmp_path):
    def is_free() -> bool:
        with (tmp_path / "state.json.lock").open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

    with locked(tmp_path / "state.json"):
        assert not is_free()
    assert is_free()


def test_a_lock_that_cannot_be_made_names_its_file(tmp_path):
    with pytest.raises(StoreError) as caught, locked(tmp_path / "gone" / "state.json"):
        pass
    assert str(tmp_path / "gone" / "state.json.lock") in caught.value.message


def open_descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_no_descriptor_is_left_open(tmp_path):
    before = open_descriptors()
    for _ in range(5):
        append_line(tmp_path / "lines", b"one", durable=True)
        atomic_write(tmp_path / "file", "text")
        with locked(tmp_path / "file"):
            pass
    assert open_descriptors() == before


def test_what_a_killed_writer_left_is_taken_away_and_nothing_else(tmp_path):
    for name in (".state.json.abc123.tmp", ".other.json.abc123.tmp", "state.json", ".hidden"):
        (tmp_path / name).write_text("x")
    files.remove_leftovers(tmp_path, "state.json")
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        ".hidden",
        ".other.json.abc123.tmp",
        "state.json",
    ]
    files.remove_leftovers(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == [".hidden", "state.json"]
