"""A model of the provider layer as the engine of a seat."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping

from ...core.engines import EngineFailureError, EngineReply, EngineUse, Invocation
from ...core.errors import ModelFailureError, UsageError
from ...core.plain import one_line
from ...core.seating import AbsentReason
from ...core.secrets import mask
from . import otel, providers
from .prices import REPLY_TOKENS, ListPrices, Prices
from .requesting import requested
from .retrying import Retries, RetryRule
from .spec import ModelSpec, destination, key_variable
from .tally import Counts
from .transport import Connection, Prompt, TransportError

_NO_NAME = re.compile("[^A-Za-z0-9_-]")  # what OpenAI does not take in the name of a schema


class ApiEngine:
    """An `Engine` for one model. Secrets are masked by whoever makes the invocation."""

    def __init__(
        self,
        spec: ModelSpec,
        *,
        environ: Mapping[str, str] | None = None,
        timeout_s: float = 120.0,
        prices: Prices | None = None,
        retry_rule: RetryRule | None = None,
    ) -> None:
        """`environ` holds keys and addresses, by default our own environment.

        Raises `ValueError` for `offline` and `host`, which are not asked.
        """
        if not spec.facts.remote:
            raise ValueError(f"{spec} is no model behind a connection")
        self._spec = spec
        self._environ = dict(os.environ if environ is None else environ)
        self._timeout_s = timeout_s
        self._prices = prices or ListPrices(self._environ)
        self._retry_rule = retry_rule or RetryRule()
        self._connection: Connection | None = None

    @property
    def sends_to(self) -> str:
        try:
            return destination(self._spec.facts, self._environ)
        except UsageError:
            return ""

    def price_of(self, tokens: int) -> float | None:
        return self._prices.estimate(self._spec, tokens, REPLY_TOKENS)

    def prepare(self) -> None:
        providers.prepare(self._spec)

    async def invoke(self, invocation: Invocation) -> EngineReply:
        """See `Engine`. A 429, a 5xx and a dropped connection are retried within the time limit."""
        connection = self._connected()
        prompt = Prompt(
            stable=invocation.stable,
            user=invocation.task,
            schema=dict(invocation.schema),
            schema_name=_NO_NAME.sub("_", invocation.round)[:64],
        )
        ends_at = time.monotonic() + invocation.time_limit_s
        counts, retries = Counts(), Retries(self._retry_rule, ends_at)
        try:
            raw = await requested(connection, prompt, retries, counts)
        except TransportError as error:
            raise EngineFailureError(
                _shown(error.message),
                error.hint,
                reason=_reason(error),
                use=_use(counts),
                version=_version(),
            ) from error
        if raw.ending == "filtered":
            raise EngineFailureError(
                f"the content filter of {self._spec} held the reply back",
                reason="empty",
                use=_use(counts),
                version=_version(),
            )
        return EngineReply(
            text=raw.text,
            use=_use(counts),
            version=_version(),
            detail=_shown("; ".join(retries.notes)),
            cut_off=raw.ending == "truncated",
        )

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    def _connected(self) -> Connection:
        if self._connection is None:
            facts = self._spec.facts
            keyless = facts.key_needed and key_variable(facts, self._environ) is None
            try:
                self._connection = providers.connect(self._spec, self._environ, self._timeout_s)
            except ModelFailureError as failure:
                reason: AbsentReason = (
                    "unauthenticated" if keyless and failure.kind == "refused" else "missing"
                )
                raise EngineFailureError(
                    failure.message,
                    failure.hint,
                    reason=reason,
                    use=EngineUse(requests=0, cost_usd=0.0),
                ) from failure
            otel.start(self._environ)
        return self._connection


def _reason(error: TransportError) -> AbsentReason:
    """What the failure means for the seat; the message has the rest."""
    if error.kind == "timeout":
        return "timeout"
    if error.refused == "credentials":
        return "unauthenticated"
    nobody_there = error.kind == "unreachable" and not error.retry
    return "missing" if nobody_there or error.refused == "model" else "crashed"


def _use(counts: Counts) -> EngineUse:
    total = counts.total
    return EngineUse(
        requests=counts.requests,
        input_tokens=total.input_tokens,
        cached_tokens=total.cached_tokens,
        output_tokens=total.output_tokens,
        # An answer that was an error is not billed.
        cost_usd=total.cost_usd if counts.used or counts.lost else 0.0,
    )


def _version() -> str:
    from importlib.metadata import version

    return f"pydantic-ai {version('pydantic-ai-slim')}"


def _shown(text: str) -> str:
    """A server's words as one safe line: they may repeat a key or hold escapes."""
    return mask(one_line(text))
