"""The rules of a room, without a process: letters, quotes, steps, votes, what a log may say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keystone_roundtable.core.errors import IllegalEventError, KeystoneError, UsageError
from keystone_roundtable.core.seating import Seat
from keystone_roundtable.formats.room import events as ev
from keystone_roundtable.formats.room.claims import mechanical_claims, standing
from keystone_roundtable.formats.room.deciding import DecisionRefusedError, call_of, stands_alone
from keystone_roundtable.formats.room.ending import confidence_of, is_ready, verdict_of, what_lacks
from keystone_roundtable.formats.room.fold import apply, replay
from keystone_roundtable.formats.room.motion import make_motion, sections
from keystone_roundtable.formats.room.quoting import first_words, quote_fault, sentences
from keystone_roundtable.formats.room.records import (
    CastVote,
    Claim,
    Dissent,
    Missed,
    Motion,
    Quote,
    Reason,
    RoomDecision,
    RoomSeat,
    Said,
    Turn,
)
from keystone_roundtable.formats.room.room import Room
from keystone_roundtable.formats.room.rounds import (
    due,
    letters_for,
    mirror_line,
    quorum_line,
    unanswered,
    what_next,
)

AT = "2026-11-30T10:00:00.000000+00:00"
NAMES = ("ada", "bob", "eve", "kim")
MOTION = Motion(question="a or b?", decision="a or b?", options=("keep it", "split it"))


def seat(name: str, vendor: str = "") -> RoomSeat:
    return RoomSeat(seat=Seat(name=name, engine=name), vendor=vendor or f"maker of {name}")


def opened(*seats: RoomSeat, **more: Any) -> Room:
    event = ev.RoomOpened(
        at=AT, room="20261130-aaaa", motion=MOTION, seats=seats or tuple(map(seat, NAMES)),
        seed="seed", **more,
    )  # fmt: skip
    return apply(Room(), event)


def said(name: str, number: int, position: str = "keep it", text: str = "") -> ev.TurnTaken:
    turn = Turn(position=position, confidence=7, text=text or f"{name} counted all of the tickets.")
    return ev.TurnTaken(at=AT, said=Said(number=number, seat=name, turn=turn))


def ran(
    room: Room, round_name: Any, split: tuple[str, ...] = (), gone: tuple[str, ...] = ()
) -> Room:
    asked = due(room, round_name)
    room = apply(
        room,
        ev.RoundRun(
            at=AT, number=asked.step.number, round=round_name, seats=asked.seats, time_limit_s=9
        ),
    )
    for name in asked.seats:
        if name in gone:
            missed = Missed(number=asked.step.number, seat=name, reason="timeout")
            room = apply(room, ev.SeatMissed(at=AT, missed=missed))
        else:
            position = "split it" if name in split else "keep it"
            room = apply(room, said(name, asked.step.number, position))
    return room


def whole(split: tuple[str, ...] = (), gone: tuple[str, ...] = ()) -> Room:
    room = opened()
    for name in ("opening", "cross", "converge"):
        room = ran(room, name, split, gone if name == "opening" else ())
    return room


# -- letters -----------------------------------------------------------------------------


@given(st.text(min_size=1, max_size=8))
def test_every_reader_has_each_other_seat_under_one_letter(seed: str) -> None:
    room = ran(opened(), "opening")
    room = apply(Room(), room.start.model_copy(update={"seed": seed}))
    room = ran(room, "opening")
    step = due(room, "cross").step
    for reader in NAMES:
        letters = letters_for(room, step, reader)
        assert sorted(letters.values()) == sorted(set(NAMES) - {reader})
        assert list(letters) == ["A", "B", "C"]
        assert letters == letters_for(room, step, reader)


def test_letters_differ_by_reader_and_pass() -> None:
    """No letter stays with a vendor: of some seeds at least one deals otherwise."""
    dealt = set()
    for seed in range(12):
        room = apply(Room(), opened().start.model_copy(update={"seed": str(seed)}))
        room = ran(room, "opening")
        step = due(room, "cross").step
        dealt |= {tuple(letters_for(room, step, reader).values()) for reader in ("ada", "bob")}
    assert len({order[0] for order in dealt}) == 4


# -- a decision and what comes after it --------------------------------------------------


def decision(call: str, of: str, turn: int, *dissent: tuple[str, str], text: str = "") -> Any:
    source = Quote(quote="counted all of the tickets", seat=of, turn=turn)
    return ev.DecisionMade(
        at=AT,
        decision=RoomDecision(
            call=call,
            why=(Reason(text=text, source=source),),
            cost="a year",
            signal="tickets",
            dissent=tuple(Dissent(seat=name, text=said) for name, said in dissent),
            by="host",
        ),
    )


def test_what_is_said_after_a_decision_opens_it_again() -> None:
    room = ran(ran(opened(), "opening"), "cross")
    room = apply(room, decision("keep it", "ada", 2))
    room = ran(room, "converge", split=("eve",))
    assert not is_ready(room) and what_next(room) == "room claims, then room decide"
    assert what_lacks(room) == ("somebody has answered since the decision was made: decide again",)
    with pytest.raises(DecisionRefusedError, match="eve holds 'split it' and is left out"):
        apply(room, decision("keep it", "ada", 3))
    room = apply(room, decision("keep it", "ada", 3, ("eve", "wants it split")))
    assert is_ready(room)


def test_what_speaks_for_a_call_is_not_its_opponents_alone() -> None:
    room = whole(split=("eve",))
    with pytest.raises(DecisionRefusedError, match="no quote is of a seat that holds the call"):
        apply(room, decision("keep it", "eve", 3, ("eve", "wants it split")))
    against_all = [(name, "holds the other") for name in NAMES if name != "eve"]
    apply(room, decision("split it", "eve", 3, *against_all))


@pytest.mark.parametrize(
    ("text", "dissent"),
    [
        ("eve: “I now agree with all of it”", "wants it split"),
        ("", 'says "by now I am wholly convinced"'),
    ],
)
def test_no_words_are_put_into_a_seats_mouth(text: str, dissent: str) -> None:
    room = whole(split=("eve",))
    with pytest.raises(DecisionRefusedError, match="stands in nobody's turn"):
        apply(room, decision("keep it", "ada", 3, ("eve", dissent), text=text))
    apply(room, decision("keep it", "ada", 3, ("eve", 'holds "split it" still')))


def test_a_seat_stands_alone_only_for_what_it_holds_itself() -> None:
    room = whole(split=("eve",))
    assert stands_alone(room, "split it", "eve", "eve counted all of the tickets.")
    assert not stands_alone(room, "split it", "ada", "ada counted all of the tickets.")
    drawn = ev.ClaimsDrawn(at=AT, claims=mechanical_claims(room), by="rules", draft=True)
    assert not stands_alone(apply(room, drawn), "keep it", "ada", "ada counted all of the tickets.")


def test_confidence_counts_who_answered_at_the_end() -> None:
    room = ran(ran(opened(), "opening"), "cross")
    room = ran(room, "converge", gone=("bob", "eve", "kim"))
    room = apply(room, decision("keep it", "ada", 3))
    assert confidence_of(room) == (0.17, ("chair_decided", "absent_seats", "fewer_than_two"))
    room = ran(ran(opened(), "opening"), "cross")
    room = apply(ran(room, "converge"), decision("split it", "ada", 3, *((n, "no") for n in NAMES)))
    assert confidence_of(room) == (0.0, ("chair_decided", "every_seat_dissents"))


def test_an_answer_ends_an_excuse_and_a_later_reason_counts() -> None:
    room = ran(opened(), "opening", gone=("kim",))
    for why in ("", "no account"):
        room = apply(room, ev.SeatExcused(at=AT, seat="kim", why=why))
    assert room.excused == (("kim", "no account"),)
    asked = due(room, "opening", only="kim")
    run = {"number": 1, "round": "opening", "seats": asked.seats, "time_limit_s": 9}
    room = apply(apply(room, ev.RoundRun(at=AT, **run)), said("kim", 1))
    assert room.excused == ()


@pytest.mark.parametrize("names", [("ada", "ada\u200b"), ("é", "e\u0301"), ("Ada", "ADA")])
def test_names_that_look_alike_are_refused(names: tuple[str, str]) -> None:
    with pytest.raises(UsageError, match="look alike"):
        opened(*map(seat, names))


def test_an_assigned_side_is_no_view_of_its_own() -> None:
    sides = [
        RoomSeat(seat=Seat(name=name, engine=name, stance=side), vendor=f"maker of {name}")
        for name, side in (("ada", "keep it"), ("bob", "split it"))
    ]
    room = opened(*sides, seat("judge"))
    for name in ("opening", "cross", "converge"):
        room = ran(room, name, split=("bob",))
    room = apply(room, decision("keep it", "ada", 3, ("bob", "argues the other side")))
    assert confidence_of(room)[0] == 0.7
    assert [room.label(name) for name in room.names] == [
        "ada (side assigned)", "bob (side assigned)", "judge",
    ]  # fmt: skip


def test_rules_that_came_later_do_not_close_a_log(tmp_path: Path) -> None:
    """What was taken when it was made is read for good; it binds when it is new."""
    room = whole()
    claim = Claim(
        claim="It was counted",
        source=Quote(quote="ounted all of the ticket", seat="ada", turn=1),
        votes=tuple(CastVote(seat=n, vote="silent", quote="", turn=0) for n in NAMES),
    )
    drawn = ev.ClaimsDrawn(at=AT, claims=(claim,) * 5, by="host")
    with pytest.raises(UsageError):
        apply(room, drawn)
    events = [room.start, *_as_held(), drawn]
    assert replay(events).claims == drawn
    torn = drawn.model_copy(update={"claims": (claim.model_copy(
        update={"source": Quote(quote="ounted all of it", seat="ada", turn=9)}),)})  # fmt: skip
    with pytest.raises(IllegalEventError):
        replay([*events[:-1], torn])


def _as_held() -> list[Any]:
    held: list[Any] = []
    for number, name in enumerate(("opening", "cross", "converge"), 1):
        held.append(
            ev.RoundRun(at=AT, number=number, round=name, seats=NAMES, time_limit_s=9)  # type: ignore[arg-type]
        )
        held += [said(one, number) for one in NAMES]
    return held


# -- what is due -------------------------------------------------------------------------


def test_what_is_next_is_never_refused() -> None:
    """Whatever happens: the command that is named can be carried out."""
    room = ran(opened(), "opening", gone=NAMES)
    assert what_next(room) == "room run opening"
    room = ran(room, "opening", gone=("bob",))
    assert what_next(room) == "room run cross"
    room = ran(room, "cross", gone=NAMES)
    assert what_next(room) == "room run cross"
    room = ran(room, "cross")
    assert what_next(room) == "room claims, then room run converge"
    room = apply(room, ev.PointPressed(at=AT, point="who pays?"))
    assert what_next(room) == "room run cross"
    with pytest.raises(UsageError, match="a point was pressed since"):
        due(room, "converge")


def test_what_is_next_names_a_seat_where_all_are_excused() -> None:
    room = ran(opened(), "opening")
    for name in NAMES:
        room = apply(room, ev.SeatExcused(at=AT, seat=name))
    assert what_next(room) == "room run cross --only SEAT"
    with pytest.raises(UsageError):
        due(room, "cross")
    assert due(room, "cross", only="ada").seats == ("ada",)


def test_a_later_pass_makes_up_for_an_earlier_one() -> None:
    room = ran(ran(opened(), "opening"), "cross")
    room = apply(room, ev.PointPressed(at=AT, point="who pays?"))
    asked = due(room, "cross", only="ada")
    run = {"number": 3, "round": "cross", "seats": asked.seats, "time_limit_s": 9}
    room = apply(apply(room, ev.RoundRun(at=AT, **run)), said("ada", 3)).at_rest()
    with pytest.raises(UsageError, match="3-cross was not run to its end"):
        due(room, "converge")
    room = apply(room, ev.PointPressed(at=AT, point="and when?"))
    room = ran(ran(room, "cross"), "converge")
    assert unanswered(room) == ()


def test_a_pass_of_its_own_begins_after_a_point_also_for_one_seat() -> None:
    room = ran(ran(opened(), "opening"), "cross")
    room = apply(room, ev.PointPressed(at=AT, point="who pays?"))
    assert due(room, "cross", only="ada").step.number == 3


def test_a_turn_that_a_claim_quotes_stays() -> None:
    room = ran(ran(opened(), "opening"), "cross")
    claims = mechanical_claims(room)
    votes = tuple(CastVote(seat=name, vote="silent") for name in NAMES)
    more = tuple(
        Claim(claim=f"{n}", source=claims[0].source, votes=votes) for n in range(5 - len(claims))
    )
    room = apply(room, ev.ClaimsDrawn(at=AT, claims=(*claims, *more), by="host"))
    with pytest.raises(UsageError, match="is quoted in the claim map"):
        due(room, "cross", only="ada")


def test_while_somebody_is_asked_nobody_is_absent() -> None:
    asked = due(opened(), "opening")
    room = apply(
        opened(),
        ev.RoundRun(at=AT, number=1, round="opening", seats=asked.seats, time_limit_s=9),
    )
    room = apply(room, said("ada", 1))
    (step,) = room.steps
    assert quorum_line(room, step) == "1 of 4 answered so far: asking bob, eve, kim"
    assert mirror_line(room) == ""
    assert "bob absent, has not answered yet" in quorum_line(room.at_rest(), step)


# -- rounds ------------------------------------------------------------------------------


def test_the_quorum_line_names_every_absence() -> None:
    room = ran(opened(), "opening", gone=("bob", "kim"))
    (step,) = room.steps
    assert quorum_line(room, step) == (
        "2 of 4 answered: bob absent, timed out; kim absent, timed out"
    )


@pytest.mark.parametrize("gone", [("ada", "bob", "eve"), NAMES])
def test_fewer_than_two_are_never_an_agreement(gone: tuple[str, ...]) -> None:
    room = ran(opened(), "opening", gone=gone)
    assert quorum_line(room, room.steps[0]).endswith("Fewer than two answers are no agreement")
    with pytest.raises(UsageError, match="nothing to cross-examine"):
        due(room, "cross")


def test_vendors_are_counted_among_those_who_answered() -> None:
    room = ran(
        opened(seat("ada", "x"), seat("bob", "x"), seat("eve", "y")), "opening", gone=("eve",)
    )
    assert mirror_line(room) == "One vendor (x): a mirror, not a panel"


def test_a_round_asks_again_only_who_is_missing() -> None:
    room = ran(opened(), "opening", gone=("eve",))
    assert due(room, "opening").seats == ("eve",)
    with pytest.raises(UsageError, match="nobody called 'zoe'"):
        due(room, "opening", "zoe")


def test_what_nobody_was_asked_for_is_not_taken() -> None:
    room = ran(opened(), "opening")
    for event in (said("ada", 1), said("ada", 2), said("zoe", 1)):
        with pytest.raises(IllegalEventError):
            apply(room, event)


# -- quotes ------------------------------------------------------------------------------


def test_a_quote_may_differ_in_blanks_and_marks_alone() -> None:
    room = ran(opened(), "opening")
    room = apply(
        room, ev.RoundRun(at=AT, number=1, round="opening", seats=("ada",), time_limit_s=9)
    )
    room = apply(room, said("ada", 1, text="It is “twice\n  as slow” - we measured."))
    assert quote_fault(room, 'is "twice as slow" – we', "ada", 1) == ""
    assert "does not stand" in quote_fault(room, "is twice as slow", "ada", 1)
    assert "too short" in quote_fault(room, "It is", "ada", 1)
    assert "no turn 2" in quote_fault(room, "is twice as slow", "ada", 2)
    assert "no quote" in quote_fault(room, "  ", "ada", 1)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("I think that we can't do this now.", "I think that we can"),
        ("The non-native port is the better one.", "native port is the better one."),
        ("It costs 3.5 million a year", "It costs 3"),
        ("They call the no_cache flag here", "cache flag here"),
        ("un\u00adsafe port is there", "safe port is there"),
        ("We meet at the cafe\u0301 on Monday", "We meet at the cafe"),
        ("이것은 우리가 하지 않습니다", "이것은 우리가 하지 않습니"),
    ],
)
def test_a_quote_does_not_cut_a_word(text: str, quote: str) -> None:
    room = ran(opened(), "opening")
    room = apply(Room(), room.start)
    asked = due(room, "opening")
    room = apply(
        room, ev.RoundRun(at=AT, number=1, round="opening", seats=asked.seats, time_limit_s=9)
    )
    room = apply(room, said("ada", 1, text=text))
    assert "does not stand in ada's turn" in quote_fault(room, quote, "ada", 1)
    assert quote_fault(room, text, "ada", 1) == ""


@pytest.mark.parametrize(
    "text", ["内核已经有了所有需要的东西，我们应该选择原生端口。用户会喜欢它。", "Native."]
)
def test_what_is_short_or_has_no_blanks_can_be_quoted(text: str) -> None:
    room = apply(Room(), opened().start)
    asked = due(room, "opening")
    room = apply(
        room, ev.RoundRun(at=AT, number=1, round="opening", seats=asked.seats, time_limit_s=9)
    )
    room = apply(room, said("ada", 1, text=text))
    assert quote_fault(room, first_words(text), "ada", 1) == ""
    assert bool(mechanical_claims(room)) == (text != "Native.")


@given(st.text(max_size=200))
def test_every_sentence_that_is_read_off_can_be_quoted(text: str) -> None:
    room = ran(opened(), "opening")
    room = apply(
        room, ev.RoundRun(at=AT, number=1, round="opening", seats=("ada",), time_limit_s=9)
    )
    room = apply(room, said("ada", 1, text=text + " and so on it goes."))
    for one in sentences(room.holders["ada"].turn.text):
        assert quote_fault(room, one, "ada", 1) == ""


def test_a_draft_by_rules_passes_its_own_checks() -> None:
    room = whole(split=("bob",))
    claims = mechanical_claims(room)
    drawn = apply(room, ev.ClaimsDrawn(at=AT, claims=claims, by="rules", draft=True))
    assert drawn.claims is not None
    assert {standing(room, claim) for claim in claims} == {"open"}


@pytest.mark.parametrize(
    ("votes", "stands"),
    [
        (("agree", "agree", "agree", "agree"), "settled"),
        (("agree", "agree", "agree", "silent"), "open"),
        (("agree", "disagree", "silent", "silent"), "split"),
        (("disagree", "disagree", "disagree", "disagree"), "open"),
        (("silent",) * 4, "open"),
    ],
)
def test_how_a_claim_stands(votes: tuple[Any, ...], stands: str) -> None:
    cast = tuple(CastVote(seat=n, vote=v) for n, v in zip(NAMES, votes, strict=True))
    claim = Claim(claim="c", source=Quote(quote="q", seat="ada", turn=1), votes=cast)
    assert standing(whole(), claim) == stands


# -- the call ----------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["keep it", " Keep  IT. ", '"keep it"'])
def test_a_call_is_one_option(words: str) -> None:
    assert call_of(whole(), words) == "keep it"


@pytest.mark.parametrize(
    "words", ["keep it and split it", "both", "keep it, mostly", "neither", "", "keep"]
)
def test_anything_else_is_no_call(words: str) -> None:
    with pytest.raises(DecisionRefusedError):
        call_of(whole(), words)


def test_confidence_counts_the_call_and_who_answered() -> None:
    room = whole(split=("bob",), gone=("kim",))
    decision = RoomDecision(call="keep it", why=(), cost="c", signal="s")
    confidence, reasons = confidence_of(_with(room, decision))
    assert confidence == 0.35  # 7 and 7 of the 40 that four seats could have stated
    assert reasons == ("chair_decided", "dissent", "absent_seats")
    assert verdict_of(room)["status"] == "open"


def _with(room: Room, decision: RoomDecision) -> Room:
    from dataclasses import replace

    return replace(room, decision=decision)


# -- the motion --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("topic", "fork"),
    [
        ("Thoughts on Windows?", "Should we go for Windows now, or not?"),
        ("any ideas about the pricing", "Should we go for the pricing now, or not?"),
        ("What do you think of Rust?", "Should we go for Rust now, or not?"),
    ],
)
def test_a_topic_becomes_a_fork_that_is_marked_as_drafted(topic: str, fork: str) -> None:
    motion = make_motion(topic, given=(), read=())
    assert motion.decision == fork
    assert motion.drafted == ("decision", "options", "constraints", "settles")


def test_a_fork_that_was_given_is_not_drafted() -> None:
    motion = make_motion("a or b?", given=(), read=("a", "b"), constraints="c", settles="s")
    assert (motion.decision, motion.options, motion.drafted) == ("a or b?", ("a", "b"), ())
    assert sections("only text") == {"constraints": "only text"}


# -- logs --------------------------------------------------------------------------------

GOLDEN = Path(__file__).parents[2] / "golden" / "room_events.jsonl"


def test_a_log_that_was_written_is_still_read_and_means_the_same() -> None:
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()
    events = [ev.EVENT.validate_json(line) for line in lines]
    assert [json.loads(event.model_dump_json()) for event in events] == [
        json.loads(line) for line in lines
    ]
    kinds = {event.type for event in events}
    assert kinds == {
        "room_opened", "round_run", "receipt_taken", "turn_taken", "seat_missed", "claims_drawn",
        "point_pressed", "seat_excused", "decision_made", "room_closed",
    }  # fmt: skip
    room = replay(events)
    assert room.closed and verdict_of(room)["status"] == "ready"


@given(st.integers(min_value=0), st.integers(min_value=0))
def test_no_event_of_a_log_can_be_left_out_or_doubled_unseen(drop: int, double: int) -> None:
    """Where the rest still adds up, it is another room: it never ends as the whole one does with a
    turn missing."""
    events = [
        ev.EVENT.validate_json(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()
    ]
    drop %= len(events)
    if isinstance(events[drop], ev.TurnTaken):
        with pytest.raises(KeystoneError):
            replay(events[:drop] + events[drop + 1 :])
    double %= len(events)
    if not isinstance(events[double], ev.ReceiptTaken | ev.SeatExcused | ev.PointPressed):
        try:
            room = replay([*events[: double + 1], *events[double:]])
        except KeystoneError:
            return
        assert verdict_of(room)["turns"] == verdict_of(replay(events))["turns"]
