"""A broken file is named with its line, its field and the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from keystone_roundtable.content import catalog as catalog_module
from keystone_roundtable.content.catalog import load_catalog
from keystone_roundtable.content.errors import ContentError
from keystone_roundtable.content.yaml_files import read_mapping
from keystone_roundtable.core.errors import KeystoneError

NEW_ROLE = """\
title: the cook
responsibility: food
typical_question: Who eats it?
triggers: [kitchen]
watches_for: [salt]
reads: [outcome]
lens:
  brainstorm: what is in season
  challenge: what spoils
risk: {brainstorm: It burns., align: It burns., challenge: It burns.}
"""
SCOPE = """\
scope_question:
  key: {key}
  slot: {slot}
  text: What stays?
  stakes: All of it.
  explanation: It asks. Say it.
"""
SECOND = "{key: law, slot: law, text: Why?, stakes: S., explanation: E.}"


def error_of(root: Path) -> ContentError:
    with pytest.raises(ContentError) as caught:
        load_catalog(root)
    return caught.value


# name of the file, its text, line, field, part of the reason
BROKEN = {
    "bad syntax": ("roles/sre.yaml", "title: a\nreads: [x\n", 3, "", "not YAML"),
    "a tab": ("roles/sre.yaml", "title: a\n\treads: b\n", 2, "", "not YAML"),
    "two documents": ("roles/sre.yaml", "title: a\n---\ntitle: b\n", 2, "", "not YAML"),
    "a tag": ("roles/sre.yaml", "title: !!python/name:os.system x\n", 1, "", "not YAML"),
    "a control character": ("roles/sre.yaml", "title: \x01\n", None, "", "not YAML"),
    "empty": ("roles/sre.yaml", "", 1, "", "must hold a mapping"),
    "only a comment": ("roles/sre.yaml", "# later\n", 1, "", "must hold a mapping"),
    "a list": ("roles/sre.yaml", "- title\n", 1, "", "must hold a mapping"),
    "missing field": ("roles/cook.yaml", "responsibility: x\n", 1, "title", "Field required"),
    "missing lens": ("roles/cook.yaml", NEW_ROLE, 7, "lens.align", "Field required"),
    "lens of no mode": ("roles/sre.yaml", "lens:\n  aling: x\n", 2, "lens.aling", "should be"),
    "wrong type": ("roles/sre.yaml", "id: sre\ntitle: 7\n", 2, "title", "valid string"),
    "wrong type inside": ("roles/sre.yaml", "triggers:\n- a\n- 12\n", 3, "triggers.1", "string"),
    "unknown field": ("roles/sre.yaml", "\ntitel: x\n", 2, "titel", "no such field"),
    "field without a name": ("roles/sre.yaml", "7: x\n", 1, "7", ""),
    "duplicate key": ("roles/sre.yaml", "title: a\nid: sre\ntitle: b\n", 3, "title", "twice"),
    "duplicate below": ("roles/sre.yaml", "risk:\n  align: A.\n  align: B.\n", 3, "align", "twice"),
    "other id": ("roles/sre.yaml", "id: ops\n", 1, "id", "named 'sre.yaml'"),
    "unknown slot": ("roles/sre.yaml", "reads:\n- cost\n- const\n", 3, "reads.1", "slot 'const'"),
    "the moderator": ("roles/moderator.yaml", NEW_ROLE, None, "", "always sits in"),
    "a name with a blank": ("roles/the cook.yaml", NEW_ROLE, None, "", "role's id"),
    "another ending": ("roles/cook.yml", NEW_ROLE, None, "", "named 'cook.yaml'"),
    "a fourth mode": ("modes/decide.yaml", "goal: x\n", None, "", "brainstorm, align, challenge"),
    "needed": ("modes/align.yaml", "needed: [loop, lop]\n", 1, "needed.1", "the slot 'lop'"),
    "scope slot": (
        "modes/align.yaml",
        "goal: g\nscope_slot: entry\n",
        2,
        "scope_slot",
        "the scope question asks for 'loop', not for the scope_slot 'entry'",
    ),
    "a needed slot replaced": (
        "modes/align.yaml",
        f"\nquestions:\n- {SECOND.replace('key: law', 'key: dependency')}\n",
        2,
        "questions",
        "no question has the slot 'dependency'",
    ),
    "a question with the scope's key": (
        "modes/align.yaml",
        f"questions:\n- {SECOND.replace('key: law', 'key: scope')}\n",
        1,
        "questions",
        "same key 'scope'",
    ),
    "scope question": (
        "modes/align.yaml",
        SCOPE.format(key="scope", slot="cost"),
        3,
        "scope_question.slot",
        "asks for 'cost', not for the scope_slot 'loop'",
    ),
    "scope key": (
        "modes/align.yaml",
        SCOPE.format(key="entry", slot="loop"),
        2,
        "scope_question.key",
        "the same key 'entry'",
    ),
    "no such role": (
        "modes/align.yaml",
        "default_roles:\n- product-manager\n- cook\n",
        3,
        "default_roles.1",
        "no role 'cook'",
    ),
    "question field": (
        "modes/align.yaml",
        f"questions:\n- {SECOND}\n- key: loop\n  slot: loop\n  text: [x]\n",
        5,
        "questions.1.text",
        "valid string",
    ),
    "question without key": (
        "modes/align.yaml",
        "questions:\n- slot: x\n",
        2,
        "questions.0.key",
        "r",
    ),
    "no question": ("modes/align.yaml", "questions:\n- why?\n", 2, "questions.0", "dictionary"),
    "no questions": ("modes/align.yaml", "goal: g\nquestions: 3\n", 2, "questions", "tuple"),
    "two of a key": ("modes/align.yaml", f"questions:\n- {SECOND}\n- {SECOND}\n", 3, "", "'law'"),
    "no such phrase": ("templates/offline.yaml", "\nview.opne: x\n", 2, "view.opne", "no such"),
    "phrase of no text": ("templates/offline.yaml", "view.open: [a, 1]\n", 1, "view.open", "text"),
    "no phrase": ("templates/offline.yaml", "view.open: []\n", 1, "view.open", "text"),
    "strange blank": (
        "templates/offline.yaml",
        'view.prefers: "{optoin}"\n',
        1,
        "view.prefers",
        "{optoin} cannot be filled in; this phrase has {option}",
    ),
    "reaching blank": (
        "templates/offline.yaml",
        'view.prefers: "{option.__class__}"\n',
        1,
        "view.prefers",
        "cannot be filled in",
    ),
    "half a brace": ("templates/offline.yaml", 'view.open: "{"\n', 1, "view.open", "brace"),
}


@pytest.mark.parametrize("name, text, line, field, reason", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_named_with_line_field_and_reason(
    put, tmp_path, name, text, line, field, reason
):
    path = put(name, text)
    error = error_of(tmp_path)
    assert (error.path, error.line, error.field) == (path, line, field)
    assert reason in error.reason
    assert "\n" not in str(error)


def test_the_message_is_one_line_with_everything_in_it(put, tmp_path):
    path = put("roles/cook.yaml", NEW_ROLE)
    error = error_of(tmp_path)
    assert error.message == f"{path}, line 7, field 'lens.align': Field required"
    assert isinstance(error, KeystoneError)
    assert error.hint


def test_bytes_that_are_no_utf_8_are_named_by_line(put, tmp_path):
    put("roles/sre.yaml", b"title: a\ntriggers: [\xff]\n")
    error = error_of(tmp_path)
    assert (error.line, error.reason) == (2, "not UTF-8 text (byte 20)")


@pytest.mark.parametrize("kind", ["modes/align.yaml", "roles/x.yaml", "templates/offline.yaml"])
def test_a_folder_with_the_name_of_a_file_is_named(tmp_path, kind):
    folder = tmp_path / ".keystone" / "roundtable" / kind
    folder.mkdir(parents=True)
    error = error_of(tmp_path)
    assert error.message == f"{folder}: cannot be read: Is a directory"


def test_a_link_to_nowhere_is_named(put, tmp_path):
    path = put("roles/cook.yaml", NEW_ROLE)
    path.unlink()
    path.symlink_to("gone.yaml")
    assert error_of(tmp_path).message == f"{path}: cannot be read: No such file or directory"


def test_an_alias_that_holds_itself_is_refused(put, tmp_path):
    put("roles/sre.yaml", "triggers: &t [*t]\n")
    assert error_of(tmp_path).field.startswith("triggers")


def test_aliases_that_multiply_are_looked_at_once(put):
    lists = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lists += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    assert len(read_mapping(put("roles/sre.yaml", "\n".join(lists)))) == 30


def test_a_very_deep_nesting_is_refused(put, tmp_path):
    put("roles/sre.yaml", "triggers: " + "[" * 50_000)
    assert "YAML" in error_of(tmp_path).reason or "deep" in error_of(tmp_path).reason


def test_missing_shipped_files_are_told_as_a_broken_installation(tmp_path, monkeypatch):
    monkeypatch.setattr(catalog_module, "folders", lambda kind, root: (tmp_path / kind,))
    assert "the mode 'brainstorm' is missing" in error_of(tmp_path).message
