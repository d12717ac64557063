"""What a request gets back that comes again, too late, for something else, or is no request."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keystone_roundtable.pipeline.errors import StepError
from keystone_roundtable.pipeline.incoming import first_object
from keystone_roundtable.pipeline.requests import MAX_CONTEXT_BYTES, read_request
from keystone_roundtable.stores.sessions import SessionStore

from .agent import Agent, Send, Sent, code
from .conftest import sending
from .prepared import prepared

TOPIC = "Should we build the notification system now or defer it until after the settings refactor?"
ANSWERS = (
    "A mail goes out when an import fails",
    "what do you mean?",
    "2",
    "/note The refactor is planned for May",
    "a native app",
    "up to you",
    "one mail for one shop",
)
Events = Callable[[str], list[dict[str, Any]]]


def opened(response: Sent) -> str:
    return str(response["question"]["id"] if "question" in response else response["id"])


def start(send: Send, **fields: Any) -> Sent:
    return send({"op": "start", "topic": TOPIC, "model": "offline", **fields})


def answering(response: Sent, text: str, **fields: Any) -> Sent:
    return {
        "op": "answer", "session": response["session"], "for": opened(response), "text": text,
        **fields,
    }  # fmt: skip


# -- one rule at a time ----------------------------------------------------------------


def test_an_identical_request_gets_the_stored_response(send: Send, events_of: Events) -> None:
    first = start(send)
    request = answering(first, ANSWERS[0])
    second = send(request)
    before = events_of(first["session"])
    third = send(answering(second, "2"))
    assert send(request) == second
    assert send({**request, "by": "agent", "protocol": 1}) == second  # it says the same
    assert len(events_of(first["session"])) > len(before)
    assert send({"op": "status", "session": first["session"]}) == third


def test_another_answer_to_a_question_that_was_answered_is_stale(send: Send) -> None:
    first = start(send)
    send(answering(first, ANSWERS[0]))
    assert code(send(answering(first, "something else"))) == "stale"


def test_start_is_repeatable_by_its_request_id(send: Send, tmp_path: Path) -> None:
    first = start(send, request_id="once")
    send(answering(first, ANSWERS[0]))
    assert start(send, request_id="once") == first
    assert len(SessionStore(tmp_path).ids()) == 1
    assert code(start(send, request_id="once", mode="align")) == "bad_request"
    assert start(send, request_id="again")["session"] != first["session"]
    assert start(send)["session"] != start(send)["session"]


def test_who_answered_is_the_agent_unless_it_says_otherwise(send: Send, events_of: Events) -> None:
    first = start(send)
    send(answering(send(answering(first, ANSWERS[0])), "2", by="user"))
    given_by = [e["answer"]["by"] for e in events_of(first["session"]) if "answer" in e]
    assert given_by == ["agent", "user"]


@pytest.mark.parametrize("blank", ["", "  \n\t", "\x00"])
def test_silence_is_asked_again_and_recorded_as_nothing(
    send: Send, events_of: Events, blank: str
) -> None:
    first = start(send)
    before = events_of(first["session"])
    for _ in range(3):
        assert send(answering(first, blank)) == first
    assert events_of(first["session"]) == before
    assert code(send(answering(first, ANSWERS[0]))) is None


def test_the_commands_of_a_prompt_work_in_an_answer(send: Send, events_of: Events) -> None:
    first = start(send)
    why = send(answering(first, "/why"))
    assert why == {**first, "clarification": first["question"]["explanation"]}
    assert "/defer" in send(answering(first, "/help"))["clarification"]
    assert code(send(answering(first, "/note"))) == "bad_request"
    assert code(send(answering(first, "/mode nonsense"))) == "bad_request"
    assert code(send(answering(first, "/mode"))) == "bad_request"
    assert code(send(answering(first, "/back"))) == "bad_request"  # there is nothing before it
    assert [e["type"] for e in events_of(first["session"])][-1] == "question_asked"
    assert send(answering(first, "/note It ships in May")) == first
    changed = send(answering(first, "/mode challenge"))
    assert opened(changed) != opened(first)
    skipped = send(answering(changed, "/skip"))
    assert skipped["progress"] == {"answered": 0, "at_least": 3, "at_most": 7}
    back = send({"op": "back", "session": first["session"], "for": opened(skipped)})
    assert back["question"]["text"] == changed["question"]["text"]
    assert opened(back) not in (opened(changed), opened(skipped))


def test_a_paused_session_is_looked_at_without_being_resumed(send: Send, events_of: Events) -> None:
    first = start(send)
    assert send(answering(first, "/quit")) == first
    assert [e["type"] for e in events_of(first["session"])][-1] == "paused"
    assert send({"op": "status", "session": first["session"]}) == first
    assert code(send({**answering(first, "x"), "for": "k9"})) == "stale"
    assert [e["type"] for e in events_of(first["session"])][-1] == "paused"
    send(answering(first, ANSWERS[0]))
    assert "resumed" in [e["type"] for e in events_of(first["session"])]


def test_stop_and_defer_end_the_questions(send: Send) -> None:
    for op, status in (("stop", 0), ("defer", 4)):
        first = start(send)
        end = send({"op": op, "session": first["session"], "for": opened(first)})
        assert end["exit"]["status"] == status
        assert end == send({"op": "status", "session": first["session"]})
        assert end == send({"op": op, "session": first["session"], "for": opened(first)})
        for request in (
            answering(first, "late"),
            {"op": "back", "session": first["session"], "for": "k1"},
            {"op": "model_reply", "session": first["session"], "for": "c1", "reply": {}},
        ):
            assert code(send(request)) == "finished"


DELETE = "I plan to delete all archived customer data for good. What did I overlook?"
TOWARDS_DELETION = ("fines", "losing an active customer's data", "cold storage", "the invoices")


@pytest.mark.parametrize(
    ("typed", "confidence"),
    [("delete all archived customer data for good", 0.9), ("yes", 0.7), (None, 0.7)],
)
def test_a_direction_that_cannot_be_undone_is_confirmed_by_its_text_alone(
    send: Send, typed: str | None, confidence: float
) -> None:
    response = start(send, topic=DELETE)
    for text in TOWARDS_DELETION:
        response = send(answering(response, text, by="user"))
    assert response["need"] == "confirm"
    assert response["text"] == "delete all archived customer data for good"
    about = {"session": response["session"], "for": response["id"]}
    assert send({"op": "confirm", **about, "text": " "}) == response
    assert code(send({"op": "confirm", **about, "text": response["text"], "by": "agent"})) == (
        "bad_request"
    )
    assert code(send({"op": "answer", **about, "text": response["text"]})) == "bad_request"
    request = {"op": "confirm", **about, "text": typed} if typed else {"op": "stop", **about}
    end = send(request)
    assert end["contract"]["confidence"] == confidence
    assert send(request) == end


def test_from_a_confirmation_the_way_back_is_open(send: Send) -> None:
    response = start(send, topic=DELETE)
    for text in TOWARDS_DELETION:
        response = send(answering(response, text, by="user"))
    back = send({"op": "back", "session": response["session"], "for": response["id"]})
    again = send(answering(back, "the invoices", by="user"))
    assert again["need"] == "confirm"
    assert again["id"] != response["id"]


def test_a_topic_of_another_skill_is_sent_there(send: Send, tmp_path: Path) -> None:
    topic = "Why does the login page return 500 since yesterday?"
    response = start(send, topic=topic)
    assert response["need"] == "nothing"
    assert response["redirect"]["route"] == "diagnose" and response["redirect"]["reason"]
    assert response["exit"] == {"name": "redirected", "status": 5}
    assert "contract" not in response
    state = json.loads((tmp_path / ".keystone" / "state.json").read_bytes())
    assert (state["exit_code"], state["next_skill"]) == ("redirected", "diagnose")
    assert send({"op": "status", "session": response["session"]}) == response
    assert start(send, topic=topic, force=True)["need"] == "answer"


def test_a_model_of_nobodys_naming_is_a_bad_request(send: Send, tmp_path: Path) -> None:
    assert code(start(send, model="nonsense")) == "bad_request"
    assert code(start(send, model="host,offline")) == "bad_request"
    assert code(start(send, roles=["astrologer"])) == "bad_request"
    assert SessionStore(tmp_path).ids() == ()


def test_a_model_that_cannot_be_reached_keeps_the_session(
    send: Send, monkeypatch: pytest.MonkeyPatch, events_of: Events
) -> None:
    pytest.importorskip("openai")
    pytest.importorskip("pydantic_ai")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setattr("keystone_roundtable.models.language.retrying.RetryRule.retries", 0)
    failure = start(send, model="openai-chat:nobody", request_id="r")
    assert code(failure) == "model_failed"
    assert code(start(send, model="openai-chat:nobody", request_id="r")) == "model_failed"
    session = failure["error"]["hint"].split("Session ")[1].split()[0]
    assert code(send({"op": "status", "session": session})) == "model_failed"
    assert [e["type"] for e in events_of(session)].count("session_started") == 1
    monkeypatch.setenv("KEYSTONE_FALLBACK", "offline")
    asked = start(send, model="openai-chat:nobody", request_id="r")
    assert asked["need"] == "answer"


def test_a_log_of_a_newer_version_is_too_new(send: Send, tmp_path: Path) -> None:
    first = start(send)
    log = SessionStore(tmp_path).folder(first["session"]) / "events.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"schema_version": 1', b'"schema_version": 99'))
    before = log.read_bytes()
    assert code(send(answering(first, "x"))) == "too_new"
    assert code(send({"op": "status", "session": first["session"]})) == "too_new"
    assert log.read_bytes() == before
    assert code(start(send, protocol=2)) == "too_new"


def test_a_broken_log_is_told_as_io(send: Send, tmp_path: Path) -> None:
    first = start(send)
    log = SessionStore(tmp_path).folder(first["session"]) / "events.jsonl"
    log.write_bytes(b"{}\n" + log.read_bytes())
    assert code(send({"op": "status", "session": first["session"]})) == "io"


def test_context_has_its_limit(send: Send) -> None:
    assert code(start(send, context="x" * (MAX_CONTEXT_BYTES + 1))) == "bad_request"
    assert start(send, context="We are three people.")["need"] == "answer"


@pytest.mark.parametrize(
    "data",
    [
        b"", b"null", b"[]", b"7", b'"op"', b"{", b"{}", b'{"op": "nonsense"}', b'{"op": 7}',
        b'{"op": "start"}', b'{"op": "start", "topic": 7}', b'{"op": "start", "topic": ""}',
        b'{"op": "start", "topic": " "}', b'{"op": "start", "topic": "t", "surplus": 1}',
        b'{"op": "start", "topic": "t", "protocol": "1"}',
        b'{"op": "start", "topic": "t", "protocol": true}',
        b'{"op": "start", "topic": "t", "force": "yes"}',
        b'{"op": "start", "topic": "t", "roles": "sre"}',
        b'{"op": "start", "topic": "t", "mode": "shout"}',
        b'{"op": "start", "topic": "\\ud800"}', b'{"op": "start", "topic": "\xff"}',
        b'{"op": "answer", "session": "s", "text": "t"}',
        b'{"op": "answer", "session": "s", "for": 1, "text": "t"}',
        b'{"op": "answer", "session": "s", "for": "k1", "text": null}',
        b'{"op": "answer", "session": "s", "for": "k1", "text": "t", "by": "ghost"}',
        b'{"op": "answer", "session": "s", "for_": "k1", "text": "t"}',
        b'{"op": "model_reply", "session": "s", "for": "c1", "reply": 7}',
        b'{"op": "stop", "session": "s"}', b'{"op": "status", "session": ["s"]}',
        b'{"op": "start", "topic": "t", "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
)  # fmt: skip
def test_what_is_no_request_is_a_bad_request(data: bytes) -> None:
    with pytest.raises(StepError) as caught:
        read_request(data)
    assert caught.value.code == "bad_request"
    assert caught.value.message and caught.value.hint and len(caught.value.message) < 500


def about(**fields: object) -> bytes:
    return json.dumps({"session": "s", "for": "k1", **fields}).encode()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"{}", "op: it is missing; one of start, answer, model_reply, confirm, stop, defer, back, "
                "status"),
        (b'{"op": "nonsense"}', "op: no such one; one of start, answer, model_reply, confirm, "
                                "stop, defer, back, status"),
        (b'{"op": "start"}', "topic: it is missing"),
        (b'{"op": "start", "topic": 7}', "topic: must be a text"),
        (b'{"op": "start", "topic": ""}', "topic: it is empty"),
        (b'{"op": "start", "topic": ' + b"7" * 5000 + b"}", "a number has too many digits"),
        (b'{"op": "start", "topic": ' + b"7" * 500 + b"}", "topic: must be a text"),
        (b'{"op": "start", "topic": "\\ud800"}', "the request: it is no JSON that can be read"),
        (b'{"op": "start", "topic": "t", "surplus": 1}', "surplus: no such field"),
        (b'{"op": "start", "topic": "t", "force": "yes"}', "force: must be true or false"),
        (b'{"op": "start", "topic": "t", "roles": "sre"}', "roles: must be a list"),
        (b'{"op": "start", "topic": "t", "roles": ["sre", 1]}', "roles.1: must be a text"),
        (b'{"op": "start", "topic": "t", "mode": "shout"}',
         "mode: must be 'brainstorm', 'align' or 'challenge'"),
        (b'{"op": "start", "topic": "t", "protocol": 0}', "protocol: must be at least 1"),
        (b'{"op": "start", "topic": "t", "protocol": "1"}', "protocol: must be a whole number"),
        (about(op="answer", text=None), "text: must be a text"),
        (about(op="answer", text="t", by="ghost"), "by: must be 'user' or 'agent'"),
        (about(op="model_reply", reply=7), "reply: must be an object, or JSON in a text"),
        (about(op="model_reply", reply=["a"]), "reply: must be an object, or JSON in a text"),
        (about(op="stop", session="s" * 101), "session: must have at most 100 characters"),
        (b"[]", "the request is no JSON object"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_request_is_told_in_plain_words(data: bytes, told: str) -> None:
    with pytest.raises(StepError) as caught:
        read_request(data)
    assert caught.value.message == told


def test_a_number_of_any_length_is_a_complete_request() -> None:
    request = b'{"op": "start", "topic": ' + b"7" * 5000 + b"}"
    assert first_object(request + b" more") == request


# -- whatever is sent, in whatever order -----------------------------------------------

FOREIGN = ("../../etc", "20261130-00000000", "", "x" * 90, "20261130-ABCDEF12", "k1")


class Caller:
    """An agent that also sends what it should not, and looks at what it changes."""

    def __init__(self, root: Path, random: Random, model: str) -> None:
        self.root, self.random, self.model = root, random, model
        self.topic, self.answers = random.choice(((TOPIC, ANSWERS), (DELETE, TOWARDS_DELETION)))
        self.agent = Agent(sending(root), play=prepared(self.topic))
        self.taken: list[tuple[Sent, Sent]] = []
        """Each request that was carried out, with its response."""

    def hold(self) -> Sent:
        request = {"op": "start", "topic": self.topic, "model": self.model, "request_id": "r"}
        response = self.carried_out(request)
        answers = iter(self.answers * 2)
        while response["need"] != "nothing":
            self.disturb(response)
            if response["need"] == "model":
                request = self.about(response, "model_reply", reply=self.agent.played(response))
            elif response["need"] == "confirm":
                request = self.about(response, "confirm", text=response["text"])
            elif self.random.random() < 0.1:
                request = self.about(response, self.random.choice(("stop", "defer")))
            else:
                request = self.about(response, "answer", text=next(answers), by="user")
            response = self.carried_out(request)
        for _ in range(5):
            self.disturb(response)
        return response

    def about(self, response: Sent, op: str, **fields: Any) -> Sent:
        return {"op": op, "session": response["session"], "for": opened(response), **fields}

    def carried_out(self, request: Sent) -> Sent:
        response = self.agent.ask(request)
        assert code(response) is None, response
        self.taken.append((request, response))
        return response

    def disturb(self, standing: Sent) -> None:
        """One request that must change nothing, and what it must get."""
        kind = self.random.choice(
            (self.again, self.too_late, self.early, self.unknown, self.wrong, self.busy, self.look)
        )
        before = self.on_disk()
        kind(standing)
        assert self.on_disk() == before, kind.__name__

    def again(self, standing: Sent) -> None:
        request, response = self.random.choice(self.taken)
        assert self.agent.send(request) == response

    def too_late(self, standing: Sent) -> None:
        done = [r for r, _ in self.taken if "for" in r and r["op"] in ("answer", "model_reply")]
        if not done or standing["need"] == "nothing":
            return
        field = "text" if (request := self.random.choice(done))["op"] == "answer" else "reply"
        if request["for"] != opened(standing):
            assert code(self.agent.send({**request, field: "something else"})) == "stale"

    def early(self, standing: Sent) -> None:
        """An op for what is open that it does not take, or any op when all is over."""
        wrong = {"answer": "model_reply", "model": "answer", "confirm": "answer"}
        over = standing["need"] == "nothing"
        op = "answer" if over else wrong[standing["need"]]
        fields = {"reply": {}} if op == "model_reply" else {"text": f"not yet {len(self.taken)}"}
        request = {
            "op": op, "session": standing["session"],
            "for": "k1" if over else opened(standing), **fields,
        }  # fmt: skip
        assert code(self.agent.send(request)) == ("finished" if over else "bad_request")

    def unknown(self, standing: Sent) -> None:
        request = dict(self.random.choice(self.taken)[0])
        if "session" in request:
            request["session"] = self.random.choice(FOREIGN)
            assert code(self.agent.send(request)) == "unknown_session"

    def wrong(self, standing: Sent) -> None:
        """One field of another type, one too many, or one too few."""
        request = dict(self.random.choice(self.taken)[0])
        field = self.random.choice([f for f in request if f not in ("request_id", "model")])
        how = self.random.randrange(3)
        if how == 0:
            request[field] = self.random.choice((7, None, [], True, 1.5))
        elif how == 1:
            request[f"{field}_"] = "x"
        elif field != "by":
            del request[field]
        else:
            return
        assert code(self.agent.send(request)) == "bad_request", request

    def busy(self, standing: Sent) -> None:
        request = self.random.choice(self.taken)[0]
        with self.elsewhere(standing["session"]):
            assert code(self.agent.send(request)) == "busy"
            status = {"op": "status", "session": standing["session"]}
            assert code(self.agent.send(status)) == "busy"

    def look(self, standing: Sent) -> None:
        assert self.agent.send({"op": "status", "session": standing["session"]}) == standing

    @contextmanager
    def elsewhere(self, session: str) -> Iterator[None]:
        """A lock taken by another descriptor shuts out as one of another process does."""
        with SessionStore(self.root).open(session):
            yield

    def on_disk(self) -> dict[str, bytes]:
        files = (path for path in self.root.rglob("*") if path.is_file())
        return {str(path): path.read_bytes() for path in files if path.name != "exchanges.jsonl"}


@pytest.mark.parametrize("model", ["offline", "host"])
@given(random=st.randoms(use_true_random=False))
@settings(max_examples=12, deadline=None)
def test_nothing_changes_twice_whatever_is_sent(model: str, random: Random) -> None:
    with tempfile.TemporaryDirectory() as folder:
        caller = Caller(Path(folder), random, model)
        end = caller.hold()
        for request, response in caller.taken:
            assert caller.agent.send(request) == response
        assert len(SessionStore(Path(folder)).ids()) == 1
        assert caller.agent.send({"op": "status", "session": end["session"]}) == end
