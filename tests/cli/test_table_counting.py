"""`table inspect` and `table vote`: what is printed, the statuses, and what is not read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[2]
EXAMPLE = REPOSITORY / "examples" / "table" / "adopt-a-pattern.json"
TABLES = sorted((REPOSITORY / "tests" / "data" / "tables").glob("*.json"))
Call = Callable[..., Any]


def saved(folder: Path, state: object) -> str:
    path = folder / "state.json"
    path.write_text(json.dumps(state), encoding="utf-8")
    return str(path)


def test_the_worked_example_decides_as_it_should(call: Call) -> None:
    ran = call("table", "vote", str(EXAMPLE))
    assert ran.status == 0
    assert ran.out.startswith(
        "DECISION: adopt-modified\nWeighted confidence: 37/50 (74%) for adopt"
    )
    assert "Top dissent: none (no opposing votes)\nTop hedger: brand (6) — " in ran.out


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_the_status_of_a_labelled_table(call: Call, project: Path, path: Path) -> None:
    labelled = json.loads(path.read_text(encoding="utf-8"))
    expected = labelled["expect"]["vote"]
    state = saved(project, labelled["state"])
    ran = call("table", "vote", state, "--json")
    assert (ran.status, ran.object["outcome"]) == (expected["exit"], expected["outcome"])
    assert ran.object["winner"] == expected["winner"]
    assert call("table", "vote", state).status == expected["exit"]
    inspected = call("table", "inspect", state)
    assert inspected.status == labelled["expect"]["inspect"]["exit"]


def test_inspect_prints_its_one_word(call: Call, project: Path) -> None:
    labelled = json.loads(TABLES[1].read_text(encoding="utf-8"))
    state = saved(project, labelled["state"])
    assert call("table", "inspect", state).out == "SKIP-ROUND-3\n"
    told = call("table", "inspect", state, "--json").object
    assert (told["outcome"], told["round"]) == ("SKIP-ROUND-3", 2)


def test_the_object_has_every_field_of_the_count(call: Call) -> None:
    told = call("table", "vote", str(EXAMPLE), "--json").object
    block = told.pop("block")
    assert block.startswith("DECISION: adopt-modified\n")
    assert told == {
        "outcome": "DECIDED",
        "aggregator": "weighted",
        "winner": "adopt-modified",
        "tally": {"adopt-as-is": 0, "adopt-modified": 37, "reject": 0},
        "heads": {"adopt-as-is": 0, "adopt-modified": 5, "reject": 0},
        "score": 37,
        "percent": 74,
        "out_of": 50,
        "share": 1.0,
        "top_dissent": None,
        "top_hedger": "brand",
        "reasons": [],
        "reprompt": [],
    }


def test_json_cannot_act_on_a_terminal(call: Call, project: Path) -> None:
    state: dict[str, Any] = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    state["agents"][0]["name"] = name = "a\x1b[31m\x9b2J\u202e\u2028\ud800b"
    state["agents"][0]["final"] = {"vote": "reject", "confidence": 2, "rationale": name}
    ran = call("table", "vote", saved(project, state), "--json")
    assert not set(ran.out) & set("\x1b\x9b\u202e\u2028")
    assert ran.object["top_dissent"] == name


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("[]", "not an object"),
        ('{"options": ["a", "b"]}', "agents: is missing"),
        ("[" * 100_000, "is not JSON"),
        ("\xff", "is not JSON"),
    ],
)
def test_a_file_that_is_no_state_ends_with_1(
    call: Call, project: Path, content: str, said: str
) -> None:
    path = project / "state.json"
    path.write_bytes(content.encode("latin-1"))
    for what in ("vote", "inspect"):
        ran = call("table", what, str(path))
        assert ran.status == 1
        assert said in ran.one_line
        assert str(path) in ran.one_line


@pytest.mark.parametrize(
    "words",
    [
        ("vote",), ("inspect",), ("vote", "a.json", "b.json"), ("vote", "missing.json"),
        ("vote", "."), ("vote", "/dev/null"), ("vote", "/dev/stdin"), ("vote", "--wrong"), (),
    ],
)  # fmt: skip
def test_bad_usage_ends_with_1_here_because_2_means_ask_again(
    call: Call, words: tuple[str, ...]
) -> None:
    ran = call("table", *words)
    assert ran.status == 1
    assert ran.one_line


def held(*positions: str, rounds: int = 2, voted: bool = False) -> dict[str, Any]:
    """A state with one soul for each position, held in every round."""
    agents: list[dict[str, Any]] = [
        {
            "name": f"s{number}",
            "rounds": [
                {"round": r, "position": position, "confidence": 6, "self_update": "moved"}
                for r in range(1, rounds + 1)
            ],
            **({"final": {"vote": position, "confidence": 6}} if voted else {}),
        }
        for number, position in enumerate(positions)
    ]
    return {"question": "?", "options": ["keep", "split"], "agents": agents}


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (held("keep", "split", "hybrid"), "'s2' holds 'hybrid', which is none of the options"),
        (held("keep", "split", "Keep"), "'s2' holds 'Keep'"),
        (held("keep", "split", "keep", rounds=1), "there is only round 1"),
    ],
)
def test_inspect_refuses_what_it_cannot_speak_of(
    call: Call, project: Path, state: dict[str, Any], said: str
) -> None:
    path = saved(project, state)
    ran = call("table", "inspect", path)
    assert (ran.status, said in ran.one_line) == (1, True)
    assert call("table", "inspect", path, "--json").object["outcome"] == "BAD-INPUT"


def test_slips_in_a_state_are_told_and_counted_all_the_same(call: Call, project: Path) -> None:
    state = held(*["keep"] * 9, voted=True)
    state["options"] = ["keep", "Keep"]
    state["agents"][1]["name"] = "S0"
    path = saved(project, state)
    ran = call("table", "vote", path)
    assert (ran.status, ran.out.startswith("DECISION: keep")) == (0, True)
    assert ran.err.splitlines() == [
        "the souls 's0' and 'S0' differ only in their letters' case",
        "the options 'keep' and 'Keep' differ only in their letters' case",
        "9 souls: a table that is held seats 3 to 8",
    ]
    assert "table vote counts it" in call("table", "inspect", path).err


def test_a_broken_tie_is_told_beside_the_block(call: Call, project: Path) -> None:
    state = held("keep", "keep", "split", voted=True)
    state["agents"][0]["final"]["confidence"] = 9
    state["agents"][1]["final"]["confidence"] = 1
    state["agents"][2]["final"]["confidence"] = 10
    ran = call("table", "vote", saved(project, state))
    assert ran.err == "keep and split were tied; split leads by the highest single confidence\n"


@pytest.mark.parametrize(
    "words",
    [
        ("vote", "missing.json"), ("vote",), ("inspect", "{}.json", "--yes"),
        ("resume", "20200101-abcd"), ("resume",), ("pricing", "--yes"),
    ],
)  # fmt: skip
def test_a_refusal_under_json_is_one_object_too(call: Call, words: tuple[str, ...]) -> None:
    ran = call("table", *words, "--json")
    assert ran.status == 1
    assert ran.object["exit"] == {"name": "failure", "status": 1}
    assert ran.object["error"] in ran.err


@pytest.mark.parametrize(
    "flags",
    [
        ("--options", "a,b"), ("--agents", "sre"), ("--seat", "a=b.md"), ("--person", "Ada=x"),
        ("--engine", "sre=offline"), ("--aggregator", "weighted"), ("--facts", "f.txt"),
        ("--from", "20200101-abcd"),
    ],
)  # fmt: skip
def test_resume_takes_no_flag_that_it_would_pass_over(call: Call, flags: tuple[str, str]) -> None:
    ran = call("table", "resume", *flags)
    assert (ran.status, f"table resume takes no {flags[0]}" in ran.one_line) == (1, True)
    ran = call("table", "vote", str(EXAMPLE), *flags)
    assert (ran.status, f"table vote takes no {flags[0]}" in ran.one_line) == (1, True)


@pytest.mark.real
@pytest.mark.parametrize("stdin", ["closed", "null", "pipe"])
def test_counting_never_waits_for_a_terminal(project: Path, stdin: str) -> None:
    reading, writing = os.pipe()
    try:
        done = subprocess.run(
            [
                *(["sh", "-c", 'exec "$@" <&-', "sh"] if stdin == "closed" else []),
                *[sys.executable, "-m", "keystone_roundtable", "table", "vote", str(EXAMPLE)],
            ],
            stdin=reading if stdin == "pipe" else subprocess.DEVNULL,
            capture_output=True,
            cwd=project,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY)},
            timeout=60,
        )
    finally:
        os.close(reading)
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
    assert list(project.iterdir()) == []
