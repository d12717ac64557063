"""Decisions of tables and rooms, held by real processes, beside those of sessions: found, linked,
judged, exported and shown like any other.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from loopback.session import ANSWERS, TOPIC
from replays import put_engines

from keystone_roundtable.cli.earlier import tell_earlier
from keystone_roundtable.cli.main import main
from keystone_roundtable.terminal.wrapping import width_of

Call = Callable[..., Any]

TABLE_QUESTION = "Should the ordering service be kept whole or split out?"
ROOM_QUESTION = "Should the Windows port be native or WSL2?"
ROOM_NAME = "should-the-windows-port-be-native-or-wsl2"
COST, SIGNAL = "a year of one person", "complaints on watching"
KEY = "ghp_" + "a1B2" * 9
HOSTILE = f"<script>alert(1)</script> \x1b[2Jzebra {KEY} | [a](//evil.test)"


class Store(NamedTuple):
    """Where a session, a table and a room were held, and their ids."""

    root: Path
    session: str
    table: str
    room: str

    @property
    def base(self) -> Path:
        return self.root / ".keystone" / "roundtable"

    def folder(self, word: str) -> Path:
        return {
            "session": self.base / "sessions" / self.session,
            "table": self.base / "tables" / self.table,
            "room": self.base / "rooms" / ROOM_NAME,
        }[word]

    def id(self, word: str) -> str:
        return str(getattr(self, word))


@pytest.fixture(scope="module")
def held_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("held")
    root = folder / "project"
    (root / ".keystone").mkdir(parents=True)
    put_engines(folder / "config", {"ada": "good", "other": "good"})
    seats = []
    for name in ("ops", "sales", "law"):
        (folder / f"{name}.md").write_text(f"I am {name}.\n", encoding="utf-8")
        seats += ["--seat", f"{name}={folder / name}.md"]
    (folder / "answers").write_text("".join(f"{one}\n" for one in ANSWERS), encoding="utf-8")
    with pytest.MonkeyPatch.context() as there, open(os.devnull) as nothing:  # noqa: PTH123
        there.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        for name in ("KEYSTONE_CLI", "KEYSTONE_MODEL"):
            there.delenv(name, raising=False)
        there.setattr("sys.stdin", nothing)
        there.chdir(root)
        assert main(["run", TOPIC, "--answers", str(folder / "answers")]) == 0
        assert main(["table", TABLE_QUESTION, *seats, "--options", "keep,split", "--model", "ada",
                     "--engine", "law=other", "--yes"]) == 0  # fmt: skip
        assert main(["room", "open", ROOM_QUESTION, "--options", "native,WSL2", "--seat", "ada",
                     "--seat", "other"]) == 0  # fmt: skip
        for name in ("opening", "cross", "converge"):
            assert main(["room", "run", name, "--yes", "--timeout", "30"]) == 0
        assert main(["room", "decide", "--call", "native", "--cost", COST, "--signal", SIGNAL]) == 0
    base = root / ".keystone" / "roundtable"
    (session,) = (base / "sessions").iterdir()
    (table,) = (base / "tables").glob("*-*/")
    room = json.loads((base / "rooms" / ROOM_NAME / "contract.json").read_text())["session"]
    yield Store(root, session.name, table.name, room)


@pytest.fixture
def store(held_once: Store, project: Path) -> Store:
    """The three, in the working directory."""
    shutil.copytree(held_once.root, project, dirs_exist_ok=True)
    return held_once._replace(root=project)


WORDS = pytest.mark.parametrize("word", ["table", "room"])


def rows(ran: Any) -> list[str]:
    """The ids that were found, in order."""
    return [row["session"] for row in ran.object["decisions"]]


def swapped(log: Path, old: str, new: str) -> None:
    """Puts `new` for `old` in every text of a log."""
    text = log.read_text(encoding="utf-8")
    assert old in text
    log.write_text(text.replace(old, json.dumps(new)[1:-1]), encoding="utf-8")


# -- finding ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", ["room", "table", "session"]),
        ("ordering whole", ["table"]),
        ("windows port", ["room"]),
        ("split", ["table"]),
        ("wsl2", ["room"]),
        ("complaints", ["room"]),
        ("notification", ["session"]),
        ('"counted the tickets"', ["room", "table"]),
    ],
)
def test_what_was_said_anywhere_is_found(
    call: Call, store: Store, query: str, words: list[str]
) -> None:
    found = call("decisions", query, "--json").object["decisions"]
    assert {row["session"] for row in found} == {store.id(word) for word in words}
    formats = {"session": "socratic"}
    by_id = {row["session"]: row for row in found}
    for word in words:
        row = by_id[store.id(word)]
        contract = json.loads((store.folder(word) / "contract.json").read_text())
        assert row["format"] == formats.get(word, word) == contract["format"]
        for name in ("topic", "decision", "option", "confidence", "mode"):
            assert row[name] == contract[name]


@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_row_says_what_it_is_on_every_screen(
    call: Call, store: Store, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setattr("keystone_roundtable.cli.verbs.decisions.columns_of", lambda out: width)
    lines = call("decisions").out.splitlines()
    assert max(map(width_of, lines)) <= width
    told = [line.split("] ")[1] for line in lines if "[table] Should" in line]
    told += [line.split("] ")[1] for line in lines if "[room] Should" in line]
    assert len(told) == 2
    assert "[" not in "".join(line for line in lines if "notif" in line)


# -- which one is meant ----------------------------------------------------------------


def test_a_prefix_of_an_id_or_of_a_rooms_name_is_enough(call: Call, store: Store) -> None:
    for typed in (store.room, ROOM_NAME, "should-the-w"):
        assert call("show", typed, "--json").object["room"] == store.room
    assert call("show", store.table[:13], "--json").object["table"] == store.table


def test_several_that_begin_so_are_told(call: Call, store: Store) -> None:
    told = call("show", "20").one_line
    assert "3 sessions, tables or rooms start with '20': " in told
    for one in (f"session {store.session}", f"table {store.table}",
                f"room {store.room} ({ROOM_NAME})"):  # fmt: skip
        assert one in told
    shutil.copytree(store.folder("room"), store.folder("room").with_name("a-copy"))
    told = call("outcome", store.room, "held").one_line
    assert f"2 rooms start with '{store.room}'" in told and "(a-copy)" in told
    assert call("outcome", "a-copy", "held").status == 0


@WORDS
def test_what_goes_on_with_a_session_points_others_elsewhere(
    call: Call, store: Store, word: str
) -> None:
    for verb in ("resume", "reopen"):
        ran = call(verb, store.id(word), "--answers", "-")
        assert ran.status == 2
        assert f"{word} {store.id(word)}" in ran.one_line and "is no session" in ran.one_line
    assert f"decisions link NEW supersedes {store.id(word)}" in ran.one_line
    log = store.folder(word) / "events.jsonl"
    cut = [line for line in log.read_text().splitlines() if "ballot" not in line][:4]
    log.write_text("".join(f"{line}\n" for line in cut))
    way_on = {"table": f"table resume {store.table}", "room": f"room run ROUND --room {ROOM_NAME}"}
    for verb in ("resume", "reopen"):
        assert way_on[word] in call(verb, store.id(word), "--answers", "-").one_line
    ran = call("outcome", store.id(word), "held")
    assert "nothing is decided in it yet" in ran.one_line and way_on[word] in ran.one_line


def test_the_list_is_of_sessions_and_says_so(call: Call, store: Store) -> None:
    ran = call("list")
    assert [line[:17] for line in ran.out.splitlines()] == [store.session]
    (said,) = ran.err.splitlines()
    assert "1 table (keystone-roundtable table list)" in said
    assert "1 room (keystone-roundtable room list)" in said
    assert len(call("list", "--json").object["sessions"]) == 1
    shutil.rmtree(store.base / "rooms")
    shutil.rmtree(store.base / "tables")
    assert call("list").err == ""


# -- links and outcomes ----------------------------------------------------------------


def test_links_lead_from_one_format_to_another(call: Call, store: Store) -> None:
    assert call("decisions", "link", store.table, "supersedes", store.session).status == 0
    assert call("decisions", "link", "should-the-w", "refines", store.table).status == 0
    by = f"superseded by {store.table}"
    assert by in call("decisions", "notification").out
    assert f"Superseded by {store.table}" in call("show", store.session).out
    assert f"Refined by {store.room}" in call("show", store.table).out
    circle = call("decisions", "link", store.session, "supersedes", store.room)
    assert circle.status == 2 and "cannot be the later one" in circle.one_line
    assert call("show", store.room, "--json").object["links"][0]["target"] == store.table
    assert by in call("export", "--log").out


@WORDS
def test_how_it_turned_out_is_held_against_what_was_stated(
    call: Call, store: Store, word: str, telemetry_of: Call
) -> None:
    folder, contract = store.folder(word), store.folder(word) / "contract.json"
    before = (folder / "events.jsonl").read_bytes(), contract.read_bytes()
    assert call("outcome", store.id(word), "held", "--note", "as said").status == 0
    assert call("outcome", store.id(word), "held", "--note", "as said").status == 0
    assert ((folder / "events.jsonl").read_bytes(), contract.read_bytes()) == before
    (kept,) = (folder / "outcomes.jsonl").read_text().splitlines()
    assert json.loads(kept)["note"] == "as said"
    assert stat.S_IMODE((folder / "outcomes.jsonl").stat().st_mode) == 0o600
    (line,) = (one for one in telemetry_of() if one["event"] == "outcome")
    (end,) = (
        one
        for one in telemetry_of()
        if (one["event"], one["session"]) == ("finished", store.id(word))
    )
    for name in ("session", "format", "confidence", "mode", "project", "version", "model"):
        assert line[name] == end[name], name
    assert (line["format"], line["mode"], line["revision"]) == (word, None, 1)
    checked = call("telemetry", "check")
    assert (checked.status, "every one fits" in checked.out) == (0, True)
    review = call("review", "--json").object
    assert review["by_format"] == {"room": 1, "socratic": 1, "table": 1}
    assert (review["outcomes"]["held"], review["outcomes"]["judged"]) == (1, 1)
    assert review["brier"] == pytest.approx((1 - end["confidence"]) ** 2, abs=1e-3)
    assert f"{word}] Should" in call("decisions").out
    assert "Outcome: held" in call("show", store.id(word)).out


@WORDS
@pytest.mark.parametrize("contract", [None, "{", '{"confidence": "much", "format": "socratic"}'])
def test_without_a_sound_contract_the_log_says_what_was_stated(
    call: Call, store: Store, telemetry_of: Call, word: str, contract: str | None
) -> None:
    path = store.folder(word) / "contract.json"
    stated = json.loads(path.read_text())
    path.unlink() if contract is None else path.write_text(contract)
    assert call("outcome", store.id(word), "reversed").status == 0
    line = next(one for one in telemetry_of() if one["event"] == "outcome")
    assert (line["confidence"], line["format"]) == (stated["confidence"], word)
    if contract is None:
        assert json.loads(call("export", store.id(word), "--format", "json").out) == stated


def test_an_old_one_without_an_outcome_is_asked_for(call: Call, store: Store) -> None:
    for word in ("table", "room"):
        log = store.folder(word) / "events.jsonl"
        log.write_text(log.read_text().replace('"at": "20', '"at": "19').replace(
            '"at":"20', '"at":"19'))  # fmt: skip
    assert f"How did {store.table} turn out?" in call("decisions", "ordering").err
    assert f"How did {store.room} turn out?" in call("show", store.room).err


def test_a_table_that_left_it_to_a_person_decided_nothing(
    call: Call, project: Path, nobodys_settings: Path
) -> None:
    put_engines(nobodys_settings, {"ada": "good", "other": "good"})
    seats = []
    for name in ("ops", "sales", "law", "brand"):
        (project / f"{name}.md").write_text(f"I am {name}.\n", encoding="utf-8")
        seats += ["--seat", f"{name}={name}.md"]
    ran = call("table", TABLE_QUESTION, *seats, "--options", "keep,split", "--model", "ada",
               "--engine", "law=other", "--engine", "brand=other", "--yes", "--json")  # fmt: skip
    assert ran.status == 3
    table = ran.object["table"]
    assert "  escalated 0.5 " in call("decisions").out
    refused = call("outcome", table, "held")
    assert refused.status == 2
    assert f"table {table} was escalated: no direction was taken" in refused.one_line
    adr = call("export", table).out
    assert 'status: "proposed"' in adr
    assert "No option was chosen. The table left it to a person. The table cannot decide" in adr
    assert "* Not taken: keep (2 votes)\n* Not taken: split (2 votes)\n* Why it was left" in adr
    assert "Dissent" not in adr and "has not been told yet" not in adr


def test_a_rehearsed_room_is_no_decision(call: Call, project: Path) -> None:
    options = ("--options", "native,WSL2", "--model", "offline")
    assert call("room", "open", ROOM_QUESTION, *options).status == 0
    for name in ("opening", "cross", "converge"):
        call("room", "run", name, "--yes")
    call("room", "decide", "--call", "native", "--cost", COST, "--signal", SIGNAL)
    assert (project / f".keystone/roundtable/rooms/{ROOM_NAME}/contract.json").is_file()
    ran = call("outcome", ROOM_NAME, "held")
    assert ran.status == 2
    assert "was a rehearsal: no model was consulted" in ran.one_line
    assert "room open" in ran.one_line
    assert rows(call("decisions", "windows", "--json")) == []


# -- taking it elsewhere ---------------------------------------------------------------


def test_a_tables_record_holds_its_votes_and_its_dissent(call: Call, store: Store) -> None:
    call("outcome", store.table, "held", "--note", "it went well")
    call("decisions", "link", store.table, "contradicts", store.room)
    adr = call("export", store.table).out
    contract = json.loads((store.folder("table") / "contract.json").read_text())
    assert 'decision-makers: ["the votes of the souls"]' in adr
    assert "\n* keep\n* split\n" in adr
    assert f'Chosen option: "keep", because: {contract["rationale"]}' in adr
    assert "* Not taken: split (1 vote)\n* Dissent: the law lens\n" in adr
    assert "* Good, because the ops lens voted for it at 7: “ada has counted" in adr
    assert "* Bad, because the law lens voted for “split” at 7: “other has counted" in adr
    assert f"* Stated confidence: {contract['confidence']:g} (vote_decided)." in adr
    assert ": held: it went well" in adr
    assert f"* {store.table} contradicts {store.room}" in adr


def test_a_rooms_record_holds_the_call_its_cost_and_the_dissent(call: Call, store: Store) -> None:
    call("outcome", store.room, "reversed")
    adr = call("export", store.room).out
    assert 'status: "deprecated"' in adr and 'decision-makers: ["the chair"]' in adr
    assert 'Chosen option: "native", because: “The cost of native is known to ada.” (ada' in adr
    assert f"* Not taken: WSL2\n* Wrong-choice cost: {COST}\n" in adr
    assert f"* Earliest signal that it is wrong: {SIGNAL}\n* Dissent of other: still holds" in adr
    assert "Stated confidence: 0.35 (chair_decided, dissent)." in adr
    assert "a constraint" not in adr  # nobody gave one: what was drafted are nobody's words
    assert "* 2 of 2 answered (3-converge)" in adr


@WORDS
def test_its_own_text_contract_and_page_are_exported(call: Call, store: Store, word: str) -> None:
    found = store.id(word)
    stored = {
        "table": next((store.base / "tables").glob("*.md")),
        "room": store.folder("room") / "decision.md",
    }[word]
    assert call("export", found, "--format", "md").out == stored.read_text()
    contract = (store.folder(word) / "contract.json").read_text()
    assert call("export", found, "--format", "json").out == contract
    page = call("export", found, "--format", "html").out
    assert f"from {word} {found}; every line is from what the {word} holds" in page
    stored.unlink()
    again = call("export", found, "--format", "md").out
    assert {"table": TABLE_QUESTION, "room": COST}[word] in again
    log = call("export", "--log").out
    assert f"| {found} ({word}) |" in log and f"| {store.session} |" in log
    assert f"{word} {found}</span>" in call("export", "--log", "--format", "html").out


def test_show_shows_what_room_show_does(call: Call, store: Store) -> None:
    assert call("show", store.room).out == call("room", "show").out
    shown = call("show", store.room, "--json").object
    assert shown.items() >= call("room", "show", "--json").object.items()
    assert shown["outcome"] is None


# -- hostile and broken ----------------------------------------------------------------


@WORDS
def test_hostile_words_do_nothing_and_keys_are_nowhere(call: Call, store: Store, word: str) -> None:
    folder = store.folder(word)
    swapped(folder / "events.jsonl", "ada has counted the tickets itself.", HOSTILE)
    assert rows(call("decisions", "zebra", "--json")) == [store.id(word)]
    for path in store.base.glob("decisions.db*"):
        assert KEY.encode() not in path.read_bytes()
        assert KEY.casefold().encode() not in path.read_bytes()
    for words in (("decisions", "zebra"), ("export", store.id(word)),
                  ("export", store.id(word), "--format", "html"), ("export", "--log")):  # fmt: skip
        out = call(*words).out
        assert KEY not in out and "\x1b" not in out, words
        assert re.search(r"(?<!\\)<script", out) is None, words
    assert "zebra" in call("export", store.id(word)).out


def as_pipe(path: Path) -> None:
    os.mkfifo(path)


def as_folder(path: Path) -> None:
    path.mkdir()


def as_noise(path: Path) -> None:
    path.write_bytes(b'\xff\x00{"type": 7}\n[]\n{"type": "room_opened", "room": ["x"]}\n' * 3)


def as_foreign(path: Path) -> None:
    path.write_text('{"at": "x", "type": "session_started", "topic": "zebra"}\n')


def as_empty(path: Path) -> None:
    path.touch()


def as_newer(path: Path) -> None:
    path.write_text('{"at": "x", "type": "table_started", "schema_version": 99, "question": "z"}\n')


@WORDS
@pytest.mark.parametrize("put", [as_pipe, as_folder, as_noise, as_foreign, as_empty, as_newer])
def test_what_is_no_log_hides_no_other_and_keeps_nobody_waiting(
    call: Call, store: Store, word: str, put: Callable[[Path], None]
) -> None:
    log = store.folder(word) / "events.jsonl"
    log.unlink()
    put(log)
    others = {store.session, store.table, store.room} - {store.id(word)}
    assert set(rows(call("decisions", "--json"))) == others
    assert rows(call("decisions", "zebra", "--json")) == []
    for words in (("outcome", store.id(word), "held"), ("export", store.id(word)),
                  ("show", store.id(word))):  # fmt: skip
        ran = call(*words)
        assert ran.status in (1, 2) and ran.one_line, words
    assert call("export", "--log").status == 0
    assert call("list").status == 0


def test_what_is_no_contract_decides_nothing_by_itself(call: Call, store: Store) -> None:
    contract = store.folder("table") / "contract.json"
    contract.write_text('{"option": ["x"], "confidence": "much", "decision": {}, "topic": 7}')
    (row,) = call("decisions", "ordering", "--json").object["decisions"]
    assert (row["topic"], row["option"], row["confidence"]) == (TABLE_QUESTION, None, None)


def test_what_lies_elsewhere_is_left_out(
    call: Call, store: Store, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    for word in ("table", "room"):
        folder = store.folder(word)
        shutil.move(folder, elsewhere / word)
        folder.symlink_to(elsewhere / word)
    (store.base / "rooms" / "gone").symlink_to(elsewhere / "nothing")
    (store.base / "rooms" / "round").symlink_to(store.base / "rooms" / "round")
    assert rows(call("decisions", "--json")) == [store.session]
    assert call("outcome", store.table, "held").status == 1
    assert "there is no session, table or room" in call("outcome", ROOM_NAME, "held").one_line
    assert not list(elsewhere.rglob("outcomes.jsonl"))


@pytest.mark.parametrize("folder", ["tables", "rooms"])
def test_a_folder_that_cannot_be_listed_is_told(call: Call, store: Store, folder: str) -> None:
    shutil.rmtree(store.base / folder)
    (store.base / folder).write_text("no folder")
    for words in (("decisions",), ("export", "--log"), ("show", "2099")):
        ran = call(*words)
        assert ran.status == 1
        assert f"cannot list {store.base / folder}" in ran.one_line, words
    assert call("show", store.session).status == 0
    assert call("list").status == 0


def test_an_index_of_the_first_version_is_made_anew(call: Call, store: Store) -> None:
    path = store.base / "decisions.db"
    with sqlite3.connect(path) as old:
        old.executescript(
            "CREATE TABLE facts (name TEXT, value TEXT); INSERT INTO facts VALUES ('listing', '');"
            "CREATE TABLE sessions (number INTEGER PRIMARY KEY, id TEXT); PRAGMA user_version = 1;"
        )
    old.close()
    assert "1 session, " not in call("doctor").out
    assert set(rows(call("decisions", "--json"))) == {store.session, store.table, store.room}
    assert "1 session, 1 table, 1 room in the index" in call("doctor").out


def test_an_index_that_came_with_a_clone_is_made_anew(call: Call, store: Store) -> None:
    """What it holds may be anything: rows for a screen, a question without an end."""
    call("decisions")
    path = store.base / "decisions.db"
    with sqlite3.connect(path) as there:
        there.execute("UPDATE past SET topic = 'forged \x1b[2J'")
        there.execute("UPDATE facts SET value = '0' WHERE name = 'listing'")
    there.close()
    cloned = path.with_suffix(".copy")
    shutil.copy(path, cloned)
    cloned.replace(path)
    assert "forged" not in call("decisions").out


def test_a_view_in_an_index_is_asked_nothing(call: Call, store: Store) -> None:
    call("decisions")
    with sqlite3.connect(store.base / "decisions.db") as there:
        there.executescript(
            "ALTER TABLE facts RENAME TO real; CREATE VIEW facts AS WITH RECURSIVE n(x) AS "
            "(SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT 'file' AS name, x AS value FROM n;"
        )
    there.close()
    assert set(rows(call("decisions", "--json"))) == {store.session, store.table, store.room}


@pytest.mark.parametrize("name", ["links.jsonl", "outcomes.jsonl"])
def test_what_came_after_that_cannot_be_read_hides_no_decision(
    call: Call, store: Store, name: str
) -> None:
    path = (store.base if name == "links.jsonl" else store.folder("table")) / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    ran = call("decisions")
    assert ran.status == 0
    assert f"Passed over: {path}" in ran.err or f"Passed over: cannot read {path}" in ran.err
    assert store.table in ran.out


# -- before a new session --------------------------------------------------------------


def test_a_close_one_is_told_with_what_shows_it_and_is_not_reopened(
    call: Call, store: Store
) -> None:
    class Partner:
        def __init__(self) -> None:
            self.told: list[str] = []

        def tell(self, message: str) -> None:
            self.told.append(message)

        def choose_earlier(self, lines: list[str]) -> bool:
            raise AssertionError("only a session can be reopened")

    call("decisions")
    for question, where, found in (
        ("Is the ordering service kept whole or split out?", "at a table", store.table),
        ("Should our Windows port be native or WSL2?", "in a room", store.room),
    ):
        partner = Partner()
        assert tell_earlier(store.root, question, partner, may_choose=True) is None
        assert f", {where}: Should the" in partner.told[0]
        assert partner.told[-1] == f"To look at that one: keystone-roundtable show {found}"
