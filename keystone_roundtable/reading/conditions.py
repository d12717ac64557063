"""Whether words say under which condition something would be done (English, German)."""

from __future__ import annotations

import re
from typing import Final

_FIRST: Final = re.compile(
    r"(?:^|[:;,.]\s+)(?:only\s+)?(?:if|once|when|as\s+soon\s+as|in\s+case)\b[^.;]*?"
    r"(?:,\s*|\s+)(?:then\b|we\b|i\b|let[’']?s\b)|"
    r"(?:^|[:;,.]\s+)(?:wenn|falls|sobald)\b[^.;]*?,?\s+(?:dann\b|\w+en\s+wir\b|\w+e\s+ich\b)",
    re.IGNORECASE,
)
_AGAINST: Final = re.compile(
    r"\b(?:not|never|no|nobody|without|later|too|only\s+then|nicht|kein\w*|nie|erst)\b|n[’']t\b",
    re.IGNORECASE,
)


def is_conditional(text: str) -> bool:
    """Whether `text` puts a condition first and then what would be done: "if twenty ask, we do it".

    Words against it make it a refusal with its reason: "if nobody asks, we do not do it".
    """
    return _FIRST.search(text) is not None and _AGAINST.search(text) is None
