"""One asyncio loop in a daemon thread, for callers that are not asynchronous themselves."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class BackgroundLoop:
    """Starts its thread with the first coroutine; any thread may `run` one."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._running: set[Future[Any]] = set()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Waits for the end of `work`, and raises what it raises.

        Raises `concurrent.futures.CancelledError` after `cancel_all`. Where the wait is broken off,
        by Ctrl-C above all, the work is cancelled before the exception goes on.
        """
        with self._lock:
            future = asyncio.run_coroutine_threadsafe(work, self._started())
            self._running.add(future)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise
        finally:
            with self._lock:
                self._running.discard(future)

    def cancel_all(self) -> None:
        with self._lock:
            running = list(self._running)
        for future in running:
            future.cancel()

    def stop(self) -> None:
        """Ends the thread; a later `run` starts a new one."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            loop.call_soon_threadsafe(loop.stop)

    def _started(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            # A daemon: a request that hangs must not keep the program from ending.
            threading.Thread(
                target=_serve, args=(self._loop,), name=self._name, daemon=True
            ).start()
        return self._loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()
