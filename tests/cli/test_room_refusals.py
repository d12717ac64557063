"""What a room refuses, with the line that says what to do; and what it keeps nobody from."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from room_calls import OPTIONS, QUESTION, Call, a_map, engines, folder, given, quote, run, seats


@pytest.fixture
def crossed(room: Call, home: Path) -> None:
    engines(home, ada="good", other="good", gone="login-0")
    room("open", QUESTION, *OPTIONS, *seats("ada", "other", "gone"))
    run(room, "opening")
    run(room, "cross")


OPENINGS = {
    "one option": (("--options", "native"), "a fork has 2 to 4 options"),
    "options alike": (("--options", "native,Native"), "two options look alike"),
    "a rehearsal beside a voice": (
        (*OPTIONS, "--seat", "r=offline"),
        "r would rehearse beside seats that speak",
    ),
    "a red team of three": (
        ("--preset", "red-team", "--options", "a,b,c"),
        "a red team breaks one proposal",
    ),
    "a judge with a side": (
        (*OPTIONS, "--preset", "trial", "--seat", "kim=ada", "--stance", "kim=native"),
        "kim is the judge and argues no side",
    ),
    "one side twice": (
        (*OPTIONS, "--preset", "trial", "--seat", "kim=ada", "--stance", "other=native"),
        "both sides of the trial argue the same",
    ),
    "no motion file": (("--motion", "none.md"), "Check the path"),
}


@pytest.mark.parametrize("name", OPENINGS)
def test_what_cannot_be_a_room_is_not_opened(name: str, room: Call, home: Path) -> None:
    words, told = OPENINGS[name]
    engines(home, ada="good", other="good")
    refused = room("open", QUESTION, *seats("ada", "other"), *words)
    assert refused.status in (1, 2)
    assert told in refused.err
    assert room("list").out == "No rooms yet.\n"


def test_who_will_be_absent_is_said_before_anybody_is_asked(room: Call, home: Path) -> None:
    engines(home, ada="good")
    (home.parent / "config" / "keystone-roundtable" / "engines.yaml").open("a").write(
        "nobody:\n  kind: cli\n  vendor: x\n  argv: [no-such-command]\n"
    )
    (Path.cwd() / "notes.md").write_text("tickets")
    opened = room("open", QUESTION, *OPTIONS, *seats("ada", "nobody"), "--evidence", "notes.md")
    assert opened.status == 0
    assert "nobody: 'no-such-command' is not installed here, so it will be absent" in opened.err
    assert "The evidence is not read by: nobody" in opened.err


@pytest.mark.usefixtures("crossed")
def test_rules_do_not_write_over_a_map_that_somebody_drew(room: Call, home: Path) -> None:
    drawn = a_map(room, ["ada", "other", "gone"], ["ada", "other"])
    for claim in drawn["claims"]:
        claim["votes"] = [vote for vote in claim["votes"] if vote["vote"] != "silent"]
    assert room("claims", *given(home, drawn)).status == 0  # who is not named is silent
    kept = (folder(home) / "claims.json").read_bytes()
    refused = room("claims")
    assert refused.status == 2
    assert "there is a claim map, drawn up by host" in refused.err
    assert (folder(home) / "claims.json").read_bytes() == kept


@pytest.mark.usefixtures("crossed")
def test_the_whole_decision_is_shown(room: Call) -> None:
    run(room, "converge")
    decided = ("decide", "--cost", "a year", "--signal", "tickets")
    assert room(*decided, "--call", "native").status == 6
    shown = room("show").out
    assert 'Why: "The cost of native is known to ada." (ada, alone on this)' in shown
    assert "If it is wrong: a year" in shown and "The earliest signal: tickets" in shown


def test_reasons_are_not_read_off_the_other_side(room: Call, home: Path) -> None:
    engines(home, ada="good", bob="good")
    room("open", QUESTION, *OPTIONS, *seats("ada", "bob"))
    run(room, "opening")
    refused = room("decide", "--call", "WSL2", "--cost", "a year", "--signal", "tickets")
    assert refused.status == 2
    assert "no seat holds 'WSL2'" in refused.err


@pytest.mark.usefixtures("crossed")
def test_whoever_has_answered_everything_is_not_excused(room: Call) -> None:
    run(room, "converge")
    refused = room("excuse", "ada", "--why", "no")
    assert (refused.status, refused.out) == (2, "")
    assert "ada has answered every round" in refused.err
    assert room("excuse", "gone").status == 0
    assert room("excuse", "gone", "--why", "no account").status == 0
    assert "gone: gone, excused (no account)" in room("show").out


@pytest.mark.usefixtures("crossed")
def test_a_page_takes_nothings_place(room: Call, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert room("view", "--file", str(page)).status == 0
    again = room("view", "--file", str(page))
    assert again.status == 2
    assert "there is a file already" in again.err
    assert room("view", "--file", str(page), "--force").status == 0
    link = tmp_path / "link.html"
    link.symlink_to(page)
    assert "no ordinary file" in room("view", "--file", str(link), "--force").err
    assert "Check the path" in room("view", "--file", str(tmp_path / "none" / "p.html")).err


@pytest.mark.usefixtures("crossed")
def test_what_would_be_sent_is_shown_and_nobody_is_asked(room: Call, home: Path) -> None:
    before = (folder(home) / "events.jsonl").read_bytes()
    shown = room("run", "converge", "--dry-run")
    assert shown.status == 0
    assert "=== 3-converge, ada ===" in shown.out and "Convergence, the last round" in shown.out
    assert (folder(home) / "events.jsonl").read_bytes() == before


@pytest.mark.usefixtures("crossed")
def test_letters_are_not_undone_by_what_splits_the_room(room: Call) -> None:
    """The default path: claims read off by rules, and then the last round."""
    room("claims")
    told = room("run", "converge", "--dry-run", "--only", "ada").out
    assert "other" not in told.replace("Others", "").replace("others", "").replace(
        quote("other"), ""
    ).replace("known to other", "").replace("other option", "")


BROKEN = {
    "not JSON": ("{", "not JSON"),
    "deep": ("[" * 100_000, "nested too deeply"),
    "empty": ('{"claims": []}', "claims: must have at least 1 entries"),
    "no map": ("[]", "all of it: "),
}


@pytest.mark.usefixtures("crossed")
@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_is_no_map_is_told_in_plain_words(
    name: str, room: Call, tmp_path: Path
) -> None:
    text, told = BROKEN[name]
    path = tmp_path / "map.json"
    path.write_text(text)
    refused = room("claims", "--file", str(path))
    assert refused.status == 2
    assert told in refused.err
    assert "validation" not in refused.err and "Traceback" not in refused.err


@pytest.mark.usefixtures("crossed")
def test_a_limit_that_is_used_up_is_said_and_nobody_is_absent_for_it(room: Call) -> None:
    refused = room("run", "converge", "--yes", "--max-invocations", "1")
    assert refused.status == 2
    assert "--max-invocations 1 is used up: " in refused.err
    assert len(json.loads(room("show", "--json").out)["rows"]) == 2


def test_an_empty_folder_becomes_the_rooms_and_a_full_one_does_not(
    room: Call, home: Path, tmp_path: Path
) -> None:
    engines(home, ada="good", other="good")
    empty, full = tmp_path / "empty", tmp_path / "full"
    empty.mkdir()
    full.mkdir()
    (full / "mine.txt").write_text("mine")
    words = ("open", QUESTION, *OPTIONS, *seats("ada", "other"), "--dir")
    assert room(*words, str(empty)).status == 0
    refused = room(*words, str(full))
    assert refused.status == 1
    assert "Name a folder that is empty or not there yet" in refused.err
    assert [one.name for one in full.iterdir()] == ["mine.txt"]


def test_a_name_too_long_for_a_file_keeps_its_turn(room: Call, home: Path) -> None:
    engines(home, ada="good")
    name = "界" * 60
    assert room("open", QUESTION, *OPTIONS, "--seat", f"{name}=ada", "--seat", "ada").status == 0
    assert run(room, "opening").status == 0
    assert len(list((folder(home) / "rounds" / "1-opening").iterdir())) == 2


def test_a_link_in_a_rooms_folder_is_not_written_through(room: Call, home: Path) -> None:
    engines(home, ada="good", other="good")
    room("open", QUESTION, *OPTIONS, *seats("ada", "other"))
    elsewhere = home.parent / "elsewhere"
    elsewhere.mkdir()
    (folder(home) / "rounds").symlink_to(elsewhere)
    assert run(room, "opening").status == 1
    assert list(elsewhere.iterdir()) == []


def test_a_key_in_the_question_is_in_no_folders_name(room: Call, home: Path) -> None:
    engines(home, ada="good", other="good")
    key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"
    room("open", f"Rotate {key} now or later?", "--options", "now,later", *seats("ada", "other"))
    assert key[8:20] not in folder(home).name


def test_a_kill_between_the_decision_and_the_end_is_made_good(room: Call, home: Path) -> None:
    engines(home, ada="good", bob="good")
    room("open", QUESTION, *OPTIONS, *seats("ada", "bob"))
    for name in ("opening", "cross", "converge"):
        run(room, name)
    decide = ("decide", "--call", "native", "--cost", "a year", "--signal", "tickets")
    assert room(*decide).status == 0
    log = folder(home) / "events.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    assert b"room_closed" in lines[-1]
    log.write_bytes(b"".join(lines[:-1]))
    (folder(home) / "contract.json").unlink()
    assert "Next: room decide" in room("show").out
    room(*decide)
    assert (folder(home) / "contract.json").is_file()
    assert "The room is closed" in room("show").out


@pytest.mark.usefixtures("crossed")
def test_nothing_that_can_be_quoted_is_said_in_one_line(room: Call, home: Path) -> None:
    log = folder(home) / "events.jsonl"
    text = log.read_text().replace(
        " has counted the tickets itself. The cost of native is known to ada.", "."
    )
    log.write_text(
        text.replace(" has counted the tickets itself. The cost of WSL2 is known to other.", ".")
    )
    refused = room("claims")
    assert refused.status == 2
    assert "too little was said to read a claim map off it" in refused.err


def test_a_round_does_not_begin_without_its_evidence(room: Call, home: Path) -> None:
    engines(home, ada="good", other="good")
    notes = Path.cwd() / "notes.md"
    notes.write_text("tickets")
    room("open", QUESTION, *OPTIONS, *seats("ada", "other"), "--evidence", "notes.md")
    notes.unlink()
    refused = run(room, "opening")
    assert refused.status == 2
    assert f"the evidence is gone: {notes}" in refused.err
    assert json.loads(room("show", "--json").out)["rows"] == []


@pytest.mark.real
def test_a_question_in_any_script_names_its_room_whatever_the_locale(home: Path) -> None:
    engines(home, ada="good", other="good")
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    words = ("open", "删除 oder behalten?", "--options", "löschen,behalten", "--yes", "--json")
    program = [sys.executable, "-m", "keystone_roundtable", "room"]
    environ = {**os.environ, **ascii_only}
    opened = subprocess.run(
        [*program, *words, *seats("ada", "other")], env=environ, capture_output=True, check=True
    )
    assert json.loads(opened.stdout)["motion"]["options"] == ["löschen", "behalten"]
    listed = subprocess.run([*program, "list"], env=environ, capture_output=True, check=True)
    assert folder(home).name == "删除-oder-behalten"
    assert folder(home).name in listed.stdout.decode()
