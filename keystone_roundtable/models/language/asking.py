"""The port between the moderator and whatever model answers: one step asked, one typed reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from ...core.records import ModelCall, Step
from ...core.reply_schema import schema_of
from ...core.session import ModelExchange

Reply_ = TypeVar("Reply_", bound=BaseModel)


@dataclass(frozen=True)
class Ask(Generic[Reply_]):
    """One step put to a model.

    `stable` comes first in the prompt and is the same, byte for byte, for every step of a session,
    so that a provider can cache it; `task` is the rest. `check` gives the reason why a well-formed
    reply breaks a rule, None where it breaks none.
    """

    step: Step
    stable: str
    task: str
    shape: type[Reply_]
    check: Callable[[Reply_], str | None]
    asking: str = ""
    schema: Mapping[str, Any] = field(default_factory=dict)
    """What goes out as the form of the reply, where it is narrower than `shape`: that spares a
    model whose decoding is held to it many a breach. What it replies is checked all the same."""
    exchanges: tuple[ModelExchange, ...] = ()
    """What the calling agent was asked for this step already, and replied."""

    @property
    def reply_schema(self) -> dict[str, Any]:
        return dict(self.schema) or schema_of(self.shape)


@dataclass(frozen=True)
class Reply(Generic[Reply_]):
    """What came of it. `value` is None where no usable reply was had; then `reason` says why."""

    value: Reply_ | None
    reason: str
    call: ModelCall


class Asker(Protocol):
    """Asks one model, or the first of a chain that answers."""

    @property
    def name(self) -> str:
        """The spec in force: `openai-chat:qwen3`."""
        ...

    def ask(self, ask: Ask[Reply_]) -> Reply[Reply_]:
        """Blocks until there is a reply. May be called from several threads.

        Raises `ModelFailureError` where the transport failed for good.
        """
        ...

    def price_of(self, tokens: int) -> float | None:
        """US dollars for a request of so many tokens with a usual reply; None where unknown."""
        ...

    def prepare(self) -> None:
        """Loads the provider's library, so that the first `ask` need not."""
        ...

    def cancel(self) -> None:
        """Ends every call that runs; they raise `ModelFailureError` of kind `cancelled`."""
        ...
