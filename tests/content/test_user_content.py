"""A user's files extend and override the shipped ones, field by field."""

from __future__ import annotations

import pytest

from keystone_roundtable.content.catalog import load_catalog
from keystone_roundtable.core.records import MODES

ROLE = """
title: the curator
responsibility: what belongs in the house
typical_question: Would we show it in ten years?
triggers: [museum, exhibition]
watches_for: [loan, exhibit]
reads: [outcome]
lens: {brainstorm: what fits the house, align: what is lent, challenge: what is lost}
risk:
  brainstorm: What does not fit is stored and never seen.
  align: A loan that is not agreed leaves a wall empty.
  challenge: A damaged piece is not replaced.
"""

QUESTION = """
  - key: {key}
    slot: {slot}
    text: {text}
    stakes: It matters.
    explanation: It asks for a thing. Say it.
"""


def test_a_project_without_own_files_has_the_shipped_content(tmp_path):
    assert load_catalog(tmp_path).modes == load_catalog(None).modes
    assert load_catalog(tmp_path).roles == load_catalog(None).roles


def test_a_role_is_overridden_field_by_field(put, tmp_path):
    path = put("roles/sre.yaml", "title: the night shift\ntriggers: [night]\n")
    shipped, mine = load_catalog(None).roles["sre"], load_catalog(tmp_path).roles["sre"]
    assert (mine.title, mine.triggers) == ("the night shift", ("night",))
    assert mine == shipped.model_copy(update={"title": mine.title, "triggers": mine.triggers})
    assert load_catalog(tmp_path).origins["roles/sre"] == str(path)


def test_a_role_of_ones_own_joins_the_pool(put, tmp_path):
    put("roles/curator.yaml", ROLE)
    catalog = load_catalog(tmp_path)
    assert catalog.roles["curator"].title == "the curator"
    assert list(catalog.roles)[-1] == "curator"


def test_a_role_may_have_a_name_in_any_script(put, tmp_path):
    put("roles/küchenchef.yaml", ROLE)
    put("roles/馆长.yaml", ROLE)
    assert {"küchenchef", "馆长"} <= set(load_catalog(tmp_path).roles)


def test_a_mode_may_start_with_a_role_of_ones_own(put, tmp_path):
    put("roles/curator.yaml", ROLE)
    put("modes/align.yaml", "default_roles: [curator, product-manager]\n")
    assert load_catalog(tmp_path).modes["align"].default_roles == ("curator", "product-manager")


def test_questions_replace_those_of_the_same_key_and_new_ones_come_last(put, tmp_path):
    replaced = QUESTION.format(key="dismissed", slot="dismissed", text="Which way did you drop?")
    added = QUESTION.format(key="law", slot="law", text="What does the law say?")
    put("modes/challenge.yaml", "questions:" + added + replaced)
    shipped = load_catalog(None).modes["challenge"]
    mine = load_catalog(tmp_path).modes["challenge"]
    assert [q.key for q in mine.questions] == [*(q.key for q in shipped.questions), "law"]
    assert mine.questions[3].text == "Which way did you drop?"
    assert mine.questions[:3] == shipped.questions[:3]
    assert mine.needed == shipped.needed


def test_a_role_may_read_a_slot_that_the_project_added(put, tmp_path):
    put("modes/align.yaml", "questions:" + QUESTION.format(key="law", slot="law", text="Which?"))
    put("roles/sre.yaml", "reads: [law]\n")
    assert load_catalog(tmp_path).roles["sre"].reads == ("law",)


def test_shipped_roles_put_up_with_a_question_that_asks_for_something_else(put, tmp_path):
    other = QUESTION.format(key="entry", slot="law", text="What does the law say?")
    put("modes/align.yaml", "questions:" + other)
    catalog = load_catalog(tmp_path)
    assert "entry" not in {q.slot for q in catalog.modes["align"].questions}
    assert "entry" in catalog.roles["sre"].reads


def test_a_phrase_is_reworded_by_key_with_one_wording_or_several(put, tmp_path):
    put("templates/offline.yaml", 'view.prefers: "Nimmt {option}."\nview.open: [A., B.]\n')
    phrases = load_catalog(tmp_path).phrases
    assert phrases["view.prefers"] == ("Nimmt {option}.",)
    assert phrases["view.open"] == ("A.", "B.")
    assert phrases["view.because"] == load_catalog(None).phrases["view.because"]


@pytest.mark.parametrize("name", [".#sre.yaml", "._sre.yaml", "README.md", "sre.yaml~"])
def test_what_editors_and_people_leave_beside_is_passed_over(put, tmp_path, name):
    put(f"roles/{name}", "\0not yaml")
    assert load_catalog(tmp_path).roles == load_catalog(None).roles


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(put, tmp_path):
    put("roles/sre.yaml", b"\xef\xbb\xbftitle: the SRE on call\r\ndefault: false\r\n")
    assert load_catalog(tmp_path).roles["sre"].title == "the SRE on call"


def test_words_that_older_yaml_takes_for_truth_values_or_dates_stay_words(put, tmp_path):
    put("roles/sre.yaml", "triggers: [no, on, off, yes, y, 2020-01-01]\n")
    words = ("no", "on", "off", "yes", "y", "2020-01-01")
    assert load_catalog(tmp_path).roles["sre"].triggers == words


def test_a_file_where_the_folder_should_be_counts_as_no_folder(put, tmp_path):
    put("roles", "not a folder")
    assert tuple(load_catalog(tmp_path).modes) == MODES
