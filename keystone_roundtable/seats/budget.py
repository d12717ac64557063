"""What a run may still spend: invocations, US dollars, and time in its rounds."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime

from ..core.engines import EngineFailureError, EngineUse
from ..core.seating import Receipt
from ..core.spending_plan import Limits

NOTHING_SENT = EngineUse(requests=0, cost_usd=0.0)


class RunBudget:
    """Counts for one run, over all of its engines; used by one thread.

    What runs holds back its estimate until its price is known, so that seats side by side do not
    overspend together.
    """

    def __init__(self, limits: Limits, spent: Iterable[Receipt] = ()) -> None:
        """`spent` are the receipts of an earlier part of the same run."""
        self.limits = limits
        earlier = [receipt for receipt in spent if receipt.requests != 0]
        self.invocations = len(earlier)
        self.usd = sum(receipt.cost_usd or 0.0 for receipt in earlier)
        """Dollars that are known or have to be taken as spent."""
        self._held = 0.0
        self._elapsed_s = side_by_side_s(earlier)
        self._since: float | None = None

    @contextmanager
    def ticking(self) -> Iterator[None]:
        """The time inside counts against the run's limit."""
        self._since = time.monotonic()
        try:
            yield
        finally:
            self._elapsed_s += time.monotonic() - self._since
            self._since = None

    @property
    def seconds_left(self) -> float | None:
        """None where there is no limit."""
        if self.limits.run_s is None:
            return None
        running = 0.0 if self._since is None else time.monotonic() - self._since
        return max(0.0, self.limits.run_s - self._elapsed_s - running)

    def begin(self, estimate_usd: float | None) -> None:
        """Makes room for one invocation of about this price; None stands for an unknown one.

        `settle` has to follow. Raises `EngineFailureError` that says which limit is reached.
        """
        limits = self.limits
        if self.seconds_left == 0.0:
            raise out_of_time(limits)
        if limits.max_invocations is not None and self.invocations >= limits.max_invocations:
            raise _over(
                f"the limit of {limits.max_invocations} invocations is reached",
                "Raise --max-invocations",
            )
        self._check_price(estimate_usd)
        self.invocations += 1
        self._held += estimate_usd or 0.0

    def settle(self, estimate_usd: float | None, use: EngineUse) -> None:
        """Books what it came to; where that is unknown, what it was held to cost."""
        self._held -= estimate_usd or 0.0
        if use.requests == 0:
            self.invocations -= 1
            return
        self.usd += (estimate_usd or 0.0) if use.cost_usd is None else use.cost_usd

    def _check_price(self, estimate_usd: float | None) -> None:
        most = self.limits.max_usd
        if most is None:
            return
        if estimate_usd is None:
            if self.limits.allow_unknown_price:
                return
            raise _over(
                "its price is unknown, so the budget in USD cannot be kept",
                "Allow it with --allow-unknown-price, or leave --budget-usd out",
            )
        if self.usd + self._held + estimate_usd > most:
            raise _over(
                f"the budget of {most:g} USD does not cover it: {self.usd + self._held:.4f} are "
                f"spent or held back, about {estimate_usd:.4f} more are needed",
                "Raise --budget-usd",
            )


def side_by_side_s(receipts: Iterable[Receipt]) -> float:
    """The seconds in which at least one of these invocations ran."""
    spans = sorted(
        (datetime.fromisoformat(receipt.start).timestamp(), receipt.seconds)
        for receipt in receipts
        if receipt.start
    )
    total, until = 0.0, -math.inf
    for start, seconds in spans:
        total += max(0.0, start + seconds - max(start, until))
        until = max(until, start + seconds)
    return total


def out_of_time(limits: Limits) -> EngineFailureError:
    return _over(f"the run's {limits.run_s:g} s are used up", "Raise --max-seconds")


def _over(message: str, hint: str) -> EngineFailureError:
    return EngineFailureError(message, hint, reason="over_budget", use=NOTHING_SENT)
