"""A room from the motion to the verdict, its seats replayed by real processes."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from room_calls import (
    OPTIONS,
    QUESTION,
    Call,
    a_map,
    engines,
    folder,
    given,
    left_running,
    quote,
    rooms,
    run,
    seats,
)

FAILING = {
    "hangs": ("hang", "timed out"),
    "loggedout": ("login-0", "not logged in"),
    "floods": ("flood", "said what cannot be used"),
    "torn": ("torn", "broke off"),
}


def test_a_room_comes_to_its_decision_with_every_absence_named(room: Call, home: Path) -> None:
    sound = {"ada": "good", "other": "children", "esc": "escapes"}
    engines(home, **sound, **{name: how for name, (how, _) in FAILING.items()})
    names = [*sound, *FAILING]
    assert room("open", QUESTION, *OPTIONS, *seats(*names)).status == 0
    opened = room("run", "opening", "--yes", "--timeout", "4", "--json")
    assert opened.status == 0
    room_id = opened.object["room"]
    line = opened.object["rows"][0]["quorum"]
    assert line.startswith("3 of 7 answered: ")
    assert all(f"{name} absent, {why}" in line for name, (_, why) in FAILING.items())

    assert run(room, "cross").status == 0
    assert room("claims", *given(home, a_map(room, names, list(sound)))).status == 0
    assert run(room, "converge").status == 0
    decided = room("decide", "--call", "native", "--cost", "a year", "--signal", "tickets")
    assert decided.status == 6
    assert "Lacking: torn did not answer 1-opening, 2-cross, 3-converge: broke off" in decided.out
    for name in FAILING:
        last = room("excuse", name, "--why", "it is not here", "--json")
    assert last.status == 0
    assert last.object["verdict"]["status"] == "ready"
    assert last.object["verdict"]["excused"] == dict.fromkeys(FAILING, "it is not here")
    assert left_running(room_id) == []

    kept = folder(home)
    decision = (kept / "decision.md").read_text()
    assert "3 of 7 answered: hangs absent, timed out (excused by the chair)" in decision
    assert "- other: still holds" in decision
    contract = json.loads((kept / "contract.json").read_text())
    assert (contract["format"], contract["option"]) == ("room", "native")
    state = json.loads((home.parent / "project" / ".keystone" / "state.json").read_text())
    assert state["artifacts"]["roundtable_contract"] == contract
    told = (home.parent / "project" / ".keystone" / "telemetry").rglob("*.jsonl")
    lines = [json.loads(line) for path in told for line in path.read_text().splitlines()]
    assert [line["event"] for line in lines] == ["started", "finished"]
    assert "tickets" not in json.dumps(lines)

    assert "\x1b" not in decided.out + last.out
    page = (kept / "index.html").read_text()
    assert "<script" not in page and "&lt;script&gt;alert(1)" in page
    for path in kept.rglob("*"):
        wanted = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == wanted, path


def test_no_seat_could_see_what_another_wrote_before_cross(room: Call, home: Path) -> None:
    """Neither in its prompt nor its folder, its environment or its arguments; also not in the
    evidence, though the room lies inside of it."""
    names = ["ada", "other", "bob"]
    engines(home, **dict.fromkeys(names, "good"))
    (home.parent / "project" / "notes.md").write_text("the facts")
    room("open", QUESTION, *OPTIONS, "--evidence", ".", *seats(*names))
    run(room, "opening", "--only", "ada")
    run(room, "opening")
    for name in names:
        seen = (home / "seen" / f"{name}-0.json").read_text()
        others = [other for other in names if other != name]
        assert not [other for other in others if quote(other) in seen]
        assert not [other for other in others if f'"{other}"' in seen]
        noted = json.loads(seen)
        assert list(noted["files"].values()) == ["the facts"]
        assert not noted["folder"].startswith(str(home.parent / "project"))
        assert not Path(noted["folder"]).exists()

    run(room, "cross")
    prompts = [json.loads((home / "seen" / f"{n}-1.json").read_text())["prompt"] for n in names]
    for name, prompt in zip(names, prompts, strict=True):
        assert all(quote(other) in prompt for other in names)
        assert "you held" in prompt and f"{name}:" not in prompt
        assert not any(f"maker of {other}" in prompt for other in names)
        assert "A holds" in prompt and "B holds" in prompt


def test_only_runs_one_seat_and_leaves_the_others_byte_for_byte(room: Call, home: Path) -> None:
    engines(home, ada="good", other="good", bob="crash")
    room("open", QUESTION, *OPTIONS, *seats("ada", "other", "bob"))
    run(room, "opening")
    kept = folder(home) / "rounds" / "1-opening"
    before = {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in kept.iterdir()}
    engines(home, ada="good", other="good", bob="good")
    assert run(room, "opening", "--only", "bob").status == 0
    after = {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in kept.iterdir()}
    assert after.pop("bob.md")[0].startswith(b"bob has counted")
    assert after == before
    asked = [path.name for path in (home / "seen").iterdir()]
    assert sorted(asked) == ["ada-0.json", "bob-0.json", "bob-1.json", "other-0.json"]

    run(room, "cross")
    refused = run(room, "opening", "--only", "ada")
    assert refused.status == 2
    assert "was read by others in 2-cross" in refused.err


def test_a_pressed_point_is_a_further_pass_and_both_stay(room: Call, home: Path) -> None:
    engines(home, ada="good", other="good")
    room("open", QUESTION, *OPTIONS, *seats("ada", "other"))
    assert room("press", "Who pays?").status == 2
    run(room, "opening")
    crossed = run(room, "cross")
    assert "What splits it:" in crossed.out
    assert 'native (ada): "ada has counted the tickets itself."' in crossed.out
    assert run(room, "cross").status == 2  # everybody has answered
    assert room("press", "Who pays?").status == 0
    assert "Who pays?" in (folder(home) / "motion.md").read_text()
    assert run(room, "converge").status == 2
    assert run(room, "cross").status == 0
    assert "Who pays?" in json.loads((home / "seen" / "ada-2.json").read_text())["prompt"]
    assert sorted(p.name for p in (folder(home) / "rounds").iterdir()) == [
        "1-opening", "2-cross", "3-cross",
    ]  # fmt: skip


@pytest.fixture
def crossed(room: Call, home: Path) -> list[str]:
    names = ["ada", "other", "gone"]
    engines(home, ada="good", other="good", gone="crash")
    room("open", QUESTION, *OPTIONS, *seats(*names))
    run(room, "opening")
    run(room, "cross")
    return names


def changed(claims: dict[str, Any], number: int, **fields: Any) -> dict[str, Any]:
    claims["claims"][number].update(fields)
    return claims


CLAIM_FAULTS: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "a quote that nobody wrote": (
        lambda m: changed(m, 2, quote="WSL2 is twice as slow"),
        'claim 3: "WSL2 is twice as slow" does not stand in ada\'s turn 2-cross',
    ),
    "a vote without a quote": (
        lambda m: m["claims"][0]["votes"][1].update(quote=""),
        "claim 1: other's `disagree` has no quote",
    ),
    "a vote with another's quote": (
        lambda m: m["claims"][0]["votes"][1].update(quote=quote("ada")),
        'claim 1: other\'s `disagree`: "ada has counted the tickets itself." does not stand in',
    ),
    "a vote of a seat that said nothing": (
        lambda m: m["claims"][0]["votes"][2].update(vote="agree", quote=quote("gone"), turn=1),
        "claim 1: gone has no turn, and so is `silent`",
    ),
    "words of a silent seat": (
        lambda m: m["claims"][4]["votes"][2].update(quote="I fully agree with native"),
        "claim 5: gone's `silent` has a quote",
    ),
    "a silent seat's turn": (
        lambda m: m["claims"][4]["votes"][2].update(turn=99),
        "claim 5: gone's `silent` has a quote",
    ),
    "one claim twice": (
        lambda m: m["claims"][4].update(claim="the tickets were  Counted"),
        "claim 5: it says what claim 2 says",
    ),
    "too few": (lambda m: m["claims"].pop(), "claims: 4 given, a map has 5 to 8"),
}


@pytest.mark.parametrize("name", CLAIM_FAULTS)
def test_a_claim_that_nobody_made_is_refused_with_the_line(
    name: str, room: Call, home: Path, crossed: list[str]
) -> None:
    spoil, told = CLAIM_FAULTS[name]
    drawn = a_map(room, crossed, ["ada", "other"])
    spoil(drawn)
    refused = room("claims", *given(home, drawn))
    assert (refused.status, refused.out) == (2, "")
    assert told in refused.err
    assert not (folder(home) / "claims.json").exists()


def test_silence_is_never_agreement(room: Call, home: Path, crossed: list[str]) -> None:
    drawn = room("claims", *given(home, a_map(room, crossed, ["ada", "other"])), "--json").object
    assert [one["standing"] for one in drawn["claims"]] == ["split", *["open"] * 4]
    room("excuse", "gone")
    again = room("show", "--json").object
    assert [one["standing"] for one in again["claims"]] == ["split", *["open"] * 3, "settled"]


def decision(**changes: Any) -> dict[str, Any]:
    why = [{"text": "It counted", "quote": quote("ada"), "seat": "ada", "turn": 2}]
    made = {"call": "native", "why": why, "cost": "a year", "signal": "tickets in March",
            "dissent": [{"seat": "other", "text": "WSL2 is there already"}]}  # fmt: skip
    return {**made, **changes}


DECISION_FAULTS = {
    "no option": ({"call": "both have merit"}, "decision, call: 'both have merit' blends"),
    "two options": ({"call": "native and WSL2"}, "decision, call: 'native and WSL2' blends"),
    "an option and more": ({"call": "native, with a bit of the rest"}, "blends; it is one of"),
    "a dissenter left out": ({"dissent": []}, "dissent: other holds 'WSL2' and is left out"),
    "a dissenter without a word": (
        {"dissent": [{"seat": "other", "text": " "}]},
        "other holds 'WSL2' and is left out",
    ),
    "a dissenter that agrees": (
        {"dissent": [*decision()["dissent"], {"seat": "ada", "text": "no"}]},
        "ada holds the call and dissents from nothing",
    ),
    "a quote that nobody wrote": (
        {"why": [{"quote": "it is free of charge", "seat": "ada", "turn": 2}]},
        "line 5: decision, why: \"it is free of charge\" does not stand in ada's turn 2-cross",
    ),
    "no cost": ({"cost": ""}, "decision, cost: it does not say what it costs if it is wrong"),
    "no signal": ({"signal": ""}, "decision, signal: it does not say the earliest signal"),
}  # fmt: skip


@pytest.mark.parametrize("name", DECISION_FAULTS)
def test_a_decision_that_breaks_a_rule_is_refused_with_the_line(
    name: str, room: Call, home: Path, crossed: list[str]
) -> None:
    changes, told = DECISION_FAULTS[name]
    refused = room("decide", *given(home, decision(**changes)))
    assert (refused.status, refused.out) == (2, "")
    assert told in refused.err
    assert not (folder(home) / "decision.md").exists()


def test_the_decision_names_a_seat_that_stood_alone(
    room: Call, home: Path, crossed: list[str]
) -> None:
    assert room("decide", *given(home, decision())).status == 6
    text = (folder(home) / "decision.md").read_text()
    assert '"ada has counted the tickets itself." (ada, which stood alone on this)' in text
    assert json.loads((folder(home) / "verdict.json").read_text())["status"] == "open"


def test_what_the_chair_says_whole_asks_no_model(
    room: Call, home: Path, crossed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEYSTONE_MODEL", "openai-chat:nobody")
    words = ("decide", "--call", "WSL2", "--cost", "a year", "--signal", "tickets")
    assert room(*words).status == 6
    assert room(*words[:5]).status == 2  # a model would have to be asked, and nobody says yes


def test_one_answer_is_no_agreement_and_no_room(room: Call, home: Path) -> None:
    engines(home, ada="good", bob="crash", eve="empty")
    room("open", QUESTION, *OPTIONS, *seats("ada", "bob", "eve"))
    opened = run(room, "opening")
    assert opened.status == 6
    assert (
        "1-opening: 1 of 3 answered: bob absent, broke off; eve absent, said nothing. "
        "Fewer than two answers are no agreement"
    ) in opened.out
    refused = run(room, "cross")
    assert refused.status == 2 and "nothing to cross-examine" in refused.err


def test_one_vendor_is_called_a_mirror(room: Call, home: Path) -> None:
    engines(home, ada="good")
    room("open", QUESTION, *OPTIONS, "--seat", "one=ada", "--seat", "two=ada")
    assert "One vendor (maker of ada): a mirror, not a panel." in run(room, "opening").out


def test_a_trial_assigns_its_sides_and_says_so(room: Call, home: Path) -> None:
    engines(home, ada="good", other="good", judge="good")
    words = ("open", QUESTION, *OPTIONS, "--preset", "trial")
    assert room(*words, *seats("ada", "other")).status == 2
    opened = room(*words, *seats("ada", "other", "judge"))
    assert "ada: ada, assigned to argue: native" in opened.out
    assert "judge: judge, judge" in opened.out
    run(room, "opening")
    prompts = {
        name: json.loads((home / "seen" / f"{name}-0.json").read_text())["prompt"]
        for name in ("ada", "other", "judge")
    }
    assert 'shown as assigned: "WSL2"' in prompts["other"]
    assert "You are the judge" in prompts["judge"] and "assigned" not in prompts["judge"]


def test_a_topic_is_made_a_fork_and_somebody_has_to_take_it(room: Call, home: Path) -> None:
    engines(home, ada="good", other="good")
    words = ("open", "Thoughts on Windows?", *seats("ada", "other"))
    refused = room(*words)
    assert refused.status == 2 and "--yes" in refused.err
    assert not rooms(home).exists()
    assert room(*words, "--yes").status == 0
    motion = (folder(home) / "motion.md").read_text()
    assert "## Decision (drafted)\n\nShould we go for Windows now, or not?" in motion
    assert "## Constraints (drafted)" in motion


def test_a_motion_file_gives_the_parts(room: Call, home: Path) -> None:
    engines(home, ada="good", other="good")
    path = home.parent / "motion.md"
    path.write_text(
        "# Decision\nKeep it or split it?\n\n## Constraints\nTwo people.\n\n"
        "## What would settle it\nThe deploy log.\n\n## Options\n- keep\n- split\n"
    )
    opened = room("open", "--motion", str(path), *seats("ada", "other"), "--json").object
    assert opened["motion"]["drafted"] == []
    assert opened["motion"]["options"] == ["keep", "split"]
    assert opened["motion"]["settles"] == "The deploy log."


def test_much_evidence_is_warned_of_and_keystone_is_none(room: Call, home: Path) -> None:
    engines(home, ada="good", other="good")
    pile = home.parent / "pile"
    pile.mkdir()
    for number in range(201):
        (pile / f"{number}.txt").write_text("x")
    words = ("open", QUESTION, *OPTIONS, *seats("ada", "other"), "--evidence")
    assert "201 files" in room(*words, str(pile)).err
    refused = room(*words, str(home.parent / "project" / ".keystone"))
    assert refused.status == 2 and "never evidence" in refused.err


def test_there_is_no_unsealed_opening(room: Call, home: Path) -> None:
    engines(home, ada="good", other="good")
    room("open", QUESTION, *OPTIONS, *seats("ada", "other"))
    refused = run(room, "opening", "--unsealed")
    assert refused.status == 2
    assert "agree with whoever spoke first" in refused.err and "room press" in refused.err


def test_a_rehearsal_says_what_it_is(room: Call, home: Path) -> None:
    assert room("open", QUESTION, *OPTIONS, "--model", "offline").status == 0
    for name in ("opening", "cross"):
        assert run(room, name).status == 0
    assert room("claims").status == 0
    assert run(room, "converge").status == 0
    done = room("decide", "--call", "native", "--cost", "little", "--signal", "none yet")
    assert done.status == 0, done.err
    assert "A rehearsal: no model was consulted" in done.out
    contract = json.loads((folder(home) / "contract.json").read_text())
    assert (contract["decision"], contract["option"]) == ("roundtable-escalate", None)
    assert contract["exit_reason"] == "rehearsal"


def test_the_list_names_each_room_and_what_is_next(room: Call, home: Path) -> None:
    assert room("list").out == "No rooms yet.\n"
    engines(home, ada="good", other="good")
    room("open", QUESTION, *OPTIONS, *seats("ada", "other"))
    assert room("list").out.split()[2:] == [
        "should-the-windows-port-be-native-or-wsl2", "panel", "next:", "room", "run", "opening",
    ]  # fmt: skip
    torn = rooms(home) / "torn"
    torn.mkdir()
    (torn / "events.jsonl").write_text("no event\n{}\n")
    never = rooms(home) / "never"
    never.mkdir()
    (never / "events.jsonl").write_bytes(b"")  # killed while it was opened
    listed = room("list").out.splitlines()
    assert listed[0].startswith("torn  cannot be read: ")
    assert len(listed) == 2
    assert room("show", "--room", "should").status == 0
    assert room("show", "--room", "nope").status == 1


@pytest.mark.real
@pytest.mark.parametrize("stdin", ["closed", "null", "pipe"])
@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("open", "Keep it or split it?", "--model", "offline"), 0),
        (("run", "opening"), 1),
        (("claims", "--edit"), 1),
        (("decide",), 1),
        (("view",), 1),
        (("list",), 0),
    ],
)
def test_without_a_terminal_every_deed_ends(
    stdin: str, words: tuple[str, ...], status: int, tmp_path: Path
) -> None:
    reading, writing = os.pipe()
    try:
        done = subprocess.run(
            [
                *(["sh", "-c", 'exec "$@" <&-', "sh"] if stdin == "closed" else []),
                *[sys.executable, "-m", "keystone_roundtable", "room", *words],
            ],
            stdin=reading if stdin == "pipe" else subprocess.DEVNULL,
            capture_output=True,
            cwd=tmp_path,
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": str(Path(__file__).parents[2]),
                "XDG_CONFIG_HOME": str(tmp_path / "config"),
            },
            timeout=60,
        )
    finally:
        os.close(reading)
        os.close(writing)
    assert (done.returncode, b"Traceback" in done.stderr) == (status, False), done.stderr.decode()
