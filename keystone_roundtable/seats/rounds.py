"""A round: every seat asked at once, at the price in time of the slowest.

Chosen: one event loop, not a thread a seat. A thread that waits for a reply cannot be told to stop;
a task can, at its time limit or at Ctrl-C, and lets go of its connection then. `asyncio.Runner`
turns Ctrl-C into that cancellation and never raises it in the middle of a callback, so that what is
being put on disk is put there whole.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any

from ..core.engines import Engine, EngineFailureError
from ..core.ports import Clock
from ..core.seating import Receipt, Seat, Turn
from ..core.spending_plan import Limits
from .asking import SeatAsk, Unwatched, Watcher
from .budget import RunBudget
from .errors import RoundCancelledError
from .sitting import Sitting

EngineFor = Callable[[Seat], Engine]
"""Gives a seat's engine, the same object for seats that share one. Raises `EngineFailureError`."""


class Rounds:
    """Holds the rounds of one run, one after the other; engines stay connected in between.

    Use as a context manager, from one thread, in which no event loop runs.
    """

    def __init__(
        self,
        engine_for: EngineFor,
        clock: Clock,
        limits: Limits | None = None,
        *,
        spent: Iterable[Receipt] = (),
    ) -> None:
        """`spent` are the receipts of an earlier part of the same run, which count as well."""
        self._engine_for = engine_for
        self._clock = clock
        self.budget = RunBudget(limits or Limits(), spent)
        self._runner = asyncio.Runner()
        self._engines: dict[int, Engine] = {}
        self._running: asyncio.Task[Any] | None = None
        self._signalled = False

    def hold(
        self, name: str, asks: Sequence[SeatAsk[Any]], watcher: Watcher | None = None
    ) -> tuple[Turn, ...]:
        """One turn a seat, in the order of `asks`: a reply, or an absence with its reason.

        Ctrl-C breaks the round off, and so do a polite kill and a closed terminal: what runs is
        cancelled, with a receipt each, turns that landed before have been told to `watcher`, and
        `KeyboardInterrupt` goes on. Raises `RoundCancelledError` after `cancel`.
        """
        self._signalled = False
        try:
            return self._runner.run(self._held(name, asks, watcher or Unwatched()))
        except asyncio.CancelledError:
            if self._signalled:
                raise KeyboardInterrupt from None
            raise RoundCancelledError(name) from None

    def cancel(self) -> None:
        """Breaks off the round that runs, if one does; may be called from any thread."""
        running = self._running
        if running is not None:
            running.get_loop().call_soon_threadsafe(running.cancel)

    def close(self) -> None:
        """Lets the engines' connections go."""
        engines, self._engines = list(self._engines.values()), {}
        if engines:
            self._runner.run(_closed(engines))
        self._runner.close()

    def __enter__(self) -> Rounds:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    async def _held(
        self, name: str, asks: Sequence[SeatAsk[Any]], watcher: Watcher
    ) -> tuple[Turn, ...]:
        self._running = asyncio.current_task()
        try:
            engines = [self._engine(ask.seat) for ask in asks]
            with _heeded(self._signal):
                await self._prepared(engines)
                with self.budget.ticking():
                    return await _all_or_none(
                        Sitting(name, ask, engine, self.budget, self._clock, watcher).turn()
                        for ask, engine in zip(asks, engines, strict=True)
                    )
        finally:
            self._running = None

    def _signal(self) -> None:
        self._signalled = True
        if self._running is not None:
            self._running.cancel()

    def _engine(self, seat: Seat) -> Engine | EngineFailureError:
        try:
            engine = self._engine_for(seat)
        except EngineFailureError as failure:
            return failure
        self._engines[id(engine)] = engine
        return engine

    async def _prepared(self, engines: Iterable[Engine | EngineFailureError]) -> None:
        """Libraries are loaded before the clock of any seat or run runs, each engine's once."""
        found = {id(one): one for one in engines if not isinstance(one, EngineFailureError)}
        await asyncio.gather(*(asyncio.to_thread(one.prepare) for one in found.values()))


@contextmanager
def _heeded(act: Callable[[], None]) -> Iterator[None]:
    """A polite kill and a closed terminal lead to `act`, where nobody has said otherwise: a program
    that was started so that it outlives its terminal does.
    """
    loop, heeded = asyncio.get_running_loop(), []
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            # Only the main thread may; elsewhere the caller has its own way to end.
            with suppress(ValueError, RuntimeError, NotImplementedError):
                loop.add_signal_handler(number, act)
                heeded.append(number)
    try:
        yield
    finally:
        for number in heeded:
            loop.remove_signal_handler(number)


async def _all_or_none(sittings: Iterable[Any]) -> tuple[Turn, ...]:
    """Everybody's turn; where something ends the round, nobody goes on unseen."""
    tasks = [asyncio.ensure_future(sitting) for sitting in sittings]
    try:
        return tuple(await asyncio.gather(*tasks))
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


async def _closed(engines: Iterable[Engine]) -> None:
    await asyncio.gather(*(engine.close() for engine in engines), return_exceptions=True)
