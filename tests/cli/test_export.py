"""`export`: records, pages and the log of all decisions, true to what the session holds."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml

HOSTILE = (
    'Use <script>alert(1)</script> & <img src=x onerror="alert(2)">, [a link](https://evil.test) '
    "or ![x](//evil.test/p.png) | https://evil.test `code` *bold* &lt; @someone"
)
MADR = [
    "## Context and Problem Statement",
    "## Decision Drivers",
    "## Considered Options",
    "## Decision Outcome",
    "### Consequences",
    "### Confirmation",
    "## Pros and Cons of the Options",
    "## More Information",
]


class Page(HTMLParser):
    """What a browser would make of a page: its tags, the attributes that load, its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loads: list[str] = []
        self.headings: list[int] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        for name, value in attributes:
            if name in ("src", "href", "srcset", "action", "data") or name.startswith("on"):
                self.loads.append(f"{name}={value}")

    def handle_data(self, data: str) -> None:
        self.text += data


def front_matter(adr: str) -> dict[str, Any]:
    _, head, _ = adr.split("---\n", 2)
    value = yaml.safe_load(head)
    assert isinstance(value, dict)
    return value


@pytest.fixture
def held(hold: Callable[..., Any]) -> Callable[..., dict[str, Any]]:
    def run(end: str) -> dict[str, Any]:
        shown = hold(end, "--json").object
        assert isinstance(shown, dict)
        return shown

    return run


@pytest.fixture
def hostile(call, project) -> str:
    """A finished session that is full of markup."""
    stdin = f"{HOSTILE}\n{HOSTILE}\n{HOSTILE}\n/stop\n\n"
    shown = call("run", HOSTILE, "--answers", "-", "--json", "--force", stdin=stdin).object
    assert shown["contract"] is not None
    return str(shown["session"])


def test_a_record_has_the_shape_of_madr(call, held):
    shown = held("finished")
    ran = call("export", shown["session"])
    assert (ran.status, ran.err) == (0, "")
    assert re.findall("^##+ .*$", ran.out, re.M)[:7] == MADR[:7]
    assert ran.out.count("\n# ") == 1
    head = front_matter(ran.out)
    assert head["status"] == "accepted"
    assert str(head["date"])[:2] == "20"
    assert head["decision-makers"] == ["the person who answered"]
    assert ran.out == call("export", shown["session"], "--format", "adr").out


def test_every_line_of_a_record_is_from_the_session(call, held):
    shown = held("finished")
    adr = call("export", shown["session"]).out
    for question in shown["questions"]:
        for answer in question["answers"]:
            assert f"“{answer['text']}” (A{question['id'][1:]}, to: {question['text']})" in adr
    listed = adr.split("## Considered Options\n\n")[1].split("\n\n##")[0]
    assert listed == "\n".join(f"* {option['text']}" for option in shown["options"])
    report, contract = shown["report"], shown["contract"]
    assert f'Chosen option: "{contract["option"]}", because: {report["why"]}' in adr
    for line in (report["excluded_paths"], report["wrong_choice_cost"], contract["fallback"]):
        assert line in adr
    assert "Stated confidence: 0.9 (converged)." in adr
    assert "Good, because it was chosen: “The settings refactor" in adr
    assert "How it turned out has not been told yet." in adr


@pytest.mark.parametrize("end", ["deferred", "escalated", "forced"])
def test_other_ends_are_told_as_they_are(call, held, end):
    shown = held(end)
    adr = call("export", shown["session"]).out
    if end == "forced":
        assert front_matter(adr)["status"] == "accepted"
        assert f"Risk: {shown['report']['risk_disclosure'][0]}" in adr
    else:
        assert front_matter(adr)["status"] == "proposed"
        assert "No option was chosen." in adr
        assert f"was {end}: no direction was taken" in adr
        assert "Chosen option" not in adr and "turned out" not in adr


def test_what_came_later_is_in_the_status(call, held):
    old, new = held("finished")["session"], held("finished")["session"]
    call("outcome", old, "reversed", "--note", "it did not scale")
    adr = call("export", old).out
    assert front_matter(adr)["status"] == "deprecated"
    assert "reversed: it did not scale" in adr
    call("decisions", "link", new, "supersedes", old)
    assert front_matter(call("export", old).out)["status"] == f"superseded by {new}"
    assert front_matter(call("export", new).out)["status"] == "accepted"


def test_stored_forms_are_as_stored(call, held, project):
    shown = held("finished")
    folder = Path(shown["paths"]["session"])
    for form, name in (("md", "report.md"), ("json", "contract.json")):
        stored = (folder / name).read_text("utf-8")
        assert call("export", shown["session"], "--format", form).out == stored
        (folder / name).unlink()
        assert call("export", shown["session"], "--format", form).out == stored, "from the log"


def test_a_page_stands_alone_and_can_be_read_by_its_structure(call, held):
    shown = held("finished")
    page = Page(call("export", shown["session"], "--format", "html").out)
    for tag in ("main", "header", "footer", "h1", "title", "section"):
        assert tag in page.tags
    assert page.loads == ["href=#content"]
    assert not {"script", "img", "iframe", "link", "object", "form", "input"} & set(page.tags)
    assert page.headings[0] == 1
    assert all(
        after - before <= 1 for before, after in zip(page.headings, page.headings[1:], strict=False)
    )
    for text in (shown["contract"]["option"], shown["report"]["why"], "0.9", "accepted"):
        assert text in page.text


@pytest.mark.parametrize("words", [("export", "ID"), ("export", "--log")])
def test_markup_in_what_was_said_does_nothing_on_a_page(call, hostile, words):
    words = tuple(hostile if word == "ID" else word for word in words)
    page = Page(call(*words, "--format", "html").out)
    assert not {"script", "img"} & set(page.tags)
    assert page.loads == ["href=#content"]
    assert "<script>alert(1)</script>" in page.text


@pytest.mark.parametrize("words", [("export", "ID"), ("export", "--log")])
def test_markup_in_what_was_said_does_nothing_in_markdown(call, hostile, words):
    text = call(*(hostile if word == "ID" else word for word in words)).out
    for live in (
        "<script",
        "<img",
        "](http",
        "![",
        "https://",
        "`code`",
        "*bold*",
        " @some",
        "&lt;",
    ):
        places = [match.start() for match in re.finditer(re.escape(live), text)]
        assert all(text[at - 1] == "\\" for at in places), live
    assert "alert(1)" in text and "a link" in text
    if words[1] == "--log":
        row = text.splitlines()[4]
        assert len(re.findall(r"(?<!\\)\|", row)) == 8


def test_secrets_are_masked_in_every_form(call):
    key = "ghp_" + "a1B2c3" * 6
    stdin = f"because {key} leaks\nthe other, {key}\nnothing\n/stop\n\n"
    topic = f"Rotate {key} now or keep it?"
    session = call("run", topic, "--answers", "-", "--json", "--force", stdin=stdin).object[
        "session"
    ]
    call("outcome", session, "held", "--note", key)
    for form in ("adr", "html", "md", "json"):
        assert key not in call("export", session, "--format", form).out
    for form in ("html", "md"):
        assert key not in call("export", "--log", "--format", form).out


def test_the_log_holds_every_finished_session_the_newest_first(call, held):
    assert "Nothing was decided here yet." in call("export", "--log", "--format", "html").out
    ids = [held(end)["session"] for end in ("finished", "deferred", "paused", "escalated")]
    call("outcome", ids[0], "held")
    rows = [x for x in call("export", "--log").out.splitlines() if x.startswith("| 20")]
    assert [row.split(" | ")[-1].strip("| ") for row in rows] == [ids[3], ids[1], ids[0]]
    assert "| accepted | 0.9 | held (20" in rows[2]
    page = Page(call("export", "--log", "--format", "html").out)
    assert page.tags.count("tr") == 4
    assert "3 decisions" in page.text


def test_a_file_is_private_and_never_written_over_unasked(call, held, project):
    session = held("finished")["session"]
    ran = call("export", session, "--output", "adr.md")
    assert (ran.status, ran.out, ran.err) == (0, "", "Written: adr.md\n")
    path = project / "adr.md"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_text("utf-8") == call("export", session).out
    path.write_text("mine")
    ran = call("export", session, "--output", "adr.md")
    assert ran.status == 2
    assert "--force" in ran.one_line
    assert path.read_text() == "mine"
    assert call("export", session, "--output", "adr.md", "--force").status == 0
    assert path.read_text("utf-8").startswith("---\n")
    (project / "dangling").symlink_to(project / "nowhere")
    assert call("export", session, "--output", "dangling").status == 2
    assert call("export", session, "--output", "no/such/folder.md").status == 1
    assert call("export", session, "--output", "-").out == call("export", session).out


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        ((), 2, "needs the decision's ID"),
        (("20000101-none",), 1, "there is no session, table or room '20000101-none' in /"),
        (("PAUSED",), 2, "is paused: nothing is decided in it yet"),
        (("PAUSED", "--log"), 2, "--log is over all decisions"),
        (("--log", "--format", "adr"), 2, "a decision log has no format 'adr'"),
        (("--log", "--format", "pdf"), 2, "invalid choice"),
    ],
)
def test_what_cannot_be_exported_is_told_in_one_line(call, held, words, status, told):
    paused = held("paused")["session"]
    ran = call("export", *(paused if word == "PAUSED" else word for word in words))
    assert ran.status == status
    assert told in ran.one_line


def test_a_project_can_have_its_own_record(call, held, project):
    session = held("finished")["session"]
    folder = project / ".keystone" / "roundtable" / "templates"
    folder.mkdir(parents=True)
    (folder / "adr.md.j2").write_text("# Ours: {{ record.title | inert }}\n")
    assert call("export", session).out.startswith("# Ours: Should we build")
    (folder / "adr.md.j2").write_text("{{ record.no_such }}")
    ran = call("export", session)
    assert ran.status == 1
    assert "adr.md.j2" in ran.one_line
    assert json.loads(call("export", session, "--format", "json").out)["session"] == session
