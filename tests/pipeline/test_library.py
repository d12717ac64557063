"""The Python door: `from keystone_roundtable import Session`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from outcome_cases import CASES, DELETE, NOTIFICATIONS, Case

import keystone_roundtable
from keystone_roundtable import Confirmation, End, ModelTurn, Question, Session
from keystone_roundtable.core import events as ev
from keystone_roundtable.core.errors import KeystoneError, UsageError
from keystone_roundtable.pipeline.errors import StepError

from .agent import Agent, Send
from .prepared import prepared

PAGE = (Path(__file__).parents[2] / "docs" / "library.md").read_text(encoding="utf-8")
ANSWERS = (
    "A pilot customer is told when an import fails, without calling us",
    "2",
    "A push channel on mobile, nobody asked for it yet",
    "One kind of mail, for failed imports only",
)


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session.start(NOTIFICATIONS, root=tmp_path, model="offline")


def code(error: KeystoneError) -> str:
    assert isinstance(error, StepError)
    return error.code


def test_the_documented_example_is_what_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    (example,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)
    (printed,) = re.findall(r"^It prints:\n\n```\n(.*?)^```$", PAGE, re.M | re.S)
    exec(compile(example, "docs/library.md", "exec"), {})
    assert capsys.readouterr().out == printed


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_row_of_the_outcome_table_is_reached(case: Case, tmp_path: Path) -> None:
    session = Session.start(case.topic, root=tmp_path, model="offline")
    for one in case.answers:
        if session.ended:
            break
        said = {"text": one} if isinstance(one, str) else one
        if "confirm" in said:
            assert isinstance(session.open, Confirmation)
            session.confirm(said["confirm"])
        else:
            session.answer(**{"by": "user", **said})  # type: ignore[arg-type]
    if isinstance(session.open, Confirmation):
        session.stop()
    end = session.open
    assert isinstance(end, End)
    assert end.status == case.status
    assert session.contract is not None
    assert session.contract.confidence_reasons == case.reasons
    assert session.report_markdown is not None
    assert session.report_markdown.startswith("## Roundtable Final Report")


def test_the_events_are_the_cores_own(session: Session) -> None:
    session.answer(ANSWERS[0], by="user")
    session.note("The refactor is planned for May")
    kinds = [type(event) for event in session.events]
    assert kinds[0] is ev.SessionStarted
    assert ev.AnswerGiven in kinds and kinds[-1] is ev.NoteAdded


def test_by_left_out_is_the_agent(session: Session) -> None:
    for text in ANSWERS:
        session.answer(text)
    assert session.contract is not None
    assert session.contract.confidence == 0.7
    assert "answered_by_agent" in session.contract.confidence_reasons


def test_blank_text_is_no_answer(session: Session) -> None:
    before = session.open
    assert session.answer(" \n", by="user") == before
    assert not [event for event in session.events if isinstance(event, ev.AnswerGiven)]


def test_back_opens_the_question_before_again(session: Session) -> None:
    first = session.open
    session.answer(ANSWERS[0], by="user")
    again = session.back()
    assert isinstance(first, Question) and isinstance(again, Question)
    assert again.text == first.text and again.id != first.id
    assert again.answered == 0


def test_defer_ends_with_nothing_decided(session: Session) -> None:
    end = session.defer()
    assert isinstance(end, End) and session.ended
    assert (end.name, end.status) == ("deferred", 4)


def test_what_is_asked_back_is_explained(session: Session) -> None:
    asked = session.answer("what do you mean?", by="user")
    assert isinstance(asked, Question) and asked.clarification
    why = session.answer("/why", by="user")
    assert isinstance(why, Question) and why.clarification == why.explanation


def test_a_session_goes_on_where_its_log_ends(session: Session, tmp_path: Path) -> None:
    session.answer(ANSWERS[0], by="user")
    other = Session.resume(session.id, root=tmp_path)
    assert other.open == session.open
    other.answer(ANSWERS[1], by="user")
    with pytest.raises(KeystoneError) as failure:
        session.answer("something else", by="user")
    assert code(failure.value) == "stale"
    assert session.refresh() == other.open


def test_an_ended_session_refuses_everything(session: Session, tmp_path: Path) -> None:
    session.stop()
    for session_again in (session, Session.resume(session.id, root=tmp_path)):
        with pytest.raises(KeystoneError) as failure:
            session_again.answer("late")
        assert code(failure.value) == "finished"


def test_a_topic_of_another_skill_has_its_route(tmp_path: Path) -> None:
    topic = "Why does the login page return 500 since yesterday?"
    end = Session.start(topic, root=tmp_path).open
    assert isinstance(end, End)
    assert (end.status, end.route, end.contract) == (5, "diagnose", None)
    assert end.route_reason
    entered = Session.start(topic, root=tmp_path, force=True)
    assert isinstance(entered.open, Question)


def test_other_words_leave_a_direction_unconfirmed(tmp_path: Path) -> None:
    session = Session.start(DELETE, root=tmp_path, model="offline")
    for text in ("fines", "losing an active customer's data", "cold storage", "the invoices"):
        session.answer(text, by="user")
    assert session.open == Confirmation("d4", "delete all archived customer data for good")
    session.confirm("yes")
    assert session.contract is not None
    assert "irreversible_unconfirmed" in session.contract.confidence_reasons


def test_the_caller_may_be_the_model(tmp_path: Path, send: Send) -> None:
    agent = Agent(send, play=prepared(NOTIFICATIONS))
    session = Session.start(NOTIFICATIONS, root=tmp_path, model="host")
    answers = iter(ANSWERS)
    while not session.ended:
        match session.open:
            case ModelTurn(prompt=prompt, schema=schema):
                session.reply(agent.played({"prompt": prompt, "schema": schema}))
            case _:
                session.answer(next(answers), by="user")
    assert session.contract is not None and session.contract.confidence == 0.9


def test_the_same_request_id_is_the_same_session(tmp_path: Path) -> None:
    one, other = (Session.start(NOTIFICATIONS, root=tmp_path, request_id="r") for _ in range(2))
    assert one.id == other.id


def test_messages_go_where_the_caller_wants_them(tmp_path: Path) -> None:
    told: list[str] = []
    Session.start(NOTIFICATIONS, root=tmp_path, tell=told.append)
    assert told and "brainstorm" in told[0]


def test_no_telemetry_writes_none(tmp_path: Path) -> None:
    Session.start(NOTIFICATIONS, root=tmp_path, telemetry=False).stop()
    assert not (tmp_path / ".keystone" / "telemetry").exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"topic": " "},
        {"topic": 5},
        {"mode": "other"},
        {"roles": ("nobody",)},
        {"model": "nobody:x"},
        {"context": "x" * 200_001},
        {"context": b"x"},
    ],
    ids=str,
)
def test_what_cannot_be_is_told_and_leaves_nothing(
    tmp_path: Path, wrong: dict[str, object]
) -> None:
    with pytest.raises(KeystoneError) as failure:
        Session.start(**{"topic": NOTIFICATIONS, "root": tmp_path, **wrong})  # type: ignore[arg-type]
    assert code(failure.value) == "bad_request"
    assert failure.value.hint
    assert not list(tmp_path.iterdir())


def test_no_session_of_that_id_no_such_root_no_note(session: Session, tmp_path: Path) -> None:
    with pytest.raises(KeystoneError) as failure:
        Session.resume("20260101-nothere0", root=tmp_path)
    assert code(failure.value) == "unknown_session"
    with pytest.raises(UsageError):
        Session.start(NOTIFICATIONS, root=tmp_path / "nowhere")
    with pytest.raises(UsageError):
        session.note(" ")


def test_what_cannot_be_is_told_to_somebody_who_writes_python(
    session: Session, tmp_path: Path
) -> None:
    acts = (
        lambda: Session.resume("20261130-00000000", root=tmp_path),
        lambda: Session.start("t", root=5),  # type: ignore[arg-type]
        lambda: Session.start("t", root=tmp_path / "gone"),
        lambda: Session.start(7, root=tmp_path),  # type: ignore[arg-type]
        lambda: Session.start("t", root=tmp_path, model="nonsense"),
        lambda: session.reply({"a": 1}),
    )
    for act in acts:
        with pytest.raises(KeystoneError) as raised:
            act()
        assert "keystone-roundtable" not in str(raised.value), str(raised.value)
        assert "--" not in str(raised.value), str(raised.value)


def test_the_package_names_its_door_and_nothing_else() -> None:
    assert {"Session", "Question", "Confirmation", "ModelTurn", "End"} < set(
        keystone_roundtable.__all__
    )
    with pytest.raises(AttributeError):
        _ = keystone_roundtable.nothing
