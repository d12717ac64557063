"""The settings in force, each with where it comes from.

The first that says something wins: flag, environment, the project's config, the user's config,
default. No part of this imports a provider.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar, cast

from ..content.config import KEYS, Value, project_config, read_config, user_config, with_key
from ..core.errors import KeystoneError, UsageError
from ..core.recovery import Fallback

T = TypeVar("T")


DEFAULT = "default"

VARIABLES: Mapping[str, str] = {
    "model": "KEYSTONE_MODEL",
    "patience": "KEYSTONE_PATIENCE",
    "timeout": "KEYSTONE_TIMEOUT",
    "fallback": "KEYSTONE_FALLBACK",
    "max_calls": "KEYSTONE_MAX_CALLS",
    "budget_usd": "KEYSTONE_BUDGET_USD",
    "lang": "KEYSTONE_LANG",
}
"""The variable of each key that has one. Leave to spend at an unknown price is given by a flag or
a file, not by what happens to lie in the environment."""

DEFAULTS: Mapping[str, Value | None] = {
    "model": "offline",
    "patience": 1.5,
    "timeout": 60.0,
    "fallback": "fail",
    "max_calls": None,
    "budget_usd": None,
    "allow_unknown_price": False,
    "lang": None,
}

_NUMBERS = ("patience", "timeout", "budget_usd")
_NUMBER = re.compile(r"-?(?:[0-9]{1,12}(?:\.[0-9]{0,12})?|\.[0-9]{1,12})")
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,12}")


@dataclass(frozen=True)
class Setting(Generic[T]):
    """A value and its origin: `--model`, `KEYSTONE_MODEL`, the path of a file, or `default`."""

    value: T
    origin: str

    @property
    def chosen(self) -> bool:
        """False where nobody said anything."""
        return self.origin != DEFAULT


@dataclass(frozen=True)
class Settings:
    """Every setting in force. None stands for no limit, and as `lang` for the topic's language."""

    model: Setting[str]
    patience_s: Setting[float]
    timeout_s: Setting[float]
    fallback: Setting[Fallback]
    max_calls: Setting[int | None]
    budget_usd: Setting[float | None]
    allow_unknown_price: Setting[bool]
    lang: Setting[str | None]


@dataclass(frozen=True)
class Sources:
    """Where settings are looked for. `files` are in order of precedence, already checked."""

    flags: Mapping[str, object]
    environment: Mapping[str, str]
    files: tuple[tuple[Path, Mapping[str, Value]], ...] = ()
    engines: Collection[str] = ()
    """What may stand for a model besides models, where seats are asked."""

    def find(self, name: str) -> Setting[Value | None]:
        """The setting of one key. Raises `UsageError` that names the origin of a bad value."""
        given = self.flags.get(name)
        if given is not None:
            return _checked(name, given, flag_of(name), self.engines)
        variable = VARIABLES.get(name)
        typed = self.environment.get(variable, "").strip() if variable else ""
        if variable and typed:  # an empty variable says nothing
            return _checked(name, typed, variable, self.engines)
        for path, fields in self.files:
            if name in fields:
                return _checked(name, fields[name], str(path), self.engines)
        return Setting(DEFAULTS[name], DEFAULT)


def flag_of(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def config_files(root: Path) -> tuple[Path, ...]:
    """The files that may hold settings, the project's first; they need not exist."""
    user = user_config()
    return (project_config(root), *([user] if user else []))


def resolve(
    options: object,
    root: Path,
    environment: Mapping[str, str] | None = None,
    engines: Collection[str] = (),
) -> Settings:
    """The settings in force for parsed options, which may lack any flag. `engines` are names that
    a model may begin with, checked by whoever asks seats.

    Raises `UsageError` for a bad flag or variable, `ContentError` for a bad file.
    """
    files = tuple((path, read_config(path)) for path in config_files(root))
    environ = os.environ if environment is None else environment
    sources = Sources(flags_of(options), environ, files, engines)
    found = {name: sources.find(name) for name in KEYS}
    return Settings(
        model=cast("Setting[str]", found["model"]),
        patience_s=cast("Setting[float]", found["patience"]),
        timeout_s=cast("Setting[float]", found["timeout"]),
        fallback=cast("Setting[Fallback]", found["fallback"]),
        max_calls=cast("Setting[int | None]", found["max_calls"]),
        budget_usd=cast("Setting[float | None]", found["budget_usd"]),
        allow_unknown_price=cast("Setting[bool]", found["allow_unknown_price"]),
        lang=cast("Setting[str | None]", found["lang"]),
    )


def flags_of(options: object) -> dict[str, object]:
    """What was typed as flags, by key."""
    flags = {name: getattr(options, name, None) for name in KEYS}
    return {name: given for name, given in flags.items() if given is not None}


def remember(name: str, value: Value) -> Path:
    """Writes one key to the user's config, owner-only and in one step; gives the file.

    Other keys stay. Raises `ContentError` where the file cannot be used, `StoreError` where it
    cannot be written, `UsageError` where the user has no folder for it.
    """
    from ..stores.files import atomic_write, locked, make_private_dir

    path = user_config()
    if path is None:
        raise UsageError(
            "there is no folder for your settings", "Set HOME or XDG_CONFIG_HOME to a full path"
        )
    target = path.resolve()  # a link into a folder of dotfiles stays one
    make_private_dir(target.parent)
    with locked(target):
        atomic_write(target, with_key(target, name, value))
    return path


def _checked(
    name: str, given: object, origin: str, engines: Collection[str] = ()
) -> Setting[Value | None]:
    value = _read(name, given) if isinstance(given, str) else given
    if not KEYS[name].accepts(value):
        raise UsageError(
            f"{origin}: {_shown(given)} is not possible", f"Give {KEYS[name].possible}"
        )
    if name == "model" and str(value).partition(":")[0] not in engines:
        _check_model(str(value), origin, engines)
    if name in _NUMBERS:
        return Setting(float(cast("int | float", value)), origin)
    return Setting(cast("Value", value), origin)


def _read(name: str, text: str) -> object:
    """The value that a text from a flag or variable stands for; the text where it is none."""
    if name in _NUMBERS and _NUMBER.fullmatch(text):
        return float(text)
    if name == "max_calls" and _WHOLE_NUMBER.fullmatch(text):
        return int(text)
    return text


def _check_model(spec: str, origin: str, engines: Collection[str]) -> None:
    """Raises `UsageError` for a spec that names no model. Whatever takes a seat is no chain."""
    if spec == "offline":
        return
    from ..models.language.spec import parse_chain

    try:
        parse_chain(spec)
    except KeystoneError as error:
        named = f"Name one of {', '.join(engines)}, or a model as KIND:MODEL"
        hint = named if engines else error.hint
        raise UsageError(f"{origin}: {error.message}", hint) from error


def _shown(given: object) -> str:
    from ..core.secrets import shown

    text = shown(str(given))
    return f"'{text[:40]}...'" if len(text) > 40 else f"'{text}'"
