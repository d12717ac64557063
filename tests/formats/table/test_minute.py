"""What the minute says of a table: what happened, and nothing that did not."""

from __future__ import annotations

import pytest

from keystone_roundtable.core.spending_plan import Limits
from keystone_roundtable.formats.table import commands as cmd
from keystone_roundtable.formats.table import events as ev
from keystone_roundtable.formats.table.minute import make_minute
from keystone_roundtable.formats.table.records import CONVERGE, DEEPEN, OPEN, VOTE, Agreement
from keystone_roundtable.formats.table.replies import mechanical_axes

from .builders import NAMES, Driver, at, ballot, reply, saying, soul

ALL = tuple(NAMES)


def test_how_often_a_seat_was_asked_is_counted_and_what_cost_nothing_was_not_asked() -> None:
    plan: dict[tuple[str, int] | tuple[str, int, int], object] = {
        ("ops", VOTE): "over_budget",
        ("product", VOTE, 1): "over_budget",
        ("product", VOTE, 2): "timeout",
    }
    table = Driver(saying(plan)).to_the_end()
    assert ", not asked: over_budget; over_budget" in table.empty["ops"]
    assert ", asked once: over_budget; timeout" in table.empty["product"]
    told = make_minute(table).asked_again
    assert told == tuple(
        f"the {name} lens could not be asked at first: over_budget" for name in ("ops", "product")
    )


def test_an_outage_before_a_resumption_is_counted_too() -> None:
    driver = Driver(saying(dict.fromkeys([(name, VOTE) for name in ALL[:3]], "crashed")))
    driver.to_the_end()
    driver.said = saying({("ops", VOTE): "timeout"})
    driver.add(ev.TableResumed(at=at(0)))
    table = driver.to_the_end()
    assert "asked 4 times: crashed; crashed; timeout; timeout" in table.empty["ops"]


@pytest.mark.parametrize("asked", [True, False])
def test_no_answer_is_told_of_somebody_who_was_not_there(asked: bool) -> None:
    def still(name: str, number: int, attempt: int) -> object:
        return None if number == VOTE else reply("keep" if name == "ops" else "split", 6, "")

    driver = Driver(still)
    driver.until(cmd.AskNoEvidence)
    driver.add(ev.NoEvidenceConfirmed(at=at(0), skip=False, asked=asked))
    told = make_minute(driver.table).rounds[1].inspection
    assert told == (
        "SKIP-ROUND-3: the human did not confirm it"
        if asked
        else "SKIP-ROUND-3: nobody was there to be asked, so the next round is held"
    )


def test_a_yes_on_the_command_line_is_told_as_that() -> None:
    for by, agreed, said in (
        ("flag", "--yes was given, and nobody was asked", "--yes was given"),
        ("person", "a person agreed to them", "A person said yes"),
    ):
        driver = Driver(options_source="question")
        driver.add(ev.OptionsConfirmed.model_validate(
            {"at": at(0), "options": ("keep", "split"), "by": by}
        ))  # fmt: skip
        consent = Agreement.model_validate({"by": by, "limits": Limits(), "voices": ()})
        driver.add(ev.TableConvened(at=at(0), agreed=consent))
        minute = make_minute(driver.table)
        assert agreed in minute.options_by
        assert said in minute.convened_by


def test_a_table_that_stopped_says_why_and_how_to_go_on() -> None:
    driver = Driver(saying(dict.fromkeys([(name, DEEPEN) for name in ALL[:3]], "timeout")))
    way_on = f"resume {driver.table.id}"
    driver.until(cmd.CloseRound)
    assert "It is not over" in make_minute(driver.table).stopped
    driver.to_the_end()
    stopped = make_minute(driver.table).stopped
    assert "too few souls answered round 2, DEEPEN (2, a table needs 3)" in stopped
    assert way_on in stopped
    driver.add(ev.TableResumed(at=at(0)))
    driver.add(ev.TablePaused(at=at(0), cause="interrupt"))
    assert make_minute(driver.table).stopped.startswith("It was paused by Ctrl-C")
    driver.add(ev.TableResumed(at=at(0)))
    driver.said = saying({})
    assert make_minute(driver.to_the_end()).stopped == ""


def test_whoever_has_no_opening_or_no_vote_neither_moved_nor_stayed() -> None:
    plan = {("ops", OPEN): "timeout", ("product", VOTE): "timeout"}
    minute = make_minute(Driver(saying(plan)).to_the_end())
    moved = {move.name: move.moved for move in minute.moves}
    assert (moved["ops"], moved["product"], moved["support"]) == (None, None, False)
    assert (minute.moved_count, minute.compared) == (0, 3)


def test_a_broken_tie_is_told_with_what_broke_it() -> None:
    votes = {
        ("a", VOTE): ballot("keep", 9),
        ("b", VOTE): ballot("keep", 4),
        ("c", VOTE): ballot("split", 7),
        ("d", VOTE): ballot("split", 6),
    }
    driver = Driver(saying(votes), souls=tuple(soul(name) for name in "abcd"))
    driver.ruling = "keep"
    minute = make_minute(driver.to_the_end())
    assert minute.tie_broken == (
        "Keep and split were tied; keep leads by the highest single confidence."
    )
    assert "keep out of 10 for each vote" in minute.percentages
    assert "it holds 50%" in minute.percentages
    assert make_minute(Driver().to_the_end()).tie_broken == ""


def test_the_minute_has_the_date_of_its_name() -> None:
    driver = Driver(name="2026-11-07_split-it")
    assert make_minute(driver.table).date == "2026-11-07"


def test_axes_drawn_by_code_are_only_what_the_souls_differ_in() -> None:
    def axes(**positions: tuple[str, int]) -> tuple[str, ...]:
        plan = {(n, number): reply(*p) for n, p in positions.items() for number in (1, 2)}
        driver = Driver(
            saying(plan), souls=tuple(soul(n) for n in positions), options=("keep", "split", "wait")
        )
        driver.until(cmd.DrawAxes)
        drawn = mechanical_axes(driver.table)
        driver.add(ev.AxesDrawn(at=at(0), axes=drawn, source="offline"))
        assert driver.table.round == CONVERGE
        return drawn

    same = {"a": ("keep", 6), "b": ("keep", 6), "c": ("keep", 6)}
    assert axes(**same) == ("No option: all hold keep, equally sure",)
    assert axes(**same | {"c": ("keep", 7)}) == ("How sure one can be: c at 7, a at 6",)
    assert axes(**same | {"c": ("wait", 6)}) == ("keep (a, b) or wait (c)",)
    assert len(axes(**same | {"b": ("split", 6), "c": ("wait", 4)})) == 2
