"""`table`: souls that argue and vote; the counting alone, on a file; and looking at tables."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable

from ...core.errors import KeystoneError, UsageError
from ..table_options import given_flags

_BEFORE = (
    "--agents", "--seat", "--engine", "--person", "--options", "--aggregator", "--from", "--facts",
)  # fmt: skip
"""What a table begins with: when it goes on, that is settled."""


def table(options: Namespace) -> int:
    """Carries out. A refusal under `--json` is one object as well, besides its line."""
    if not options.json:
        return _carry_out(options)
    try:
        return _carry_out(options)
    except KeystoneError as error:
        if not getattr(error, "told_as_object", False):
            _tell(error)
        raise


def _carry_out(options: Namespace) -> int:
    words: list[str] = options.words
    deed = _deeds().get(words[0]) if words else None
    if deed is None:
        from .table_holding import begin

        return begin(options)
    return deed(options)


def _deeds() -> dict[str, Callable[[Namespace], int]]:
    return {
        "inspect": _count,
        "vote": _count,
        "resume": _resume,
        "list": _list,
        "show": _show,
    }


def _list(options: Namespace) -> int:
    if len(options.words) > 1:
        raise UsageError("table list takes no words", "Show one: keystone-roundtable table show ID")
    from .table_looking import list_tables

    return list_tables(options)


def _show(options: Namespace) -> int:
    from .table_looking import show_table

    return show_table(options, options.words[1:])


def _count(options: Namespace) -> int:
    what, *paths = options.words
    if len(paths) != 1:
        raise UsageError(
            f"table {what} needs the one file that holds the table's state",
            f"Give it as: keystone-roundtable table {what} STATE.json",
        )
    _refuse(options, what, given_flags(options, but=("--json", "--root", "--plain")))
    from .table_counting import count

    return count(what, paths[0], as_json=options.json)


def _resume(options: Namespace) -> int:
    _refuse(options, "resume", [flag for flag in given_flags(options) if flag in _BEFORE])
    from .table_holding import resume

    return resume(options)


def _refuse(options: Namespace, deed: str, flags: list[str]) -> None:
    """Raises `UsageError` for flags that would be passed over."""
    if flags:
        raise UsageError(
            f"table {deed} takes no {', '.join(flags)}",
            "They are settled when a table is convened"
            if deed == "resume"
            else "See: keystone-roundtable table --help",
        )


def _tell(error: KeystoneError) -> None:
    from ...core.outcome import ExitStatus
    from ...core.plain import one_line
    from ...core.secrets import mask
    from ..json_lines import json_text
    from ..presenting import EXIT_NAMES

    status = ExitStatus.FAILURE
    print(
        json_text(
            {
                "table": None,
                "error": mask(one_line(error.message)),
                "hint": mask(one_line(error.hint)),
                "exit": {"name": EXIT_NAMES[status], "status": int(status)},
            }
        )
    )
