"""Seats put together with what speaks for them: engines file, provider layer, limits."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ..content.engines import FILE_NAME, from_project, load_engines
from ..core.engine_entries import CliEntry, EngineEntry, OfflineEntry
from ..core.engines import Engine, EngineFailureError
from ..core.errors import UsageError
from ..core.plain import one_line
from ..core.seating import API, OFFLINE, Receipt, Seat
from ..core.spending_plan import Limits, Plan, PlannedSeat
from ..seats.budget import RunBudget
from ..seats.offline import OfflineEngine
from .settings import Settings
from .trust import is_trusted, trust
from .typed import as_typed

if TYPE_CHECKING:
    from ..seats.workspace import Workspace

_MAX_COUNT = 1_000_000


class SeatEngines:
    """The engines of one run. One object speaks for all seats of one engine and model."""

    def __init__(
        self,
        root: Path,
        environ: Mapping[str, str],
        limits: Limits,
        *,
        ask: Callable[[str], bool] | None = None,
        hidden: Sequence[Path] = (),
        sealed: Sequence[Path] = (),
        family: str = "run",
    ) -> None:
        """`ask` is put the question whether a command of the project may be started, None where
        nobody is there. `hidden`, `sealed` and `family` are as in `CliEngine`.
        """
        self._root, self._environ, self._limits = root, environ, limits
        self._ask, self.family = ask, family
        self._hidden, self._sealed = tuple(hidden), tuple(sealed)
        self._made: dict[tuple[str, str | None], Engine] = {}

    @cached_property
    def _workspace(self) -> Workspace:
        from ..seats.workspace import Workspace

        return Workspace()

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
            self._check_kind(words)
            return API, _checked(words)
        if isinstance(entry, OfflineEntry):
            if colon:
                raise UsageError(f"engine '{first}' takes no model", f"Name just {first}")
            return first, None
        if isinstance(entry, CliEntry):
            return first, self._command_model(first, entry, rest)
        model = _of_a_kind(rest, entry.model) if rest else entry.model
        if model is None:
            raise UsageError(
                f"engine '{first}' needs a model", f"Name one, as in {first}:ollama:qwen3"
            )
        return first, _checked(model)

    def _check_kind(self, words: str) -> None:
        """Raises `UsageError` for what is neither an engine nor a model of any kind."""
        from ..models.language.spec import KINDS

        if words and "," not in words and words.partition(":")[0] not in KINDS:
            shown, there = one_line(words)[:80], ", ".join(n for n in self.entries if n != API)
            raise UsageError(
                f"there is no engine and no kind of model '{shown}'",
                f"The engines are {there}; a model is named as KIND:MODEL, such as ollama:qwen3",
            )

    def _command_model(self, name: str, entry: CliEntry, model: str) -> str | None:
        if name in self._foreign:
            trust(name, entry, self._root, self._ask)
        if model and not entry.model_argv:
            raise UsageError(f"engine '{name}' takes no model", f"Name just {name}")
        if entry.model_needed and not (model or entry.model):
            raise UsageError(
                f"engine '{name}' needs a model: without one it chooses where the text goes",
                f"Name one, as in {name}:PROVIDER/MODEL",
            )
        return model or entry.model

    @cached_property
    def _foreign(self) -> frozenset[str]:
        return from_project(self._root)

    def vendor_of(self, seat: Seat) -> str:
        """Who makes what speaks for the seat: two seats of one vendor are no two voices."""
        entry = self.entries.get(seat.engine)
        if isinstance(entry, OfflineEntry):
            return OFFLINE
        if isinstance(entry, CliEntry) and entry.vendor:
            return entry.vendor
        model = seat.model or ""
        kind, _, name = model.partition(":")
        if isinstance(entry, CliEntry):
            return model.partition("/")[0] or seat.engine
        return {"openai-chat": f"openai-chat {name}", "ollama": f"ollama {name}"}.get(kind, kind)

    def reads_evidence(self, seat: Seat) -> bool:
        entry = self.entries.get(seat.engine)
        return isinstance(entry, CliEntry) and bool(entry.evidence_argv)

    def engine_for(self, seat: Seat) -> Engine:
        """Raises `EngineFailureError` where a seat's engine is no longer there."""
        key = (seat.engine, seat.model)
        if key not in self._made:
            self._made[key] = self._make(seat)
        return self._made[key]

    def sends_to(self, seat: Seat) -> str:
        """The host that a seat's prompts go to; "" where nothing is sent, or nobody is there."""
        try:
            return self.engine_for(seat).sends_to
        except EngineFailureError:
            return ""

    def plan(
        self,
        seats: Sequence[Seat],
        rounds: Sequence[str],
        prompt_tokens: int,
        spent: Iterable[Receipt] = (),
        besides: int = 0,
    ) -> Plan:
        """What is to be said yes to; `prompt_tokens` is about the size of the longest prompt, and
        `besides` how often whoever moderates is asked.
        """
        budget = RunBudget(self._limits, spent)
        return Plan(
            seats=tuple(self._planned(seat, prompt_tokens) for seat in seats),
            rounds=tuple(rounds),
            limits=self._limits,
            spent_invocations=budget.invocations,
            spent_usd=budget.usd,
            besides=besides,
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
            runs=self._runs(seat, engine),
            usd=engine.price_of(tokens),
        )

    def _runs(self, seat: Seat, engine: Engine) -> str:
        if not isinstance(self.entries.get(seat.engine), CliEntry):
            return ""
        from ..seats.cli_engine import CliEngine

        assert isinstance(engine, CliEngine)
        return f"{engine.runs} (made by {self.vendor_of(seat)})"

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
        if isinstance(entry, CliEntry):
            return self._command(seat, entry)
        from ..models.language.seat_engine import ApiEngine
        from ..models.language.spec import parse_spec

        try:
            spec = parse_spec(seat.model or entry.model or "")
            return ApiEngine(spec, environ=self._environ, timeout_s=self._limits.seat_s)
        except (UsageError, ValueError) as error:
            raise EngineFailureError(str(error), reason="missing") from error

    def _command(self, seat: Seat, entry: CliEntry) -> Engine:
        from ..runtime.processes import SeatPrograms
        from ..seats.cli_engine import CliEngine

        if seat.engine in self._foreign and not is_trusted(seat.engine, entry, self._root):
            raise EngineFailureError(
                f"engine '{seat.engine}' of this project is not trusted on this machine, or has "
                "changed",
                "Name it anew at a terminal",
                reason="missing",
            )
        return CliEngine(
            seat.engine,
            entry,
            seat.model,
            programs=SeatPrograms(),
            environ=self._environ,
            hidden=self._hidden,
            sealed=self._sealed,
            family=self.family,
            workspace=self._workspace,
        )


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


def named_seats(flag: str, given: Sequence[str]) -> dict[str, str]:
    """What was typed as NAME=WORDS, by name. Raises `UsageError`."""
    found: dict[str, str] = {}
    for one in map(as_typed, given):
        name, _, words = one.partition("=")
        name, words = one_line(name), words.strip()
        if not name or not words:
            raise UsageError(f"{flag} {one_line(one)[:80]}: no NAME=...", "Give both")
        if name in found:
            raise UsageError(f"{flag}: '{name}' is named twice", "Name it once")
        found[name] = words
    return found


def _of_a_kind(name: str, like: str | None) -> str:
    """The spec that `name` is; of the kind of `like` where it says none of its own."""
    from ..models.language.spec import KINDS

    kind = (like or "").partition(":")[0]
    return name if not kind or name.partition(":")[0] in KINDS else f"{kind}:{name}"


def _checked(model: str) -> str:
    """The spec of one model. Raises `UsageError`."""
    from ..models.language.spec import parse_spec

    if "," in model:
        raise UsageError(
            f"Model '{one_line(model)[:80]}': a seat is one model, and a chain is several",
            "Name one; a seat whose model fails is shown as absent",
        )
    possible = f"Name {OFFLINE}, a command, or a model as KIND:MODEL"
    try:
        spec = parse_spec(model)
    except UsageError as error:  # whose hint offers a chain
        raise UsageError(error.message, possible) from error
    if not spec.facts.remote:
        raise UsageError(f"model '{spec}' cannot take a seat", possible)
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
