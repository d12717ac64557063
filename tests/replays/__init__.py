"""Commands that replay what vendors' command lines print, their failures too."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

REPLAY = Path(__file__).with_name("replay.py")


def put_engines(config_home: Path, hows: Mapping[str, str], **changes: Any) -> None:
    """Engines of the user's own, by name; each replays what `hows` says, as a vendor of its own."""
    import yaml

    entries = {
        name: {
            "kind": "cli",
            "vendor": f"maker of {name}",
            "argv": [sys.executable, str(REPLAY), how, name],
            "output": {
                "form": "text" if how in ("plain", "chatty", "login-0-text", "torn-0") else "json",
                "answer": "result",
                "error": "is_error",
                "error_text": "result",
                "input_tokens": ["usage.input_tokens"],
                "output_tokens": ["usage.output_tokens"],
                "cost_usd": ["total_cost_usd"],
            },
            "version_argv": [str(REPLAY), "version"],
            "evidence_argv": ["--read"],
            "login_words": ["not logged in", "please run /login"],
            "login_statuses": [41],
            "login_hint": "Log in: replay login",
            "homes": ["seen"],
            **changes,
        }
        for name, how in hows.items()
    }
    folder = config_home / "keystone-roundtable"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "engines.yaml").write_text(yaml.safe_dump(entries), encoding="utf-8")
