"""What a model's reading of an answer may change, and when it comes too late to."""

from __future__ import annotations

import pytest

from keystone_roundtable.core import events as ev
from keystone_roundtable.core.records import SignalOpinion
from keystone_roundtable.core.status import Status

from .builders import Held, held


def opinion(signal: str, reason: str = "no direction in it", quote: str = "") -> SignalOpinion:
    return SignalOpinion.model_validate({"signal": signal, "reason": reason, "quote": quote})


def read_twice(text: str, said: SignalOpinion, **fields: object) -> Held:
    return held().give(text, **fields).assess(opinion=said)


@pytest.mark.parametrize(
    ("by_rules", "firm", "said", "left"),
    [
        ("informative", False, opinion("low_information"), "low_information"),
        ("informative", True, opinion("low_information"), "informative"),
        ("informative", False, opinion("low_information", reason=" "), "informative"),
        ("low_information", False, opinion("informative"), "informative"),
        ("low_information", True, opinion("informative"), "low_information"),
        ("informative", True, opinion("stop", quote="wrap it  UP"), "stop"),
        ("informative", True, opinion("stop"), "informative"),
        ("informative", True, opinion("stop", quote="never said"), "informative"),
        ("informative", True, opinion("defer", quote="up now"), "defer"),
        ("stop", True, opinion("informative"), "stop"),
        ("informative", False, opinion("clarify"), "informative"),
        ("low_information", True, opinion("stop", quote="wrap"), "stop"),
    ],
)
def test_the_two_readings_are_reconciled(
    by_rules: str, firm: bool, said: SignalOpinion, left: str
) -> None:
    standing = read_twice("please wrap it up now", said, signal=by_rules, firm=firm)
    assert standing.session.turns[0].signal == left


def test_a_quoted_stop_ends_the_questions() -> None:
    standing = read_twice("please wrap it up", opinion("stop", quote="wrap it up"))
    assert standing.session.stopped


def test_a_picked_suggestion_is_not_read_again() -> None:
    standing = read_twice("1", opinion("low_information"), picked=True, firm=False)
    assert standing.session.turns[0].signal == "informative"


def test_a_reading_that_comes_after_the_next_question_changes_nothing() -> None:
    standing = held().give("hm", firm=False)
    first = standing.session.turns[0].asking
    standing.happen(ev.AssessmentPostponed, asking=first).ask()
    late = {"asking": first, "opinion": opinion("low_information")}
    standing.happen(ev.AnswerAssessed, assessment=late)
    assert standing.session.turns[0].signal == "informative"
    assert standing.session.status is Status.AWAITING_ANSWER
    assert not standing.session.outstanding


def test_answers_that_a_model_holds_to_contradict_each_other_are_shown_together() -> None:
    standing = held().say("We leave in May.").say("Nothing moves before July.", contradicts=["A1"])
    assert standing.due.question.conflict == ("A1", "A2")
    standing.say("July it is.")
    assert standing.due.question.conflict == ()


def test_an_answer_that_does_not_exist_contradicts_nothing() -> None:
    standing = held().say("We leave in May.", contradicts=["A9"])
    assert standing.due.question.conflict == ()
