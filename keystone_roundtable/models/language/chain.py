"""A fallback chain: the first model that can be reached answers, from then on."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from ...core.errors import FailureKind, ModelFailureError
from ...core.records import ModelCall
from .asking import Ask, Asker, Reply, Reply_

# Another model would not help: the budget is everybody's, and who cancels wants no answer.
_FINAL: tuple[FailureKind, ...] = ("budget", "cancelled")


@dataclass(frozen=True)
class _Skipped:
    name: str
    failure: ModelFailureError


class ChainAsker:
    """An `Asker` over several, in order. A model whose transport failed is not asked again.

    The last one is: it has nobody after it.
    """

    def __init__(self, askers: Sequence[Asker]) -> None:
        """`askers` has at least one."""
        self._askers = tuple(askers)
        self._at = 0
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return self._askers[self._at].name

    def ask(self, ask: Ask[Reply_]) -> Reply[Reply_]:
        """See `Asker`. What failed on the way is in the call's `requests`, time and reason."""
        skipped: list[_Skipped] = []
        while True:
            at = self._at
            asker = self._askers[at]
            try:
                reply = asker.ask(ask)
            except ModelFailureError as failure:
                if failure.kind in _FINAL or at + 1 >= len(self._askers):
                    raise _failed(failure, skipped) from failure
                skipped.append(_Skipped(asker.name, failure))
                with self._lock:  # another thread may have moved on from the same one
                    self._at = max(self._at, at + 1)
            else:
                return Reply(reply.value, reply.reason, _joined(reply.call, skipped))

    def price_of(self, tokens: int) -> float | None:
        return self._askers[self._at].price_of(tokens)

    def prepare(self) -> None:
        self._askers[self._at].prepare()

    def cancel(self) -> None:
        for asker in self._askers:
            asker.cancel()


def _failed(failure: ModelFailureError, skipped: Sequence[_Skipped]) -> ModelFailureError:
    if not skipped:
        return failure
    call = _joined(failure.call, skipped) if failure.call else None
    return ModelFailureError(
        "; ".join([*(s.failure.message for s in skipped), failure.message]),
        failure.hint,
        kind=failure.kind,
        call=call or next((s.failure.call for s in reversed(skipped) if s.failure.call), None),
    )


def _joined(call: ModelCall, skipped: Sequence[_Skipped]) -> ModelCall:
    if not skipped:
        return call
    earlier = [s.failure.call for s in skipped if s.failure.call]
    notes = [f"instead of {s.name}: {s.failure.message}" for s in skipped]
    return call.model_copy(
        update={
            "requests": call.requests + sum(e.requests for e in earlier),
            "seconds": round(call.seconds + sum(e.seconds for e in earlier), 3),
            "reason": "; ".join([*notes, *([call.reason] if call.reason else [])]),
        }
    )
