"""What a run with seats may take at most, and what it is expected to: shown before it begins."""

from __future__ import annotations

from pydantic import Field

from .records import Record

ATTEMPTS = 2  # a reply that cannot be used is asked for once more, then the seat is empty


class Limits(Record):
    """None stands for no limit."""

    seat_s: float = Field(default=120.0, gt=0)
    """For one invocation of one seat. 120 is chosen by judgement: a slow model's long reply."""
    run_s: float | None = Field(default=None, gt=0)
    """For all rounds of one run together; what a person thinks between them does not count."""
    max_invocations: int | None = Field(default=None, ge=0)
    max_usd: float | None = Field(default=None, ge=0)
    allow_unknown_price: bool = False
    """Whether an invocation without a known price may go out under `max_usd`."""


class PlannedSeat(Record):
    name: str
    engine: str
    model: str | None = None
    sends_to: str = ""
    """The host that its prompts go to; "" where nothing is sent."""
    runs: str = ""
    """The program that is started for it, and who made what speaks; "" where there is none."""
    usd: float | None = None
    """About what one invocation costs, rather more; None where that is not known."""


class Plan(Record):
    """Everything that has to be known to say yes."""

    seats: tuple[PlannedSeat, ...]
    rounds: tuple[str, ...]
    limits: Limits = Limits()
    spent_invocations: int = 0
    """By an earlier part of the same run."""
    spent_usd: float = 0.0
    besides: int = 0
    """How often whoever moderates is asked; in no seat, and in no round."""

    @property
    def course(self) -> int:
        """The invocations of a whole course in which nobody is asked twice."""
        return len(self.seats) * len(self.rounds) + self.besides

    @property
    def is_cut_short(self) -> bool:
        """Whether the limit leaves less than a whole course takes."""
        return self.most_invocations < self.course

    @property
    def most_invocations(self) -> int:
        """Each seat in each round, asked twice, or what the limit leaves."""
        most = self.course * ATTEMPTS
        if self.limits.max_invocations is None:
            return most
        return min(most, max(0, self.limits.max_invocations - self.spent_invocations))

    @property
    def usual_invocations(self) -> int:
        return min(self.course, self.most_invocations)

    @property
    def unknown_prices(self) -> tuple[str, ...]:
        """Engines or models without a known price."""
        return tuple(dict.fromkeys(s.model or s.engine for s in self.seats if s.usd is None))

    @property
    def most_usd(self) -> float | None:
        """None where a price is not known, which is not 0."""
        if self.unknown_prices:
            return None
        most = sum(seat.usd or 0.0 for seat in self.seats) * len(self.rounds) * ATTEMPTS
        if self.limits.max_usd is None:
            return most
        return min(most, max(0.0, self.limits.max_usd - self.spent_usd))

    @property
    def sends_to(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(seat.sends_to for seat in self.seats if seat.sends_to))

    @property
    def models(self) -> tuple[str, ...]:
        """What speaks for the seats, each once: one alone is a mirror, not a panel."""
        return tuple(dict.fromkeys(seat.model or seat.engine for seat in self.seats))
