"""What a table's files are called: one name for one table, whoever comes first."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from keystone_roundtable.stores.tables import TableFiles, TableStore

REPOSITORY = Path(__file__).parents[2]
QUESTION = "Should we keep the service or split it?"
Call = Callable[..., Any]


def test_a_table_that_waits_takes_no_name_and_loses_no_file(
    call: Call, table_typed: Call, project: Path
) -> None:
    """One is left at its consent, another is held in between, the first goes on after it."""
    waiting, _ = table_typed(QUESTION, "--json", lines=["", ""])
    assert (waiting.status, waiting.object["paths"]["minute"]) == (6, None)
    held = call("table", QUESTION, "--yes", "--json").object
    minute = Path(held["paths"]["minute"])
    before = minute.read_bytes()
    resumed = call("table", "resume", waiting.object["table"], "--yes", "--json").object
    assert Path(resumed["paths"]["minute"]).name == f"{minute.stem}-2.md"
    assert Path(resumed["paths"]["state"]).name == f"{minute.stem}-2.json"
    assert Path(resumed["paths"]["decision"]).name == f"{minute.stem}-2.md"
    assert minute.read_bytes() == before


def test_a_claimed_name_is_the_tables_own_also_after_a_crash(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    first = TableFiles.claim(store, "2026-11-08_x", None, "20261108-aaaa")
    assert first.minute.name == "2026-11-08_x.md"
    assert TableFiles.claim(store, "2026-11-08_x", None, "20261108-aaaa") == first
    second = TableFiles.claim(store, "2026-11-08_x", None, "20261108-bbbb")
    assert second.minute.name == "2026-11-08_x-2.md"
    (store.path / "2026-11-08_y.json").write_text("{}", encoding="utf-8")
    assert TableFiles.claim(store, "2026-11-08_y", None, "z").minute.name == "2026-11-08_y-2.md"


@pytest.mark.real
def test_tables_that_run_side_by_side_have_files_of_their_own(project: Path) -> None:
    words = [sys.executable, "-m", "keystone_roundtable", "table", QUESTION, "--yes"]
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(REPOSITORY),
        "XDG_CONFIG_HOME": str(project / "config"),
    }
    running = [
        subprocess.Popen(
            words,
            cwd=project,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    said = [process.communicate(timeout=90)[0].decode() for process in running]
    assert [process.returncode for process in running] == [0, 0, 0]
    minutes = {line for out in said for line in out.splitlines() if line.startswith("🪑")}
    decisions = {line for out in said for line in out.splitlines() if line.startswith("📥")}
    assert (len(minutes), len(decisions)) == (3, 3)
    kept = project / ".keystone" / "roundtable" / "tables"
    ids = {path.read_text(encoding="utf-8").split("Table ")[1][:13] for path in kept.glob("*.md")}
    assert len(ids) == 3
