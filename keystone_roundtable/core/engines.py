"""The port to whatever speaks for a seat: text in, text out, or a typed failure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from .errors import KeystoneError
from .seating import AbsentReason, Seat
from .tokens import token_estimate


@dataclass(frozen=True)
class Material:
    """The same as in the prompt, for an engine that reads no prose.

    `options` are the paths a position may name. `given` holds answers by the reply's field name,
    for fields that only the caller can fill without inventing.
    """

    question: str = ""
    options: tuple[str, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Invocation:
    """What is put to one seat's engine, secrets masked already.

    `stable` comes first and is the same for every seat and round where that can be; `task` is the
    rest. `schema` is the JSON schema of the reply; the prompt says it as well.
    """

    seat: Seat
    round: str
    stable: str
    task: str
    schema: Mapping[str, Any]
    time_limit_s: float
    material: Material = field(default_factory=Material)
    evidence: tuple[str, ...] = ()
    """Paths of what the engine may read; engines that read no files pass them over."""
    started: Callable[[], None] = lambda: None
    """An engine that has much to make ready calls it when that is done: its time begins then."""

    @property
    def characters(self) -> int:
        return len(self.stable) + len(self.task)

    @property
    def tokens(self) -> int:
        """About how many."""
        return token_estimate(f"{self.stable}{self.task}{self.schema}")


@dataclass(frozen=True)
class EngineUse:
    """What an invocation took; None where the engine does not say."""

    requests: int | None = None
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True)
class EngineReply:
    """`detail` tells what went amiss on the way, "" where nothing did.

    `cut_off`: the text ended at a limit of its length. `rehearsal`: no model was asked.
    """

    text: str
    use: EngineUse = EngineUse()
    version: str = ""
    exit_status: int | None = None
    detail: str = ""
    cut_off: bool = False
    rehearsal: bool = False
    sandboxed: bool | None = None
    """Whether a process ran in a sandbox; None where there was none."""


class EngineFailureError(KeystoneError):
    """An engine brought no text. The message is one line, safe to show."""

    def __init__(
        self,
        message: str,
        hint: str = "",
        *,
        reason: AbsentReason,
        use: EngineUse | None = None,
        version: str = "",
        exit_status: int | None = None,
    ) -> None:
        super().__init__(message, hint)
        self.reason, self.version, self.exit_status = reason, version, exit_status
        self.use = use or EngineUse()


class Engine(Protocol):
    """Speaks for any number of seats at once. Costs nothing before the first `prepare`."""

    @property
    def sends_to(self) -> str:
        """The host that prompts go to; "" where nothing leaves this machine's process."""
        ...

    def price_of(self, tokens: int) -> float | None:
        """US dollars for a prompt of so many tokens and a long reply.

        None where that is not known, which is not 0.
        """
        ...

    def prepare(self) -> None:
        """Loads what the first invocation needs. Blocks; raises nothing."""
        ...

    async def invoke(self, invocation: Invocation) -> EngineReply:
        """Raises `EngineFailureError`. Cancelled, it lets go of whatever it holds at once.

        Every call comes from one event loop, the same until `close`.
        """
        ...

    async def close(self) -> None: ...
