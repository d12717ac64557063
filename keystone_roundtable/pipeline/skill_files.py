"""Where an agent looks for skill files, and what to do about the file that is there already."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

NAME = "keystone-roundtable"
FILE_NAME = "SKILL.md"

TARGETS: dict[str, tuple[str, ...]] = {
    "claude": (".claude", "skills"),
    "codex": (".agents", "skills"),
    "gemini": (".gemini", "skills"),
}
"""Below the user's home, the folder that holds a folder for each skill. As documented in November
2026: code.claude.com/docs/en/skills, developers.openai.com/codex/skills (it once was
`.codex/skills`), geminicli.com/docs/cli/using-agent-skills (which also reads `.agents/skills`)."""

DEFAULT_TARGET = "claude"


def skill_path(target: str, home: Path) -> Path:
    """The skill's file for an agent that has a name here, or below any other folder."""
    folders = TARGETS.get(target)
    base = home.joinpath(*folders) if folders is not None else Path(target)
    return base / NAME / FILE_NAME


class Plan(Enum):
    """What an installation comes to."""

    WRITE = "nothing is there yet"
    OVERWRITE = "a file with other contents is there and would be overwritten"
    LEAVE = "the file there is this one already"


def plan(there: bytes | None, new: bytes) -> Plan:
    """`there` is what the file holds now; None where there is none."""
    if there is None:
        return Plan.WRITE
    return Plan.LEAVE if there == new else Plan.OVERWRITE
