"""How long a text is for a model."""

from __future__ import annotations

# English has about four bytes a token, scripts of three bytes a letter about one letter a token.
_BYTES_A_TOKEN = 3.5


def token_estimate(text: str) -> int:
    """About how many tokens a text has, whatever the model."""
    return round(len(text.encode("utf-8", "replace")) / _BYTES_A_TOKEN) + 1
