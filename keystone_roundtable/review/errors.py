"""The errors of looking back."""

from __future__ import annotations

from ..core.errors import KeystoneError


class MissingLibraryError(KeystoneError):
    """What was asked for needs a library that comes with an extra."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} need a library that is not installed",
            f"Install it with: pip install 'keystone-roundtable[{extra}]'",
        )
