"""The moderator over real HTTP: three steps, what is sent, and who did what after a failure."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from loopback import mutations, replies
from loopback.player import in_step, playing
from loopback.reading import situation
from loopback.server import LoopbackServer

from keystone_roundtable.core.outcome import outcome_of
from keystone_roundtable.core.session import Session
from keystone_roundtable.models.language.chain import ChainAsker
from keystone_roundtable.models.language.moderator import LanguageModerator

from . import sitting
from .conftest import MakeAsker
from .loopback_model import failure_of
from .sitting import MODEL, answered, concluding, given, moderator, offline, opened, prepared

FAULTS = {
    "malformed": (replies.malformed(), "is broken"),
    "wrong schema": (replies.wrong_schema(), "Field required"),
    "empty": (replies.empty(), "empty"),
    "truncated": (replies.truncated(), "cut off"),
    "made by the schema alone": (replies.good(), ""),
}


@pytest.fixture
def table(server: LoopbackServer, make_asker: MakeAsker) -> LanguageModerator:
    server.default = playing()
    return moderator(make_asker())


@cache
def at_the_end() -> Session:
    return concluding(answered(prepared(), "5 customers asked for it", "One mail, in June"))


@cache
def after_an_answer() -> Session:
    return given(prepared(), "5 customers asked for it")


def conclude(table: LanguageModerator, session: Session) -> Any:
    return table.conclude(session, outcome_of(session))


def test_each_step_is_one_request_and_one_record(
    server: LoopbackServer, table: LanguageModerator
) -> None:
    preview = table.preview(opened())
    assessment = table.assess(after_an_answer())
    conclusion = conclude(table, at_the_end())
    assert {preview.source, assessment.source, conclusion.source} == {MODEL}
    calls = table.take_calls()
    assert [(c.step, c.asking, c.result, c.requests) for c in calls] == [
        ("preview", "", "ok", 1), ("assess", "k1", "ok", 1), ("conclude", "", "ok", 1),
    ]  # fmt: skip
    assert table.take_calls() == ()
    assert [situation(r.asked).step for r in server.requests] == ["preview", "assess", "conclude"]


def test_the_stable_part_is_the_same_bytes_over_a_whole_session_and_is_cached(
    server: LoopbackServer, table: LanguageModerator
) -> None:
    table.preview(opened())
    table.assess(after_an_answer())
    conclude(table, at_the_end())
    systems = {request.body["messages"][0]["content"] for request in server.requests}
    assert len(systems) == 1
    assert all(r.body["messages"][0]["role"] == "system" for r in server.requests)
    first, *others = table.take_calls()
    assert first.cached_tokens is None, "such servers mostly do not say, and 0 may be that"
    assert [call.cached_tokens for call in others] == [len(systems.pop()) // 4] * 2
    assert all((call.input_tokens or 0) > (call.cached_tokens or 0) for call in others)


def test_a_repair_keeps_the_stable_part_and_brings_the_reason(
    server: LoopbackServer, table: LanguageModerator
) -> None:
    wizard = playing(lambda made, _: made["views"][0].update(role="wizard") or made)
    server.script(wizard)
    assert table.preview(opened()).source == MODEL
    first, second = (request.body["messages"] for request in server.requests)
    assert first[0] == second[0]
    assert second[1]["content"].startswith(first[1]["content"])
    assert "cannot be used: there is no role 'wizard'" in second[1]["content"]
    (call,) = table.take_calls()
    assert (call.result, call.requests) == ("ok", 2)


def test_the_language_asked_for_is_in_the_stable_part(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.default = playing()
    moderator(make_asker(), language="pt-BR").preview(opened())
    assert "Write in pt-BR" in server.requests[0].asked.system


# -- the rules step in -----------------------------------------------------------------


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("step", ["preview", "assess", "conclude"])
def test_what_cannot_be_used_is_done_by_the_rules_which_say_so(
    step: str, fault: str, server: LoopbackServer, table: LanguageModerator
) -> None:
    reaction, words = FAULTS[fault]
    server.default = reaction
    acts = {
        "preview": lambda: (table.preview(opened()), offline().preview(opened())),
        "assess": lambda: (table.assess(after_an_answer()), offline().assess(after_an_answer())),
        "conclude": lambda: (
            conclude(table, at_the_end()),
            offline().conclude(at_the_end(), outcome_of(at_the_end())),
        ),
    }
    made, by_rules = acts[step]()
    assert (made.source, bool(made.fallback)) == ("offline", True)
    assert words in made.fallback
    told = {"fallback": made.fallback}
    told |= {"simulated_by": made.simulated_by} if step == "conclude" else {}
    assert made == by_rules.model_copy(update=told)
    (call,) = table.take_calls()
    assert call.result in ("invalid", "breach") and call.reason == made.fallback
    assert call.requests == {"invalid": 3, "breach": 2}[call.result]


def test_the_last_line_names_the_model_and_each_step_that_the_rules_did(
    server: LoopbackServer, table: LanguageModerator
) -> None:
    played = conclude(table, at_the_end()).simulated_by
    assert played == (
        f"The roles were played by {MODEL}: their agreement is one mind's and weak evidence."
    )
    server.default = replies.empty()
    told = conclude(table, at_the_end()).simulated_by
    assert told == (f"{played} The built-in rules did this report (the reply was empty).")


def test_where_nothing_could_be_used_the_last_line_says_that(
    server: LoopbackServer, table: LanguageModerator
) -> None:
    server.default = replies.empty()
    start = opened()
    session = sitting.happened(start, sitting.ev.PreviewMade, preview=table.preview(start))
    session = given(sitting.asked(session), "5 customers asked for it")
    session = sitting.happened(session, sitting.ev.AnswerAssessed, assessment=table.assess(session))
    session = concluding(sitting.asked(session))
    assert conclude(table, session).simulated_by == (
        f"The roles were played by the built-in rules: nothing that {MODEL} replied could be used. "
        "They did the preparation (the reply was empty); the reading of A1 (the reply was empty); "
        "this report (the reply was empty)."
    )


# -- the transport fails ---------------------------------------------------------------


def test_a_failure_is_raised_and_what_it_took_is_recorded(
    server: LoopbackServer, table: LanguageModerator
) -> None:
    server.default = replies.unauthorized()
    failure = failure_of(lambda: table.preview(opened()))
    assert failure.kind == "refused"
    (call,) = table.take_calls()
    assert (call.result, call.step, call.requests) == ("failed", "preview", 1)


@pytest.mark.parametrize("step", ["preview", "assess", "conclude"])
def test_a_chain_that_ends_offline_goes_on_by_the_rules(
    step: str, server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.default = in_step(step, replies.unauthorized())
    table = moderator(make_asker(), spec=f"{MODEL},offline", offline_last=True)
    made = {
        "preview": lambda: table.preview(opened()),
        "assess": lambda: table.assess(after_an_answer()),
        "conclude": lambda: conclude(table, at_the_end()),
    }[step]()
    assert made.source == "offline" and "refuses the request" in made.fallback
    assert table.name == f"{MODEL},offline"


def test_the_one_of_a_chain_that_replied_is_the_source(
    server: LoopbackServer, make_asker: MakeAsker
) -> None:
    server.script(replies.unauthorized())
    server.default = playing()
    chain = ChainAsker([make_asker(), make_asker("openai-chat:loopback-small")])
    assert moderator(chain).preview(opened()).source == "openai-chat:loopback-small"


# -- before anything is sent -----------------------------------------------------------


def test_the_first_prompt_is_what_is_then_sent_with_secrets_masked(
    server: LoopbackServer, table: LanguageModerator
) -> None:
    secret = "ghp_" + "a1B2" * 9
    session = opened(f"Should we rotate {secret} now or revoke it?")
    shown = table.first_prompt(session)
    assert server.requests == []
    assert secret not in shown.stable + shown.task
    table.preview(session)
    system, user = (m["content"] for m in server.requests[0].body["messages"])
    assert system == shown.stable and user.endswith(shown.task)
    assert shown.tokens > 1000


def test_what_every_string_of_a_reply_hides_is_dropped(
    server: LoopbackServer, table: LanguageModerator
) -> None:
    server.default = playing(lambda value, seen: _hostile_words(value))
    made = [table.preview(opened()), table.assess(after_an_answer())]
    made.append(conclude(table, at_the_end()))
    assert {one.source for one in made} == {MODEL}
    kept = "".join(one.model_dump_json() for one in made)
    assert "<script>" in kept, "markup is text; templates and screens treat it as such"
    assert "\\u001b" not in kept and "\u202e" not in kept


def _hostile_words(value: Any, key: str = "") -> Any:
    """Escapes and markup before every text that is free to be anything."""
    if isinstance(value, dict):
        return {name: _hostile_words(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [_hostile_words(part, key) for part in value]
    free = key in ("position", "reason", "risk", "stakes", "explanation", "signal_reason",
                   "mode_reason", "text", "suggestions")  # fmt: skip
    return mutations.HOSTILE + value if free and isinstance(value, str) else value
