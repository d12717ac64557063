"""The lexicons that ship with the package: one YAML file per kind and language, read once.

Each kind is read when it is first looked into: the first question comes before any answer has to
be understood, and need not wait for the words that answers are made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar, overload

from ..reading.option_lexicon import OptionLexicon
from ..reading.signal_lexicon import SignalLexicon
from ..reading.stance_lexicon import StanceLexicon
from ..reading.topic_lexicon import TopicLexicon
from .errors import ContentError
from .yaml_files import read_mapping

_FOLDER = Path(__file__).resolve().parent.parent / "reading" / "lexicons"
_Lexicon = TypeVar("_Lexicon")


class Lexicons(Sequence[_Lexicon]):
    """Every language's lexicon of one kind, English first, then by language code.

    The files are read at the first look inside; then a malformed one raises a `ContentError` that
    names it.
    """

    def __init__(self, kind: str, make: Callable[[str, Any], _Lexicon]) -> None:
        self._kind = kind
        self._make = make

    @cached_property
    def _read(self) -> tuple[_Lexicon, ...]:
        paths = (_FOLDER / self._kind).glob("*.yaml")
        ordered = sorted(paths, key=lambda path: (path.stem != "en", path.stem))
        return tuple(_lexicon(path, self._make) for path in ordered)

    @overload
    def __getitem__(self, index: int) -> _Lexicon: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[_Lexicon]: ...
    def __getitem__(self, index: int | slice) -> _Lexicon | Sequence[_Lexicon]:
        return self._read[index]

    def __len__(self) -> int:
        return len(self._read)

    def __iter__(self) -> Iterator[_Lexicon]:
        return iter(self._read)


@cache
def load_signal_lexicons() -> Lexicons[SignalLexicon]:
    return Lexicons("signal", SignalLexicon.from_mapping)


@cache
def load_topic_lexicons() -> Lexicons[TopicLexicon]:
    return Lexicons("topic", TopicLexicon.from_mapping)


@cache
def load_option_lexicons() -> Lexicons[OptionLexicon]:
    return Lexicons("options", OptionLexicon.from_mapping)


@cache
def load_stance_lexicons() -> Lexicons[StanceLexicon]:
    return Lexicons("stance", StanceLexicon.from_mapping)


def _lexicon(path: Path, make: Callable[[str, Any], _Lexicon]) -> _Lexicon:
    try:
        return make(path.stem, read_mapping(path))
    except ValueError as error:
        raise ContentError(path, str(error)) from error
