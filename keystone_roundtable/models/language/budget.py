"""What a session may spend on a model: `--max-calls` and `--budget-usd`, checked before a call."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from ...core.errors import ModelFailureError
from ...core.records import ModelCall


class Budget:
    """Counts calls and dollars; safe to share between threads and models.

    A call is one step, its retries included, as in the session's record. What runs holds back its
    estimate until its price is known, so that calls side by side do not overspend together.
    """

    def __init__(
        self,
        max_calls: int | None = None,
        max_usd: float | None = None,
        *,
        spent: Iterable[ModelCall] = (),
        allow_unknown_price: bool = False,
    ) -> None:
        self.max_calls, self.max_usd = max_calls, max_usd
        self.allow_unknown_price = allow_unknown_price
        earlier = tuple(spent)
        self._lock = threading.Lock()
        self._calls = len(earlier)
        self._usd = sum(call.cost_usd or 0.0 for call in earlier)
        self._held = 0.0

    @property
    def calls(self) -> int:
        """Calls begun, earlier ones of the session included."""
        with self._lock:
            return self._calls

    @property
    def usd(self) -> float:
        """Dollars known to be spent."""
        with self._lock:
            return self._usd

    def begin(self, estimate_usd: float | None) -> Spending:
        """Room for one call of about this price; None stands for an unknown price.

        Raises `ModelFailureError` of kind `budget` that says which limit is reached.
        """
        with self._lock:
            if self.max_calls is not None and self._calls >= self.max_calls:
                raise _refused(
                    f"The limit of {self.max_calls} model calls is reached",
                    "Raise --max-calls, or go on offline",
                )
            self._check_price(estimate_usd)
            self._calls += 1
            self._held += estimate_usd or 0.0
        return Spending(self, estimate_usd)

    def _check_price(self, estimate_usd: float | None, besides: float = 0.0) -> None:
        if self.max_usd is None:
            return
        if estimate_usd is None:
            if self.allow_unknown_price:
                return
            raise _refused(
                "The model's price is unknown, so the budget in USD cannot be kept",
                "Allow it with --allow-unknown-price, or leave --budget-usd out",
            )
        if self._usd + self._held + besides + estimate_usd > self.max_usd:
            raise _refused(
                f"The budget of {self.max_usd:g} USD does not cover another request: "
                f"{self._usd:.4f} are spent, about {estimate_usd:.4f} more are needed",
                "Raise --budget-usd, or go on offline",
            )


class Spending:
    """One call in progress. `settle` ends it, once."""

    def __init__(self, budget: Budget, estimate_usd: float | None) -> None:
        self._budget, self._estimate = budget, estimate_usd

    def again(self, cost_so_far_usd: float) -> None:
        """Asks for one more request of the same call. Raises as `Budget.begin` does."""
        with self._budget._lock:
            # What the first request held back is in `cost_so_far_usd` by now.
            self._budget._check_price(self._estimate, cost_so_far_usd - (self._estimate or 0.0))

    def settle(self, cost_usd: float | None) -> None:
        """Books what the call cost; where that stayed unknown, what it was held to cost."""
        with self._budget._lock:
            self._budget._held -= self._estimate or 0.0
            self._budget._usd += (self._estimate or 0.0) if cost_usd is None else cost_usd


def _refused(message: str, hint: str) -> ModelFailureError:
    return ModelFailureError(message, hint, kind="budget")
