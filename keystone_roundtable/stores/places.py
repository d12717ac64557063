"""Where a project's sessions, tables and rooms lie, and what their ids look like."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from .root import KEYSTONE

LOG_NAME = "events.jsonl"
CONTRACT_NAME = "contract.json"
REPORT_NAME = "report.md"
OUTCOMES_NAME = "outcomes.jsonl"
LINKS_NAME = "links.jsonl"
INDEX_NAME = "decisions.db"

SESSION_ID = re.compile(r"[0-9]{8}-[0-9a-z]{4,32}")
"""Of a table and of a room too."""

Format: TypeAlias = Literal["socratic", "table", "room"]
"""As the contract names it."""

FOLDERS: Mapping[Format, str] = {"socratic": "sessions", "table": "tables", "room": "rooms"}
"""What of each format lies in which folder, below `roundtable_folder`."""


def file_name(words: str) -> str:
    """The words as the name of a file, which is UTF-8 whatever the locale says."""
    return os.fsdecode(words.encode("utf-8", "surrogateescape"))


def roundtable_folder(root: Path) -> Path:
    """Everything of this program that belongs to the project; it need not exist."""
    return root / KEYSTONE / "roundtable"


def sessions_folder(root: Path) -> Path:
    """The folder that holds a folder for each session; it need not exist."""
    return roundtable_folder(root) / FOLDERS["socratic"]
