"""Where one clause ends and the next begins."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from keystone_roundtable.cli.wiring import load_rules

OPTIONS = ("build the notification system", "defer it until the settings refactor is done")

rules = load_rules()


@pytest.mark.parametrize(
    "read", [lambda text: rules.stance(text, OPTIONS, {}), rules.alternative],
    ids=["stance", "alternative"],
)  # fmt: skip
def test_a_gap_of_any_usual_width_parts_clauses_all_the_same(
    read: Callable[[str], object],
) -> None:
    clauses = ("we wait", "it must not cost 5k", "build the notification system")
    for gap in (" ", "  ", " " * 60, "\n" + " " * 60, "\t\t"):
        text = f"{clauses[0]},{gap}but{gap}{clauses[1]}{gap}and{gap}we {clauses[2]}"
        assert read(text) == read(text.replace(gap, " "))
