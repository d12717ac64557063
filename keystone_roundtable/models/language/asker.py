"""Asks one model one step, until there is a usable reply or the attempts are used up."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from typing import Any

from ...core.errors import ModelFailureError
from ...core.plain import one_line
from ...core.putting_back import put_back
from ...core.records import CallResult
from ...core.secrets import mask
from ...core.tokens import token_estimate
from ...reading.replies import ReplyFaultError
from . import otel, providers
from .asking import Ask, Reply, Reply_
from .budget import Budget, Spending
from .loop import BackgroundLoop
from .prices import REPLY_TOKENS, ListPrices, Prices
from .replies import read_reply
from .requesting import requested
from .retrying import Retries, RetryRule
from .spec import ModelSpec
from .tally import Tally
from .transport import Connection, Prompt, RawReply, TransportError

ATTEMPTS = 3  # spec/models.md: an invalid reply goes back at most twice
BREACHES = 2  # spec/models.md: a breach of content goes back once


class ModelAsker:
    """An `Asker` for one model. Costs nothing before the first `ask` or `prepare`.

    A reply that cannot be used goes back within one user message, after the unchanged prompt: so
    the prompt stays cached, and chat templates that want alternating roles are content.
    """

    def __init__(
        self,
        spec: ModelSpec,
        *,
        environ: Mapping[str, str] | None = None,
        timeout_s: float = 60.0,
        budget: Budget | None = None,
        masker: Callable[[str], str] = mask,
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
        self._budget = budget or Budget()
        self._mask = masker
        self._prices = prices or ListPrices(self._environ)
        self._retry_rule = retry_rule or RetryRule()
        self._loop = BackgroundLoop(f"model {spec}")
        self._connecting = threading.Lock()
        self._connection: Connection | None = None

    @property
    def name(self) -> str:
        return str(self._spec)

    def price_of(self, tokens: int) -> float | None:
        return self._prices.estimate(self._spec, tokens, REPLY_TOKENS)

    def prepare(self) -> None:
        """Loads the provider's library, so that the first `ask` need not: call it in a thread."""
        providers.prepare(self._spec)

    def ask(self, ask: Ask[Reply_]) -> Reply[Reply_]:
        """See `Asker`. Raises `ModelFailureError` with what was spent."""
        connection = self._connected()
        prompt = self.prompt(ask)
        tally = Tally(step=ask.step, asking=ask.asking, model=self.name)
        spending = self._budget.begin(self._estimate(prompt))
        try:
            return self._loop.run(self._conversation(connection, ask, prompt, tally, spending))
        except CancelledError:
            tally.lost = tally.requests > 0
            raise ModelFailureError(
                f"The call to {self.name} was cancelled",
                kind="cancelled",
                call=tally.call("cancelled", "cancelled"),
            ) from None
        except TransportError as error:
            message = self._shown(error.message)
            raise ModelFailureError(
                message, error.hint, kind=error.kind, call=tally.call("failed", message)
            ) from error
        except ModelFailureError as error:  # the budget, between two attempts
            raise ModelFailureError(
                error.message,
                error.hint,
                kind=error.kind,
                call=tally.call("failed", error.message),
            ) from error
        except KeyboardInterrupt:
            tally.lost = tally.requests > 0
            raise
        finally:
            spending.settle(tally.spent_usd)

    def cancel(self) -> None:
        self._loop.cancel_all()

    def close(self) -> None:
        """Ends what runs and lets the connections go; a later `ask` opens new ones."""
        self.cancel()
        with self._connecting:
            connection, self._connection = self._connection, None
            if connection is not None:
                self._loop.run(connection.close())
            self._loop.stop()

    def prompt(self, ask: Ask[Any]) -> Prompt:
        """What would be sent, secrets masked: `--dry-run` shows it."""
        return Prompt(
            stable=self._mask(ask.stable),
            user=self._mask(ask.task),
            schema=ask.reply_schema,
            schema_name=ask.step,
        )

    def _connected(self) -> Connection:
        with self._connecting:
            if self._connection is None:
                self._connection = providers.connect(self._spec, self._environ, self._timeout_s)
                otel.start(self._environ)
            return self._connection

    def _estimate(self, prompt: Prompt) -> float | None:
        if self._budget.max_usd is None:
            return None
        text = f"{prompt.stable}{prompt.user}{prompt.schema}"
        return self._prices.estimate(self._spec, token_estimate(text), REPLY_TOKENS)

    async def _conversation(
        self,
        connection: Connection,
        ask: Ask[Reply_],
        prompt: Prompt,
        tally: Tally,
        spending: Spending,
    ) -> Reply[Reply_]:
        retries = Retries(self._retry_rule)
        result: CallResult = "invalid"
        reason, breaches, sent = "", 0, prompt
        for attempt in range(ATTEMPTS):
            if attempt:
                spending.again(tally.known_usd)
            raw = await requested(connection, sent, retries, tally)
            try:
                value = read_reply(raw, ask.shape)
            except ReplyFaultError as fault:
                result, reason = "invalid", fault.reason
            else:
                breach = ask.check(value)
                if breach is None:
                    notes = self._shown("; ".join(retries.notes))
                    return Reply(value, "", tally.call("ok", notes))
                result, reason = "breach", breach
                breaches += 1
                if breaches == BREACHES:
                    break
            sent = self._put_back(prompt, raw, reason)
        reason = self._shown(reason)
        return Reply(None, reason, tally.call(result, reason))

    def _put_back(self, prompt: Prompt, raw: RawReply, reason: str) -> Prompt:
        user = put_back(prompt.user, raw.text, reason)
        return Prompt(prompt.stable, self._mask(user), prompt.schema, prompt.schema_name)

    def _shown(self, text: str) -> str:
        """A server's or a model's words as one safe line: they may repeat a key or hold escapes."""
        return self._mask(one_line(text))
