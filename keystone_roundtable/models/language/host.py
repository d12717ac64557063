"""The calling agent as the model: its replies come from outside, one process after another.

What it was asked and what it replied is in the session's log. Here the replies are read; where one
is missing, what is wanted is raised, and whoever drives the session passes it on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime

from ...core.errors import ReplyWantedError
from ...core.plain import one_line
from ...core.putting_back import put_back
from ...core.records import CallResult, ModelCall
from ...core.secrets import mask
from ...core.session import ModelExchange
from ...reading.replies import ReplyFaultError
from .asker import ATTEMPTS, BREACHES
from .asking import Ask, Reply, Reply_
from .replies import read_reply
from .transport import RawReply, Usage

HOST = "host"


class HostAsker:
    """An `Asker` that never blocks: it raises `ReplyWantedError` until the reply is there."""

    name = HOST

    def ask(self, ask: Ask[Reply_]) -> Reply[Reply_]:
        """The first usable reply among those that this very prompt was given.

        Raises `ReplyWantedError` for the attempt that is due. After the last one `value` is None.
        """
        task = mask(ask.task)
        schema = ask.reply_schema
        key = _key(ask, task, json.dumps(schema))
        made = [one for one in ask.exchanges if one.asked.key == key]
        result: CallResult = "invalid"
        sent, reason, breaches = task, "", 0
        for attempt in range(1, ATTEMPTS + 1):
            exchange = made[attempt - 1] if attempt <= len(made) else None
            if exchange is None or exchange.reply is None:
                raise ReplyWantedError(
                    call=exchange.asked.call if exchange else "",
                    key=key,
                    step=ask.step,
                    asking=ask.asking,
                    attempt=attempt,
                    prompt=_whole(mask(ask.stable), sent, schema),
                    reply_schema=schema,
                    problem=reason,
                )
            try:
                value = read_reply(RawReply(exchange.reply, "complete", Usage()), ask.shape)
            except ReplyFaultError as fault:
                result, reason = "invalid", fault.reason
            else:
                breach = ask.check(value)
                if breach is None:
                    return Reply(value, "", _call(ask, "ok", "", made[:attempt]))
                result, reason = "breach", breach
                breaches += 1
            reason = mask(one_line(reason))
            if breaches == BREACHES:
                return Reply(None, reason, _call(ask, result, reason, made[:attempt]))
            sent = mask(put_back(task, exchange.reply, reason))
        return Reply(None, reason, _call(ask, result, reason, made))

    def price_of(self, tokens: int) -> float | None:
        """What the agent's own model costs is not known here."""
        return None

    def prepare(self) -> None:
        """Nothing is to be loaded."""

    def cancel(self) -> None:
        """Nothing runs."""


def _key(ask: Ask[Reply_], task: str, schema: str) -> str:
    """The same for every attempt at one prompt, and for no other prompt of the session."""
    parts = (ask.step, ask.asking, mask(ask.stable), task, schema)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:32]


def _whole(stable: str, task: str, schema: dict[str, object]) -> str:
    """One text with all that the reply takes: an agent may hand it on to a model as it stands."""
    told = json.dumps(schema, ensure_ascii=False)
    return (
        f"{stable}\n\n{task}\n\n"
        f"Reply with one JSON object that fits this JSON Schema, and nothing else:\n{told}"
    )


def _call(
    ask: Ask[Reply_], result: CallResult, reason: str, made: Sequence[ModelExchange]
) -> ModelCall:
    """One call for all the attempts; what the agent's model read and wrote is not known."""
    return ModelCall(
        step=ask.step,
        asking=ask.asking,
        model=HOST,
        result=result,
        reason=reason,
        requests=len(made),
        seconds=round(sum(map(_seconds, made)), 3),
    )


def _seconds(exchange: ModelExchange) -> float:
    began = datetime.fromisoformat(exchange.asked.at)
    return max(0.0, (datetime.fromisoformat(exchange.replied_at) - began).total_seconds())
