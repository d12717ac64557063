"""The report's Markdown: heading for heading, and whatever people type stays text."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from keystone_roundtable.content.errors import ContentError
from keystone_roundtable.content.markdown import entry
from keystone_roundtable.content.rendering import TemplateWriter
from keystone_roundtable.core.plain import one_line
from keystone_roundtable.core.report import EvidenceItem, EvidenceLine, Report, RoleLine

MARKDOWN = MarkdownIt("gfm-like", {"linkify": False})
WRITER = TemplateWriter(None)

FULL = """\
## Roundtable Final Report

**Mode**: challenge
**Topic**: Should the museum open on Mondays?
**Activated roles**: product-manager, sre, delivery-owner

### Role Views
- product-manager: Would open. Visitors may not come.
- sre: Takes no side yet. Nobody watches the doors.

### Summary
- **Consensus**: The roles agree on the date.
- **Disagreement**: none

### Conclusion
- **Decision**: Open on Mondays.
- **Why**: School classes ask for it.
- **Excluded paths**: Opening at night.
- **Wrong-choice cost**: A year of wages.

### Next Step
- **next_skill**: writing-plan
- **Entry condition**: direction is now clear enough to define the current block

### Risk disclosure
- Direction was forced.
- The cost was not named.

### Missing points
- Who holds the keys

### Evidence
- **Decision**: A2: "open it"; topic: "Mondays"; product-manager
- **Why**: nothing the user said
- Note: scope needs compression.
- The roles were played by built-in rules.
"""

# ks-roundtable, stage 3, with the headings this product adds below.
HEADINGS = [
    "## Roundtable Final Report",
    "### Role Views",
    "### Summary",
    "### Conclusion",
    "### Next Step",
    "### Evidence",
]
OPENERS = [
    "# heading",
    "###### deep",
    "#",
    "- item",
    "-",
    "--",
    "---",
    "- - -",
    "* * *",
    "***",
    "___",
    "+ item",
    "* item",
    "> quote",
    ">quote",
    "```sh",
    "~~~",
    "| a | b |",
    "1. first",
    "12) twelfth",
    "1.",
    "<script>",
    "<!-- gone",
    "<?php",
    "</div>",
    "[a]: http://example.org",
    "[ ] task",
    "[x] done",
]


def filled_with(text: str) -> Report:
    """A report in which every value a person can influence is `text`."""
    return Report(
        mode="align",
        topic=text,
        activated_roles=("product-manager", "sre"),
        role_views=(RoleLine(role="product-manager", text=text), RoleLine(role="sre", text=text)),
        consensus=text,
        disagreement=text,
        decision=text,
        why=text,
        excluded_paths=text,
        wrong_choice_cost=text,
        next_skill="writing-plan",
        entry_condition=text,
        risk_disclosure=(text, text),
        missing_points=(text,),
        evidence=(
            EvidenceLine(line="Decision", items=(EvidenceItem(ref="A1", quote=text),)),
            EvidenceLine(line="Why", items=(EvidenceItem(ref="topic", quote=text),)),
        ),
        remarks=(text,),
        simulated_by=text,
    )


def blocks(markdown: str) -> list[tuple[str, str]]:
    return [(token.type, token.tag) for token in MARKDOWN.parse(markdown)]


# -- the shape -------------------------------------------------------------------------


def test_a_full_report_reads_like_this(report):
    assert WRITER.report(report) == FULL


def test_sections_without_content_are_left_out_and_evidence_never_is(report):
    bare = report.model_copy(
        update={"risk_disclosure": (), "missing_points": (), "remarks": (), "evidence": ()}
    )
    markdown = WRITER.report(bare)
    assert [line for line in markdown.splitlines() if line.startswith("#")] == HEADINGS
    assert markdown.endswith("\n\n### Evidence\n- The roles were played by built-in rules.\n")
    assert "\n\n\n" not in markdown


def test_every_bullet_of_the_skill_is_there_in_order(report):
    labels = re.findall(r"^(?:- )?\*\*([^*]+)\*\*:", WRITER.report(report), re.M)
    assert labels[:11] == [
        "Mode",
        "Topic",
        "Activated roles",
        "Consensus",
        "Disagreement",
        "Decision",
        "Why",
        "Excluded paths",
        "Wrong-choice cost",
        "next_skill",
        "Entry condition",
    ]


# -- hostile text ----------------------------------------------------------------------


@pytest.mark.parametrize("text", OPENERS)
def test_markdown_in_a_value_opens_no_block(text):
    assert blocks(WRITER.report(filled_with(text))) == blocks(WRITER.report(filled_with("x")))


@settings(deadline=None)  # the first example loads the template engine
@given(st.text(min_size=1).filter(one_line))
@example("a\n\n# b")
@example("a\r- b")
@example("a\u2028## b")
@example("\t- x")
@example("1.\u00a0x")
def test_no_text_changes_the_shape_of_the_report(text):
    assert blocks(WRITER.report(filled_with(text))) == blocks(WRITER.report(filled_with("x")))


@settings(deadline=None)  # the first example loads the template engine
@given(st.text(alphabet="#->*+_`~|<[]x:.)1 \t\n!/?=", min_size=1).filter(one_line))
def test_no_mixture_of_markdown_signs_changes_the_shape(text):
    assert blocks(WRITER.report(filled_with(text))) == blocks(WRITER.report(filled_with("x")))


@settings(deadline=None)  # the first example loads the template engine
@given(st.text())
def test_nothing_in_a_report_acts_on_a_terminal(text):
    markdown = WRITER.report(filled_with(f"a{text}b"))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", markdown)


def test_terminal_escapes_and_bidi_overrides_are_dropped(report):
    hostile = "\x1b[31mred\x1b[0m \x1b]0;title\x07safe \u202egnp.exe\u202c \u2066x\u2069 \x07"
    markdown = WRITER.report(report.model_copy(update={"topic": hostile}))
    assert "**Topic**: red safe gnp.exe x\n" in markdown


def test_other_scripts_and_signs_stay_as_they_are(report):
    text = 'ควรเปิดไหม · 我们该开吗？ · هل نفتح؟ · 👩‍👩‍👧 · 2 * 3 < 7 & "so" _it_ is'
    markdown = WRITER.report(report.model_copy(update={"topic": text, "remarks": (text,)}))
    assert f"**Topic**: {text}\n" in markdown
    assert f"\n- {text}\n" in markdown


def test_templates_in_an_answer_are_text(report):
    hostile = "{{ report.mode }} {% for x in y %} {# gone #}"
    assert hostile in WRITER.report(report.model_copy(update={"why": hostile}))


@pytest.mark.parametrize("text", ["no, 3 days", "2024 was bad", "-5 degrees", "#hashtag", "a - b"])
def test_text_that_opens_no_block_gets_no_backslash(text):
    assert entry(text) == text


@pytest.mark.parametrize(
    "text, escaped",
    [("# a", r"\# a"), ("1. a", r"1\. a"), ("---", r"\---"), ("- a\n- b", r"\- a - b"), ("", "")],
)
def test_one_backslash_keeps_an_opening_sign_text(text, escaped):
    assert entry(text) == escaped


# -- a user's template -----------------------------------------------------------------


def test_a_users_template_is_taken_first(put, tmp_path, report):
    put("templates/report.md.j2", "# Bericht\n{{ report.topic | oneline }}\n")
    markdown = TemplateWriter(tmp_path).report(report)
    assert markdown == "# Bericht\nShould the museum open on Mondays?\n"


def test_a_users_template_may_build_on_another_of_theirs(put, tmp_path, report):
    put("templates/foot.j2", "-- {{ report.mode }}")
    put("templates/report.md.j2", "{% include 'foot.j2' %}")
    assert TemplateWriter(tmp_path).report(report) == "-- challenge"


def test_a_users_template_without_filters_prints_no_escapes_either(put, tmp_path, report):
    put("templates/report.md.j2", "{{ report.topic }}\n")
    hostile = report.model_copy(update={"topic": "\x1b[2Ja\u202eb\r\nc"})
    assert TemplateWriter(tmp_path).report(hostile) == "ab\nc\n"


BROKEN = {
    "syntax": ("a\n{% if %}\n", 2, "Expected an expression"),
    "unclosed": ("a\n\n{% for x in report.remarks %}\n", 3, "endfor"),
    "undefined": ("a\nb\n{{ reprot.topic }}\n", 3, "'reprot' is undefined"),
    "undefined field": ("{{ report.topik }}\n", 1, "topik"),
    "unknown filter": ("\n{{ report.topic | upcase }}\n", 2, "upcase"),
    "missing include": ("\n{% include 'foot.j2' %}\n", 2, "no template 'foot.j2' to include"),
    "wrong type": ("\n{{ report.topic + 1 }}\n", 2, "str"),
    "division": ("{{ 1 / 0 }}\n", 1, "division by zero"),
    "endless": ("{% include 'report.md.j2' %}\n", 1, "recursion"),
    "reaching out": ("\n{{ report.__class__.__mro__ }}\n", 2, "unsafe"),
    "too long a range": ("{% for x in range(10**9) %}{% endfor %}\n", 1, "ange"),
}


@pytest.mark.parametrize("text, line, reason", BROKEN.values(), ids=BROKEN)
def test_a_broken_template_is_named_with_its_line(put, tmp_path, report, text, line, reason):
    path = put("templates/report.md.j2", text)
    with pytest.raises(ContentError) as caught:
        TemplateWriter(tmp_path).report(report)
    assert caught.value.path == path
    assert caught.value.line == line
    assert reason in caught.value.reason
    assert "\n" not in str(caught.value)


def test_a_broken_include_is_the_file_that_is_named(put, tmp_path, report):
    put("templates/report.md.j2", "\n\n{% include 'foot.j2' %}")
    foot = put("templates/foot.j2", "a\n{{ }}\n")
    with pytest.raises(ContentError) as caught:
        TemplateWriter(tmp_path).report(report)
    assert (caught.value.path, caught.value.line) == (foot, 2)


def test_a_template_that_is_no_utf_8_is_named(put, tmp_path, report):
    path = put("templates/report.md.j2", b"a\nb \xff\n")
    with pytest.raises(ContentError, match="not UTF-8") as caught:
        TemplateWriter(tmp_path).report(report)
    assert (caught.value.path, caught.value.line) == (path, 2)
