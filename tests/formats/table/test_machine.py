"""The course of a table: rounds, questions to the person, absences, and the vote."""

from __future__ import annotations

import json

import pytest

from keystone_roundtable.core.errors import IllegalEventError
from keystone_roundtable.formats.errors import TableStateError
from keystone_roundtable.formats.table import commands as cmd
from keystone_roundtable.formats.table import events as ev
from keystone_roundtable.formats.table.fold import apply, replay
from keystone_roundtable.formats.table.machine import next_command
from keystone_roundtable.formats.table.records import CONVERGE, DEEPEN, OPEN, VOTE
from keystone_roundtable.formats.table.status import TableStatus
from keystone_roundtable.formats.table.table import Table
from keystone_roundtable.formats.table_state import read_state
from keystone_roundtable.formats.voting import vote

from .builders import NAMES, Driver, at, ballot, reply, saying, soul, started

ALL = tuple(NAMES)


def rounds_asked(driver: Driver) -> list[int]:
    return [number for number, _, _ in driver.asked]


# -- before the first round ------------------------------------------------------------


def test_options_facts_and_consent_come_in_that_order_and_before_any_soul() -> None:
    driver = Driver(options_source="question", facts="one fact", facts_given=False)
    due = []
    for _ in range(4):
        due.append(next_command(driver.table))
        driver.step()
    assert due[:3] == [
        cmd.ConfirmOptions(("keep", "split")), cmd.GatherFacts("one fact"), cmd.AskConsent()
    ]  # fmt: skip
    assert isinstance(due[3], cmd.AskSouls)


def test_what_came_with_the_question_is_not_asked_for_but_consent_is() -> None:
    assert next_command(Driver().table) == cmd.AskConsent()


def test_a_declined_table_is_over() -> None:
    driver = Driver()
    driver.add(ev.TableDeclined(at=at(0)))
    assert (driver.table.over, next_command(driver.table)) == (True, cmd.Rest())


@pytest.mark.parametrize("count", [0, 1, 2, 9])
def test_a_table_seats_three_to_eight(count: int) -> None:
    souls = tuple(soul(f"s{n}") for n in range(count))
    with pytest.raises(IllegalEventError, match="3 to 8"):
        apply(Table(), started(souls=souls))


@pytest.mark.parametrize(
    "options", [(), ("keep",), ("a", "b", "c", "d", "e"), ("Keep", "keep"), ("keep", " ")]
)
def test_options_that_cannot_be_chosen_from_are_refused(options: tuple[str, ...]) -> None:
    with pytest.raises(TableStateError):
        apply(Table(), started(options=options))


# -- the course ------------------------------------------------------------------------


def test_four_rounds_and_never_a_fifth() -> None:
    driver = Driver()
    table = driver.to_the_end()
    assert driver.asked == [(n, 1, ALL) for n in (OPEN, DEEPEN, CONVERGE, VOTE)]
    assert table.status is TableStatus.FINISHED


def test_axes_are_drawn_before_the_third_round_and_only_then() -> None:
    driver = Driver()
    driver.until(cmd.DrawAxes)
    assert rounds_asked(driver) == [OPEN, DEEPEN]
    driver.to_the_end()
    assert sum(isinstance(event, ev.AxesDrawn) for event in driver.log) == 1


def test_agreement_at_eight_goes_straight_to_the_vote() -> None:
    driver = Driver(saying({(name, DEEPEN): reply("split", 8) for name in ALL}))
    driver.to_the_end()
    assert rounds_asked(driver) == [OPEN, DEEPEN, VOTE]


def still(name: str, number: int, attempt: int) -> object:
    """Two sides that nothing moves."""
    if number == VOTE:
        return None
    return reply("keep" if name == "ops" else "split", 6, "" if number == OPEN else "no change")


@pytest.mark.parametrize(("skip", "rounds"), [(True, [1, 2, 4]), (False, [1, 2, 3, 4])])
def test_where_nobody_moved_the_person_says_whether_round_three_is_held(
    skip: bool, rounds: list[int]
) -> None:
    driver = Driver(still)
    driver.until(cmd.AskNoEvidence)
    driver.skip = skip
    table = driver.to_the_end()
    assert (rounds_asked(driver), table.skipped) == (rounds, skip)


def lone_expert(name: str, number: int, attempt: int) -> object:
    if number == VOTE:
        return None
    return reply("split", 10) if name == "security" else reply("keep", 3)


@pytest.mark.parametrize(("defer", "rounds"), [(True, [1, 2, 4]), (False, [1, 2, 3, 4])])
def test_a_lone_expert_is_put_to_the_person(defer: bool, rounds: list[int]) -> None:
    driver = Driver(lone_expert)
    assert driver.until(cmd.AskDeference) == cmd.AskDeference("security")
    driver.short_circuit = defer
    driver.to_the_end()
    assert rounds_asked(driver) == rounds


# -- absences in a round ---------------------------------------------------------------


def test_an_absent_soul_sits_out_that_round_and_is_asked_in_the_next() -> None:
    driver = Driver(saying({("ops", OPEN): "timeout", ("finance", DEEPEN): "malformed"}))
    table = driver.to_the_end()
    assert all(names == ALL for _, _, names in driver.asked)
    assert [(m.seat, m.round, m.reason) for m in table.missed] == [
        ("ops", OPEN, "timeout"), ("finance", DEEPEN, "malformed")
    ]  # fmt: skip
    assert table.status is TableStatus.FINISHED


def test_where_a_soul_is_absent_nobody_can_say_that_all_agree() -> None:
    plan: dict[tuple[str, int], object] = {(n, DEEPEN): reply("split", 9) for n in ALL}
    driver = Driver(saying(plan | {("ops", DEEPEN): "crashed"}))
    driver.to_the_end()
    assert rounds_asked(driver) == [OPEN, DEEPEN, CONVERGE, VOTE]


def test_fewer_than_three_answers_stop_the_table_and_resuming_asks_only_who_was_missing() -> None:
    absent = dict.fromkeys((("ops", DEEPEN), ("product", DEEPEN), ("finance", DEEPEN)), "timeout")
    driver = Driver(saying(absent))
    driver.to_the_end()
    assert driver.table.status is TableStatus.PAUSED
    driver.said = saying({})
    driver.add(ev.TableResumed(at=at(0)))
    asked = next_command(driver.table)
    assert isinstance(asked, cmd.AskSouls)
    assert (asked.round, [one.name for one in asked.souls]) == (
        DEEPEN, ["ops", "product", "finance"]
    )  # fmt: skip
    assert driver.to_the_end().status is TableStatus.FINISHED


# -- the vote --------------------------------------------------------------------------


def test_only_the_named_souls_vote_again_and_only_once() -> None:
    driver = Driver(
        saying(
            {
                ("ops", VOTE, 1): ballot("hybrid", 8),
                ("ops", VOTE, 2): ballot("hybrid", 8),
                ("finance", VOTE, 1): ballot("split", 5),
                ("finance", VOTE, 2): ballot("split", 6),
                ("support", VOTE, 1): "malformed",
                ("support", VOTE, 2): ballot("keep", 4),
                ("product", VOTE): "timeout",
            }
        )
    )
    table = driver.to_the_end()
    assert driver.asked[-2:] == [
        (VOTE, 1, ALL), (VOTE, 2, ("ops", "product", "finance", "support"))
    ]  # fmt: skip
    assert set(table.empty) == {"ops", "product"}
    assert "voted 'hybrid' at 8; voted 'hybrid' at 8" in table.empty["ops"]
    assert "timeout" in table.empty["product"]
    count = vote(read_state(table.as_state()))
    assert (count.outcome, count.winner, count.score, count.out_of) == ("DECIDED", "split", 14, 30)


def test_the_problem_is_put_back_to_the_soul() -> None:
    driver = Driver(saying({("ops", VOTE, 1): ballot("split", 5), ("finance", VOTE, 1): "timeout"}))
    driver.until(cmd.CountVotes)
    driver.step()
    asked = next_command(driver.table)
    assert isinstance(asked, cmd.AskSouls)
    assert "5 takes no side" in asked.problems["ops"]
    assert asked.problems["finance"].startswith("timeout")


def test_fewer_than_three_votes_after_the_second_time_are_no_decision() -> None:
    driver = Driver(saying(dict.fromkeys([(name, VOTE) for name in ALL[:3]], "malformed")))
    table = driver.to_the_end()
    assert (table.status, len(table.seated)) == (TableStatus.FAILED, 2)


OUTAGES = ("timeout", "crashed", "unauthenticated", "missing", "over_budget")


@pytest.mark.parametrize("reason", OUTAGES)
@pytest.mark.parametrize("out", [3, 5])
def test_an_outage_in_the_vote_stops_the_table_and_only_the_missing_are_asked_again(
    reason: str, out: int
) -> None:
    driver = Driver(saying(dict.fromkeys([(name, VOTE) for name in ALL[:out]], reason)))
    table = driver.to_the_end()
    assert (table.status, table.empty) == (TableStatus.PAUSED, {})
    driver.add(ev.TableResumed(at=at(0)))
    assert driver.to_the_end().status is TableStatus.PAUSED, "the outage goes on"
    driver.said = saying({(ALL[0], VOTE): ballot("split", 5)})
    driver.add(ev.TableResumed(at=at(0)))
    before = len(driver.asked)
    table = driver.to_the_end()
    assert driver.asked[before:] == [(VOTE, 1, ALL[:out]), (VOTE, 2, ALL[:1])]
    assert (table.status, list(table.empty)) == (TableStatus.FINISHED, [ALL[0]])


def test_after_an_outage_what_could_not_be_counted_twice_stays_uncounted() -> None:
    """ops is off the options twice, product first out and then malformed: neither is asked anew."""
    plan: dict[tuple[str, int] | tuple[str, int, int], object] = {
        ("ops", VOTE): ballot("hybrid", 8),
        ("product", VOTE, 1): "crashed",
        ("product", VOTE, 2): "malformed",
        ("security", VOTE): "timeout",
    }
    driver = Driver(saying(plan))
    table = driver.to_the_end()
    assert table.status is TableStatus.PAUSED
    driver.said = saying({})
    driver.add(ev.TableResumed(at=at(0)))
    table = driver.to_the_end()
    assert driver.asked[-1] == (VOTE, 1, ("security",))
    assert (table.status, set(table.empty)) == (TableStatus.FINISHED, {"ops", "product"})


def test_where_too_many_seats_are_lost_for_good_an_outage_is_not_waited_for() -> None:
    plan: dict[tuple[str, int], object] = dict.fromkeys(
        [(name, VOTE) for name in ALL[:3]], ballot("hybrid", 8)
    )
    driver = Driver(saying(plan | {(ALL[3], VOTE): "crashed"}))
    assert driver.to_the_end().status is TableStatus.FAILED


def test_a_seat_that_hangs_in_a_vote_of_three_others_is_emptied_and_told() -> None:
    driver = Driver(saying({("ops", VOTE): "timeout"}))
    table = driver.to_the_end()
    assert table.status is TableStatus.FINISHED
    assert "asked twice: timeout; timeout" in table.empty["ops"]


def test_a_vote_that_only_lacks_budget_can_be_resumed() -> None:
    driver = Driver(saying(dict.fromkeys([(name, VOTE) for name in ALL[:3]], "over_budget")))
    assert driver.to_the_end().status is TableStatus.PAUSED
    driver.said = saying({})
    driver.add(ev.TableResumed(at=at(0)))
    assert driver.to_the_end().status is TableStatus.FINISHED
    assert driver.asked[-1] == (VOTE, 1, ALL[:3])


@pytest.mark.parametrize("ruling", [None, "keep"])
def test_a_deadlock_is_the_humans(ruling: str | None) -> None:
    votes = {(name, VOTE): ballot(("keep", "split")[n % 2]) for n, name in enumerate(ALL[:4])}
    driver = Driver(saying(votes), souls=tuple(soul(name) for name in ALL[:4]))
    driver.ruling = ruling
    asked = driver.until(cmd.AskRuling)
    assert [reason.kind for reason in asked.count.reasons] == ["tie"]
    assert driver.to_the_end().ruling == ruling


def test_a_ruling_names_one_of_the_options() -> None:
    votes = {(name, VOTE): ballot(("keep", "split")[n % 2]) for n, name in enumerate(ALL[:4])}
    driver = Driver(saying(votes), souls=tuple(soul(name) for name in ALL[:4]))
    driver.until(cmd.AskRuling)
    with pytest.raises(IllegalEventError, match="none of the options"):
        driver.add(ev.HumanRuled(at=at(0), option="burn it"))


# -- the log ---------------------------------------------------------------------------


def test_a_log_cut_anywhere_goes_on_where_it_ends() -> None:
    """A crash after any event asks only who had not answered, and comes to the same end."""
    plan = saying({("ops", OPEN): "timeout", ("finance", VOTE, 1): ballot("split", 5)})
    whole = Driver(plan)
    end = whole.to_the_end()
    for length in range(1, len(whole.log)):
        again = Driver(plan)
        again.log = whole.log[:length]
        again.table = replay(again.log)
        if again.table.over:
            continue
        again.add(ev.TableResumed(at=at(0)))
        finished = again.to_the_end()
        assert finished.as_state() == end.as_state()
        said = [event for event in again.log if isinstance(event, ev.SoulAnswered)]
        assert len(said) == len({(event.seat, event.round) for event in said})


def test_events_come_back_from_their_json() -> None:
    driver = Driver(saying({("ops", OPEN): "timeout", ("finance", VOTE, 1): ballot("split", 5)}))
    driver.to_the_end()
    read = [ev.EVENT.validate_json(event.model_dump_json()) for event in driver.log]
    assert read == driver.log


def test_the_state_in_the_seeds_shape_counts_the_same_after_every_round() -> None:
    driver = Driver()
    for number in (OPEN, DEEPEN, CONVERGE):
        driver.until(cmd.CloseRound)
        state = json.loads(json.dumps(driver.table.as_state()))
        assert [len(agent["rounds"]) for agent in state["agents"]] == [number] * 5
        assert len(read_state(state).agents) == 5
        driver.step()


@pytest.mark.parametrize(
    "event",
    [
        ev.SoulAnswered(at=at(0), round=OPEN, seat="nobody", reply=reply()),
        ev.SoulAnswered(at=at(0), round=DEEPEN, seat="ops", reply=reply()),
        ev.SoulAnswered(at=at(0), round=OPEN, seat="ops", reply=reply("burn it")),
        ev.BallotCast(at=at(0), seat="ops", ballot=ballot()),
        ev.RoundClosed(at=at(0), round=OPEN),
        ev.VotesCounted(at=at(0), outcome="DECIDED"),
        ev.TableStalled(at=at(0), round=OPEN),
        ev.TableFinished(at=at(0)),
        ev.HumanRuled(at=at(0), option="keep"),
        ev.AxesDrawn(at=at(0), axes=("a", "b"), source="offline"),
        started(),
    ],
)
def test_what_is_not_due_is_refused_and_changes_nothing(event: ev.Event) -> None:
    driver = Driver()
    driver.step()
    before = driver.table
    with pytest.raises(IllegalEventError):
        driver.add(event)
    assert driver.table is before


def test_nobody_answers_one_round_twice() -> None:
    driver = Driver()
    driver.step()
    driver.answer("ops", OPEN, 1)
    with pytest.raises(IllegalEventError, match="not to be asked now"):
        driver.answer("ops", OPEN, 1)


def test_a_round_cannot_be_told_to_have_been_inspected_otherwise() -> None:
    driver = Driver()
    driver.until(cmd.CloseRound)
    driver.step()
    driver.until(cmd.CloseRound)
    with pytest.raises(IllegalEventError, match="not inspected"):
        driver.add(ev.RoundClosed(at=at(0), round=DEEPEN, inspection="EARLY-STOP"))


def test_a_count_cannot_be_told_otherwise() -> None:
    driver = Driver()
    driver.until(cmd.CountVotes)
    with pytest.raises(IllegalEventError, match="the count is not ESCALATE"):
        driver.add(ev.VotesCounted(at=at(0), outcome="ESCALATE"))
