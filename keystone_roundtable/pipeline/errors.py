"""What a response says went wrong: a code that programs read, a message, and what to do."""

from __future__ import annotations

from typing import Literal

from ..core.errors import (
    IllegalEventError,
    KeystoneError,
    ModelFailureError,
    UnsupportedSchemaError,
    UsageError,
)
from ..runtime.errors import NothingOpenError

Code = Literal[
    "bad_request",
    "unknown_session",
    "stale",
    "busy",
    "finished",
    "too_new",
    "model_failed",
    "io",
]


class StepError(KeystoneError):
    """A request that cannot be answered but by an error."""

    def __init__(self, code: Code, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.code = code


_HINTS: dict[Code, str] = {
    "bad_request": "Nothing was changed: send something else for what is open",
    "io": "Mend that, then send the same request again; what is on disk is kept",
}
"""What to do where the error itself does not say."""


def coded(error: KeystoneError) -> StepError:
    """The same error with its code. What is of no other kind lies with the machine: `io`."""
    if isinstance(error, StepError):
        return error
    code = _code_of(error)
    return StepError(code, error.message, error.hint or _HINTS.get(code, _HINTS["io"]))


def _code_of(error: KeystoneError) -> Code:
    match error:
        case ModelFailureError():
            return "model_failed"
        case UnsupportedSchemaError():
            return "too_new"
        case UsageError() | IllegalEventError() | NothingOpenError():
            return "bad_request"
        case _:
            return "io"
