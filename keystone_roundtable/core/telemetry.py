"""What every telemetry line begins with, whatever format it tells of."""

from __future__ import annotations

from typing import Any, Final

from .limits import SCHEMA_VERSION

SKILL = "roundtable"
REHEARSAL: Final = "rehearsal"
"""The `exit_reason` of what was held without a model, and decides nothing."""


def line_about(
    event: str, format_: str, *, at: str, session: str, project: str, version: str, model: str
) -> dict[str, Any]:
    """Names and a moment; nothing of what was said is in it, and no decision."""
    return {
        "skill": SKILL,
        "ts": timestamp(at),
        "schema_version": SCHEMA_VERSION,
        "event": event,
        "format": format_,
        "session": session,
        "project": project,
        "version": version,
        "model": model,
    }


def timestamp(at: str) -> str:
    """`at` to the second with a Z, as the skill's own lines have it."""
    return at[:19] + "Z"
