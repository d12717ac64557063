"""A prompt once more, after a reply that cannot be used."""

from __future__ import annotations

_QUOTED = 4000  # characters of an unusable reply that go back with the reason


def put_back(task: str, said: str, reason: str) -> str:
    """`task` once more, with the reply that cannot be used and why."""
    return (
        f"{task}\n\n"
        f"Your last reply to this cannot be used: {reason}\n"
        f"Your last reply was:\n<reply>\n{said[:_QUOTED]}\n</reply>\n"
        "Reply again, complete and mended."
    )
