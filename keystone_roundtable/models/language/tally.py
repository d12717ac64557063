"""What one call came to: requests, tokens, price and time, summed over its retries."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from ...core.records import CallResult, ModelCall, Step
from .transport import Usage


def _sum(counts: list[int | None]) -> int | None:
    """None as soon as one is unknown: a part is no total."""
    known = [count for count in counts if count is not None]
    return sum(known) if counts and len(known) == len(counts) else None


@dataclass
class Counts:
    """Filled while a call runs, by one thread; read when it is over."""

    requests: int = 0
    lost: bool = False
    """True when a request was sent and its reply never came: it may have been billed."""
    used: list[Usage] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    @property
    def known_usd(self) -> float:
        return sum(usage.cost_usd or 0.0 for usage in self.used)

    @property
    def spent_usd(self) -> float | None:
        """What to book; None where unknown. An answer that was an error is not billed."""
        if self.lost or any(usage.cost_usd is None for usage in self.used):
            return None
        return self.known_usd

    @property
    def total(self) -> Usage:
        """Of all requests together; None where one is unknown, and where none brought a reply."""
        return Usage(
            input_tokens=_sum([usage.input_tokens for usage in self.used]),
            cached_tokens=_sum([usage.cached_tokens for usage in self.used]),
            output_tokens=_sum([usage.output_tokens for usage in self.used]),
            cost_usd=self.spent_usd if self.used else None,
        )


@dataclass(kw_only=True)
class Tally(Counts):
    """The counts of one step of a session."""

    step: Step
    asking: str
    model: str

    def call(self, result: CallResult, reason: str = "") -> ModelCall:
        total = self.total
        return ModelCall(
            step=self.step,
            asking=self.asking,
            model=self.model,
            result=result,
            reason=reason,
            requests=self.requests,
            input_tokens=total.input_tokens,
            cached_tokens=total.cached_tokens,
            output_tokens=total.output_tokens,
            cost_usd=total.cost_usd,
            seconds=round(time.monotonic() - self.began, 3),
        )
