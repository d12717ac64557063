"""`table`: souls that argue and vote; and the counting alone, on a state file."""

from __future__ import annotations

from argparse import Namespace

from ...core.errors import UsageError

_COUNTING = ("inspect", "vote")


def table(options: Namespace) -> int:
    words: list[str] = options.words
    if words[:1] and words[0] in _COUNTING:
        if len(words) != 2:
            raise UsageError(
                f"table {words[0]} needs the one file that holds the table's state",
                f"Give it as: keystone-roundtable table {words[0]} STATE.json",
            )
        from .table_counting import count

        return count(words[0], words[1], as_json=options.json)
    from .table_holding import begin, resume

    return resume(options) if words[:1] == ["resume"] else begin(options)
