"""`decisions`, its links, `outcome`, `list` and what `show` adds, through the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ID_KEYS = ["superseded_by", "links", "outcome", "earlier_outcomes"]


def aged(session: str, project: Path, day: str = "2026-04-11") -> None:
    """Makes a session look as if it had been held on another day."""
    log = folder_of(session, project) / "events.jsonl"
    events = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    for event in events:
        event["at"] = day + event["at"][10:]
    log.write_text("".join(json.dumps(event) + "\n" for event in events), "utf-8")


def folder_of(session: str, project: Path) -> Path:
    return project / ".keystone" / "roundtable" / "sessions" / session


@pytest.fixture
def held(hold: Callable[..., Any]) -> Callable[..., str]:
    """Holds a session that ends so; gives its id."""

    def run(end: str, *options: str) -> str:
        return str(hold(end, "--json", *options).object["session"])

    return run


# -- finding ---------------------------------------------------------------------------


def test_without_decisions_it_says_how_to_begin(call, project):
    ran = call("decisions")
    assert (ran.status, ran.err) == (0, "")
    assert "Nothing was decided here yet" in ran.out
    assert call("decisions", "--json").object["decisions"] == []
    assert list(project.iterdir()) == [], "looking makes nothing"


def test_finished_sessions_are_found_by_what_was_said(call, held):
    session = held("finished")
    paused = held("paused")
    for query in ([], ["pilot", "customer"], ["notif"], ['"settings refactor"']):
        ran = call("decisions", *query)
        assert ran.status == 0
        assert ran.out.splitlines()[0].startswith(f"{session}  20")
        assert "→ defer the notification system" in ran.out
        assert paused not in ran.out
    (found,) = call("decisions", "notif", "--json").object["decisions"]
    assert list(found) == [
        "session", "format", "at", "topic", "decision", "option", "confidence", "mode",
        *ID_KEYS,
    ]  # fmt: skip
    assert (found["session"], found["decision"]) == (session, "roundtable-aligned")
    ran = call("decisions", "zebra")
    assert (ran.status, ran.out) == (0, "No decision matches 'zebra'.\n")


@pytest.mark.parametrize(
    "query",
    [
        '"',
        '"a',
        "a OR",
        "NOT",
        "(",
        ")",
        "a*b",
        "^x",
        "NEAR(",
        "topic:",
        "a AND",
        "''",
        ";--",
        "{}",
    ],
)
def test_no_query_is_a_syntax_error(call, held, query):
    held("finished")
    ran = call("decisions", query)
    assert (ran.status, ran.err) == (0, "")
    assert call("decisions", query, "--json").object["query"] == query


def test_a_limit_is_kept_and_told(call, held):
    for _ in range(3):
        held("deferred")
    ran = call("decisions", "--limit", "2")
    assert len(ran.out.splitlines()) == 2
    assert "first 2" in ran.err
    assert len(call("decisions", "--limit", "0").out.splitlines()) == 3
    assert call("decisions", "--limit", "x").status == 2


def test_hostile_texts_do_nothing_to_a_screen(call, project):
    topic = "Ship \x1b[2J\x1b]0;owned\x07it now\u202e or wait?"
    call("run", topic, "--answers", "-", "--force", stdin="whatever\nwhatever\n")
    for words in (["decisions"], ["decisions", "ship"], ["list"], ["export", "--log"]):
        out = call(*words).out
        assert "it now or wait?" in out
        assert "\x1b" not in out and "\u202e" not in out and "\x07" not in out


def test_two_processes_that_find_no_index_both_answer(held, project, process):
    session = held("finished")
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "keystone_roundtable", "decisions", "notif", "--json"],
            cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for _ in range(4)
    ]  # fmt: skip
    for one in running:
        out, err = one.communicate(timeout=60)
        assert (one.returncode, err) == (0, b"")
        assert [d["session"] for d in json.loads(out)["decisions"]] == [session]


# -- links -----------------------------------------------------------------------------


@pytest.fixture
def two(held) -> tuple[str, str]:
    """An earlier and a later finished session."""
    return held("finished"), held("deferred")


def test_a_superseded_decision_says_by_what_wherever_it_is_shown(call, two):
    old, new = two
    ran = call("decisions", "link", new, "supersedes", old)
    assert (ran.status, ran.out) == (0, f"Linked: {new} supersedes {old}.\n")
    assert f"superseded by {new} (20" in call("decisions").out
    (line,) = [x for x in call("list").out.splitlines() if x.startswith(old)]
    assert f"[superseded by {new} (20" in line
    assert f"Superseded by {new} (20" in call("show", old).out
    assert f"Supersedes {old} (20" in call("show", new).out
    assert call("show", old, "--json").object["superseded_by"]["session"] == new
    listed = {x["id"]: x for x in call("list", "--json").object["sessions"]}
    assert listed[old]["superseded_by"]["session"] == new
    assert listed[new]["superseded_by"] is None


def test_links_that_cannot_be_are_told_in_one_line(call, two, held):
    old, new = two
    paused = held("paused")
    call("decisions", "link", new, "supersedes", old)
    for words, status, told in (
        ((new, "supersedes", old), 0, None),
        ((old, "refines", new), 2, "cannot be the later one"),
        ((old, "supersedes", old), 2, "itself"),
        (
            (old, "supersedes", "20000101-none"),
            1,
            "there is no session, table or room '20000101-none' in /",
        ),
        ((paused, "supersedes", old), 2, "is paused: nothing is decided in it yet"),
        ((old[:8], "supersedes", old), 1, "sessions start with"),
        ((old, "replaces", new), 2, "a link is an ID, a relation and another ID"),
    ):
        ran = call("decisions", "link", *words)
        assert ran.status == status, words
        if told is None:
            assert ran.out.startswith("Linked already")
        else:
            assert told in ran.one_line
    assert len(call("show", old, "--json").object["links"]) == 1


def test_a_link_turned_round_is_pointed_out_and_can_be_taken_back(call, project, two):
    old, new = two
    aged(old, project)
    ran = call("decisions", "link", old, "supersedes", new)
    assert f"{old} was begun before {new}" in ran.out
    back = call("decisions", "link", old, "supersedes", new, "--remove", "--json")
    assert (back.object["removed"], back.object["changed"]) == (True, True)
    assert call("decisions", "link", old, "supersedes", new, "--remove").status == 0
    assert call("decisions", "link", new, "supersedes", old).out.startswith("Linked:")


def test_a_closed_session_stays_as_it_was_closed(call, project, two):
    old, new = two
    before = {p: p.read_bytes() for p in folder_of(old, project).iterdir()}
    state = (project / ".keystone" / "state.json").read_bytes()
    call("decisions", "link", new, "supersedes", old)
    call("outcome", old, "held")
    assert {p: p.read_bytes() for p in before} == before
    assert (project / ".keystone" / "state.json").read_bytes() == state


def test_the_word_link_can_be_looked_for(call, held):
    held("finished")
    for query in (["link"], ["link", "building"], ["linked", "lists"]):
        ran = call("decisions", *query)
        assert (ran.status, ran.err) == (0, "")


# -- outcomes --------------------------------------------------------------------------


def test_an_outcome_is_kept_and_shown_and_its_note_goes_nowhere_else(
    call, held, project, telemetry_of
):
    session = held("finished")
    ran = call("outcome", session[:12], "held", "--note", "zebra\x1b[2J it worked")
    assert (ran.status, ran.out) == (0, f"Kept with {session}: held.\n")
    assert "Outcome: held (20" in call("show", session).out
    assert "zebra it worked" in call("show", session).out
    assert "  held  " in call("list").out and "  held  " in call("decisions").out
    (line,) = [x for x in telemetry_of() if x["event"] == "outcome"]
    (end,) = [x for x in telemetry_of() if x["event"] == "finished"]
    assert "decision" not in line
    for shared in ("skill", "confidence", "mode", "format", "session", "project"):
        assert line[shared] == end[shared]
    assert line["outcome"] == "held"
    for path in (project / ".keystone").rglob("*"):
        if path.is_file() and path.name != "outcomes.jsonl":
            assert b"zebra" not in path.read_bytes(), path


def test_a_second_outcome_replaces_the_first_and_says_so(call, held, telemetry_of):
    session = held("finished")
    call("outcome", session, "held", "--note", "so far")
    ran = call("outcome", session, "reversed")
    assert "counts instead of 'held'" in ran.out
    shown = call("outcome", session, "reversed", "--json").object
    assert (shown["new"], shown["outcome"]["outcome"]) == (False, "reversed")
    assert [one["note"] for one in shown["earlier_outcomes"]] == ["so far"]
    assert [x["outcome"] for x in telemetry_of() if x["event"] == "outcome"] == ["held", "reversed"]


def test_an_outcome_of_a_superseded_decision_is_kept_and_says_by_what(call, two):
    old, new = two
    call("decisions", "link", new, "supersedes", old)
    ran = call("outcome", old, "partly")
    assert ran.status == 0
    assert f"was superseded by {new}" in ran.out
    assert call("show", old, "--json").object["outcome"]["outcome"] == "partly"


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("paused", "is paused: nothing is decided in it yet"),
        ("redirected", "was sent elsewhere"),
        ("deferred", "was deferred: no direction was taken"),
        ("escalated", "was escalated: no direction was taken"),
    ],
)
def test_what_decided_nothing_has_no_outcome(call, held, project, end, told):
    session = held(end)
    ran = call("outcome", session, "held")
    assert ran.status == 2
    assert told in ran.one_line
    assert not (folder_of(session, project) / "outcomes.jsonl").exists()


def test_an_id_that_is_not_here_or_of_several_is_told(call, held, tmp_path, project):
    held("finished"), held("finished")
    for words in (("20000101-none",), ("../../etc",), ("",), ("20000101-none", "--json")):
        ran = call("outcome", words[0], "held", *words[1:])
        assert ran.status == 1
        assert "there is no session" in ran.one_line and str(project) in ran.one_line
    assert "2 sessions start with" in call("outcome", "20", "held").one_line
    assert call("outcome", "20", "splendid").status == 2


def test_an_id_of_another_project_needs_its_root(call, held, tmp_path, telemetry_of):
    other = tmp_path / "other"
    other.mkdir()
    session = held("finished", "--root", str(other))
    ran = call("outcome", session, "held")
    assert ran.status == 1
    assert "--root DIR" in ran.one_line
    assert call("outcome", session, "held", "--root", str(other)).status == 0
    assert "Outcome: held" in call("show", session, "--root", str(other)).out
    assert telemetry_of() == []


@pytest.mark.parametrize("where", ["session", "command"])
def test_no_line_is_written_where_none_is_wanted(call, held, telemetry_of, where):
    session = held("finished", *(["--no-telemetry"] if where == "session" else []))
    options = ["--no-telemetry"] if where == "command" else []
    assert call("outcome", session, "held", *options).status == 0
    assert call("outcome", session, "held").status == 0
    assert [x for x in telemetry_of() if x["event"] == "outcome"] == []


def test_without_its_contract_the_log_says_what_was_stated(call, held, project, telemetry_of):
    session = held("finished")
    (folder_of(session, project) / "contract.json").write_text("{")
    assert call("outcome", session, "held").status == 0
    assert telemetry_of()[-1]["confidence"] == 0.9


def test_an_old_decision_without_an_outcome_is_asked_for_in_one_line(call, held, project):
    old, recent = held("finished"), held("finished")
    for words in (["list"], ["decisions"], ["show", recent]):
        assert call(*words).err == ""
    aged(old, project)
    for words in (["list"], ["decisions"], ["show", old]):
        ran = call(*words)
        (line,) = ran.err.splitlines()
        assert f"keystone-roundtable outcome {old} held|reversed|partly|unknown" in line
        assert call(*words, "--json").err == ""
    call("outcome", old, "unknown")
    for words in (["list"], ["decisions"], ["show", old]):
        assert call(*words).err == ""


# -- list ------------------------------------------------------------------------------


def test_the_list_can_be_narrowed(call, held, project):
    by_end = {
        end: held(end) for end in ("finished", "deferred", "escalated", "paused", "redirected")
    }
    aged(by_end["finished"], project, "2026-04-11")

    def ids(*options: str) -> set[str]:
        return {x["id"] for x in call("list", "--json", *options).object["sessions"]}

    assert ids() == set(by_end.values())
    for word, end in (("decided", "finished"), ("deferred", "deferred"), ("escalated", "escalated"),
                      ("paused", "paused"), ("redirected", "redirected")):  # fmt: skip
        assert ids("--status", word) == {by_end[end]}
    assert ids("--status", "decided", "--status", "paused") == {
        by_end["finished"],
        by_end["paused"],
    }
    assert ids("--until", "2026-04") == ids("--since", "2026-04-11", "--until", "2026-04-11")
    assert ids("--until", "2026-04") == {by_end["finished"]}
    assert ids("--since", "2026-04-12") == set(by_end.values()) - {by_end["finished"]}
    assert by_end["paused"] in ids("--mode", "brainstorm")
    assert ids("--mode", "challenge") == set()
    assert ids("--query", "pilot") == {by_end["finished"], by_end["paused"], by_end["deferred"]}
    assert ids("--query", "pilot zebra") == set()
    assert "No session fits" in call("list", "--mode", "challenge").out
    assert call("list", "--since", "soon").status == 2
    assert call("list", "--status", "done").status == 2


def test_the_list_has_stable_keys_and_columns(call, held):
    session = held("finished")
    (entry,) = call("list", "--json").object["sessions"]
    assert list(entry) == [
        "id", "started_at", "topic", "status", "last_at", "decision", "option", "confidence",
        "mode", "problem", *ID_KEYS,
    ]  # fmt: skip
    (line,) = call("list").out.splitlines()
    assert line.split(None, 5)[:5] == [session, entry["started_at"][:10], "decided", "0.9", "-"]
    assert line.endswith("settings refactor?"), "nothing is cut off where no terminal is"


def test_a_python_without_sqlite_says_so_and_does_the_rest(call, held, hold, project, monkeypatch):
    session = held("finished")
    call("decisions")
    for name in [name for name in sys.modules if "review.decisions" in name]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sqlite3", None)
    assert "has no module 'sqlite3'" in call("decisions").one_line
    assert call("decisions").status == 1
    assert hold("finished").status == 0
    assert call("doctor", "--json").object["decisions"]["state"] == "impossible"
    for words in (("list",), ("show", session), ("outcome", session, "held"), ("export", session)):
        assert call(*words).status == 0
