"""The wheel carries the shipped folders and works where no repository is."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]

pytestmark = pytest.mark.slow

LOAD = """
from keystone_roundtable.content import locations
from keystone_roundtable.content.catalog import load_catalog
from keystone_roundtable.content.prompts import TemplatePrompts
from keystone_roundtable.content.trained import load_weights
print(locations.shipped_folder("modes"))
catalog = load_catalog(None)
print(len(catalog.modes), len(catalog.roles), len(catalog.phrases) > 0)
print(len(load_weights("signals").labels))
empty = {"roles": (), "modes": (), "topic": "", "context": "", "language": ""}
print(len(TemplatePrompts(None).stable(**empty)) > 0)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]
    subprocess.run([*build, str(folder), str(REPOSITORY)], check=True, capture_output=True)
    return next(folder.glob("*.whl"))


@pytest.mark.parametrize("kind", ["modes", "roles", "templates"])
def test_every_shipped_file_is_in_the_wheel(wheel, kind):
    folder = REPOSITORY / kind
    there = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    prefix = f"keystone_roundtable/shipped/{kind}/"
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.removeprefix(prefix) for name in names if name.startswith(prefix)} == there


def test_an_unpacked_wheel_loads_its_own_content(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    site = str(tmp_path / "site")
    done = subprocess.run(
        [sys.executable, "-c", LOAD],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": site},
        capture_output=True,
        text=True,
        check=True,
    )
    shipped, counts, signals, preamble = done.stdout.splitlines()
    assert shipped == f"{site}/keystone_roundtable/shipped/modes"
    assert (counts, signals, preamble) == ("3 10 True", "5", "True")


def test_a_session_is_held_from_an_unpacked_wheel(wheel, tmp_path):
    """Its lexicons, templates and the contract's schema are there too."""
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    project = tmp_path / "project"
    project.mkdir()

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "keystone_roundtable", *words],
            cwd=project,
            env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
            input="One pilot customer is told\nThe first one\nThe second one\n/stop\n",
            capture_output=True,
            text=True,
            check=True,
        )

    ran = run("run", "Should we move to Postgres or stay?", "--answers", "-")
    assert ran.stdout.startswith("## Roundtable Final Report\n")
    assert '"decision"' in run("contract-schema").stdout
    assert run("skill", "print").stdout.startswith("---\nname: keystone-roundtable\n")
