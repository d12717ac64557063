"""Settings that stand in files: the project's and the user's `config.yaml`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from .errors import ContentError
from .yaml_files import line_of, read_mapping, read_text, to_yaml

Value = str | int | float | bool

APPLICATION = "keystone-roundtable"
FILE_NAME = "config.yaml"

# Chosen by judgement: nobody waits longer, and a number beyond is a slip of the hand.
MAX_PATIENCE_S = 600
MAX_TIMEOUT_S = 3600
MIN_TIMEOUT_S = 0.1
MAX_CALLS = 1_000_000
MAX_BUDGET_USD = 1_000_000
MAX_TEXT = 400

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")  # BCP 47, as far as it matters


@dataclass(frozen=True)
class Key:
    """One key: what it takes, in words, and whether a value is that."""

    possible: str
    accepts: Callable[[object], bool]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MAX_TEXT and value.isprintable()


def _is_language(value: object) -> bool:
    return isinstance(value, str) and len(value) <= 35 and bool(_LANGUAGE.fullmatch(value))


def _is_number(low: float, high: float) -> Callable[[object], bool]:
    """Not-a-number compares with nothing, and is refused by that."""
    return lambda value: (
        isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high
    )


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_CALLS


KEYS: Mapping[str, Key] = {
    "model": Key("a model, such as offline or ollama:NAME", _is_text),
    "patience": Key(f"seconds from 0 to {MAX_PATIENCE_S}", _is_number(0, MAX_PATIENCE_S)),
    "timeout": Key(
        f"seconds from {MIN_TIMEOUT_S} to {MAX_TIMEOUT_S}",
        _is_number(MIN_TIMEOUT_S, MAX_TIMEOUT_S),
    ),
    "fallback": Key("offline or fail", lambda value: value in ("offline", "fail")),
    "max_calls": Key(f"a whole number from 0 to {MAX_CALLS}", _is_count),
    "budget_usd": Key(
        f"US dollars from 0 to {MAX_BUDGET_USD}, such as 0.50", _is_number(0, MAX_BUDGET_USD)
    ),
    "allow_unknown_price": Key("true or false", lambda value: isinstance(value, bool)),
    "lang": Key("a language code, such as en or pt-BR", _is_language),
}
"""Every key that a `config.yaml` may hold."""


def project_config(root: Path) -> Path:
    """The project's file; it need not exist."""
    return root / ".keystone" / "roundtable" / FILE_NAME


def user_config() -> Path | None:
    """The user's file, which need not exist; None where the user has no folder for it."""
    from platformdirs import user_config_path

    try:
        folder = user_config_path(APPLICATION)
    except RuntimeError:  # no home, as for a bare user id in a container
        return None
    # Older versions of the library give "~" then, which would become a folder right here.
    return folder / FILE_NAME if folder.is_absolute() else None


def read_config(path: Path) -> dict[str, Value]:
    """What the file sets, in its order; nothing where there is no file or only comments in it.

    Raises `ContentError` for an unknown key and for a value that its key does not take.
    """
    if not _exists(path) or _is_blank(read_text(path)):
        return {}
    fields = read_mapping(path)
    for name, value in fields.items():
        _check(path, name, value)
    return fields


def with_key(path: Path, name: str, value: Value) -> str:
    """The file's text with one key set; other keys stay, and comments where they can.

    Raises `ContentError` where the file cannot be used as it is, or the key does not take `value`.
    """
    _check(path, name, value)
    fields = read_config(path)
    text = read_text(path) if _exists(path) else ""
    line = _written(name, value)
    lines = text.removeprefix("\ufeff").split("\n")
    if not all(_PLAIN_LINE.fullmatch(there) for there in lines):
        return "".join(_written(*field) for field in {**fields, name: value}.items())
    if name not in fields:
        kept = text.rstrip("\n")
        return f"{kept}\n{line}" if kept else line
    return "\n".join(
        line.rstrip("\n") if there.split(":")[0].rstrip() == name else there for there in lines
    )


# A line that can be replaced or kept without looking at its neighbours: blank, a comment, or a key
# with a one-line value, which may be quoted.
_PLAIN_LINE = re.compile(
    r"\s*(?:#.*)?"
    r"""|[a-z_]+[ ]*:[ ]+(?:"[^"\\]*"|'[^']*'|[A-Za-z0-9.+-][^#]*?)(?:[ ]+\#.*)?\s*"""
)


def _written(name: str, value: Value) -> str:
    """The key's line. The strict loader reads no exponents."""
    if isinstance(value, float):
        return f"{name}: {Decimal(repr(value)):f}\n"
    return to_yaml({name: value})


def _exists(path: Path) -> bool:
    # Also a link that leads nowhere: reading it says so. A folder that may not be looked into holds
    # nothing for us.
    return os.path.lexists(path)


def _is_blank(text: str) -> bool:
    lines = text.removeprefix("\ufeff").splitlines()
    return all(not line.strip() or line.lstrip().startswith("#") for line in lines)


def _check(path: Path, name: object, value: object) -> None:
    """The value itself is not repeated: it may be a key that was put into the wrong place."""
    key = KEYS.get(name) if isinstance(name, str) else None
    if key is None:
        reason = f"no such setting; possible: {', '.join(KEYS)}"
    elif not key.accepts(value):
        reason = f"{_kind(value)} is not possible; it takes {key.possible}"
    else:
        return
    raise ContentError(path, reason, line=_line(path, str(name)), field=str(name))


def _line(path: Path, name: str) -> int | None:
    """The key's line; None where the file does not hold it, as when it is about to be written."""
    if not _exists(path) or _is_blank(read_text(path)):
        return None
    return line_of(path, (name,))


def _kind(value: object) -> str:
    if value is None:
        return "an empty value"
    if isinstance(value, bool | int | float):
        return str(value).lower() if len(str(value)) <= 20 else "this number"
    return "this text" if isinstance(value, str) else "a list or mapping"
