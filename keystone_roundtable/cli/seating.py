"""Seats put together with what speaks for them: engines file, provider layer, limits."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from ..content.engines import FILE_NAME, load_engines
from ..core.engine_entries import EngineEntry, OfflineEntry
from ..core.engines import Engine, EngineFailureError
from ..core.errors import UsageError
from ..core.plain import one_line
from ..core.seating import API, OFFLINE, Receipt, Seat
from ..core.spending_plan import Limits, Plan, PlannedSeat
from ..seats.budget import RunBudget
from ..seats.offline import OfflineEngine
from .settings import Settings

_MAX_COUNT = 1_000_000


class SeatEngines:
    """The engines of one run. One object speaks for all seats of one engine and model."""

    def __init__(self, root: Path, environ: Mapping[str, str], limits: Limits) -> None:
        self._root, self._environ, self._limits = root, environ, limits
        self._made: dict[tuple[str, str | None], Engine] = {}

    @cached_property
    def entries(self) -> Mapping[str, EngineEntry]:
        """What the engines files say. Raises `ContentError`."""
        return load_engines(self._root)

    def named(self, words: str) -> tuple[str, str | None]:
        """The engine and the model that `words` mean: a name in the engines file, the same with
        `:MODEL` behind it, or a model spec.

        Raises `UsageError` for what no seat can have.
        """
        words = words.strip()
        first, colon, rest = words.partition(":")
        entry = self.entries.get(first)
        if entry is None:
            return API, _checked(words)
        if isinstance(entry, OfflineEntry):
            if colon:
                raise UsageError(f"engine '{first}' takes no model", f"Name just {first}")
            return first, None
        model = rest or entry.model
        if model is None:
            raise UsageError(
                f"engine '{first}' needs a model", f"Name one, as in {first}:ollama:qwen3"
            )
        return first, _checked(model)

    def engine_for(self, seat: Seat) -> Engine:
        """Raises `EngineFailureError` where a seat's engine is no longer there."""
        key = (seat.engine, seat.model)
        if key not in self._made:
            self._made[key] = self._make(seat)
        return self._made[key]

    def plan(
        self,
        seats: Sequence[Seat],
        rounds: Sequence[str],
        prompt_tokens: int,
        spent: Iterable[Receipt] = (),
    ) -> Plan:
        """What is to be said yes to; `prompt_tokens` is about the size of the longest prompt."""
        budget = RunBudget(self._limits, spent)
        return Plan(
            seats=tuple(self._planned(seat, prompt_tokens) for seat in seats),
            rounds=tuple(rounds),
            limits=self._limits,
            spent_invocations=budget.invocations,
            spent_usd=budget.usd,
        )

    def _planned(self, seat: Seat, tokens: int) -> PlannedSeat:
        try:
            engine = self.engine_for(seat)
        except EngineFailureError:
            return PlannedSeat(name=seat.name, engine=seat.engine, model=seat.model)
        return PlannedSeat(
            name=seat.name,
            engine=seat.engine,
            model=seat.model,
            sends_to=engine.sends_to,
            usd=engine.price_of(tokens),
        )

    def _make(self, seat: Seat) -> Engine:
        entry = self.entries.get(seat.engine)
        if entry is None:
            raise EngineFailureError(
                f"there is no engine '{one_line(seat.engine)}'",
                f"Name it in .keystone/roundtable/{FILE_NAME}",
                reason="missing",
            )
        if isinstance(entry, OfflineEntry):
            return OfflineEngine()
        from ..models.language.seat_engine import ApiEngine
        from ..models.language.spec import parse_spec

        try:
            spec = parse_spec(seat.model or entry.model or "")
            return ApiEngine(spec, environ=self._environ, timeout_s=self._limits.seat_s)
        except (UsageError, ValueError) as error:
            raise EngineFailureError(str(error), reason="missing") from error


def limits_of(options: Namespace, settings: Settings) -> Limits:
    """The limits of a run with seats. Raises `UsageError` for a bad flag."""
    seat_s = {"seat_s": settings.timeout_s.value} if settings.timeout_s.chosen else {}
    return Limits(
        **seat_s,
        run_s=_number("--max-seconds", getattr(options, "max_seconds", None)),
        max_invocations=_count("--max-invocations", getattr(options, "max_invocations", None)),
        max_usd=settings.budget_usd.value,
        allow_unknown_price=settings.allow_unknown_price.value,
    )


def _checked(model: str) -> str:
    """The spec of one model. Raises `UsageError`."""
    from ..models.language.spec import parse_spec

    if "," in model:
        raise UsageError(
            f"Model '{one_line(model)[:80]}': a seat is one model, and a chain is several",
            "Name one; a seat whose model fails is shown as absent",
        )
    spec = parse_spec(model)
    if not spec.facts.remote:
        raise UsageError(
            f"model '{spec}' cannot take a seat", f"Name {OFFLINE}, or a model as KIND:NAME"
        )
    return str(spec)


def _count(flag: str, given: str | None) -> int | None:
    if given is None:
        return None
    if not (given.isascii() and given.isdigit() and 1 <= int(given[:10]) <= _MAX_COUNT):
        raise UsageError(f"{flag}: '{one_line(given)[:40]}' is not possible", "Give a whole number")
    return int(given)


def _number(flag: str, given: str | None) -> float | None:
    if given is None:
        return None
    try:
        value = float(given)
    except ValueError:
        value = 0.0
    if not 0 < value <= _MAX_COUNT:
        raise UsageError(f"{flag}: '{one_line(given)[:40]}' is not possible", "Give seconds")
    return value
