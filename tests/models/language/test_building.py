"""What is taken over from a checked draft, and what stays the rules' own."""

from __future__ import annotations

from typing import Any

import pytest
from loopback.player import Change

from keystone_roundtable.core.outcome import outcome_of
from keystone_roundtable.core.records import Assessment, Preview
from keystone_roundtable.core.session import Session

from .sitting import (
    LATER,
    LATER_TEXT,
    MODEL,
    NOW,
    TOPIC,
    Player,
    answered,
    assessed,
    concluding,
    given,
    moderator,
    offline,
    opened,
    prepared,
)

HOSTILE = "\x1b[31mred\x1b[0m\u202e two\nlines"


def changing(**fields: Any) -> Change:
    return lambda value, seen: {**value, **fields}


def preview_of(session: Session | None = None, change: Change | None = None) -> Preview:
    made = moderator(Player(change)).preview(session or opened())
    assert not made.fallback, made.fallback
    return made


def learned_from(answer: str, session: Session | None = None, **fields: Any) -> Assessment:
    """What an answer taught where the model's draft has these fields."""
    asked = given(session or prepared(), answer)
    made = moderator(Player(changing(**fields))).assess(asked)
    assert not made.fallback, made.fallback
    return made


def known(kind: str, quote: str, *options: str, role: str | None = None) -> dict[str, Any]:
    return {"kind": kind, "quote": quote, "options": options, "role": role}


def option(text: str, quote: str, **fields: Any) -> dict[str, Any]:
    return {"id": "o1", "text": text, "quote": quote, **fields}


# -- the preparation -------------------------------------------------------------------


def test_the_models_words_stand_in_the_bank_under_the_modes_own_keys() -> None:
    made = preview_of()
    by_rules = offline().preview(opened(mode=made.mode))
    assert made.source == MODEL
    assert {q.template for q in made.bank} <= {q.template for q in by_rules.bank}
    assert all(q.text.startswith("On “Should we build") for q in made.bank)
    assert made.needed == by_rules.needed


def test_an_option_that_the_rules_read_too_keeps_what_they_know_of_it() -> None:
    lies = changing(
        options=[
            option("Build the notification system now", "now", status_quo=True),
            {
                **option(LATER_TEXT, "defer it"),
                "id": "o2",
                "reversibility": "irreversible",
                "reversibility_quote": "defer it",
            },
        ]
    )
    now, later = preview_of(change=lies).options
    assert (now.status_quo, now.reversibility) == (False, "unknown")
    assert (later.reversibility, later.reversibility_words) == ("reversible", "defer")


@pytest.mark.parametrize(
    ("quote", "told", "words"),
    [("delete all of it", "irreversible", "delete"), ("the old files", "unknown", "")],
)
def test_reversibility_counts_where_the_quote_tells_so_by_itself(
    quote: str, told: str, words: str
) -> None:
    session = opened(context="Of the old files we could delete all of it.")
    fields = {"reversibility": "irreversible", "reversibility_quote": quote}
    made = preview_of(session, changing(options=[option("wipe it", "delete all of it", **fields)]))
    (wiped,) = made.options
    assert (wiped.reversibility, wiped.reversibility_words) == (told, words)
    assert wiped.source == "context"


def test_a_lean_that_the_rules_read_stands_whatever_the_model_says() -> None:
    session = opened("We lean towards hiring Ana. Should we hire Ana or hire Ben?")
    by_rules = offline().preview(session)
    assert by_rules.lean == "o1"
    made = preview_of(session, changing(lean="o2", lean_quote="hire Ben"))
    assert made.lean == next(o.id for o in made.options if o.text == "hire Ana")


@pytest.mark.parametrize(
    ("lean", "quote", "taken"),
    [
        (NOW, "we were all for it to build the notification system now", NOW),
        (LATER, "we were all for it to build the notification system now", None),
        (NOW, "build the notification system now", None),
        (LATER, TOPIC, None),
        (LATER, "at the last meeting", None),
    ],
    ids=["borne out", "of the other path", "merely listed", "both named", "none named"],
)
def test_a_lean_of_the_models_needs_a_quote_that_leans(
    lean: str, quote: str, taken: str | None
) -> None:
    session = opened(
        context="At the last meeting we were all for it to build the notification system now."
    )
    assert offline().preview(session).lean is None
    assert preview_of(session, changing(lean=lean, lean_quote=quote)).lean == taken


def test_what_is_known_is_kept_as_a_limit_and_never_as_a_choice() -> None:
    told = [known("limit", "the settings refactor"), known("choice", "defer it", LATER)]
    facts = preview_of(change=changing(known=told)).facts
    assert [(f.kind, f.text, f.ref) for f in facts] == [("limit", "the settings refactor", "topic")]


def test_a_second_question_for_a_slot_is_left_out() -> None:
    def twice(value: dict[str, Any], seen: Any) -> dict[str, Any]:
        first = value["questions"][0]
        return {**value, "questions": [*value["questions"], {**first, "text": "And once more?"}]}

    slots = [question.slot for question in preview_of(change=twice).bank]
    assert len(slots) == len(set(slots))


def test_one_suggestion_is_no_choice_and_is_left_out() -> None:
    def suggest(value: dict[str, Any], seen: Any) -> dict[str, Any]:
        first, second, *rest = value["questions"]
        first = {**first, "suggestions": ["only this"], "recommended": 1}
        second = {**second, "suggestions": ["this", "that"], "recommended": 2}
        return {**value, "questions": [first, second, *rest]}

    first, second, *_ = preview_of(change=suggest).bank
    assert first.suggestions == ()
    assert [(s.text, s.recommended) for s in second.suggestions] == [
        ("this", False),
        ("that", True),
    ]


def test_a_suggestion_chooses_an_option_only_where_the_mode_asks_for_one() -> None:
    def suggest(value: dict[str, Any], seen: Any) -> dict[str, Any]:
        paths = [entry["text"] for entry in value["options"]]
        return {**value, "questions": [{**q, "suggestions": paths} for q in value["questions"]]}

    bank = preview_of(change=suggest).bank
    naming = {question.slot for question in bank if any(s.option for s in question.suggestions)}
    assert naming == {"payoff", "not_now"}


def test_no_escape_and_no_line_break_of_the_models_is_kept() -> None:
    def spoil(value: dict[str, Any], seen: Any) -> dict[str, Any]:
        views = [
            {**view, "position": HOSTILE + view["role"], "reason": HOSTILE, "risk": HOSTILE}
            for view in value["views"]
        ]
        questions = [
            {**q, "text": f"{HOSTILE}?", "stakes": HOSTILE, "explanation": HOSTILE,
             "suggestions": [HOSTILE, HOSTILE + "2"]}
            for q in value["questions"]
        ]  # fmt: skip
        topic = {"decision_topic": HOSTILE, "mode_reason": HOSTILE}
        return {**value, **topic, "views": views, "questions": questions}

    kept = preview_of(change=spoil).model_dump_json()
    assert "\\u001b" not in kept and "\u202e" not in kept and "\\n" not in kept
    assert "red two lines" in kept


def test_words_that_tell_nothing_of_undoing_a_path_change_nothing_of_it() -> None:
    words = "Building the notification system costs 900 euros"
    told = {"option": NOW, "reversibility": "unknown", "quote": words}
    assert learned_from(words, reversals=[told]).reassessed == ()


def test_a_recommendation_among_no_suggestions_is_none() -> None:
    def none(value: dict[str, Any], seen: Any) -> dict[str, Any]:
        told = {"suggestions": [], "recommended": 1}
        return {**value, "questions": [{**q, **told} for q in value["questions"]]}

    assert not any(question.suggestions for question in preview_of(change=none).bank)


def test_a_reason_for_the_mode_stands_within_a_sentence() -> None:
    assert preview_of(change=changing(mode_reason="No path yet.")).mode_reason == "No path yet"


def test_what_explains_several_questions_alike_gives_way_to_the_modes_own_words() -> None:
    def alike(value: dict[str, Any], seen: Any) -> dict[str, Any]:
        told = {"stakes": "It decides.", "explanation": "It asks what you want."}
        first, *others = value["questions"]
        return {**value, "questions": [first, *({**q, **told} for q in others)]}

    made, good = preview_of(change=alike), preview_of()
    own = {q.slot: q for q in offline().preview(opened(mode=made.mode)).bank}
    assert (made.bank[0].stakes, made.bank[0].explanation) == (
        good.bank[0].stakes, good.bank[0].explanation,
    )  # fmt: skip
    for question in made.bank[1:]:
        assert question.stakes == own[question.slot].stakes
        assert question.explanation == own[question.slot].explanation
        assert question.text.startswith("On “"), "its wording stays the model's"


def test_a_suggestion_made_twice_is_offered_once() -> None:
    def twice(value: dict[str, Any], seen: Any) -> dict[str, Any]:
        told = {"suggestions": ["In May", "Never", "in may", "Later"], "recommended": 3}
        return {**value, "questions": [{**q, **told} for q in value["questions"]]}

    offered = preview_of(change=twice).bank[0].suggestions
    assert [(s.text, s.recommended) for s in offered] == [
        ("In May", True), ("Never", False), ("Later", False),
    ]  # fmt: skip


def test_a_new_option_takes_no_id_that_is_in_use() -> None:
    renamed = prepared(change=_renamed)
    assert [o.id for o in renamed.options] == ["o1", "o3"]
    words = "Or we buy one from Acme"
    new = {"id": "o2", "text": "buy one from Acme", "quote": "buy one from Acme"}
    taught = learned_from(words, renamed, options=[new])
    assert len({o.id for o in (*renamed.options, *taught.options)}) == 2 + len(taught.options)


def _renamed(value: dict[str, Any], seen: Any) -> dict[str, Any]:
    first, second = value["options"]
    return {**value, "options": [first, {**second, "id": "o3"}]}


# -- what an answer teaches ------------------------------------------------------------


def test_a_choice_counts_where_the_quote_names_the_option() -> None:
    answer = "Building the notification system is what the pilot pays us for"
    taught = learned_from(answer, learned=[known("choice", answer, NOW)])
    assert taught.choices == (NOW,)
    assert [(f.kind, f.options) for f in taught.facts if f.text == answer][-1] == ("choice", (NOW,))


@pytest.mark.parametrize("kind", ["choice", "exclusion"])
def test_a_choice_or_exclusion_whose_quote_names_no_option_stays_a_statement(kind: str) -> None:
    answer = "Because the pilot customer pays for it in June, and nobody else does"
    taught = learned_from(answer, learned=[known(kind, "the pilot customer pays", NOW)])
    assert (taught.choices, taught.exclusions) == ((), ())
    assert [f.kind for f in taught.facts if f.text == "the pilot customer pays"] == ["statement"]


def test_a_choice_of_two_is_none() -> None:
    answer = f"Either build the notification system now or {LATER_TEXT}, with 2 people"
    taught = learned_from(answer, learned=[known("choice", answer, NOW, LATER)])
    by_rules = offline().assess(given(prepared(), answer))
    assert taught.choices == by_rules.choices


def test_where_the_rules_read_a_choice_the_model_adds_none() -> None:
    answer = f"We choose to {LATER_TEXT}, not to build the notification system now"
    by_rules = offline().assess(given(prepared(), answer))
    assert by_rules.choices == (LATER,)
    quote = "build the notification system now"
    taught = learned_from(
        answer, learned=[known("choice", quote, NOW), known("exclusion", LATER_TEXT, LATER)]
    )
    assert (taught.choices, taught.exclusions) == (by_rules.choices, by_rules.exclusions)


def test_not_every_path_can_be_excluded_on_a_models_word() -> None:
    answer = f"Hmm, to build the notification system now, to {LATER_TEXT}: 3 people are on leave"
    taught = learned_from(answer, learned=[known("exclusion", answer, NOW, LATER)])
    by_rules = offline().assess(given(prepared(), answer))
    assert taught.exclusions == by_rules.exclusions


@pytest.mark.parametrize("kind", ["support", "objection", "refusal"])
def test_a_position_of_a_role_is_read_by_the_rules_alone(kind: str) -> None:
    answer = "The sre was seen in the corridor with 2 boxes of cake"
    said = known(kind, "The sre was seen", NOW, role="sre")
    taught = learned_from(answer, learned=[said])
    kept = next(f for f in taught.facts if f.text == "The sre was seen")
    assert (kept.kind, kept.role) == ("statement", None)
    assert all(view.prefers is None and not view.cannot_accept for view in taught.views)


def test_a_cost_counts_where_its_quote_names_the_option_and_has_no_amount() -> None:
    named = "Building the notification system now and being wrong eats the whole summer"
    costs = [{"option": NOW, "quote": named}, {"option": LATER, "quote": "the whole summer"}]
    taught = learned_from(named, costs=costs)
    by_rules = offline().assess(given(prepared(), named))
    assert [c.option for c in taught.costs] == [NOW]
    assert by_rules.costs or taught.costs[0].amount is None


@pytest.mark.parametrize(
    ("answer", "quote", "taken"),
    [
        ("Building the notification system now cannot be undone", "", True),
        ("Sending 2 wrong mails cannot be undone", "cannot be undone", False),
        ("Ana wants to build the notification system now, with 2 others", "", False),
    ],
    ids=["borne out", "of something else", "not told"],
)
def test_reversibility_changes_where_the_quote_tells_so_and_names_the_option(
    answer: str, quote: str, taken: bool
) -> None:
    change = {"option": NOW, "reversibility": "irreversible", "quote": quote or answer}
    taught = learned_from(answer, reversals=[change])
    assert [r.option for r in taught.reassessed] == ([NOW] if taken else [])


def test_a_path_that_the_answer_names_comes_in_as_an_option() -> None:
    answer = "There is a third way, we could rent the one of Acme for 300 a month"
    new = {"id": "o3", "text": "rent the one of Acme", "quote": "rent the one of Acme"}
    session = assessed(
        given(prepared(), answer), changing(options=[new], learned=[known("statement", answer)])
    )
    brought = [o for o in session.options if o.source == "answer"]
    assert [o.text for o in brought].count("rent the one of Acme") == 1
    assert {o.id for o in session.options} >= {"o1", "o2", "o3"}


def test_a_path_that_is_listed_already_comes_in_once() -> None:
    answer = f"A pilot of 5 customers wants it, so {LATER_TEXT.upper()} is what they fear"
    new = {"id": "o7", "text": LATER_TEXT.title(), "quote": LATER_TEXT}
    taught = learned_from(answer, options=[new])
    assert LATER_TEXT.title() not in [o.text for o in taught.options]


def test_nothing_is_learned_from_what_both_hold_to_be_no_answer() -> None:
    session = given(prepared(), "well well", signal="informative", firm=False)
    change = changing(signal="low_information", learned=[known("statement", "well well")])
    taught = moderator(Player(change)).assess(session)
    assert not taught.fallback
    assert (taught.facts, taught.choices, taught.options) == ((), (), ())
    assert taught.opinion is not None and taught.opinion.signal == "low_information"


def test_a_firm_answer_keeps_what_the_rules_read_whatever_the_model_says() -> None:
    answer = "It must not cost more than 5000 euros because that is all we have"
    session = given(prepared(), answer, signal="informative", firm=True)
    taught = moderator(Player(changing(signal="low_information", learned=[]))).assess(session)
    assert taught.facts == offline().assess(session).facts != ()


def test_questions_still_to_come_are_reworded_and_those_put_are_not() -> None:
    def reword(value: dict[str, Any], seen: Any) -> dict[str, Any]:
        own = {**value["next_questions"][0], "slot": first, "text": "Asked once more, why?"}
        return {**value, "next_questions": [own, *value["next_questions"]]}

    session = prepared()
    first = session.turns[0].question.slot
    taught = moderator(Player(reword)).assess(given(session, "5 customers asked for it"))
    assert first not in {question.slot for question in taught.questions}
    assert taught.questions and all(q.text.startswith("On “") for q in taught.questions)


def test_the_models_order_counts_behind_what_the_mode_needs() -> None:
    def backwards(value: dict[str, Any], seen: Any) -> dict[str, Any]:
        return {**value, "next_questions": value["next_questions"][::-1]}

    session = given(prepared(), "A mail goes out, for 5 customers")
    taught = moderator(Player(backwards)).assess(session)
    slots = {question.template: question.slot for question in session.bank}
    needed = list(session.unfilled_needed)
    assert sorted(slots[key] for key in taught.agenda[: len(needed)]) == sorted(needed)


def test_contradictions_are_kept_as_answers_and_never_with_itself() -> None:
    session = given(answered(prepared(), "5 customers asked for it"), "0 customers asked for it")
    change = changing(contradicts=["F2", "A1", "F1", "A2"])
    assert moderator(Player(change)).assess(session).contradicts == ("A1",)


# -- the report ------------------------------------------------------------------------


def test_the_lines_are_the_models_and_what_is_missing_the_rules() -> None:
    session = concluding(answered(prepared(), "5 customers asked for it"))
    outcome = outcome_of(session)
    made = moderator(Player()).conclude(session, outcome)
    by_rules = offline().conclude(session, outcome)
    assert made.source == MODEL and not made.fallback
    assert made.missing_points == by_rules.missing_points
    assert outcome.option is not None and outcome.option.text in made.decision.text
    assert (made.risk_disclosure is None) == (by_rules.risk_disclosure is None)
    assert made.risk_disclosure is not None, "it was stopped after one answer"


def test_a_disclosure_cannot_be_left_out_nor_put_in() -> None:
    forced = concluding(answered(prepared(), "5 customers asked for it"))
    kept = moderator(Player(changing(risk_disclosure=None))).conclude(forced, outcome_of(forced))
    by_rules = offline().conclude(forced, outcome_of(forced))
    assert kept.risk_disclosure == by_rules.risk_disclosure is not None
    chosen = f"We choose to {LATER_TEXT}"
    free = concluding(answered(prepared(), chosen, "5 people", "One mail, because June is near"))
    line = {"text": "It may all fail.", "refs": ["F1"]}
    made = moderator(Player(changing(risk_disclosure=line))).conclude(free, outcome_of(free))
    assert made.risk_disclosure is None


def test_refs_of_the_ledger_become_those_of_the_session() -> None:
    def cite(value: dict[str, Any], seen: Any) -> dict[str, Any]:
        role = seen.roles[0]
        return {**value, "why": {"text": "So it was said.", "refs": ["F2", "F1", "A1", role]}}

    session = concluding(answered(prepared(), "5 customers asked for it"))
    made = moderator(Player(cite)).conclude(session, outcome_of(session))
    assert made.why.refs == ("A1", "topic", session.prepared.roles[0])
