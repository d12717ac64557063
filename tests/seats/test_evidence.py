"""What a seat is given to read: a copy, of what was named, and of no room."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from keystone_roundtable.seats import evidence
from keystone_roundtable.seats.errors import EvidenceGoneError, TooMuchEvidenceError
from keystone_roundtable.seats.evidence import amount_of, check_evidence, copy_evidence


@pytest.fixture
def pile(tmp_path: Path) -> Path:
    (tmp_path / "pile" / "src").mkdir(parents=True)
    (tmp_path / "pile" / "src" / "main.py").write_text("print('evidence')")
    return tmp_path / "pile"


def room_at(folder: Path, said: str = "what another seat said") -> Path:
    (folder / "rounds" / "1-opening").mkdir(parents=True)
    for name in ("events.jsonl", "room.json", "rounds/1-opening/ada.md"):
        (folder / name).write_text(said)
    return folder


def copied(*paths: Path, sealed: tuple[Path, ...] = ()) -> dict[str, str]:
    """What the copy holds, by its place in it."""
    into = paths[0].parent / "copy"
    copy_evidence([str(path) for path in paths], into, sealed)
    return {str(one.relative_to(into)): one.read_text() for one in into.rglob("*") if one.is_file()}


def test_no_room_is_part_of_it_wherever_its_folder_lies(pile: Path) -> None:
    room_at(pile / "decisions" / "r1")
    room_at(pile / "src" / "deep" / "r2")
    (pile / ".keystone").mkdir()
    (pile / ".keystone" / "said.md").write_text("said")
    assert copied(pile) == {"pile/src/main.py": "print('evidence')"}
    assert amount_of([str(pile)]).files == 1


def test_the_room_of_the_run_is_left_out_by_whatever_name_it_is_reached(pile: Path) -> None:
    (pile / "new-room").mkdir()
    (pile / "new-room" / "motion.md").write_text("a room that is only just made")
    (pile.parent / "link").symlink_to(pile / "new-room")
    assert copied(pile, sealed=(pile.parent / "link",)) == {"pile/src/main.py": "print('evidence')"}


def test_what_lies_in_a_room_is_none(pile: Path) -> None:
    room_at(pile)
    with pytest.raises(EvidenceGoneError, match="a room lies there"):
        copied(pile / "src")


@pytest.mark.parametrize("what", ["itself", "a folder above", "a file"])
def test_what_was_exchanged_for_a_link_is_gone(what: str, pile: Path) -> None:
    room = room_at(pile.parent / ".keystone" / "roundtable" / "rooms" / "x")
    named = pile if what == "itself" else pile / "src"
    if what == "a file":
        named = pile / "src" / "main.py"
        named.unlink()
        named.symlink_to(room / "events.jsonl")
    else:
        os.rename(pile, pile.parent / "was")  # noqa: PTH104
        (room / "src").mkdir()
        pile.symlink_to(room)
    with pytest.raises(EvidenceGoneError, match=str(named)):
        copied(named)
    with pytest.raises(EvidenceGoneError):
        check_evidence([str(named)])


def test_a_file_that_is_exchanged_while_it_is_copied_is_not_followed(
    pile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = pile.parent / "secret"
    secret.write_text("another seat's text")
    file = pile / "src" / "main.py"
    opened = os.open

    def exchanging(name: object, flags: int, *rest: int, **more: int) -> int:
        if name == file.name:
            file.unlink()
            file.symlink_to(secret)
        return opened(name, flags, *rest, **more)  # type: ignore[call-overload,no-any-return]

    monkeypatch.setattr(os, "open", exchanging)
    assert copied(pile) == {}


def test_links_and_pipes_within_lead_nowhere(pile: Path) -> None:
    (pile / "out").symlink_to("/etc/passwd")
    (pile / "up").symlink_to("..")
    os.mkfifo(pile / "pipe")
    assert copied(pile) == {"pile/src/main.py": "print('evidence')"}


def test_what_was_put_in_since_counts(pile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "MAX_BYTES", 100)
    check_evidence([str(pile)])
    (pile / "big.bin").write_bytes(b"x" * 101)
    with pytest.raises(TooMuchEvidenceError):
        copied(pile)
    with pytest.raises(TooMuchEvidenceError, match="more than any seat reads"):
        check_evidence([str(pile)])
    assert not (pile.parent / "copy" / "pile" / "big.bin").exists()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system has no /proc")
def test_what_grows_while_it_is_read_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a file tells a size of 0, and has more to read."""
    monkeypatch.setattr(evidence, "MAX_BYTES", 100)
    with pytest.raises(TooMuchEvidenceError):
        copy_evidence([f"/proc/{os.getpid()}/status"], tmp_path / "copy")


def test_what_is_gone_is_named(pile: Path) -> None:
    with pytest.raises(EvidenceGoneError, match=f"the evidence is gone: {pile}/nothing"):
        check_evidence([str(pile), str(pile / "nothing")])


def test_a_copy_can_be_read_and_not_written(pile: Path) -> None:
    copied(pile, pile / "src")
    modes = {
        one.name: one.stat().st_mode & 0o777 for one in sorted((pile.parent / "copy").rglob("*"))
    }
    assert modes == {"pile": 0o500, "2-src": 0o500, "src": 0o500, "main.py": 0o400}
