"""The root of every expected error; each package draws its branch from here.

An error says what failed, where, and what to do. Only the command line turns it into a message
and an exit status.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from .records import ModelCall, Step


class KeystoneError(Exception):
    """An expected failure.

    `message` says what failed and where in one line, `hint` what to do about it ("" when there is
    nothing to add).
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}. {self.hint}" if self.hint else self.message


class UsageError(KeystoneError):
    """The person or program asked for something that cannot be: bad words, bad input file."""


class IllegalEventError(KeystoneError):
    """An event that the present state does not allow; the session is left as it was."""


class UnsupportedSchemaError(KeystoneError):
    """A persisted shape was written by a newer version than this one."""


class UnknownOptionError(KeystoneError):
    """Something named an option that the session does not have."""


FailureKind = Literal[
    "refused", "unreachable", "timeout", "limited", "server", "budget", "missing", "cancelled"
]


class ModelFailureError(KeystoneError):
    """A model could not be asked, or gave no reply. What was answered so far is safe.

    `call` is what was spent on it, None where nothing was sent.
    """

    def __init__(
        self, message: str, hint: str = "", *, kind: FailureKind, call: ModelCall | None = None
    ) -> None:
        super().__init__(message, hint)
        self.kind = kind
        self.call = call


class ReplyWantedError(KeystoneError):
    """The model is the calling agent, and its reply to this attempt is not there yet.

    `call` is the id under which it was asked already, "" where it has not been. The rest is as in
    `core.events.ModelAsked`.
    """

    def __init__(
        self,
        *,
        call: str,
        key: str,
        step: Step,
        asking: str,
        attempt: int,
        prompt: str,
        reply_schema: dict[str, Any],
        problem: str,
    ) -> None:
        super().__init__(f"the calling agent has to play the step '{step}'")
        self.call, self.key, self.step, self.asking = call, key, step, asking
        self.attempt, self.prompt, self.problem = attempt, prompt, problem
        self.reply_schema = reply_schema
