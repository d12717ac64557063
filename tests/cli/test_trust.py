"""A command that a project's engines file names is not started before somebody said that it may."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from keystone_roundtable.cli import trust
from keystone_roundtable.cli.parser import parse
from keystone_roundtable.cli.seating import SeatEngines
from keystone_roundtable.cli.verbs.seats import seats
from keystone_roundtable.content.errors import ContentError
from keystone_roundtable.core.engines import EngineFailureError
from keystone_roundtable.core.errors import UsageError
from keystone_roundtable.core.seating import Seat
from keystone_roundtable.core.spending_plan import Limits


@pytest.fixture
def cloned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    root = tmp_path / "cloned"
    (root / ".keystone" / "roundtable").mkdir(parents=True)
    put(root, "--quiet")
    return root


def put(root: Path, word: str) -> None:
    (root / ".keystone" / "roundtable" / "engines.yaml").write_text(
        f"evil:\n  kind: cli\n  argv: [{sys.executable}, {root}/evil.py, '{word}\\e[2J']\n"
        .replace("'--", '"--').replace("J']", 'J"]'),
        encoding="utf-8",
    )  # fmt: skip
    (root / "evil.py").write_text(f"open({str(root / 'ran')!r}, 'w')\n")


def engines(root: Path, ask: object = None) -> SeatEngines:
    return SeatEngines(root, os.environ, Limits(), ask=ask)  # type: ignore[arg-type]


def test_without_a_terminal_it_is_refused_with_what_it_would_run(cloned: Path) -> None:
    with pytest.raises(UsageError) as refused:
        engines(cloned).named("evil")
    assert "nobody has said that it may" in str(refused.value)
    assert "--quiet" in str(refused.value)
    assert "\x1b" not in str(refused.value)


def test_a_yes_holds_for_this_content_and_no_other(cloned: Path) -> None:
    asked: list[str] = []
    assert engines(cloned, lambda question: not asked.append(question)).named("evil") == (
        "evil",
        None,
    )
    assert len(asked) == 1 and "--quiet" in asked[0] and "\x1b" not in asked[0]
    assert engines(cloned).named("evil") == ("evil", None)
    assert engines(cloned).engine_for(Seat(name="a", engine="evil"))
    kept = next((cloned.parent / "config").rglob(trust.TRUST_NAME))
    assert kept.stat().st_mode & 0o777 == 0o600

    put(cloned, "--loud")
    with pytest.raises(UsageError):
        engines(cloned).named("evil")
    with pytest.raises(EngineFailureError, match="not trusted"):
        engines(cloned).engine_for(Seat(name="a", engine="evil"))


def test_a_no_is_a_no(cloned: Path) -> None:
    with pytest.raises(UsageError, match="not trusted"):
        engines(cloned, lambda question: False).named("evil")


def test_the_list_starts_nothing_that_is_not_trusted(
    cloned: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert seats(parse(["seats", "--root", str(cloned)])) == 0
    (line,) = [one for one in capsys.readouterr().out.splitlines() if one.startswith("evil")]
    assert "not trusted yet; it would run" in line
    assert 'keystone-roundtable room open "QUESTION" --seat evil' in line
    assert not (cloned / "ran").exists()


def test_what_the_user_put_into_their_own_file_needs_no_question(
    cloned: Path, tmp_path: Path
) -> None:
    own = tmp_path / "config" / "keystone-roundtable"
    own.mkdir(parents=True)
    (own / "engines.yaml").write_text("mine:\n  kind: cli\n  argv: [mine]\n")
    assert engines(cloned).named("mine") == ("mine", None)


def question(root: Path, entry: str) -> str:
    """What is asked about an entry of the project's file."""
    (root / ".keystone" / "roundtable" / "engines.yaml").write_text(entry, encoding="utf-8")
    asked: list[str] = []
    name = entry.partition(":")[0]
    assert engines(root, lambda words: not asked.append(words)).named(name)
    return asked[0]


def test_all_that_runs_is_written_or_is_opened_is_shown(cloned: Path) -> None:
    words = question(
        cloned,
        "evil:\n  kind: cli\n  argv: [agent]\n"
        "  version_argv: [-c, 'first()']\n  login_argv: [-c, 'second()']\n"
        "  evidence_argv: [--third]\n  plain_argv: [--fourth]\n  model_argv: [--fifth]\n"
        '  files: {a/b.json: "sixth\\e[2J\\nline"}\n  evidence_files: {c.json: seventh}\n'
        "  environment: ['*', EIGHTH_*]\n  set_environment: {NINTH: tenth}\n"
        "  homes: [.ssh, .aws]\n",
    )
    shown = (
        "first()", "second()", "--third", "--fourth", "--fifth", "a/b.json", "sixth", "c.json",
        "seventh", '"*"', "every variable that you have set", "EIGHTH_*", "NINTH=tenth", ".ssh",
        ".aws",
    )  # fmt: skip
    assert [one for one in shown if one not in words] == []
    assert "\x1b" not in words


@pytest.mark.parametrize(
    "field",
    [
        "files: {/etc/cron.d/x: y}",
        "files: {../../x: y}",
        "evidence_files: {a/../../x: y}",
        "files: {'': y}",
        "files: {evidence/x: y}",
        'homes: [""]',
        "homes: [/etc]",
        "homes: [..]",
        "homes: [.]",
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(field: str, cloned: Path) -> None:
    path = cloned / ".keystone" / "roundtable" / "engines.yaml"
    path.write_text(f"evil:\n  kind: cli\n  argv: [agent]\n  {field}\n", encoding="utf-8")
    with pytest.raises(ContentError) as refused:
        engines(cloned).entries  # noqa: B018
    assert "engines.yaml, line 4" in str(refused.value)
    assert "below its folder" in str(refused.value) or "evidence lies" in str(refused.value)


@pytest.mark.parametrize("how", ["program", "argument", "option", "relative", "link"])
def test_a_file_of_the_project_that_changes_is_asked_about_anew(how: str, cloned: Path) -> None:
    """The argument list stays the same, and what it starts does not."""
    script = cloned / "agent.py"
    script.write_text("print('old')")
    script.chmod(0o700)
    (cloned.parent / "outside.py").symlink_to(script)
    argv = {
        "program": f"[{script}]",
        "argument": f"[{sys.executable}, {script}]",
        "option": f"[tool, --agent={script}]",
        "relative": "[python3, agent.py]",
        "link": f"[python3, {cloned.parent / 'outside.py'}]",
    }[how]
    words = question(cloned, f"mine:\n  kind: cli\n  argv: {argv}\n")
    assert "a file of the project" in words
    assert engines(cloned).named("mine")
    script.write_text("print('new')")
    with pytest.raises(UsageError, match="nobody has said"):
        engines(cloned).named("mine")
