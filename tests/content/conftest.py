"""A project folder into which a test puts its own modes, roles and templates."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from keystone_roundtable.core.report import EvidenceItem, EvidenceLine, Report, RoleLine


@pytest.fixture
def put(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Writes `modes/x.yaml`, `roles/x.yaml` or `templates/x` of the user; gives the path."""

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / ".keystone" / "roundtable" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture
def report() -> Report:
    """A report in which every part is there."""
    return Report(
        mode="challenge",
        topic="Should the museum open on Mondays?",
        activated_roles=("product-manager", "sre", "delivery-owner"),
        role_views=(
            RoleLine(role="product-manager", text="Would open. Visitors may not come."),
            RoleLine(role="sre", text="Takes no side yet. Nobody watches the doors."),
        ),
        consensus="The roles agree on the date.",
        disagreement="none",
        decision="Open on Mondays.",
        why="School classes ask for it.",
        excluded_paths="Opening at night.",
        wrong_choice_cost="A year of wages.",
        next_skill="writing-plan",
        entry_condition="direction is now clear enough to define the current block",
        risk_disclosure=("Direction was forced.", "The cost was not named."),
        missing_points=("Who holds the keys",),
        evidence=(
            EvidenceLine(
                line="Decision",
                items=(
                    EvidenceItem(ref="A2", quote="open it"),
                    EvidenceItem(ref="topic", quote="Mondays"),
                    EvidenceItem(ref="product-manager"),
                ),
            ),
            EvidenceLine(line="Why", items=()),
        ),
        remarks=("Note: scope needs compression.",),
        simulated_by="The roles were played by built-in rules.",
    )
