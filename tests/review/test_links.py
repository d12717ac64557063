"""Links between decisions: no circle, nothing twice, nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from keystone_roundtable.core.errors import UsageError
from keystone_roundtable.review.aftermath import Aftermaths
from keystone_roundtable.review.links import Link, add_link, read_links, remove_link
from keystone_roundtable.stores.places import LINKS_NAME, roundtable_folder

A, B, C, D = (f"20260101-{name * 4}" for name in "abcd")


def link(source: str, relation: str, target: str, at: str = "2026-04-11T10:00:00+00:00") -> Link:
    return Link(at, source, relation, target)


def test_a_link_is_kept_and_made_once(tmp_path: Path) -> None:
    assert add_link(tmp_path, link(B, "supersedes", A))
    assert not add_link(tmp_path, link(B, "supersedes", A, at="2027-01-01T00:00:00+00:00"))
    assert read_links(tmp_path) == (link(B, "supersedes", A),)


def test_a_contradiction_has_no_direction(tmp_path: Path) -> None:
    assert add_link(tmp_path, link(A, "contradicts", B))
    assert not add_link(tmp_path, link(B, "contradicts", A))


@pytest.mark.parametrize("relation", ["supersedes", "contradicts", "refines"])
def test_nothing_is_linked_to_itself(tmp_path: Path, relation: str) -> None:
    with pytest.raises(UsageError, match="itself"):
        add_link(tmp_path, link(A, relation, A))
    assert read_links(tmp_path) == ()


@pytest.mark.parametrize("closing", ["supersedes", "refines"])
def test_no_circle_is_closed_however_long(tmp_path: Path, closing: str) -> None:
    made = (link(B, "supersedes", A), link(C, "refines", B), link(D, "supersedes", C))
    for one in made:
        add_link(tmp_path, one)
    with pytest.raises(UsageError) as caught:
        add_link(tmp_path, link(A, closing, D))
    for one in made:
        assert f"{one.source} {one.relation} {one.target}" in caught.value.message
    assert read_links(tmp_path) == made
    assert add_link(tmp_path, link(D, closing, A)), "forwards is no circle"


def test_a_link_can_be_taken_back_and_made_again(tmp_path: Path) -> None:
    add_link(tmp_path, link(B, "supersedes", A))
    assert remove_link(tmp_path, link(B, "supersedes", A))
    assert not remove_link(tmp_path, link(B, "supersedes", A))
    assert read_links(tmp_path) == ()
    assert add_link(tmp_path, link(A, "supersedes", B))
    lines = (roundtable_folder(tmp_path) / LINKS_NAME).read_text().splitlines()
    assert len(lines) == 3, "every line stays"


def test_lines_that_are_no_links_are_passed_over_and_kept(tmp_path: Path) -> None:
    add_link(tmp_path, link(B, "supersedes", A))
    path = roundtable_folder(tmp_path) / LINKS_NAME
    odd = b'{"at": "x", "source": "../..", "relation": "supersedes", "target": "y"}\n[]\n\xff\n{"at'
    path.write_bytes(path.read_bytes() + odd)
    assert read_links(tmp_path) == (link(B, "supersedes", A),)
    add_link(tmp_path, link(C, "refines", B))
    assert len(read_links(tmp_path)) == 2
    assert odd in path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_latest_of_several_that_supersede_is_named(tmp_path: Path) -> None:
    add_link(tmp_path, link(B, "supersedes", A))
    add_link(tmp_path, link(C, "supersedes", A))
    after = Aftermaths(tmp_path)
    superseded = after.at(A, f"sessions/{A}").superseded
    assert superseded is not None and superseded.source == C
    assert len(after.at(A, f"sessions/{A}").links) == 2
    assert after.at(B, f"sessions/{B}").superseded is None
    assert len(after.at(B, f"sessions/{B}").links) == 1
