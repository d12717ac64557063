"""`hold`: the client asks its user, question by question, and what is no answer is none."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult, InputRequiredResult

from keystone_roundtable.pipeline.mcp import wording
from keystone_roundtable.stores.sessions import SessionStore

from .agent import Agent, Sent
from .conftest import sending
from .mcp_clients import (
    CANCELLED,
    DECLINED,
    PROTOCOLS,
    Mode,
    User,
    accepted,
    calling,
    connected,
    holding,
    server_of,
    told,
)
from .prepared import prepared

TOPIC = "Should we build the notification system now or defer it until after the settings refactor?"
ANSWERS = ("A mail goes out when an import fails", "2", "a native app", "one mail for one shop")
DELETE = "I plan to delete all archived customer data for good. What did I overlook?"
TOWARDS_DELETION = ("fines", "losing an active customer's data", "cold storage", "the invoices")
DIRECTION = "delete all archived customer data for good"
Events = Callable[[str], list[dict[str, Any]]]


@pytest.fixture(params=PROTOCOLS)
def mode(request: pytest.FixtureRequest) -> Mode:
    found: Mode = request.param
    return found


def only_session(root: Path) -> str:
    (session,) = SessionStore(root).ids()
    return session


def types(events: list[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]


def given(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [event["answer"] for event in events if event["type"] == "answer_given"]


# -- to the end ------------------------------------------------------------------------


def test_one_call_holds_the_whole_session(tmp_path: Path, mode: Mode, events_of: Events) -> None:
    user = User(ANSWERS)
    end = holding(tmp_path, mode, user, topic=TOPIC, model="offline")
    assert end["exit"] == {"name": "ok", "status": 0}
    assert len(user.seen) == len(ANSWERS)
    answers = given(events_of(end["session"]))
    assert [one["by"] for one in answers] == ["user"] * len(ANSWERS)
    stepped = tmp_path / "stepped"
    stepped.mkdir()
    same = Agent(sending(stepped)).hold(TOPIC, ANSWERS, model="offline")
    assert end["contract"] == {**same["contract"], "session": end["session"]}


def test_each_question_is_shown_word_for_word_and_offers_no_default(
    tmp_path: Path, mode: Mode, events_of: Events
) -> None:
    user = User(ANSWERS)
    holding(tmp_path, mode, user, topic=TOPIC, model="offline")
    stepped = tmp_path / "stepped"
    stepped.mkdir()
    agent = Agent(sending(stepped))
    agent.hold(TOPIC, ANSWERS, model="offline")
    questions = [one["question"] for one in agent.got if one["need"] == "answer"]
    for shown, question in zip(user.seen, questions, strict=True):
        assert shown.startswith(question["text"])
        for number, suggestion in enumerate(question["suggestions"], start=1):
            assert f"\n{number}. {suggestion}" in shown
    for schema in user.schemas:
        assert schema["required"] == ["answer"]
        assert set(schema["properties"]) == {"answer"}
        assert not {"default", "enum"} & set(schema["properties"]["answer"])


def test_a_topic_of_another_skill_ends_without_a_question(tmp_path: Path, mode: Mode) -> None:
    topic = "Why does the login page return 500 since yesterday?"
    result = calling(tmp_path, mode, "hold", {"topic": topic}, User())
    assert told(result)["redirect"]["route"] == "diagnose"
    assert [block.type for block in result.content] == ["text"]


@pytest.mark.parametrize(("typed", "confidence"), [(DIRECTION, 0.9), ("yes", 0.7), ("/stop", 0.7)])
def test_a_direction_that_cannot_be_undone_is_typed_by_the_user(
    tmp_path: Path, mode: Mode, typed: str, confidence: float
) -> None:
    user = User((*TOWARDS_DELETION, " ", typed))
    end = holding(tmp_path, mode, user, topic=DELETE, model="offline")
    assert end["contract"]["confidence"] == confidence
    assert user.seen[-1] == f"{wording.BLANK}\n\n{user.seen[-2]}"
    assert DIRECTION in user.seen[-1]


def test_from_a_confirmation_the_way_back_and_to_another_day_is_open(
    tmp_path: Path, mode: Mode
) -> None:
    user = User((*TOWARDS_DELETION, "/back", TOWARDS_DELETION[-1], "/defer"))
    end = holding(tmp_path, mode, user, topic=DELETE, model="offline")
    assert end["exit"]["status"] == 4


def test_what_the_user_types_may_be_a_command(tmp_path: Path, mode: Mode) -> None:
    user = User(("/why", "/mode nonsense", ANSWERS[0], "/back", "/skip", "/stop"))
    end = holding(tmp_path, mode, user, topic=TOPIC, model="offline")
    assert end["need"] == "nothing"
    first, why, complaint, *_ = user.seen
    assert why.endswith(first) and len(why) > len(first)
    assert complaint.startswith("'nonsense' is no mode") and complaint.endswith(first)


# -- what is no answer -----------------------------------------------------------------


@pytest.mark.parametrize("before", [0, 2])
@pytest.mark.parametrize("reply", [DECLINED, CANCELLED, "/quit"], ids=["no", "closed", "quit"])
def test_declined_or_cancelled_pauses_and_is_no_answer(
    tmp_path: Path, mode: Mode, events_of: Events, reply: str | ElicitResult, before: int
) -> None:
    user = User((*ANSWERS[:before], reply))
    left = holding(tmp_path, mode, user, topic=TOPIC, model="offline")
    assert left["need"] == "answer" and "Paused" in left["paused"]
    assert left["progress"]["answered"] == before
    events = events_of(left["session"])
    assert types(events)[-1] == "paused"
    assert len(given(events)) == before
    end = holding(tmp_path, mode, User(ANSWERS[before:]), session=left["session"])
    assert end["exit"] == {"name": "ok", "status": 0}
    assert end["contract"]["confidence"] == 0.9


def test_declined_again_and_again_it_stays_one_pause(
    tmp_path: Path, mode: Mode, events_of: Events
) -> None:
    left = holding(tmp_path, mode, User([DECLINED]), topic=TOPIC, model="offline")
    again = holding(tmp_path, mode, User([DECLINED]), session=left["session"])
    assert again == left
    assert types(events_of(left["session"])).count("paused") == 1


@pytest.mark.parametrize("reply", [DECLINED, CANCELLED, "/quit"], ids=["no", "closed", "quit"])
def test_a_confirmation_that_is_declined_confirms_nothing(
    tmp_path: Path, mode: Mode, events_of: Events, reply: str | ElicitResult
) -> None:
    left = holding(tmp_path, mode, User((*TOWARDS_DELETION, reply)), topic=DELETE, model="offline")
    assert left["need"] == "confirm" and left["paused"]
    assert types(events_of(left["session"]))[-1] == "paused"
    assert not (SessionStore(tmp_path).folder(left["session"]) / "contract.json").exists()
    end = holding(tmp_path, mode, User([DIRECTION]), session=left["session"])
    assert end["contract"]["confidence"] == 0.9


SILENCES = [
    accepted({"answer": ""}),
    accepted({"answer": " \n\t"}),
    accepted({}),
    accepted(None),
    accepted({"answer": 2}),
    accepted({"answer": True}),
    accepted({"answer": ["2"]}),
    accepted({"text": "2", "by": "user"}),
]


@pytest.mark.parametrize("silence", SILENCES, ids=lambda one: str(one.content))
def test_silence_is_asked_again_and_recorded_as_nothing(
    tmp_path: Path, mode: Mode, events_of: Events, silence: ElicitResult
) -> None:
    user = User((silence, silence, DECLINED))
    left = holding(tmp_path, mode, user, topic=TOPIC, model="offline")
    assert left["question"]["id"] == "k1"
    assert user.seen[1] == user.seen[2] == f"{wording.BLANK}\n\n{user.seen[0]}"
    assert given(events_of(left["session"])) == []


@pytest.mark.parametrize(("mode", "most"), [("auto", 10), ("legacy", 40)])
def test_a_client_that_says_nothing_for_ever_is_paused(
    tmp_path: Path, mode: Mode, most: int, events_of: Events
) -> None:
    """The SDKs' clients give up after ten rounds: the call ends just before that."""
    user = User(repeat(" "))
    left = holding(tmp_path, mode, user, topic=TOPIC, model="offline")
    assert left["need"] == "answer" and left["paused"]
    assert len(user.seen) == most
    assert given(events_of(left["session"])) == []
    assert types(events_of(left["session"]))[-1] == "paused"


def test_a_client_that_fails_to_ask_has_answered_nothing(
    tmp_path: Path, mode: Mode, events_of: Events
) -> None:
    user = User((ANSWERS[0], RuntimeError("no window")))
    try:
        left = holding(tmp_path, mode, user, topic=TOPIC, model="offline")
    except Exception as error:  # in rounds the client fails by itself, whatever it raises
        assert mode == "auto" and not isinstance(error, AssertionError)
    else:
        assert left["need"] == "answer" and "could not ask" in left["paused"]
    session = only_session(tmp_path)
    assert len(given(events_of(session))) == 1
    end = holding(tmp_path, mode, User(ANSWERS[1:]), session=session)
    assert end["exit"]["status"] == 0


# -- clients that cannot ask, and the client's model -----------------------------------


def test_a_client_without_elicitation_is_told_what_to_ask(
    tmp_path: Path, mode: Mode, events_of: Events
) -> None:
    asked = holding(tmp_path, mode, None, topic=TOPIC, model="offline")
    assert asked["need"] == "answer" and "paused" not in asked
    assert types(events_of(asked["session"]))[-1] == "question_asked"
    assert holding(tmp_path, mode, None, session=asked["session"]) == asked


def test_with_the_clients_model_the_call_ends_at_its_turns(tmp_path: Path, mode: Mode) -> None:
    play = Agent(lambda request: request, play=prepared(TOPIC))
    user = User(ANSWERS)

    async def whole() -> tuple[Sent, int]:
        turns = 0
        async with connected(server_of(tmp_path), mode, user) as client:
            response = told(await client.call_tool("hold", {"topic": TOPIC, "model": "host"}))
            while response["need"] != "nothing":
                if response["need"] == "model":
                    turns += 1
                    reply = {"session": response["session"], "for": response["id"]}
                    reply["reply"] = play.played(response)
                    response = told(await client.call_tool("model_reply", reply))
                else:
                    again = {"session": response["session"]}
                    response = told(await client.call_tool("hold", again))
            return response, turns

    end, turns = asyncio.run(whole())
    assert end["exit"]["status"] == 0
    assert len(user.seen) == len(ANSWERS)
    assert turns == 6


# -- the same again, others meanwhile, and forged states -------------------------------


def test_the_same_call_again_goes_on_where_it_stood(tmp_path: Path, mode: Mode) -> None:
    call = {"topic": TOPIC, "model": "offline", "request_id": "r"}
    left = holding(tmp_path, mode, User((ANSWERS[0], DECLINED)), **call)
    end = holding(tmp_path, mode, User(ANSWERS[1:]), **call)
    assert end["session"] == left["session"] == only_session(tmp_path)
    assert holding(tmp_path, mode, User(), **call) == end


def test_an_answer_to_what_another_client_answered_meanwhile_is_stale(
    tmp_path: Path, mode: Mode, events_of: Events
) -> None:
    async def beaten() -> ElicitResult:
        answer = {"session": only_session(tmp_path), "for": "k1", "text": ANSWERS[0], "by": "user"}
        sending(tmp_path)({"op": "answer", **answer})
        return accepted({"answer": "something else"})

    fault = holding(tmp_path, mode, User([beaten]), topic=TOPIC, model="offline")
    assert fault["error"]["code"] == "stale"
    answers = given(events_of(only_session(tmp_path)))
    assert [one["text"] for one in answers] == [ANSWERS[0]]


def test_a_session_that_another_client_went_on_with_is_not_paused(
    tmp_path: Path, mode: Mode, events_of: Events
) -> None:
    async def beaten() -> ElicitResult:
        answer = {"session": only_session(tmp_path), "for": "k1", "text": ANSWERS[0], "by": "user"}
        sending(tmp_path)({"op": "answer", **answer})
        return DECLINED

    left = holding(tmp_path, mode, User([beaten]), topic=TOPIC, model="offline")
    assert left["question"]["id"] == "k2" and left["paused"]
    assert types(events_of(left["session"]))[-1] == "question_asked"


def test_a_session_that_is_held_by_another_process_while_the_user_thinks_is_busy(
    tmp_path: Path, mode: Mode, events_of: Events
) -> None:
    held: list[Any] = []

    async def taken_away() -> ElicitResult:
        held.append(SessionStore(tmp_path).open(only_session(tmp_path)))
        return accepted({"answer": ANSWERS[0]})

    fault = holding(tmp_path, mode, User([taken_away]), topic=TOPIC, model="offline")
    held.pop().close()
    assert fault["error"]["code"] == "busy"
    session = only_session(tmp_path)
    assert given(events_of(session)) == []
    assert holding(tmp_path, mode, User(ANSWERS), session=session)["exit"]["status"] == 0


def round_of(client: Any, arguments: Sent, **more: Any) -> Any:
    return client.session.call_tool("hold", arguments, allow_input_required=True, **more)


def test_a_round_that_comes_twice_gets_the_same_question(tmp_path: Path, events_of: Events) -> None:
    call = {"topic": TOPIC, "model": "offline"}

    async def twice() -> None:
        async with connected(server_of(tmp_path), "auto", User()) as client:
            first = await round_of(client, call)
            assert isinstance(first, InputRequiredResult)
            said = {"input_responses": {"k1": accepted({"answer": ANSWERS[0]})}}
            second = await round_of(client, call, request_state=first.request_state, **said)
            again = await round_of(client, call, request_state=first.request_state, **said)
            assert again.input_requests == second.input_requests
            assert set(second.input_requests) == {"k2"}
            unsaid = await round_of(client, call, request_state=second.request_state)
            assert unsaid.input_requests == second.input_requests

    asyncio.run(twice())
    assert len(given(events_of(only_session(tmp_path)))) == 1


def test_a_state_that_the_server_did_not_give_is_refused(tmp_path: Path) -> None:
    mine = holding(tmp_path, "auto", User([DECLINED]), topic=TOPIC, model="offline")
    forged = json.dumps({"session": mine["session"], "need": "answer", "id": "k1", "times": -99})
    said = {"input_responses": {"k1": accepted({"answer": ANSWERS[0]})}}
    before = SessionStore(tmp_path).read(mine["session"]).events

    async def forge() -> None:
        async with connected(server_of(tmp_path), "auto", User()) as client:
            for state in (forged, "v1.AAAA", ""):
                with pytest.raises(MCPError, match="requestState"):
                    await round_of(
                        client, {"session": mine["session"]}, request_state=state, **said
                    )
            true = await round_of(client, {"session": mine["session"]})
            with pytest.raises(MCPError, match="requestState"):  # it was given for another call
                await round_of(client, {"topic": "t"}, request_state=true.request_state, **said)

    asyncio.run(forge())
    assert SessionStore(tmp_path).read(mine["session"]).events == before
