"""One seat in one round: asked, asked once more where the reply cannot be used, then empty."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ..core.engines import (
    Engine,
    EngineFailureError,
    EngineReply,
    EngineUse,
    Invocation,
)
from ..core.plain import is_blank, one_line
from ..core.ports import Clock
from ..core.putting_back import put_back
from ..core.seating import BEGUN, Absence, AbsentReason, Receipt, Reply, Turn
from ..core.secrets import mask
from ..reading.replies import ReplyFaultError, read_object
from .asking import SeatAsk, Watcher
from .budget import NOTHING_SENT, RunBudget, out_of_time

_CUT_OFF = "the reply was cut off at the length limit; reply more briefly"
_MAX_REPLY = 200_000  # characters: no reply that was asked for has more; chosen by judgement
_DETAIL = 400  # characters; chosen by judgement, a few lines in a table


class _UnusableError(Exception):
    """A reply came and cannot be used; `fault` is for whoever gave it."""

    def __init__(self, reason: AbsentReason, said: str, fault: str) -> None:
        super().__init__(fault)
        self.reason, self.said, self.fault = reason, said, fault


@dataclass
class Sitting:
    """Made for one round, used once."""

    round: str
    ask: SeatAsk[Any]
    engine: Engine | EngineFailureError
    budget: RunBudget
    clock: Clock
    watcher: Watcher
    _receipts: list[Receipt] = field(default_factory=list)

    async def turn(self) -> Turn:
        """The seat's reply, or its absence. Raises only what the watcher raises."""
        turn = await self._turn()
        self.watcher.landed(turn)
        return turn

    async def _turn(self) -> Turn:
        task = self.ask.task
        first = self.ask.asked_before + 1
        for attempt in range(first, first + self.ask.attempts):
            try:
                value = await self._asked(attempt, task)
            except EngineFailureError as failure:
                return self._absence(failure.reason, str(failure))
            except _UnusableError as unusable:
                reason, fault = unusable.reason, unusable.fault
                task = put_back(self.ask.task, unusable.said, fault)
            else:
                return Reply(
                    seat=self.ask.seat.name,
                    round=self.round,
                    value=value,
                    receipts=tuple(self._receipts),
                )
        return self._absence(reason, fault)

    async def _asked(self, attempt: int, task: str) -> Any:
        """The usable reply to one invocation, whose receipt is told whatever comes of it."""
        made = _Made(self, attempt, self.clock.now())
        try:
            reply = await self._invoked(made, attempt, task)
            made.reply = reply
            value = self._read(reply)
        except EngineFailureError as failure:
            made.failed(failure)
            self._note(made.receipt("absent", failure.reason, str(failure)))
            raise
        except _UnusableError as unusable:
            self._note(made.receipt("absent", unusable.reason, unusable.fault))
            raise
        except asyncio.CancelledError:
            self._note(made.receipt("cancelled", None, "broken off"))
            raise
        self._note(made.receipt("answered", None, reply.detail))
        return value

    async def _invoked(self, made: _Made, attempt: int, task: str) -> EngineReply:
        if isinstance(self.engine, EngineFailureError):
            made.use = NOTHING_SENT
            raise self.engine
        invocation = self._invocation(task)
        estimate = None  # loading a price list takes a while, and is in vain without a limit
        if self.budget.limits.max_usd is not None:
            estimate = self.engine.price_of(invocation.tokens)
        self.budget.begin(estimate)
        try:
            made.characters_sent = invocation.characters
            self.watcher.began(self.ask.seat, attempt, made.begun(estimate))
            reply = await self._within_limits(self.engine, invocation, made)
            made.use = reply.use
            return reply
        except EngineFailureError as failure:
            made.use = failure.use
            raise
        finally:
            self.budget.settle(estimate, made.use)

    async def _within_limits(
        self, engine: Engine, invocation: Invocation, made: _Made
    ) -> EngineReply:
        """What an engine has to make ready has the same time once more, and is not the seat's."""
        left_s = self.budget.seconds_left
        limit_s = invocation.time_limit_s
        shorter_s = limit_s if left_s is None else min(limit_s, left_s)
        try:
            async with asyncio.timeout(shorter_s) as limit:

                def started() -> None:
                    if limit.expired():
                        return
                    limit.reschedule(asyncio.get_running_loop().time() + shorter_s)
                    made.start, made.began = self.clock.now(), time.monotonic()

                return await engine.invoke(replace(invocation, started=started))
        except EngineFailureError:
            raise
        except TimeoutError:
            if left_s is not None and left_s < limit_s:
                over = out_of_time(self.budget.limits)
                raise EngineFailureError(over.message, over.hint, reason=over.reason) from None
            raise EngineFailureError(
                f"no reply within {limit_s:g} s", "Set a longer --timeout", reason="timeout"
            ) from None
        except Exception as error:  # whatever an engine's library does, the others sit on
            raise EngineFailureError(
                f"the engine failed: {type(error).__name__}: {error}", reason="crashed"
            ) from error

    def _invocation(self, task: str) -> Invocation:
        return Invocation(
            seat=self.ask.seat,
            round=self.round,
            stable=mask(self.ask.stable),
            task=mask(task),
            schema=self.ask.schema,
            time_limit_s=self.budget.limits.seat_s,
            material=self.ask.material,
            evidence=self.ask.evidence,
        )

    def _read(self, reply: EngineReply) -> Any:
        if is_blank(reply.text):
            raise _UnusableError("empty", "", "the reply was empty")
        if len(reply.text) > _MAX_REPLY:
            told = f"the reply has {len(reply.text):,} characters, at most {_MAX_REPLY:,} are read"
            raise _UnusableError("malformed", reply.text, told)
        try:
            value = read_object(reply.text, self.ask.shape)
        except ReplyFaultError as fault:
            told = _CUT_OFF if reply.cut_off else fault.reason
            raise _UnusableError("malformed", reply.text, told) from fault
        breach = self.ask.check(value)
        if breach is not None:
            raise _UnusableError("malformed", reply.text, breach)
        return value

    def _note(self, receipt: Receipt) -> None:
        self._receipts.append(receipt)
        self.watcher.received(receipt)

    def _absence(self, reason: AbsentReason, detail: str) -> Absence:
        return Absence(
            seat=self.ask.seat.name,
            round=self.round,
            reason=reason,
            detail=shown(detail),
            receipts=tuple(self._receipts),
        )


@dataclass
class _Made:
    """One invocation, filled in while it runs."""

    sitting: Sitting
    attempt: int
    start: str
    began: float = field(default_factory=time.monotonic)
    characters_sent: int = 0
    use: EngineUse = field(default_factory=EngineUse)
    version: str = ""
    exit_status: int | None = None
    reply: EngineReply | None = None

    def failed(self, failure: EngineFailureError) -> None:
        self.use, self.version = failure.use, failure.version
        self.exit_status = failure.exit_status

    def begun(self, estimate_usd: float | None) -> Receipt:
        """What holds where nothing comes after it, as after a kill: it was sent, and paid for."""
        told = self.receipt("cancelled", None, BEGUN)
        return told.model_copy(update={"cost_usd": estimate_usd})

    def receipt(
        self,
        outcome: Literal["answered", "absent", "cancelled"],
        absent: AbsentReason | None,
        detail: str,
    ) -> Receipt:
        if self.reply is not None:
            self.version, self.exit_status = self.reply.version, self.reply.exit_status
        seat = self.sitting.ask.seat
        return Receipt(
            seat=seat.name,
            engine=seat.engine,
            model=seat.model,
            version=one_line(self.version),
            round=self.sitting.round,
            attempt=self.attempt,
            start=self.start,
            seconds=round(time.monotonic() - self.began, 3),
            outcome=outcome,
            absent=absent,
            detail=shown(detail),
            exit_status=self.exit_status,
            requests=self.use.requests,
            characters_sent=self.characters_sent,
            characters=len(self.reply.text) if self.reply else 0,
            input_tokens=self.use.input_tokens,
            cached_tokens=self.use.cached_tokens,
            output_tokens=self.use.output_tokens,
            cost_usd=self.use.cost_usd,
            sandboxed=self.reply.sandboxed if self.reply else None,
            rehearsal=self.reply is not None and self.reply.rehearsal,
        )


def shown(text: str) -> str:
    """An engine's words as one safe line: they may repeat a key, or hold escapes."""
    line = mask(one_line(text))
    return line if len(line) <= _DETAIL else line[: _DETAIL - 1] + "…"
