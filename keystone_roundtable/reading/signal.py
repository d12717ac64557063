"""Whether an answer moves the session: content, none, a question back, stop, or another day.

The rules stand in `RULES` in order of precedence; the first that speaks decides. They look at
phrases and at what phrases leave unexplained, so that a trigger word inside a real sentence ("we
must continue to support v1") stays content.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from .answer import Answer, SignalReading
from .clarifying import asks_back
from .emptiness import (
    is_mash,
    is_sarcasm,
    is_wordless,
    mostly_waffle,
    only_echoes,
    only_empty_phrases,
    only_paste_or_order,
)
from .leaving import defers, stops
from .substance import (
    affirms,
    holds_content,
    is_bare_mark,
    is_degree,
    names_none_or_both,
    picks_option,
    sets_condition,
)

Rule: TypeAlias = Callable[[Answer], SignalReading | None]

RULES: Final[tuple[Rule, ...]] = (
    is_wordless,
    stops,
    defers,
    only_paste_or_order,
    asks_back,
    is_bare_mark,
    is_degree,
    affirms,
    sets_condition,
    names_none_or_both,
    picks_option,
    is_sarcasm,
    only_empty_phrases,
    is_mash,
    only_echoes,
    mostly_waffle,
    holds_content,
)
"""Every rule, the one that wins first; the last one always speaks."""


def read_signal(answer: Answer) -> SignalReading:
    """What a prepared answer does, by the first rule that speaks.

    A reading that no rule is sure of is `informative` and not `firm`.
    """
    for rule in RULES:
        reading = rule(answer)
        if reading is not None:
            return reading
    raise AssertionError("the last rule always speaks")
