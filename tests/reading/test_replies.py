"""The typed value in a reply: strictly, then in the one fenced or outermost object that fits."""

from __future__ import annotations

import json
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from keystone_roundtable.core.plain import plain
from keystone_roundtable.reading.replies import ReplyFaultError, read_object


class Vote(BaseModel):
    model_config = ConfigDict(extra="ignore")

    vote: Literal["a", "b"]
    confidence: int = Field(ge=1, le=10)
    rationale: str = ""


A7 = '{"vote": "a", "confidence": 7, "rationale": "it lasts"}'
B9 = '{"vote": "b", "confidence": 9}'


@pytest.mark.parametrize(
    "text",
    [
        A7,
        f"\ufeff{A7}",
        f"  \n{A7}\n\n",
        f"claude 2.1.0 {{beta}}\n[warn] no config\n{A7}",
        f'{{"type": "banner", "version": 3}}\n{A7}',
        f"{A7}\n{B9}",
        f'{A7}\n{{"done": true, "cost": 0.1, "much": "longer than the reply itself, by far"}}',
        f'{A7}\n{{"vote": "b", "confi',
        f"Sure! Here it is:\n{A7}\nAnything else? {{}}",
        f"```json\n{A7}\n```",
        f"You asked for {B9} or the like.\n\n```json\n{A7}\n```\nDone.",
        f'{{"log": oops}}\n\n```\n{A7}\n```',
        f"<think>They want {B9}, do they?</think>\n{A7}",
        f"<thinking>\n```\n{B9}\n```\n</thinking>{A7}",
        f"\x1b[1m{A7}\x1b[0m",
        f"\x00\x07{A7}\x1a",
        '{\x1b[32m"vote"\x1b[0m: "a", "confidence": 7, "rationale": "it lasts"}',
        f"[{A7}]",
    ],
)
def test_the_reply_is_found_in_what_surrounds_it(text: str) -> None:
    assert read_object(text, Vote) == Vote(vote="a", confidence=7, rationale="it lasts")


@pytest.mark.parametrize(
    "rationale",
    [
        "braces } in { strings {}",
        'an escaped \\" quote and } a brace',
        "```json\n{}\n```",
        "</think> what { stands } here",
        '{"vote": "b", "confidence": 9}',
        "two\nlines",
    ],
)
@pytest.mark.parametrize("before", ["", "It is: "])
def test_what_stands_in_a_string_is_only_a_string(rationale: str, before: str) -> None:
    whole = {"vote": "a", "confidence": 7, "rationale": rationale}
    text = before + json.dumps(whole).replace("\\n", "\n")
    assert read_object(text, Vote) == Vote(vote="a", confidence=7, rationale=rationale)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "empty"),
        (" \u200b\n", "empty"),
        ("I vote a, at seven.", "no JSON object"),
        ("[1, 2]", "no JSON object"),
        (A7[:-1], "broken"),
        (f'{{"reply": {A7}, oops', "broken"),
        ('{"vote": "c", "confidence": 7}', "vote: Input should be 'a' or 'b'"),
        ('{"vote": "a", "confidence": 70}', "confidence: "),
        ('{"vote": "a"}', "confidence: Field required"),
        ('{"vote": "a", "confidence": 7, "rationale": "\\ud800"}', ""),
        ('{"vote":' * 100_000, "nested too deeply"),
        ('{"vote": "a", "confidence": 7, "more": ' + '{"a":' * 500 + "1" + "}" * 500, ""),
    ],
)
def test_what_does_not_fit_is_refused_in_words_for_the_model(text: str, told: str) -> None:
    with pytest.raises(ReplyFaultError) as error:
        read_object(text, Vote)
    assert told in error.value.reason
    assert len(error.value.reason) < 400


@given(st.text(st.characters(exclude_characters='{}"`<'), max_size=200), st.text(max_size=80))
def test_prose_around_a_reply_never_hides_it(prose: str, rationale: str) -> None:
    vote = Vote(vote="b", confidence=3, rationale=rationale)
    text = f"{prose} {json.dumps(vote.model_dump())} {prose}"
    try:
        assert plain(read_object(text, Vote).rationale) == plain(rationale)
    except ReplyFaultError:
        assert not rationale.isprintable()  # a lone surrogate is no JSON


@given(st.text(max_size=400))
def test_any_text_is_read_or_refused(text: str) -> None:
    with pytest.raises(ReplyFaultError):
        read_object(text, Vote)
