"""When a failed request goes out again: the server's `Retry-After` first, within fixed limits."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from ...core.errors import FailureKind
from .transport import TransportError


@dataclass(frozen=True)
class RetryRule:
    """At most `retries`, and `max_wait_s` of waiting in all (`spec/models.md`, Failures).

    Where the server names no time, waits double from `first_wait_s`: chosen by judgement, long
    enough for a server that is loading a model.
    """

    retries: int = 3
    max_wait_s: float = 30.0
    first_wait_s: float = 1.0


@dataclass
class Retries:
    """What one call has used up of the rule."""

    rule: RetryRule
    ends_at: float | None = None
    """When the call is broken off, by the monotonic clock: no wait goes on until then, so that what
    failed is told and not that time was up."""
    used: int = 0
    waited_s: float = 0.0
    notes: list[str] = field(default_factory=list)
    _once: set[FailureKind] = field(default_factory=set)

    def wait_s(self, error: TransportError) -> float | None:
        """Seconds until the request may go out again; None where it may not."""
        if not error.retry or self.used >= self.rule.retries:
            return None
        if error.once and error.kind in self._once:
            return None
        wait = error.retry_after_s
        if wait is None:
            wait = 0.0 if error.once else self.rule.first_wait_s * 2**self.used
        if self.waited_s + wait > self.rule.max_wait_s:
            return None
        if self.ends_at is not None and time.monotonic() + wait >= self.ends_at:
            return None
        if error.once:
            self._once.add(error.kind)
        self.used += 1
        self.waited_s += wait
        self.notes.append(f"retried: {error.message}")
        return wait
