"""Loads the option lexicons that ship with the package."""

from __future__ import annotations

import functools
from importlib import resources
from typing import Final

import yaml

from keystone_roundtable.reading.option_lexicon import OptionLexicon

_PACKAGE: Final = "keystone_roundtable"
_FOLDER: Final = ("reading", "lexicons", "options")
_SUFFIX: Final = ".yaml"


@functools.cache
def load_option_lexicons() -> tuple[OptionLexicon, ...]:
    """Every shipped lexicon, English first, then by language code.

    Raises: `ValueError` naming the language when a file does not fit `OptionLexicon`.
    """
    folder = resources.files(_PACKAGE).joinpath(*_FOLDER)
    names = [entry.name for entry in folder.iterdir() if entry.name.endswith(_SUFFIX)]
    names.sort(key=lambda name: (name != f"en{_SUFFIX}", name))
    return tuple(
        _lexicon(name.removesuffix(_SUFFIX), folder.joinpath(name).read_text(encoding="utf-8"))
        for name in names
    )


def _lexicon(language: str, text: str) -> OptionLexicon:
    # The C loader is some ten times faster; it is absent where PyYAML was built without libyaml.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    data = yaml.load(text, Loader=loader)  # noqa: S506 - both loaders are the safe ones
    if not isinstance(data, dict):
        raise ValueError(f"{language}: the lexicon is not a mapping")
    return OptionLexicon.from_mapping(language, data)
