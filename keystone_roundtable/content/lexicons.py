"""The lexicons that ship with the package: one YAML file per kind and language, read once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from ..reading.option_lexicon import OptionLexicon
from ..reading.signal_lexicon import SignalLexicon
from ..reading.stance_lexicon import StanceLexicon
from ..reading.topic_lexicon import TopicLexicon
from .errors import ContentError
from .yaml_files import read_mapping

_FOLDER = Path(__file__).resolve().parent.parent / "reading" / "lexicons"
_Lexicon = TypeVar("_Lexicon")


@cache
def load_signal_lexicons() -> tuple[SignalLexicon, ...]:
    return _load("signal", SignalLexicon.from_mapping)


@cache
def load_topic_lexicons() -> tuple[TopicLexicon, ...]:
    return _load("topic", TopicLexicon.from_mapping)


@cache
def load_option_lexicons() -> tuple[OptionLexicon, ...]:
    return _load("options", OptionLexicon.from_mapping)


@cache
def load_stance_lexicons() -> tuple[StanceLexicon, ...]:
    return _load("stance", StanceLexicon.from_mapping)


def _load(kind: str, make: Callable[[str, Any], _Lexicon]) -> tuple[_Lexicon, ...]:
    """Every language's lexicon, English first, then by language code.

    Raises `ContentError` naming the file where one is malformed.
    """
    paths = sorted((_FOLDER / kind).glob("*.yaml"), key=lambda path: (path.stem != "en", path.stem))
    return tuple(_lexicon(path, make) for path in paths)


def _lexicon(path: Path, make: Callable[[str, Any], _Lexicon]) -> _Lexicon:
    try:
        return make(path.stem, read_mapping(path))
    except ValueError as error:
        raise ContentError(path, str(error)) from error
