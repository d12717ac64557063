"""The room's page in a real browser: as a file, and live while turns land."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from replays import put_engines

pytestmark = [pytest.mark.real]

REPOSITORY = Path(__file__).parents[2]
NAMES = ("ada", "other", "esc", "gone")
HOWS = {"ada": "good", "other": "good", "esc": "escapes", "gone": "login-0"}
QUESTION = "Should the Windows port be native or WSL2?"


class Room:
    """A room below one folder, worked on by commands."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "project" / ".keystone").mkdir(parents=True)
        put_engines(folder / "config", HOWS)
        seats = [word for name in NAMES for word in ("--seat", name)]
        self.path = Path(self.call("open", QUESTION, "--options", "native,WSL2", *seats)["folder"])

    def words(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "keystone_roundtable", "room", *words]

    @property
    def environ(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(REPOSITORY),
            "HOME": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
        }

    def call(self, *words: str, statuses: tuple[int, ...] = (0,)) -> dict[str, Any]:
        done = subprocess.run(
            self.words(*words, "--json"), cwd=self.folder / "project", env=self.environ,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
        )  # fmt: skip
        assert done.returncode in statuses, done.stderr.decode()
        value = json.loads(done.stdout)
        assert isinstance(value, dict)
        return value

    def run(self, round_name: str) -> dict[str, Any]:
        return self.call("run", round_name, "--yes")

    def finish(self) -> None:
        self.run("opening")
        self.run("cross")
        path = self.folder / "claims.json"
        path.write_text(json.dumps(a_map()), encoding="utf-8")
        self.call("claims", "--file", str(path))
        self.call("press", "Who <pays> for it?")
        self.run("cross")
        self.run("converge")
        self.call(
            "decide", "--call", "native", "--cost", "a year of work", "--signal",
            "tickets about file watching", statuses=(6,),
        )  # fmt: skip
        self.call("excuse", "gone", "--why", "no login here")


def a_map() -> dict[str, Any]:
    def quote(name: str) -> str:
        return f"{name} has counted the tickets itself."

    def claim(told: str, **votes: str) -> dict[str, Any]:
        cast = [
            {"seat": n, "vote": votes[n], "quote": quote(n), "turn": 2}
            if n in votes
            else {"seat": n, "vote": "silent", "quote": "", "turn": 0}
            for n in NAMES
        ]
        return {"claim": told, "quote": quote("ada"), "seat": "ada", "turn": 2, "votes": cast}

    every = {name: "agree" for name in NAMES if name != "gone"}
    told = [
        claim("WSL2 users lose native file-watching performance", ada="agree", other="disagree"),
        claim("The tickets were counted by each seat itself", **every),
        claim("A native port costs one person a year", ada="agree", esc="agree"),
        claim("Nobody asks for a native port", ada="disagree", other="agree", esc="disagree"),
        claim("The cost is known", other="agree"),
    ]
    return {"claims": told}


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Room:
    made = Room(tmp_path_factory.mktemp("finished"))
    made.finish()
    return made


@pytest.fixture
def served(room: Room) -> Iterator[str]:
    process = subprocess.Popen(
        room.words("view", "--serve"), cwd=room.folder / "project", env=room.environ,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    yield address
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 0


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1024, 1600])
def test_the_page_fits_is_legible_and_loads_nothing(
    width: int, scheme: str, finished: Room, open_page: Any, request: pytest.FixtureRequest
) -> None:
    opened = open_page(finished.path / "index.html", width=width, scheme=scheme)
    if pictures := os.environ.get("ROOM_PICTURES"):
        opened.screenshot(Path(pictures) / f"room-{width}-{scheme}.png")
    assert (opened.complaints, opened.outgoing) == ([], [])
    assert len(opened.asked) == 1
    assert opened.overflow() == 0
    assert opened.faint_texts() == []


@pytest.mark.browser
def test_the_page_makes_sense_by_keyboard_and_in_a_screen_readers_outline(
    finished: Room, open_page: Any
) -> None:
    opened = open_page(finished.path / "index.html", width=1024)
    headings = [name for role, name in opened.roles() if role == "heading"]
    assert headings[:5] == [QUESTION, "Decision", "Why", "If it is wrong", "Dissent"]
    assert "Claim map" in headings and "Opening, sealed" in headings
    assert "Cross-examination, pass 2" in headings
    assert [name for role, name in opened.roles() if role == "article"].count("ada") == 4
    text = opened.page.inner_text("main")
    assert "Absent: not logged in" in text
    assert "3 of 4 answered: gone absent, not logged in (excused by the chair)" in text
    assert "<script>alert(1)</script>" in text and "Who <pays> for it?" in text
    assert [stop.split()[0] for stop in opened.tab_stops()] == ["a", "div"]
    levels = opened.page.evaluate(
        "[...document.querySelectorAll('h1,h2,h3')].map((e) => Number(e.tagName[1]))"
    )
    assert levels[0] == 1 and all(b - a <= 1 for a, b in pairwise(levels))


@pytest.mark.browser
def test_forced_colours_and_paper_keep_every_vote_in_words(finished: Room, open_page: Any) -> None:
    opened = open_page(finished.path / "index.html", width=1024, forced_colours=True)
    opened.page.emulate_media(media="print")
    cells = opened.page.locator(".claims td strong").all_inner_texts()
    assert set(cells) == {"Agrees", "Disagrees", "Silent"}
    assert opened.page.locator(".claims .tag").all_inner_texts() == [
        "Split", "Split", "Open", "Open", "Settled",
    ]  # fmt: skip


@pytest.mark.browser
def test_the_page_redraws_as_turns_land(room: Room, served: str, open_page: Any) -> None:
    opened = open_page(served, width=1024)
    assert opened.page.locator("article").count() == 0
    opened.page.locator("#content").focus()
    room.run("opening")
    opened.page.wait_for_selector("article >> text=ada has counted", timeout=20_000)
    opened.page.wait_for_selector("text=Absent: not logged in", timeout=20_000)
    assert opened.page.locator("#news").inner_text() != "This page redraws as turns land."
    assert opened.page.evaluate("document.activeElement.id") == "content"
    assert (opened.complaints, opened.outgoing) == ([], [])
    assert opened.faint_texts() == []


def test_the_address_is_the_only_way_in(served: str) -> None:
    parts = urlsplit(served)
    assert parts.hostname == "127.0.0.1" and len(parts.path) > 24

    def status(path: str, host: str | None = None, method: str = "GET") -> int:
        connection = http.client.HTTPConnection("127.0.0.1", parts.port, timeout=20)
        headers = {"Host": host} if host else {}
        connection.request(method, path, headers=headers)
        found = connection.getresponse()
        body = found.read()
        connection.close()
        assert found.status == 200 or QUESTION.encode() not in body
        return found.status

    assert status(parts.path) == 200
    assert status("/") == 404
    assert status("/wrong/") == 404
    assert status(parts.path + "../etc/passwd") == 404
    assert status(parts.path, host="evil.example") == 403
    assert status(parts.path, method="POST") == 501
