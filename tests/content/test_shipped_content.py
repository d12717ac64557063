"""Every shipped mode and role: complete, consistent, and the questions word for word."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from keystone_roundtable.content.catalog import load_catalog
from keystone_roundtable.content.locations import shipped_folder
from keystone_roundtable.core.records import MODES

CATALOG = load_catalog(None)
MODE_LIST = list(CATALOG.modes.values())
ROLE_LIST = list(CATALOG.roles.values())
QUESTIONS = [(m, q) for m in MODE_LIST for q in (*m.questions, m.scope_question)]

# ks-roundtable, stage 2: the questions of each mode in its order, with the slots they fill.
TEMPLATES = {
    "brainstorm": [
        ("outcome", "What is the single outcome this round must produce?"),
        ("payoff", "If we could only do one thing, which one pays off the most?"),
        ("not_now", "What alternative path looks reasonable but is not worth choosing now?"),
        ("waste", "What would make this round a waste of time?"),
        ("novelty", "Is this a new direction or a refinement of an existing one?"),
        ("minimum", "What is the minimum that would count as progress?"),
    ],
    "align": [
        ("loop", "What is the smallest viable loop we can close?"),
        ("dependency", "What dependency or boundary is still missing from the direction?"),
        ("survive", "If the scope had to shrink to the smallest loop, what must survive?"),
        ("assumption", "What assumption in the direction is still unconfirmed?"),
        ("entry", "What is the entry condition that must already be true before this starts?"),
        ("too_small", "What would make this loop too small to be useful?"),
    ],
    "challenge": [
        ("cost", "If this path is wrong, what is the most expensive cost?"),
        ("failure", "What is the single least acceptable failure for this round?"),
        ("blind_spot", "What blind spot does this direction not account for?"),
        ("dismissed", "What alternative was dismissed too quickly?"),
        ("skeptic", "What would a skeptical reviewer say is the biggest risk?"),
        (
            "reversal",
            "If we had to reverse this decision in 3 months, how painful would it be?",
        ),
    ],
}
SCOPE = "What must survive if the scope shrinks to the smallest viable loop?"
NEEDED = {
    "brainstorm": ("outcome", "payoff", "not_now"),
    "align": ("loop", "dependency", "assumption"),
    "challenge": ("cost", "failure", "dismissed"),
}
SCOPE_SLOT = {"brainstorm": "minimum", "align": "loop", "challenge": "survive"}
DEFAULT_ROLES = {
    "brainstorm": ("product-manager", "software-architect", "backend-engineer"),
    "align": ("product-manager", "software-architect", "delivery-owner"),
    "challenge": ("security-architect", "sre", "product-manager"),
}
POOL = {
    "product-manager": True,
    "software-architect": True,
    "frontend-engineer": True,
    "backend-engineer": True,
    "sre": True,
    "security-architect": True,
    "ux-researcher": False,
    "incident-response-commander": False,
    "code-reviewer": False,
    "delivery-owner": False,
}


def named(pair):
    mode, question = pair
    return f"{mode.id}-{question.key}"


# -- modes -----------------------------------------------------------------------------


def test_the_modes_come_in_the_order_in_which_one_is_chosen():
    assert tuple(CATALOG.modes) == MODES


@pytest.mark.parametrize("mode", MODES)
def test_questions_stand_word_for_word_and_in_order(mode):
    asked = [q for q in CATALOG.modes[mode].questions if not q.only_when_vague]
    assert [(q.slot, q.text) for q in asked] == TEMPLATES[mode]
    assert [q.key for q in asked] == [slot for slot, _ in TEMPLATES[mode]]


@pytest.mark.parametrize("mode", MODES)
def test_needed_slots_scope_slot_and_default_roles_are_those_of_the_mode(mode):
    spec = CATALOG.modes[mode]
    assert spec.needed == NEEDED[mode]
    assert spec.scope_slot == SCOPE_SLOT[mode]
    assert spec.default_roles == DEFAULT_ROLES[mode]


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_has_the_one_scope_question(mode):
    spec = CATALOG.modes[mode]
    asked = (spec.scope_question.key, spec.scope_question.slot, spec.scope_question.text)
    assert asked == ("scope", SCOPE_SLOT[mode], SCOPE)


def test_only_brainstorm_can_ask_to_describe_the_problem_from_scratch():
    vague = {m.id: [q.key for q in m.questions if q.only_when_vague] for m in MODE_LIST}
    assert vague == {"brainstorm": ["describe"], "align": [], "challenge": []}
    text = next(q.text for q in CATALOG.modes["brainstorm"].questions if q.key == "describe")
    assert text.startswith("Please describe the problem from scratch: ")


def test_options_are_suggested_where_the_question_is_about_them():
    suggesting = {q.key: q.suggests for _, q in QUESTIONS if q.suggests}
    assert suggesting == {"payoff": "choice", "not_now": "exclusion"}


@pytest.mark.parametrize("pair", QUESTIONS, ids=named)
def test_a_question_asks_one_thing_and_says_what_hangs_on_it(pair):
    _, question = pair
    assert question.text.count("?") == 1
    assert "\n" not in question.stakes
    assert 0 < len(question.stakes) <= 100
    assert "?" not in question.stakes


@pytest.mark.parametrize("pair", QUESTIONS, ids=named)
def test_an_explanation_is_two_sentences(pair):
    _, question = pair
    outside_quotes = re.sub(r'"[^"]*"', "...", question.explanation)
    ends = re.findall(r"\.\.\.$|(?<!\.)\.(?=\s|$)", outside_quotes)
    assert len(ends) == 2, question.explanation
    assert "\n" not in question.explanation.strip()


# -- roles -----------------------------------------------------------------------------


def test_the_pool_has_the_ten_roles_and_four_of_them_on_demand():
    assert {role.id: role.default for role in ROLE_LIST} == POOL


@pytest.mark.parametrize("role", ROLE_LIST, ids=lambda role: role.id)
def test_a_role_has_a_lens_and_a_risk_for_every_mode(role):
    for mode in MODES:
        lens, risk = role.lens[mode], role.risk[mode]
        assert lens[0].islower(), f"completes 'looks at ...': {lens}"
        assert not lens.endswith(".")
        assert risk[0].isupper(), risk
        assert risk.endswith("."), risk
        assert risk.count(".") == 1, f"one sentence: {risk}"


def test_no_two_roles_share_a_lens_or_a_risk():
    for texts in (
        [t for r in ROLE_LIST for t in r.lens.values()],
        [t for r in ROLE_LIST for t in r.risk.values()],
    ):
        assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("role", ROLE_LIST, ids=lambda role: role.id)
def test_word_lists_are_lower_case_without_repeats_and_in_several_scripts(role):
    for words in (role.triggers, role.watches_for, role.aliases):
        assert len(set(words)) == len(words)
        assert all(word and word == word.casefold() == word.strip() for word in words)
    assert len(role.triggers) >= 20
    assert any(not word.isascii() for word in role.triggers)


def test_no_two_roles_go_by_the_same_name():
    aliases = [alias for role in ROLE_LIST for alias in role.aliases]
    assert len(set(aliases)) == len(aliases)


# -- where they come from --------------------------------------------------------------


def test_every_mode_and_role_tells_its_file():
    assert CATALOG.origins["modes/align"] == str(shipped_folder("modes") / "align.yaml")
    assert set(CATALOG.origins) == {f"modes/{m}" for m in MODES} | {f"roles/{r}" for r in POOL}


def test_the_offline_phrases_are_loaded():
    assert CATALOG.phrases["view.prefers"]
    assert all(isinstance(wordings, tuple) for wordings in CATALOG.phrases.values())


def test_importing_reads_no_yaml_and_no_jinja():
    code = (
        "import sys, keystone_roundtable.content.catalog, keystone_roundtable.content.rendering;"
        "print(sorted({'yaml', 'jinja2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
