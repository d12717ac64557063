"""A condition under which something would be done is no refusal of it."""

from __future__ import annotations

import pytest

from keystone_roundtable.reading.conditions import is_conditional


@pytest.mark.parametrize(
    "text",
    [
        "Tickets on watching: if more than 20 a month come from Windows users we ship natively",
        "If twenty people ask for it, we build it",
        "once the refactor is done I would take the port",
        "only if the pilot signs, then the rewrite",
        "Wenn zwanzig danach fragen, bauen wir es",
    ],
)
def test_a_condition_first_and_then_what_would_be_done(text: str) -> None:
    assert is_conditional(text)


@pytest.mark.parametrize(
    "text",
    [
        "the native port, too much work",
        "If nobody asks for it, we do not build it",
        "native, if at all",
        "the port: it only pays off if twenty people ask",
        "if we had more people we would do it, but not now",
        "Wenn niemand fragt, bauen wir es nicht",
        "",
    ],
)
def test_a_refusal_with_its_reason_stays_one(text: str) -> None:
    assert not is_conditional(text)
