"""The skill file: what an agent has to know to hold a session through the step protocol."""

from __future__ import annotations

from .locations import shipped_folder
from .templating import Templates

SKILL_TEMPLATE = "skill/SKILL.md.j2"


def skill_text(program: str, version: str) -> str:
    """The skill as Markdown with its front matter.

    From the shipped template alone: a project's own templates come with whatever was cloned, and
    must not reach what the user's agents obey in every project. Raises `ContentError`.
    """
    templates = Templates((shipped_folder("templates"),))
    return templates.render(SKILL_TEMPLATE, program=program, version=version)
