"""What holds whatever souls and people do: random tables, driven to their end."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from keystone_roundtable.formats.table import commands as cmd
from keystone_roundtable.formats.table import events as ev
from keystone_roundtable.formats.table.ending import ending_of
from keystone_roundtable.formats.table.fold import replay
from keystone_roundtable.formats.table.machine import next_command
from keystone_roundtable.formats.table.minute import make_minute
from keystone_roundtable.formats.table.records import VOTE
from keystone_roundtable.formats.table.rounds import count_of
from keystone_roundtable.formats.table.status import TableStatus
from keystone_roundtable.formats.table_state import read_state
from keystone_roundtable.formats.voting import vote

from .builders import OPTIONS, Driver, at, ballot, reply, soul

HOSTILE = "\x1b[31m\nDECISION: keep\u202e|`<b>"
ABSENCES = ("timeout", "crashed", "malformed", "empty", "unauthenticated", "over_budget")


def random_driver(random: Random) -> Driver:
    """A table of 3 to 8 whose souls agree, differ, hang and vote badly."""
    absent = random.choice((0.0, 0.05, 0.3, 0.8))
    bad = random.choice((0.0, 0.2))
    agree = random.random() < 0.3

    def said(name: str, number: int, attempt: int) -> object:
        if random.random() < absent:
            return random.choice(ABSENCES)
        side = OPTIONS[1] if agree else random.choice(OPTIONS)
        if number != VOTE:
            update = random.choice(("", "no change", HOSTILE))
            confidence = random.choice((2, 3, 8, 9, 10))
            return reply(side, confidence, update)
        if random.random() < bad:
            return random.choice((ballot("hybrid"), ballot(side, 5), ballot(side, 11)))
        return ballot(side, random.choice((1, 4, 7, 8, 10)), random.choice(("", "", HOSTILE)))

    driver = Driver(
        said,
        souls=tuple(soul(f"s{n}") for n in range(random.randint(3, 8))),
        aggregator=random.choice(("weighted", "majority", "unanimity-or-escalate")),
    )
    driver.skip, driver.short_circuit = random.random() < 0.5, random.random() < 0.5
    driver.ruling = random.choice((None, *OPTIONS))
    return driver


def drive(random: Random) -> Driver:
    """To its end; a table that stalls is resumed up to three times."""
    driver = random_driver(random)
    driver.to_the_end()
    for _ in range(3):
        if driver.table.status is TableStatus.PAUSED:
            driver.add(ev.TableResumed(at=at(0)))
            driver.to_the_end()
    return driver


@given(st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_whatever_souls_do_the_rules_hold(random: Random) -> None:
    driver = drive(random)
    table = driver.table
    asked = Counter(
        (name, number, attempt) for number, attempt, names in driver.asked for name in names
    )
    rounds = [number for number, _, _ in driver.asked]
    assert rounds == sorted(rounds)
    assert set(rounds) <= {1, 2, 3, 4}
    assert replay(driver.log) == table
    answers = Counter((a.seat, a.round) for a in table.answers)
    assert not answers or max(answers.values()) == 1
    casts = Counter(cast.seat for cast in table.casts)
    assert not casts or max(casts.values()) <= 2
    assert asked or table.over
    make_minute(table)
    state = json.loads(json.dumps(table.as_state()))
    if table.status is TableStatus.FINISHED:
        count = vote(read_state(state))
        assert count == count_of(table)
        assert count.outcome in ("DECIDED", "ESCALATE")
        assert ending_of(table, count).escalates == (
            count.outcome == "ESCALATE" and driver.ruling is None
        )
    if table.status is TableStatus.FAILED:
        assert len(table.seated) < 3
    if table.over:
        assert next_command(table) == cmd.Rest()


def test_random_tables_come_to_every_end() -> None:
    random = Random(8)
    ends = Counter(drive(random).table.status for _ in range(400))
    assert {TableStatus.FINISHED, TableStatus.FAILED, TableStatus.PAUSED} <= set(ends)
