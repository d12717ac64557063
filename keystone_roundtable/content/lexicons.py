"""The phrase lists that ship with the package, read from disk once."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

import yaml

from keystone_roundtable.reading.signal_lexicon import SignalLexicon

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def load_signal_lexicons() -> tuple[SignalLexicon, ...]:
    """Every language's lexicon, English first, then by language code.

    Raises:
        ValueError: a file is no mapping or a field of it is malformed; the message names both.
    """
    folder = files("keystone_roundtable") / "reading" / "lexicons" / "signal"
    lexicons = [
        _signal_lexicon(entry.name.removesuffix(".yaml"), entry.read_text(encoding="utf-8"))
        for entry in folder.iterdir()
        if entry.name.endswith(".yaml")
    ]
    return tuple(sorted(lexicons, key=lambda lexicon: (lexicon.language != "en", lexicon.language)))


def _signal_lexicon(language: str, text: str) -> SignalLexicon:
    data = yaml.load(text, Loader=_LOADER)  # noqa: S506 - one of the two safe loaders
    if not isinstance(data, dict):
        raise ValueError(f"signal lexicon {language}: the file must hold a mapping")
    return SignalLexicon.from_mapping(language, data)
