"""Which folder holds `.keystone`."""

from __future__ import annotations

from pathlib import Path

import pytest

from keystone_roundtable.stores.root import find_root


@pytest.fixture
def deep(tmp_path: Path) -> Path:
    folder = tmp_path / "project" / "src" / "deep"
    folder.mkdir(parents=True)
    return folder


def test_keystone_is_found_upwards(tmp_path, deep):
    (tmp_path / "project" / ".keystone").mkdir()
    assert find_root(deep) == tmp_path / "project"


def test_the_nearest_keystone_wins(tmp_path, deep):
    (tmp_path / ".keystone").mkdir()
    (tmp_path / "project" / "src" / ".keystone").mkdir()
    assert find_root(deep) == tmp_path / "project" / "src"


def test_keystone_above_the_git_root_wins_over_it(tmp_path, deep):
    (tmp_path / ".keystone").mkdir()
    (tmp_path / "project" / ".git").mkdir()
    assert find_root(deep) == tmp_path


def test_without_keystone_it_is_the_git_root(tmp_path, deep):
    (tmp_path / "project" / ".git").mkdir()
    assert find_root(deep) == tmp_path / "project"


def test_a_git_worktree_has_a_file_instead(tmp_path, deep):
    (tmp_path / "project" / ".git").write_text("gitdir: elsewhere\n")
    assert find_root(deep) == tmp_path / "project"


def test_without_either_it_is_the_start_and_nothing_is_made(deep):
    assert find_root(deep) == deep
    assert list(deep.iterdir()) == []


def test_a_file_named_keystone_is_no_root(tmp_path, deep):
    (deep / ".keystone").write_text("")
    (tmp_path / ".git").mkdir()
    assert find_root(deep) == tmp_path


def test_a_relative_start_gives_an_absolute_root(deep, monkeypatch):
    monkeypatch.chdir(deep)
    assert find_root(Path()) == deep


def test_a_folder_that_may_not_be_looked_into_holds_nothing_for_us(tmp_path, as_nobody):
    tmp_path.chmod(0o444)  # its names may be listed, what they name may not be seen
    (tmp_path / ".keystone").mkdir()
    assert as_nobody(tmp_path, lambda: find_root(Path())) == tmp_path
