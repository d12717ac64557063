"""The gate before the first invocation: the plan is shown, and somebody has to say yes."""

from __future__ import annotations

import sys
from collections.abc import Callable

from ..core.errors import KeystoneError, UsageError
from ..core.spending_plan import Limits, Plan
from ..terminal import seat_lines as words

_YES = ("y", "yes")

AskYes = Callable[[str], bool]
"""Puts a question to a person; True for a yes, False for anything else, silence included."""


def consent(plan: Plan, *, yes: bool, ask: AskYes | None, show: Callable[[str], None]) -> Limits:
    """The limits to go by, once there is a yes; nothing is invoked before.

    `yes` is `--yes`; `ask` is None where nobody is there. An unknown price under a budget needs a
    yes of its own, which `--yes` is not. Raises `UsageError` where nobody can say yes, and
    `DeclinedError` where somebody does not.
    """
    limits = plan.limits
    if limits.max_invocations is not None and not plan.most_invocations:
        raise UsageError(
            f"--max-invocations {limits.max_invocations} is used up: {plan.spent_invocations} were "
            "made before",
            "Raise it, or leave it out",
        )
    for line in words.plan_lines(plan):
        show(line)
    if limits.max_usd is not None and plan.unknown_prices and not limits.allow_unknown_price:
        if yes or ask is None:
            raise UsageError(
                f"the price of {', '.join(plan.unknown_prices)} is unknown, so --budget-usd cannot "
                "be kept",
                "Allow it with --allow-unknown-price, or leave --budget-usd out",
            )
        if not ask(words.GO_ON_UNKNOWN):
            raise DeclinedError
        limits = limits.model_copy(update={"allow_unknown_price": True})
    elif not yes:
        if ask is None:
            raise UsageError(
                "nothing was asked: nobody is there to say yes to this plan", "Say it with --yes"
            )
        if not ask(words.GO_ON):
            raise DeclinedError
    return limits


class DeclinedError(KeystoneError):
    """The person said no, or nothing, to the plan."""

    def __init__(self) -> None:
        super().__init__(words.NOTHING_ASKED)


def ask_on_terminal() -> AskYes | None:
    """Asks on standard error and reads a line; None where standard input is no terminal."""
    if not sys.stdin.isatty():
        return None

    def ask(question: str) -> bool:
        print(question, end="", file=sys.stderr, flush=True)
        return sys.stdin.readline().strip().casefold() in _YES

    return ask
