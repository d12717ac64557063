"""What the inspector says after a round."""

from __future__ import annotations

from typing import Any

import pytest

from keystone_roundtable.formats.errors import TableStateError, TooFewSoulsError
from keystone_roundtable.formats.inspecting import inspect

from .states import read, rounds, soul

Held = tuple[Any, ...]


def after(*souls: tuple[Held, ...]) -> str:
    """The outcome for souls that held these answers, from round 1 on."""
    agents = [soul(f"s{n}", rounds=rounds(*held)) for n, held in enumerate(souls)]
    return inspect(read(*agents)).outcome


def test_all_on_one_position_at_eight_stop_early() -> None:
    assert after(*[(("keep", 6), ("split", 8))] * 3) == "EARLY-STOP"
    assert after(*[(("keep", 6), ("split", 8))] * 2, (("keep", 6), ("split", 7))) == "CONTINUE"


def test_nobody_moved_in_round_two_whatever_the_confidence_did() -> None:
    still = (("keep", 6), ("keep", 7, "No change."))
    other = (("split", 6), ("split", 6))
    assert after(still, other, other) == "SKIP-ROUND-3"


@pytest.mark.parametrize("update", ["ops convinced me of the cost", "a change"])
def test_who_says_that_something_changed_has_moved(update: str) -> None:
    moved = (("keep", 6), ("keep", 6, update))
    other = (("split", 6), ("split", 6))
    assert after(moved, other, other) == "CONTINUE"


def test_round_three_is_skipped_only_after_round_two() -> None:
    still = (("keep", 6), ("keep", 6), ("keep", 6))
    other = (("split", 6), ("split", 6), ("split", 6))
    assert after(still, other, other) == "CONTINUE"


def test_one_at_ten_and_all_others_low_is_an_expert() -> None:
    expert = (("keep", 10), ("split", 10, "the logs show it"))
    lay = (("keep", 2), ("keep", 3))
    assert after(expert, lay, lay) == "EXPERT-DEFERENCE"
    assert after(expert, lay, (("keep", 2), ("keep", 4))) == "CONTINUE"
    assert after(expert, expert, lay) == "CONTINUE"


def test_agreement_goes_before_standing_still_and_that_before_an_expert() -> None:
    assert after(*[(("keep", 9), ("keep", 9))] * 3) == "EARLY-STOP"
    lay = (("keep", 2), ("keep", 2))
    assert after((("split", 10), ("split", 10)), lay, lay) == "SKIP-ROUND-3"


def test_an_emptied_seat_is_not_looked_at() -> None:
    agreed = [soul(name, rounds=rounds(("keep", 8), ("split", 8))) for name in "abc"]
    emptied = soul("d", rounds=rounds(("keep", 9)), empty="hung twice")
    assert inspect(read(*agreed, emptied)).outcome == "EARLY-STOP"


def test_a_soul_without_an_answer_in_the_latest_round_is_an_error() -> None:
    full = soul("a", rounds=rounds(("keep", 8), ("keep", 8)))
    short = soul("late", rounds=rounds(("keep", 8)))
    with pytest.raises(TableStateError, match=r"agents\[2\].*'late' has no answer in round 2"):
        inspect(read(full, full | {"name": "b"}, short))
    with pytest.raises(TableStateError, match="no answer yet"):
        inspect(read(soul("a"), soul("b"), soul("c")))


@pytest.mark.parametrize("confidence", [0, 11, "8", None, 7.5, True])
def test_a_confidence_that_is_no_number_from_one_to_ten_is_an_error(confidence: object) -> None:
    sound = [soul(name, rounds=rounds(("keep", 8), ("keep", 5))) for name in "ab"]
    entries = rounds(("keep", 8), ("keep", 8))
    entries[1]["confidence"] = confidence
    with pytest.raises(TableStateError, match=r"agents\[2\].rounds, round 2, confidence"):
        inspect(read(*sound, soul("c", rounds=entries)))


def test_two_souls_are_not_inspected() -> None:
    with pytest.raises(TooFewSoulsError):
        after(*[(("keep", 8), ("keep", 8))] * 2)
