"""What souls may choose from: options that each of them can name, and none left out unsaid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Call = Callable[..., Any]
QUESTION = "Should we keep the service or split it?"


@pytest.mark.parametrize(
    "secret", ["passcode: 6-digit", "password: bcrypt2024", "auth=OAuth2.1/PKCE-S256"]
)
def test_an_option_that_would_be_masked_is_refused_before_anybody_is_asked(
    call: Call, table_typed: Call, project: Any, secret: str
) -> None:
    """Masked in the prompt, it could be chosen by nobody, and the other one would win."""
    ran = call("table", QUESTION, "--options", f"fingerprint,{secret}", "--yes")
    assert (ran.status, "option 2 looks like a secret" in ran.one_line) == (1, True)
    assert secret not in ran.err
    ran = call("table", f"Should we use fingerprint or {secret}?", "--yes")
    assert (ran.status, "looks like a secret" in ran.one_line) == (1, True)
    assert not (project / ".keystone" / "roundtable" / "tables").exists()
    ran, asked = table_typed(QUESTION, lines=[f"fingerprint, {secret}"])
    assert "looks like a secret" in ran.err
    assert len(asked) == 2


def test_a_seat_whose_name_would_be_masked_is_refused(call: Call) -> None:
    people = ["--person", "token: a1B2c3D4e5F6g7=argues", "--person", "b=x", "--person", "c=x"]
    ran = call("table", QUESTION, "--options", "keep,split", "--yes", *people)
    assert (ran.status, "looks like a secret" in ran.one_line) == (1, True)


def test_five_options_in_a_question_are_refused_by_name_and_none_is_dropped(call: Call) -> None:
    ran = call("table", "Redis, Postgres, Kafka, RabbitMQ or NATS?", "--yes")
    assert ran.status == 1
    for name in ("Redis", "Postgres", "Kafka", "RabbitMQ", "NATS"):
        assert name in ran.one_line
    assert "2 to 4" in ran.one_line


def test_a_question_of_its_own_brings_its_own_options_and_a_session_only_its_facts(
    call: Call, hold: Call, session_of: Any
) -> None:
    hold("finished")
    session = session_of().name
    told = call("table", "Should we hire or train?", "--from", session, "--yes", "--json").object
    assert told["options"] == ["hire", "train"]
    assert told["question"] == "Should we hire or train?"
    ran = call("table", "pricing", "--from", session, "--yes")
    assert (ran.status, "no options stand in it" in ran.one_line) == (1, True)


@pytest.mark.parametrize("agents", [",,", "", " , "])
def test_a_roster_of_nobody_is_refused(call: Call, agents: str) -> None:
    ran = call("table", QUESTION, "--options", "keep,split", "--agents", agents, "--yes")
    assert (ran.status, "--agents" in ran.one_line) == (1, True)
