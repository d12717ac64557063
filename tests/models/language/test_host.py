"""The calling agent as the model: its replies are looked for in the session."""

from __future__ import annotations

import json
from typing import Any

import pytest

from keystone_roundtable.core import events as ev
from keystone_roundtable.core.agenda import call_id
from keystone_roundtable.core.errors import ReplyWantedError
from keystone_roundtable.core.outcome import outcome_of
from keystone_roundtable.core.records import Conclusion, Preview
from keystone_roundtable.core.session import Session
from keystone_roundtable.models.language.host import HostAsker
from keystone_roundtable.models.language.moderator import LanguageModerator

from .sitting import (
    Player,
    answered,
    asking,
    concluding,
    given,
    happened,
    moderator,
    opened,
    prepared,
)

INVALID = ("", "no object", "{", '{"something": "else"}', "[]")


@pytest.fixture
def host() -> LanguageModerator:
    return moderator(HostAsker())


def wanted(host: LanguageModerator, session: Session) -> ReplyWantedError:
    with pytest.raises(ReplyWantedError) as caught:
        host.preview(session)
    return caught.value


def replied(session: Session, want: ReplyWantedError, reply: str) -> Session:
    """The session after the agent was asked and said so."""
    asked = happened(
        session, ev.ModelAsked, call=call_id(session), key=want.key, step=want.step,
        asking=want.asking, attempt=want.attempt, prompt=want.prompt,
        reply_schema=want.reply_schema, problem=want.problem,
    )  # fmt: skip
    return happened(asked, ev.ModelReplied, call=call_id(session), reply=reply)


def good(session: Session, step: str = "preview", **changes: Any) -> str:
    return json.dumps(asking(step, session).draft.model_dump() | changes)


def test_the_prompt_is_complete_and_the_same_until_the_reply_is_there(
    host: LanguageModerator,
) -> None:
    session = opened()
    want = wanted(host, session)
    again = wanted(host, session)
    assert (want.call, want.attempt, want.problem) == ("", 1, "")
    assert (want.prompt, want.key) == (again.prompt, again.key)
    ask = asking("preview", session).ask
    assert ask.stable in want.prompt and ask.task in want.prompt
    assert json.dumps(want.reply_schema, ensure_ascii=False) in want.prompt
    assert host.take_calls() == ()


def test_what_was_asked_already_is_wanted_under_the_same_call(host: LanguageModerator) -> None:
    session = opened()
    want = wanted(host, session)
    asked = happened(
        session, ev.ModelAsked, call="c1", key=want.key, step="preview", attempt=1,
        prompt=want.prompt, reply_schema=want.reply_schema,
    )  # fmt: skip
    assert wanted(host, asked).call == "c1"


def test_a_usable_reply_makes_the_step(host: LanguageModerator) -> None:
    session = opened()
    session = replied(session, wanted(host, session), good(session))
    made = host.preview(session)
    assert (made.source, made.fallback) == ("host", "")
    (call,) = host.take_calls()
    assert (call.model, call.step, call.result, call.requests) == ("host", "preview", "ok", 1)
    assert call.input_tokens is call.cost_usd is None


def test_a_reply_in_prose_and_fences_is_read(host: LanguageModerator) -> None:
    session = opened()
    session = replied(session, wanted(host, session), f"Sure!\n```json\n{good(session)}\n```")
    assert host.preview(session).source == "host"


def test_an_unusable_reply_goes_back_with_the_reason_and_at_most_twice(
    host: LanguageModerator,
) -> None:
    session = opened()
    for attempt in (1, 2, 3):
        want = wanted(host, session)
        assert want.attempt == attempt
        assert bool(want.problem) is (attempt > 1)
        assert want.problem in want.prompt
        session = replied(session, want, INVALID[attempt])
    made = host.preview(session)
    assert made.source == "offline" and made.fallback
    (call,) = host.take_calls()
    assert (call.result, call.requests) == ("invalid", 3)


def test_a_breach_of_content_goes_back_once(host: LanguageModerator) -> None:
    session = opened()
    made = json.loads(good(session))
    made["views"][0]["role"] = "astrologer"
    bad = json.dumps(made)
    session = replied(session, wanted(host, session), bad)
    want = wanted(host, session)
    assert want.attempt == 2 and "astrologer" in want.problem
    mended = host.preview(replied(session, want, good(opened())))
    assert mended.source == "host"
    given_up = moderator(HostAsker()).preview(replied(session, want, bad))
    assert given_up.source == "offline" and "astrologer" in given_up.fallback


def test_a_conclusion_after_a_note_is_another_call(host: LanguageModerator) -> None:
    session = concluding(answered(prepared(), "A mail goes out", "2", "a native app"))
    outcome = outcome_of(session)

    def want_of(one: Session) -> ReplyWantedError:
        with pytest.raises(ReplyWantedError) as caught:
            host.conclude(one, outcome)
        return caught.value

    first = want_of(session)
    drafted = host.conclude(replied(session, first, good(session, "conclude")), outcome)
    assert isinstance(drafted, Conclusion) and drafted.source == "host"
    noted = happened(session, ev.ReportDrafted, conclusion=drafted)
    noted = happened(noted, ev.NoteAdded, text="The contract names March.")
    second = want_of(noted)
    assert second.key != first.key and second.attempt == 1
    assert "The contract names March." in second.prompt


def test_the_answer_is_assessed_under_its_asking(host: LanguageModerator) -> None:
    session = given(prepared(), "A mail goes out when an import fails")
    with pytest.raises(ReplyWantedError) as caught:
        host.assess(session)
    assert (caught.value.step, caught.value.asking) == ("assess", "k1")


def test_a_secret_in_the_topic_is_masked() -> None:
    session = opened("Should we keep the key sk-proj-0123456789abcdefghij or rotate it?")
    want = wanted(moderator(HostAsker()), session)
    assert "sk-proj-" not in want.prompt and "[masked: openai key]" in want.prompt


def test_the_same_reply_makes_the_same_preview_as_by_a_provider(host: LanguageModerator) -> None:
    """The good model behind the port and behind the log makes the same of a topic."""
    session = opened()
    there = moderator(Player()).preview(session)
    here = host.preview(replied(session, wanted(host, session), good(session)))
    assert isinstance(here, Preview)
    assert here.model_copy(update={"source": ""}) == there.model_copy(update={"source": ""})
