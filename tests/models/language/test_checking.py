"""Every breach of content by example: what goes back to the model, and in which words."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from keystone_roundtable.core.records import Fact
from keystone_roundtable.core.session import Session
from keystone_roundtable.models.casting import complexity_of

from .sitting import LATER_TEXT, Asking, answered, asking, concluding, given, opened, prepared

Spoil = Callable[[dict[str, Any]], Any]
ANSWER = "A pilot customer gets told when an import fails, 3 hours sooner than now"
TWO = "Which of the two matters more? And who would pay for it?"


@cache
def preview() -> Asking:
    return asking("preview", opened())


@cache
def assess() -> Asking:
    return asking("assess", given(answered(prepared(), "Fewer calls to support"), ANSWER))


def put(key: str, **fields: Any) -> Spoil:
    """The fields set in the first entry of a list."""
    return lambda value: value[key][0].update(fields)


def add(key: str, **fields: Any) -> Spoil:
    return lambda value: value.update({key: (*value[key], fields)})


def drop(key: str) -> Spoil:
    return lambda value: value.update({key: value[key][:-1]})


def put_all(**fields: Any) -> Spoil:
    return lambda value: value.update(fields)


def seat(*roles: str) -> Spoil:
    """These roles, each with a view much like the first one's."""
    return lambda value: value.update(
        views=[{**value["views"][0], "role": r, "reason": f"{r} does"} for r in roles]
    )


def path(text: str, quote: str, **fields: Any) -> dict[str, Any]:
    return {"id": "o9", "text": text, "quote": quote, **fields}


def known(quote: str, *options: str, kind: str = "choice") -> dict[str, Any]:
    return {"kind": kind, "quote": quote, "options": options}


def test_good_play_breaks_no_rule() -> None:
    assert preview().breach() is None
    assert assess().breach() is None
    assert asking("conclude", concluding(answered(prepared(), "Fewer calls"))).breach() is None


PREVIEW = {
    "two questions in one": (put("questions", text=TWO), "is more than one question"),
    "two in Japanese": (
        put("questions", text="どちらが大切ですか？誰が払いますか？"),
        "is more than one question",
    ),
    "two in Arabic": (
        put("questions", text="أيهما أهم بالنسبة لكم؟ ومن يدفع؟"),
        "is more than one question",
    ),
    "a slot without a question": (
        put("questions", slot="minimum"),
        "there is no question for the slot 'outcome'",
    ),
    "a recommendation of nothing": (
        put("questions", suggestions=("Yes", "No"), recommended=3),
        "suggestion 3 of",
    ),
    "a role that nobody knows": (put("views", role="wizard"), "there is no role 'wizard'"),
    "a role seated twice": (seat("sre", "sre"), "a role has two views"),
    "two roles with one view": (
        lambda value: value.update(
            views=[{**value["views"][0], "role": r} for r in ("sre", "ux-researcher")]
        ),
        "'sre' and 'ux-researcher' say the same",
    ),
    "a view that breaks off": (
        put("views", reason=("It would be of use to all of them " * 20)[:400].strip()),
        "breaks off; be much briefer",
    ),
    "a view that rests on nothing": (put("views", refs=("A99",)), "nothing with the id 'A99'"),
    "an option from nowhere": (
        add("options", **path("buy a castle in Spain", "")),
        "'buy a castle in Spain' comes from nowhere",
    ),
    "an option with words never said": (
        add("options", **path("buy a castle", "a castle in Spain")),
        "'a castle in Spain' does not stand word for word",
    ),
    "two ways to leave things as they are": (
        lambda value: value.update(
            options=(
                *value["options"],
                path("keep it as it is", "", status_quo=True),
                {**path("do nothing", "", status_quo=True), "id": "o10"},
            )
        ),
        "'do nothing' comes from nowhere",
    ),
    "variants that nobody named": (
        lambda value: value.update(
            options=[{**path(f"build it with {n} people", "now"), "id": f"o{n}"} for n in (1, 2, 3)]
        ),
        "too many options rest on the same words",
    ),
    "an option listed twice": (
        add("options", **path(LATER_TEXT.upper(), "defer it")),
        "an option is listed twice",
    ),
    "an id used twice": (add("options", **{**path("x", "now"), "id": "o1"}), "is listed twice"),
    "reversibility on words never said": (
        put("options", reversibility="reversible", reversibility_quote="easy to undo"),
        "'easy to undo' does not stand",
    ),
    "a lean to no option": (put_all(lean="o99", lean_quote="now"), "there is no option 'o99'"),
    "a lean on words never said": (
        put_all(lean="o1", lean_quote="we prefer it now"),
        "'we prefer it now' does not stand",
    ),
    "a lean on no words": (put_all(lean="o1", lean_quote=""), "'' does not stand"),
    "a fact never said": (
        put_all(known=(known("the budget is 5k", kind="limit"),)),
        "'the budget is 5k' does not stand",
    ),
    "a fact on no option": (
        put_all(known=(known("now", "o7", kind="limit"),)),
        "there is no option 'o7'",
    ),
}


@pytest.mark.parametrize("name", PREVIEW)
def test_a_preparation_that_breaks_a_rule_goes_back(name: str) -> None:
    spoil, words = PREVIEW[name]
    assert words in (preview().breach(spoil) or "nothing is wrong")


def test_the_mode_that_was_asked_for_stands() -> None:
    breach = asking("preview", opened(mode="align")).breach(put_all(mode="challenge"))
    assert breach == "the person asked for mode 'align', not 'challenge'"


def test_the_roles_that_were_asked_for_are_seated() -> None:
    case = asking("preview", opened(roles=("sre", "security-architect")))
    assert case.breach() is None, "what was asked for counts more than the usual number"
    breach = case.breach(seat("sre", "backend-engineer", "delivery-owner"))
    assert breach == "the person asked for the role 'security-architect'"


@pytest.mark.parametrize(
    ("roles", "complexity"), [(2, "small"), (3, "normal"), (4, "complex"), (5, "complex")]
)
def test_how_complex_a_topic_is_follows_from_the_roles_it_was_given(
    roles: int, complexity: str
) -> None:
    seated = ("sre", "security-architect", "product-manager", "code-reviewer", "ux-researcher")
    case = asking("preview", opened())
    assert case.breach(seat(*seated[:roles])) is None
    assert complexity_of(roles) == complexity


def test_keeping_things_as_they_are_may_be_added_without_a_quote() -> None:
    stay = path("leave the mails as they are", "", status_quo=True)
    assert preview().breach(add("options", **stay)) is None


def test_a_quote_may_come_from_anywhere_in_a_long_text_that_was_handed_in() -> None:
    context = "We talked at length. " * 400 + "Or we buy the one from Acme."
    assert asking("preview", opened(context=context)).breach(
        add("options", **path("buy the one from Acme", "we buy the one from Acme"))
    ) is None  # fmt: skip


def test_a_secret_is_quoted_as_it_was_sent() -> None:
    secret = "sk-proj-" + "a1" * 12
    session = opened(f"Should we rotate {secret} now or revoke it?")
    sent = "rotate [masked: openai key] now"
    assert asking("preview", session).breach(put("options", text="rotate it", quote=sent)) is None


ASSESS = {
    "a choice on words never said": (
        put_all(learned=(known("we take the first", "o1"),)),
        "'we take the first' does not stand word for word in the answer",
    ),
    "a choice on words of another answer": (
        put_all(learned=(known("Fewer calls to support", "o1"),)),
        "does not stand word for word in the answer",
    ),
    "a choice of no option": (
        put_all(learned=(known("A pilot customer", "o99"),)),
        "there is no option 'o99'",
    ),
    "a cost never said": (
        put_all(costs=({"option": "o1", "quote": "a million"},)),
        "'a million' does not stand",
    ),
    "a cost of no option": (
        put_all(costs=({"option": "o8", "quote": "3 hours"},)),
        "there is no option 'o8'",
    ),
    "a reversal never said": (
        put_all(reversals=({"option": "o1", "reversibility": "reversible", "quote": "easy"},)),
        "'easy' does not stand",
    ),
    "an option never said": (
        add("options", **path("buy a castle", "a castle")),
        "'a castle' does not stand",
    ),
    "an option without words": (add("options", **path("buy a castle", "")), "'' does not stand"),
    "an option under a name that is taken": (
        add("options", **{**path("tell the pilot", "A pilot customer gets told"), "id": "o2"}),
        "the id 'o2' belongs to another option",
    ),
    "a contradiction with nothing": (put_all(contradicts=("A7",)), "nothing with the id 'A7'"),
    "a role without a view": (drop("views"), "exactly one view for each"),
    "a role that joins": (put("views", role="ux-researcher"), "exactly one view for each"),
    "a view that rests on nothing": (put("views", refs=("F99",)), "nothing with the id 'F99'"),
    "two questions in one": (put("next_questions", text=TWO), "is more than one question"),
    "a slot that nobody knows": (put("next_questions", slot="castle"), "no slot 'castle'"),
    "a recommendation of nothing": (
        put("next_questions", suggestions=("Yes", "No"), recommended=0),
        "suggestion 0 of",
    ),
}


@pytest.mark.parametrize("name", ASSESS)
def test_an_assessment_that_breaks_a_rule_goes_back(name: str) -> None:
    spoil, words = ASSESS[name]
    assert words in (assess().breach(spoil) or "nothing is wrong")


def test_a_quote_may_differ_in_spacing_and_capitals() -> None:
    spoil = put_all(learned=(known("a  PILOT customer", kind="statement"),))
    assert assess().breach(spoil) is None


def test_an_earlier_answer_can_be_named_by_either_of_its_ids() -> None:
    assert assess().breach(put_all(contradicts=("A1", "F2"))) is None


# -- the report ------------------------------------------------------------------------


def decided(*texts: str) -> Asking:
    """At the report of a session in which the later path was chosen."""
    return asking("conclude", concluding(answered(prepared(), *texts)))


CHOSEN = (
    f"We choose to {LATER_TEXT}",
    "The product manager insists on building the notification system now",
    "One mail for failed imports",
)
LONG = "The roles agree that the later path is the better one, since nobody waits for it, and so on"
CONCLUDE = {
    "a line that rests on nothing": (
        lambda value: value["why"].update(refs=("A9",)),
        "nothing with the id 'A9'",
    ),
    "a role without a line": (drop("role_views"), "exactly one view for each"),
    "a decision for another path": (
        lambda value: value["decision"].update(text="Build the notification system now."),
        f"the decision must name '{LATER_TEXT}' word for word",
    ),
    "a decision for two paths": (
        lambda value: value["decision"].update(
            text=f"{LATER_TEXT}, but build the notification system now in part"
        ),
        "the decision names 'build the notification system now' too",
    ),
    "two lines that are one": (
        lambda value: (
            value["why"].update(text=LONG, refs=("F1",))
            or value["consensus"].update(text=LONG.upper(), refs=("F1",))
        ),
        "consensus and why say the same",
    ),
    "a line that breaks off": (
        lambda value: value["why"].update(text=(LONG * 5)[:400].strip()),
        "breaks off; be much briefer",
    ),
    "a decision for nothing": (
        lambda value: value["decision"].update(text="None: it stays open"),
        f"the decision must name '{LATER_TEXT}'",
    ),
    "a disclosure that rests on nothing": (
        put_all(risk_disclosure={"text": "It may fail.", "refs": ("R1",)}),
        "nothing with the id 'R1'",
    ),
}


@pytest.mark.parametrize("name", CONCLUDE)
def test_a_report_that_breaks_a_rule_goes_back(name: str) -> None:
    spoil, words = CONCLUDE[name]
    case = decided(*CHOSEN)
    assert case.breach() is None
    assert words in (case.breach(spoil) or "nothing is wrong")


def test_short_lines_may_say_the_same() -> None:
    nothing = {"text": "Nothing was said of it.", "refs": ("F1",)}
    alike = put_all(excluded_paths=nothing, wrong_choice_cost=nothing)
    assert decided(*CHOSEN).breach(alike) is None


def test_where_nothing_is_decided_the_decision_says_none() -> None:
    session = concluding(prepared(opened("Should we delete the database or wipe it for good?")))
    case = asking("conclude", session)
    assert case.breach() is None
    spoil = lambda value: value["decision"].update(text="Delete the database.")  # noqa: E731
    assert case.breach(spoil) == "the decision must begin with 'None:'"


def test_a_role_that_prefers_another_path_is_named_in_the_disagreement() -> None:
    session = dissenting()
    case = asking("conclude", session)
    assert case.breach() is None
    silent = lambda value: value["disagreement"].update(text="There is none.")  # noqa: E731
    assert case.breach(silent) == (
        "'product-manager' prefers another path and is missing from the disagreement"
    )
    titled = "The Product Manager would rather start at once."
    by_title = lambda value: value["disagreement"].update(text=titled)  # noqa: E731
    assert case.breach(by_title) is None


def dissenting() -> Session:
    roles = ("product-manager", "software-architect", "delivery-owner")
    session = concluding(answered(prepared(opened(roles=roles)), *CHOSEN))
    preferred = {view.role: view.prefers for view in session.views}
    assert preferred["product-manager"] == "o1", preferred
    return session


def test_what_a_reopened_session_had_said_can_be_quoted() -> None:
    fact = Fact(kind="statement", text="The refactor ends in May", ref="R1")
    case = asking("preview", opened(facts=(fact,)))
    spoil = put_all(known=(known("ends in May", kind="limit"),))
    assert case.breach(spoil) is None
