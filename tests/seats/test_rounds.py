"""A round against a real server: what each seat brings, and that no seat costs another."""

from __future__ import annotations

import json
import threading
from collections import Counter

import pytest
from loopback import replies
from loopback.dialects import Asked
from loopback.replies import Response
from loopback.server import LoopbackServer

from keystone_roundtable.core.engines import EngineFailureError, EngineReply, Invocation
from keystone_roundtable.core.seating import Absence, Reply, Seat, Turn
from keystone_roundtable.core.spending_plan import Limits
from keystone_roundtable.models.language.retrying import RetryRule
from keystone_roundtable.seats.errors import RoundCancelledError
from keystone_roundtable.seats.rounds import Rounds

from .at_table import BUILD, DEFER, FixedClock, Kept, Opening, ask, by_seat, engine_at, rounds_of

ANSWERED = {
    "a banner before": replies.saying(f"loopback 1.0 {{beta}}\n[warn] no config\n{BUILD}"),
    "a second object after": replies.saying(f"{BUILD}\n{DEFER}"),
    "a fence": replies.saying(f"Here:\n```json\n{BUILD}\n```\nMore?"),
    "aloud": replies.saying(f"<think>{DEFER}?</think>{BUILD}"),
    "late": replies.slow(0.05, replies.saying(BUILD)),
    "a byte order mark": replies.saying(f"\ufeff{BUILD}"),
}


def cut_off(request: Asked) -> Response:
    return Response(BUILD[:-4], truncated=True)


ABSENT = {
    "off schema": (replies.wrong_schema(), "malformed", 2, "position: Field required"),
    "cut off": (cut_off, "malformed", 2, "cut off"),
    "prose": (replies.saying("Build it."), "malformed", 2, "no JSON object"),
    "nothing": (replies.empty(), "empty", 2, "empty"),
    "blank": (replies.saying(" \u200b\n"), "empty", 2, "empty"),
    "dropped": (replies.dropped(), "crashed", 1, "dropped the connection"),
    "401": (replies.unauthorized(), "unauthenticated", 1, "OPENAI_API_KEY"),
    "404": (replies.failing(404, "no such model"), "missing", 1, "knows no model"),
    "429": (replies.limited("31"), "crashed", 1, "fewer requests"),
    "500": (replies.failing(500), "crashed", 1, "failed"),
    "a page": (replies.page(), "crashed", 1, "no reply of a model"),
}


@pytest.mark.parametrize("name", ANSWERED)
def test_a_reply_is_read_whatever_stands_around_it(name: str, server: LoopbackServer) -> None:
    server.default = ANSWERED[name]
    with rounds_of(engine_at(server.url)) as rounds:
        (turn,) = rounds.hold("open", [ask("sre")])
    assert isinstance(turn, Reply)
    assert turn.value == Opening(position="build", confidence=7, reason="it {pays} now")
    (receipt,) = turn.receipts
    assert (receipt.outcome, receipt.attempt, receipt.absent) == ("answered", 1, None)


@pytest.mark.parametrize("name", ABSENT)
def test_a_seat_that_brings_nothing_is_absent_with_its_reason(
    name: str, server: LoopbackServer
) -> None:
    reaction, reason, invocations, told = ABSENT[name]
    server.default = reaction
    with rounds_of(engine_at(server.url)) as rounds:
        (turn,) = rounds.hold("open", [ask("sre")])
    assert isinstance(turn, Absence)
    assert (turn.reason, len(turn.receipts)) == (reason, invocations)
    assert told in turn.detail and "\n" not in turn.detail
    assert {receipt.absent for receipt in turn.receipts} == {reason}


def test_a_hang_is_a_timeout(server: LoopbackServer) -> None:
    server.default = replies.hanging()
    with rounds_of(engine_at(server.url), Limits(seat_s=0.3)) as rounds:
        (turn,) = rounds.hold("open", [ask("sre")])
    assert isinstance(turn, Absence)
    assert (turn.reason, len(server.requests)) == ("timeout", 1)
    assert "0.3 s" in turn.detail


def test_a_server_that_fails_within_a_short_limit_has_crashed(server: LoopbackServer) -> None:
    """It is not said to be slow: the next attempt would have come after the limit."""
    server.default = lambda request: Response(status=500, body="{}")
    patient = RetryRule(first_wait_s=30.0)
    with rounds_of(engine_at(server.url, retry_rule=patient), Limits(seat_s=20)) as rounds:
        (turn,) = rounds.hold("open", [ask("sre")])
    assert isinstance(turn, Absence)
    assert (turn.reason, len(server.requests)) == ("crashed", 1)
    assert "500" in turn.detail


def test_a_reply_without_end_is_not_read(server: LoopbackServer) -> None:
    server.default = replies.saying(BUILD + " " * 200_000)
    with rounds_of(engine_at(server.url)) as rounds:
        (turn,) = rounds.hold("open", [ask("sre")])
    assert isinstance(turn, Absence)
    assert (turn.reason, len(turn.receipts)) == ("malformed", 2)
    assert "at most 200,000 are read" in turn.detail
    assert max(len(request.asked.user) for request in server.requests) < 10_000


def test_a_server_that_is_not_there_is_missing(server: LoopbackServer) -> None:
    with rounds_of(engine_at("http://127.0.0.1:9/v1")) as rounds:
        (turn,) = rounds.hold("open", [ask("sre")])
    assert isinstance(turn, Absence)
    assert turn.reason == "missing"


def test_no_key_is_no_request(server: LoopbackServer) -> None:
    engine = engine_at(server.url, "anthropic:loopback", environ={"ANTHROPIC_BASE_URL": server.url})
    with rounds_of(engine) as rounds:
        (turn,) = rounds.hold("open", [ask("sre")])
    assert isinstance(turn, Absence)
    assert turn.reason == "unauthenticated" and "ANTHROPIC_API_KEY" in turn.detail
    assert (turn.receipts[0].requests, server.requests) == (0, [])
    assert rounds.budget.invocations == 0


# -- asked again -----------------------------------------------------------------------


def test_an_unusable_reply_goes_back_once_with_the_reason(server: LoopbackServer) -> None:
    server.script(replies.saying('{"position": "neither"}'), replies.saying(DEFER))
    with rounds_of(engine_at(server.url)) as rounds:
        (turn,) = rounds.hold("open", [ask("sre")])
    assert isinstance(turn, Reply)
    assert turn.value.position == "defer"
    assert [(r.outcome, r.absent, r.attempt) for r in turn.receipts] == [
        ("absent", "malformed", 1),
        ("answered", None, 2),
    ]
    first, second = (r.asked for r in server.requests)
    assert second.system == first.system and second.user.startswith(first.user)
    assert "position: Input should be 'build' or 'defer'" in second.user[len(first.user) :]


def test_a_reply_that_breaks_a_rule_goes_back_once(server: LoopbackServer) -> None:
    server.default = replies.saying(BUILD)
    forbidden = ask("sre", check=lambda reply: "7 is forbidden" if reply.confidence == 7 else None)
    with rounds_of(engine_at(server.url)) as rounds:
        (turn,) = rounds.hold("vote", [forbidden])
    assert isinstance(turn, Absence)
    assert (turn.reason, turn.detail) == ("malformed", "7 is forbidden")
    assert len(server.requests) == 2 and "7 is forbidden" in server.requests[1].asked.user


def test_any_second_failure_empties_the_seat(server: LoopbackServer) -> None:
    server.script(replies.malformed(), replies.unauthorized())
    with rounds_of(engine_at(server.url)) as rounds:
        (turn,) = rounds.hold("open", [ask("sre")])
    assert isinstance(turn, Absence)
    assert [receipt.absent for receipt in turn.receipts] == ["malformed", "unauthenticated"]
    assert turn.reason == "unauthenticated"


def test_whoever_puts_replies_back_by_itself_gets_one_attempt(server: LoopbackServer) -> None:
    server.default = replies.wrong_schema()
    with rounds_of(engine_at(server.url)) as rounds:
        (turn,) = rounds.hold("vote", [ask("sre", attempts=1)])
    assert (turn.kind, len(server.requests)) == ("absence", 1)


# -- side by side ----------------------------------------------------------------------


def test_all_seats_are_asked_at_once(server: LoopbackServer) -> None:
    """No reply goes out before all eight requests are in."""
    together = threading.Barrier(8, timeout=20)

    def react(request: Asked) -> Response:
        together.wait()
        return Response(BUILD)

    server.default = react
    with rounds_of(engine_at(server.url), Limits(seat_s=20)) as rounds:
        turns = rounds.hold("open", [ask(f"seat {number}") for number in range(8)])
    assert [turn.kind for turn in turns] == ["reply"] * 8
    assert not together.broken


def test_no_seat_is_lost_to_another(server: LoopbackServer) -> None:
    faulty = {name: reaction for name, (reaction, *_) in ABSENT.items()}
    server.default = by_seat({**ANSWERED, **faulty, "hangs": replies.hanging()})
    names = [*ABSENT, "hangs", *ANSWERED]
    kept = Kept()
    with rounds_of(engine_at(server.url), Limits(seat_s=4)) as rounds:
        turns = rounds.hold("open", [ask(name) for name in names], kept)
    assert [turn.seat for turn in turns] == names, "in the order of the seats"
    told = {turn.seat: turn.reason if isinstance(turn, Absence) else "" for turn in turns}
    assert {name: told[name] for name in ANSWERED} == dict.fromkeys(ANSWERED, "")
    assert {name: told[name] for name in faulty} == {name: ABSENT[name][1] for name in faulty}
    assert told["hangs"] == "timeout"
    assert sorted(kept.turns, key=lambda turn: names.index(turn.seat)) == list(turns)
    in_turns = [receipt for turn in turns for receipt in turn.receipts]
    assert sorted(map(str, kept.receipts)) == sorted(map(str, in_turns))
    sent = Counter(r.asked.system for r in server.requests)
    for receipt in in_turns:
        if receipt.absent != "timeout":
            sent[f"You sit at a table as <{receipt.seat}>."] -= receipt.requests or 0
    assert {system: left for system, left in sent.items() if left} == {
        "You sit at a table as <hangs>.": 1
    }


def test_a_turn_is_told_before_the_next_thing_happens(server: LoopbackServer) -> None:
    """The second seat's reply goes out only when the first one's turn was told."""
    first_landed = threading.Event()

    def wait_for_the_first(request: Asked) -> Response:
        assert first_landed.wait(20)
        return Response(DEFER)

    server.default = by_seat({"one": replies.saying(BUILD), "two": wait_for_the_first})
    kept = Kept(lambda turn: first_landed.set())
    with rounds_of(engine_at(server.url), Limits(seat_s=20)) as rounds:
        rounds.hold("open", [ask("two"), ask("one")], kept)
    assert kept.told[2:] == [
        ("received", "one"),
        ("landed", "one"),
        ("received", "two"),
        ("landed", "two"),
    ]
    assert kept.told[:2] == [("began", "two"), ("began", "one")]


def test_a_watcher_that_fails_ends_the_round(server: LoopbackServer) -> None:
    """What cannot be put on disk must not be followed by more."""
    server.default = by_seat({"one": replies.saying(BUILD)}, replies.hanging())

    def disk_full(turn: Turn) -> None:
        raise OSError("no space left")

    kept = Kept(disk_full)
    with rounds_of(engine_at(server.url)) as rounds, pytest.raises(OSError, match="no space"):
        rounds.hold("open", [ask("one"), ask("two"), ask("three")], kept)
    assert Counter(receipt.outcome for receipt in kept.receipts) == {"answered": 1, "cancelled": 2}
    assert [turn.seat for turn in kept.turns] == ["one"]


def test_a_round_can_be_broken_off_from_another_thread(server: LoopbackServer) -> None:
    server.default = by_seat({"one": replies.saying(BUILD)}, replies.hanging())
    with rounds_of(engine_at(server.url)) as rounds:
        kept = Kept(lambda turn: threading.Thread(target=rounds.cancel).start())
        with pytest.raises(RoundCancelledError, match="open"):
            rounds.hold("open", [ask("one"), ask("two")], kept)
        assert [(r.seat, r.outcome) for r in kept.receipts] == [
            ("one", "answered"),
            ("two", "cancelled"),
        ]
        server.default = replies.saying(DEFER)
        (turn,) = rounds.hold("open", [ask("two")])
    assert turn.kind == "reply", "the rest can be asked at once"


def test_seats_may_have_different_models(server: LoopbackServer) -> None:
    models = ("openai-chat:loopback", "ollama:loopback-small", "anthropic:loopback")
    environ = {
        "OLLAMA_HOST": server.root,
        "ANTHROPIC_BASE_URL": server.root,
        "ANTHROPIC_API_KEY": "k",
    }
    engines = {model: engine_at(server.url, model, environ=environ) for model in models}
    with Rounds(lambda seat: engines[seat.model or ""], FixedClock()) as rounds:
        turns = rounds.hold("open", [ask(model, model=model) for model in models])
    assert [turn.receipts[0].model for turn in turns] == list(models)
    assert {r.asked.dialect for r in server.requests} == {"openai", "anthropic"}
    assert {r.asked.model for r in server.requests} == {"loopback", "loopback-small"}


def test_an_engine_that_breaks_takes_nobody_with_it(server: LoopbackServer) -> None:
    class Breaking:
        sends_to = ""

        def price_of(self, tokens: int) -> float | None:
            return 0.0

        def prepare(self) -> None: ...

        async def invoke(self, invocation: Invocation) -> EngineReply:
            raise ZeroDivisionError("oh \x1b[31mno: sk-proj-0123456789abcdefghij")

        async def close(self) -> None: ...

    good, broken = engine_at(server.url), Breaking()

    def engine_for(seat: Seat) -> object:
        if seat.name == "gone":
            raise EngineFailureError("there is no engine 'x'", reason="missing")
        return broken if seat.name == "breaks" else good

    with Rounds(engine_for, FixedClock()) as rounds:
        turns = rounds.hold("open", [ask("breaks"), ask("gone"), ask("sre")])
    assert [turn.kind for turn in turns] == ["absence", "absence", "reply"]
    assert (turns[0].reason, turns[1].reason) == ("crashed", "missing")
    assert turns[0].detail == ("the engine failed: ZeroDivisionError: oh no: [masked: openai key]")


# -- the receipt -----------------------------------------------------------------------


def test_a_receipt_says_what_an_invocation_took(server: LoopbackServer) -> None:
    server.script(replies.limited("0"), replies.saying(BUILD))
    with rounds_of(engine_at(server.url)) as rounds:
        (turn,) = rounds.hold("open", [ask("sre")])
    (receipt,) = turn.receipts
    assert (receipt.seat, receipt.engine, receipt.model) == ("sre", "api", "openai-chat:loopback")
    assert (receipt.round, receipt.start) == ("open", FixedClock().now())
    assert receipt.version.startswith("pydantic-ai ")
    assert (receipt.requests, receipt.characters) == (2, len(BUILD))
    assert receipt.characters_sent == len("You sit at a table as <sre>.") + len(
        "Should we build it or defer it?"
    )
    assert receipt.output_tokens == len(BUILD) // 4 and receipt.input_tokens
    assert receipt.cost_usd is None, "an unknown price is not 0"
    assert "retried" in receipt.detail
    assert receipt.rehearsal is False


def test_a_reply_without_usage_has_unknown_counts(server: LoopbackServer) -> None:
    server.default = replies.uncounted()
    with rounds_of(engine_at(server.url)) as rounds:
        (turn,) = rounds.hold("open", [ask("sre")])
    (receipt,) = turn.receipts
    assert (receipt.input_tokens, receipt.output_tokens, receipt.cost_usd) == (None, None, None)


def test_secrets_leave_in_no_prompt_and_come_back_in_no_receipt(server: LoopbackServer) -> None:
    secret = "sk-proj-0123456789abcdefghij"
    server.default = replies.unauthorized()
    spoken = ask("sre", stable=f"The key is {secret}.", task=f"password = {secret}")
    with rounds_of(engine_at(server.url)) as rounds:
        (turn,) = rounds.hold("open", [spoken])
    assert secret not in json.dumps(server.requests[0].body)
    assert secret not in turn.model_dump_json() and "[masked: openai key]" in turn.detail
