"""What goes to a provider and what comes back, in our own shapes and free of any provider's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol

from ...core.errors import FailureKind

Ending = Literal["complete", "truncated", "filtered"]
Refused = Literal["credentials", "model", ""]
"""What a server did not accept: the key, the model's name, or something else."""


@dataclass(frozen=True)
class Prompt:
    """One request. `stable` is the system text, the same for every step of a session."""

    stable: str
    user: str
    schema: dict[str, Any]
    schema_name: str


@dataclass(frozen=True)
class Usage:
    """Tokens and price of one request; None where the provider did not say or has no known price.

    `cached_tokens` are part of `input_tokens`.
    """

    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True)
class RawReply:
    """The text of a reply, reasoning left out where the provider tells it apart."""

    text: str
    ending: Ending
    usage: Usage


class TransportError(Exception):
    """A request that brought no reply.

    `retry` says whether the same request may go out again, `once` that one more is enough;
    `retry_after_s` is what the server asked for, None where it said nothing. `refused` is "" where
    the kind is another.
    """

    def __init__(
        self,
        message: str,
        hint: str = "",
        *,
        kind: FailureKind,
        retry: bool = False,
        once: bool = False,
        retry_after_s: float | None = None,
        refused: Refused = "",
    ) -> None:
        super().__init__(message)
        self.message, self.hint, self.kind = message, hint, kind
        self.retry, self.once, self.retry_after_s = retry, once, retry_after_s
        self.refused: Refused = refused


class Connection(Protocol):
    """A model that can be asked."""

    async def request(self, prompt: Prompt) -> RawReply:
        """Raises `TransportError`."""
        ...

    async def close(self) -> None: ...
