"""What a person's words choose, exclude or leave open, from the topic to the contract."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from in_process import carried_out

BILLING = "Should we use Postgres or MongoDB for billing?"
POSTGRES, MONGO = "use Postgres for billing", "use MongoDB for billing"


def hold(folder: Path, topic: str, *answers: str) -> dict[str, Any]:
    _, out, _ = carried_out(
        *("run", topic, "--answers", "-", "--json", "--root", str(folder)),
        stdin="\n".join(json.dumps({"text": text}) for text in answers),
    )
    held: dict[str, Any] = json.loads(out)
    return held


@pytest.mark.parametrize(
    ("topic", "answers", "option"),
    [
        (BILLING, ("A release", "I don't like MongoDB.", "Oracle", "One table"), POSTGRES),
        (BILLING, ("A release", "MongoDB is too expensive.", "Oracle", "One table"), POSTGRES),
        (
            BILLING,
            (
                "A release",
                "Postgres.",
                "I'd rather take MongoDB now.",
                "One table",
                "Postgres",
                "x",
            ),
            POSTGRES,
        ),
        (
            "Our plan is to replace SAP with Odoo. I have doubts about the cost.",
            ("2 million", "A wrong balance", "I no longer want to replace SAP.", "the ledgers"),
            "keep things as they are",
        ),
        (
            "Should we ship our own Windows port or tell people to use WSL2?",
            (
                "It installs in five minutes",
                "We have two engineers",
                "if more than 20 tickets a month come in we ship natively",
                "the port",
                "x",
                "y",
            ),
            "ship our own Windows port",
        ),
        (
            "Should we hire Anna?",
            ("20k", "An empty room", "Bob", "Hire Anna.", "the team stays"),
            "hire Anna",
        ),
        (
            "Should we ship now or later?",
            ("A launch customer", "Not now, later.", "a beta", "one page"),
            "ship later",
        ),
        ("Which cache should we use?", ("speed", "I choose Redis.", "Memcached", "x1"), "Redis"),
    ],
)
def test_the_direction_is_the_one_that_was_meant(
    topic: str, answers: tuple[str, ...], option: str, tmp_path: Path
) -> None:
    assert hold(tmp_path, topic, *answers)["contract"]["option"] == option


def test_a_goal_is_no_path_beside_those_that_stand_open(tmp_path: Path) -> None:
    topic = "Should we shred the old paper files or archive them on cold storage?"
    held = hold(tmp_path, topic, "1", "Lower storage cost and no dust", "1", "ten files", "/stop")
    assert [option["source"] for option in held["options"]] == ["topic", "topic"]
    assert held["contract"]["option"].startswith("archive")


@pytest.mark.parametrize(
    "answer",
    [
        "Maybe longer opening hours, maybe a cafe corner, maybe close on Mondays",
        "A terrace, or a lawn.",
        "Two weeks",
        "5k a month",
    ],
)
def test_several_candidates_or_an_amount_choose_nothing(answer: str, tmp_path: Path) -> None:
    held = hold(tmp_path, "What should we do about the garden?", "A place to sit", answer)
    assert held["options"] == []


@pytest.mark.parametrize("answer", ["nothing", "No, because all were looked at", "I don't know"])
def test_nothing_left_aside_is_no_excluded_path(answer: str, tmp_path: Path) -> None:
    held = hold(tmp_path, BILLING, "A release", "1", answer, "One table", "/stop")
    assert len(held["options"]) == 2
    assert answer not in held["report"]["excluded_paths"]


def test_an_outcome_that_begins_with_no_is_an_outcome(tmp_path: Path) -> None:
    held = hold(tmp_path, BILLING, "No outages", "1", "a file", "One table")
    assert "No outages" in held["report"]["why"]
    assert "open" not in held["report"]["why"].casefold()


def test_the_direction_is_never_told_as_left_aside(tmp_path: Path) -> None:
    held = hold(
        tmp_path,
        "We will turn off comments on the blog. Any reason not to?",
        *("lost readers", "spam", "Turn off comments on the blog at once", "the old ones"),
    )
    assert held["contract"]["option"] == "turn off comments on the blog"
    assert "not the direction" not in held["report"]["excluded_paths"]
    assert "is set aside" not in held["report"]["excluded_paths"]


NOTICES = (
    "Should we build the notification system now or defer it until after the settings refactor?"
)


@pytest.mark.parametrize("number", ["0", "3", "7", "-1", "12", "#9", "③"])
def test_a_number_that_is_not_listed_is_told_and_the_question_stays(
    number: str, tmp_path: Path
) -> None:
    held = hold(tmp_path, NOTICES, "Customers hear of it by mail", number, "1", "an app", "a mail")
    payoff = held["questions"][1]
    assert [answer["text"] for answer in payoff["answers"]] == ["1"]
    assert held["contract"]["option"] == "build the notification system now"


def test_a_path_both_chosen_and_ruled_out_is_told_as_that(tmp_path: Path) -> None:
    held = hold(tmp_path, NOTICES, "Customers hear of it by mail", "1", "1", "one team", "a week")
    (session,) = (tmp_path / ".keystone" / "roundtable" / "sessions").iterdir()
    log = (session / "events.jsonl").read_text("utf-8")
    path = "“build the notification system now”"
    assert f"chosen, {path} (A2); ruled out, {path} (A3)" in log
    against = f"against the rest is {path} (A2)"
    assert held["report"] is None or against not in json.dumps(held["report"], ensure_ascii=False)


def test_an_ordinal_rules_out_where_the_question_asks_for_that(tmp_path: Path) -> None:
    answers = ("a dry cellar", "the second, the roof holds another year", "the first, nice to have")
    topic = "Should we insulate the roof or drain the cellar first?"
    held = hold(tmp_path, topic, *answers, "one wall done", "half the savings")
    assert held["contract"]["option"] == "drain the cellar first"
    assert "“insulate the roof” is out" in held["report"]["excluded_paths"]
