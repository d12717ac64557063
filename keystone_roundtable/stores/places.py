"""Where a project's sessions lie and what their ids look like: all that naming one takes."""

from __future__ import annotations

import re
from pathlib import Path

from .root import KEYSTONE

LOG_NAME = "events.jsonl"
CONTRACT_NAME = "contract.json"
REPORT_NAME = "report.md"
OUTCOMES_NAME = "outcomes.jsonl"
LINKS_NAME = "links.jsonl"
INDEX_NAME = "decisions.db"

SESSION_ID = re.compile(r"[0-9]{8}-[0-9a-z]{4,32}")


def roundtable_folder(root: Path) -> Path:
    """Everything of this program that belongs to the project; it need not exist."""
    return root / KEYSTONE / "roundtable"


def sessions_folder(root: Path) -> Path:
    """The folder that holds a folder for each session; it need not exist."""
    return roundtable_folder(root) / "sessions"
