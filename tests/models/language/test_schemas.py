"""What goes out as the form of a reply: narrow enough that most rules cannot be broken."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from keystone_roundtable.models.language.quoting import stretches

from .sitting import CATALOG, TOPIC, Asking, answered, asking, concluding, given, opened, prepared

SECRET = "sk-proj-" + "a1" * 12


def said(*texts: str) -> Asking:
    return asking("assess", given(answered(prepared(), *texts[:-1]), texts[-1]))


def field(schema: dict[str, Any], shape: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = schema["$defs"][shape]["properties"][name]
    return schema["$defs"][found["$ref"].rpartition("/")[2]] if "$ref" in found else found


def fits(schema: dict[str, Any], value: Any) -> bool:
    return not list(Draft202012Validator(schema).iter_errors(value))


# -- the preparation -------------------------------------------------------------------


def bound(case: Asking, mode: str | None = None, **told: Any) -> dict[str, Any]:
    """The good reply in the form that the schema asks for."""
    value = json.loads(case.draft.model_dump_json())
    own, reason = value.pop("mode"), value.pop("mode_reason")
    questions = {q.pop("slot"): q for q in value["questions"]}
    return {
        **value,
        "questions": {"mode": mode or own, "mode_reason": reason, **questions, **told},
    }


def test_a_reply_in_the_form_asked_for_reads_as_the_lists_that_the_rules_know() -> None:
    case = asking("preview", opened())
    value = bound(case)
    assert fits(case.ask.reply_schema, value)
    assert case.ask.shape.model_validate_json(json.dumps(value)) == case.draft


def test_the_slots_of_the_mode_and_no_others_are_asked_for() -> None:
    case = asking("preview", opened())
    value = bound(case)
    asked = value["questions"]
    (first, *_) = [slot for slot in asked if not slot.startswith("mode")]
    left_out = {slot: question for slot, question in asked.items() if slot != first}
    assert not fits(case.ask.reply_schema, {**value, "questions": left_out})
    for mode in set(CATALOG.modes) - {asked["mode"]}:
        assert not fits(case.ask.reply_schema, bound(case, mode)), "the slots of another mode"


def test_a_mode_that_was_asked_for_is_the_only_one() -> None:
    schema = asking("preview", opened(mode="align")).ask.reply_schema
    assert schema["properties"]["questions"]["properties"]["mode"]["enum"] == ["align"]


def test_a_quote_is_chosen_from_what_was_said() -> None:
    schema = asking("preview", opened()).ask.reply_schema
    offered = field(schema, "OptionDraft", "quote")["enum"]
    assert "" in offered and TOPIC in offered
    assert "build the notification system now" in offered, "an option that the rules read"
    assert "" not in field(schema, "KnownDraft", "quote")["enum"]


def test_a_long_text_is_quoted_freely() -> None:
    long = opened(context="We talked at length about it, and then again. " * 100)
    assert "enum" not in field(asking("preview", long).ask.reply_schema, "OptionDraft", "quote")


def test_no_secret_goes_out_with_the_form() -> None:
    session = opened(f"Should we rotate {SECRET} now or revoke it?")
    assert SECRET not in json.dumps(asking("preview", session).ask.reply_schema)
    case = said(f"We rotate {SECRET} now, and revoke it in May")
    assert SECRET not in json.dumps(case.ask.reply_schema)


# -- an answer -------------------------------------------------------------------------


def test_each_role_has_its_field_and_its_view_reads_as_before() -> None:
    case = said("A pilot customer gets told, 3 hours sooner")
    value = json.loads(case.draft.model_dump_json())
    views = {view.pop("role"): view for view in value["views"]}
    value |= {"views": views, "next_questions": value["next_questions"][:2]}
    schema = case.ask.reply_schema
    assert list(schema["properties"]["views"]["required"]) == list(views)
    assert fits(schema, value), list(Draft202012Validator(schema).iter_errors(value))
    assert case.ask.shape.model_validate(value).views == case.draft.views


def test_an_answer_is_read_on_its_own_words_listed_options_and_earlier_answers() -> None:
    schema = said("Fewer calls to support", "In May: it costs 900 euros").ask.reply_schema
    assert field(schema, "KnownDraft", "quote")["enum"] == [
        "In May: it costs 900 euros", "In May", "it costs 900 euros",
    ]  # fmt: skip
    assert field(schema, "CostDraft", "option")["enum"] == ["o1", "o2"]
    assert field(schema, "NewOptionDraft", "id")["enum"] == ["o3", "o4"]
    assert schema["properties"]["contradicts"]["items"]["enum"] == ["F2"]


def test_a_first_answer_contradicts_nothing() -> None:
    assert said("Fewer calls").ask.reply_schema["properties"]["contradicts"]["maxItems"] == 0


def test_views_rest_on_facts_alone() -> None:
    """What the person leans to is not for the roles' views (see the prompt)."""
    case = said("Building the notification system now is what I choose", "Fewer calls")
    assert "F2" not in field(case.ask.reply_schema, "ViewDraft", "refs")["items"]["enum"]


# -- the report ------------------------------------------------------------------------


def test_each_role_has_its_line_in_the_report() -> None:
    case = asking("conclude", concluding(answered(prepared(), "Fewer calls")))
    value = json.loads(case.draft.model_dump_json())
    value["role_views"] = {view.pop("role"): view for view in value["role_views"]}
    assert fits(case.ask.reply_schema, value)
    assert case.ask.shape.model_validate_json(json.dumps(value)) == case.draft
    value["role_views"].popitem()
    assert not fits(case.ask.reply_schema, value)


# -- the stretches of a text -----------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Im Mai, weil es dann wärmer ist. Vorher nicht!",
         ["Im Mai", "weil es dann wärmer ist.", "Vorher nicht!"]),
        ("私たちは今作る。五月まで待つ、予算がない。", ["私たちは今作る", "五月まで待つ"]),
        ("a", []),
        ("", []),
    ],
)  # fmt: skip
def test_sentences_and_clauses_of_any_language_may_be_quoted(text: str, pieces: list[str]) -> None:
    found = stretches([text])
    assert set(pieces) <= set(found)
    assert len({piece.casefold() for piece in found}) == len(found)
    assert all(piece in text for piece in found)


def test_words_that_the_rules_read_are_offered_where_they_stand() -> None:
    assert stretches(["We wait for the audit"], ["wait for the audit", "build it"]) == (
        "We wait for the audit", "wait for the audit",
    )  # fmt: skip


def test_words_that_the_rules_read_with_a_name_put_in_are_offered_as_they_stand() -> None:
    read = "defer the mails until after the refactor"
    assert stretches(["Build the mails now or defer it until after the refactor?"], [read])[-1] == (
        "defer it until after the refactor"
    )


def test_what_would_make_too_long_a_list_is_not_listed() -> None:
    assert stretches([", ".join(f"part {n}" for n in range(60))]) == ()
    assert stretches(["word " * 1000]) == ()
