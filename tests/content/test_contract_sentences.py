"""Every kind of end has its own sentences for the contract."""

from __future__ import annotations

import pytest

from keystone_roundtable.content.errors import ContentError
from keystone_roundtable.content.locations import shipped_folder
from keystone_roundtable.content.rendering import TemplateWriter
from keystone_roundtable.content.sentences import load_sentences
from keystone_roundtable.core import events as ev
from keystone_roundtable.core import outcome as outcomes
from keystone_roundtable.core.contract import ContractSentences
from keystone_roundtable.core.outcome import ExitStatus, Outcome
from keystone_roundtable.core.records import Option
from keystone_roundtable.core.session import Session

ROWS = {row.name: row.decision for row in outcomes._ROWS}
NAMES = ("rationale", "fallback", "next_action")
PLAN = "Enter writing-plan and define the executable block"

SESSION = Session(
    started=ev.SessionStarted(
        at="2026-01-01T00:00:00.000000Z",
        session="20260101-00000000",
        topic="Should the museum open on Mondays?",
        route="roundtable",
    )
)


class Asked(Session):
    """A session whose topic needs no preview."""

    @property
    def decision_topic(self) -> str:
        return self.start.topic


def end(row: str, *, status_quo: bool = False, option: str = "open on Mondays") -> Outcome:
    aligned = ROWS[row] == "roundtable-aligned"
    chosen = Option(id="o1", text=option, source="topic", status_quo=status_quo)
    return Outcome(
        row=row,
        decision=ROWS[row],
        confidence=0.7,
        confidence_reasons=(row,),
        escalate=False,
        next_skill="writing-plan",
        state_next_skill="writing-plan",
        exit_code="ok",
        status=ExitStatus.OK,
        state_reason="",
        option=chosen if aligned else None,
        forced=False,
        notes=(),
    )


def sentences(outcome: Outcome, root=None) -> ContractSentences:
    return TemplateWriter(root).contract_sentences(Asked(started=SESSION.started), outcome)


def test_a_converged_end_says_the_skills_three_sentences():
    assert sentences(end("converged")) == ContractSentences(
        rationale=(
            "The topic has been converged in the appropriate mode, role disagreement has been "
            "exposed, and no further direction discussion is required before planning."
        ),
        fallback=(
            "If the chosen direction fails, return to roundtable and reopen the broader option set."
        ),
        next_action="Enter writing-plan and define the executable block.",
    )


def test_every_row_of_the_outcome_table_has_sentences_and_no_other_name_stands_there():
    shipped = load_sentences([shipped_folder("templates")])
    assert set(shipped) == {*ROWS, "status_quo"}
    assert all(tuple(shipped[row]) == NAMES for row in ROWS)


def test_no_two_ends_give_the_same_grounds_or_say_to_do_the_same():
    ends = [sentences(end(row)) for row in ROWS]
    for name in ("rationale", "next_action"):
        said = [getattr(one, name) for one in ends]
        assert len(set(said)) == len(said)


@pytest.mark.parametrize("row", ROWS)
def test_the_next_action_names_the_skill_that_the_row_leads_to(row):
    action = sentences(end(row)).next_action
    skill = {
        "roundtable-aligned": "Enter writing-plan",
        "roundtable-escalate": "Enter orchestrate",
        "roundtable-deferred": "Return to roundtable",
    }[ROWS[row]]
    assert action.startswith(skill)
    assert action.endswith(".")
    if ROWS[row] == "roundtable-aligned":
        assert "define the executable block" in action


@pytest.mark.parametrize("row", [r for r, d in ROWS.items() if d == "roundtable-aligned"])
def test_where_nothing_changes_writing_plan_only_records_and_closes(row):
    kept = sentences(end(row, status_quo=True))
    assert kept.next_action == (
        "Enter writing-plan only to record the decision and close it; there is nothing to build."
    )
    assert kept.rationale == sentences(end(row)).rationale


def test_a_user_replaces_one_sentence_and_may_name_option_and_topic(put, tmp_path):
    put(
        "templates/contract_sentences.yaml",
        "forced:\n  rationale: 'Taken: {{ option }}, for {{ topic }}'\n",
    )
    mine = sentences(end("forced"), tmp_path)
    assert mine.rationale == "Taken: open on Mondays, for Should the museum open on Mondays?"
    assert mine.fallback == sentences(end("forced")).fallback


def test_what_the_person_typed_is_never_a_template_and_stays_on_one_line(put, tmp_path):
    put("templates/contract_sentences.yaml", "forced: {rationale: '{{ option }}!'}\n")
    hostile = "{{ 7 * 7 }}\n\x1b[31m{% raw %}"
    assert sentences(end("forced", option=hostile), tmp_path).rationale == "{{ 7 * 7 }} {% raw %}!"


BROKEN = {
    "no such end": ("\nforcd:\n  rationale: x\n", 3, "forcd.rationale", "no such sentence"),
    "no such name": ("forced:\n  reason: x\n", 2, "forced.reason", "no such sentence"),
    "no text": ("forced:\n  rationale: [x]\n", 2, "forced.rationale", "must be a text"),
    "no sentences": ("forced: x\n", 1, "forced", "must hold sentences"),
    "undefined": ("forced:\n\n  rationale: '{{ optoin }}'\n", 3, "", "'optoin' is undefined"),
    "bad template": ("forced:\n  fallback: '{{ }}'\n", 2, "", "Expected an expression"),
    "bad YAML": ("forced: [\n", 2, "", "not YAML"),
}


@pytest.mark.parametrize("text, line, field, reason", BROKEN.values(), ids=BROKEN)
def test_a_broken_sentence_is_named_with_its_line(put, tmp_path, text, line, field, reason):
    path = put("templates/contract_sentences.yaml", text)
    with pytest.raises(ContentError) as caught:
        sentences(end("forced"), tmp_path)
    assert (caught.value.path, caught.value.line, caught.value.field) == (path, line, field)
    assert reason in caught.value.reason
