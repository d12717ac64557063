"""What is imported when: the first question must not wait for what comes later."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


def imported_with(module: str) -> set[str]:
    """The top-level packages that importing `module` brings in."""
    code = f"import sys, {module}; print(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("late", ["rich", "questionary", "pygments", "markdown_it"])
def test_the_prompt_does_not_wait_for_report_and_menus(late: str) -> None:
    assert late not in imported_with("keystone_roundtable.terminal.prompt_partner")


def test_the_plain_loop_needs_none_of_it() -> None:
    assert not imported_with("keystone_roundtable.terminal.plain_partner") & {
        "prompt_toolkit",
        "rich",
        "questionary",
    }
