"""The lexicons that ship with the package: one YAML file per kind and language.

A file is read when a text may need it: the first question comes before any answer has to be
understood, and a topic in Latin letters needs no Thai.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

from .errors import ContentError
from .yaml_files import read_mapping

if TYPE_CHECKING:
    from ..reading.option_lexicon import OptionLexicon
    from ..reading.signal_lexicon import SignalLexicon
    from ..reading.stance_lexicon import StanceLexicon
    from ..reading.topic_lexicon import TopicLexicon

_FOLDER = Path(__file__).resolve().parent.parent / "reading" / "lexicons"
_Lexicon = TypeVar("_Lexicon")

_LETTERS = {
    "ar": "\u0600-\u06ff \u0750-\u077f \ufb50-\ufdff \ufe70-\ufeff",
    "hi": "\u0900-\u097f",
    "ja": "\u3040-\u30ff \u4e00-\u9fff",
    "ko": "\u1100-\u11ff \u3130-\u318f \uac00-\ud7af",
    "ru": "\u0400-\u04ff",
    "th": "\u0e00-\u0e7f",
    "zh": "\u3400-\u9fff",
}
"""The letters of the languages that are not written in Latin ones, as ranges."""

# Some of these make most English sentences, and hardly any of another language.
_ENGLISH = frozenset(
    """
    a an and are as at be but by can do does for from has have how i if in is it my not of on or
    our should that the this to was we what when which will with would you
    """.split()  # noqa: SIM905 - read as a line of words
)
_SAMPLE_CHARACTERS = 4_000
_ENGLISH_SHARE = 0.3  # of the words; chosen by judgement


class Lexicons(Sequence[_Lexicon]):
    """Every language's lexicon of one kind, English first, then by language code.

    A malformed file raises a `ContentError` that names it, when it is read.
    """

    def __init__(self, kind: str, make: Callable[[str, Any], _Lexicon]) -> None:
        paths = {path.stem: path for path in (_FOLDER / kind).glob("*.yaml")}
        self._paths = dict(sorted(paths.items(), key=lambda one: (one[0] != "en", one[0])))
        self._make = make
        self._read: dict[str, _Lexicon] = {}

    def for_text(self, text: str) -> tuple[_Lexicon, ...]:
        """The lexicons of the languages that `text` may be written in, English always.

        A text in plain English needs no other; Hindi may be written in Latin letters too.
        """
        if is_plain_english(text):
            return (self._lexicon("en"),)
        return tuple(
            self._lexicon(language)
            for language in self._paths
            if language not in _LETTERS or language == "hi" or _has_letters_of(language, text)
        )

    @overload
    def __getitem__(self, index: int) -> _Lexicon: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[_Lexicon]: ...
    def __getitem__(self, index: int | slice) -> _Lexicon | Sequence[_Lexicon]:
        languages = list(self._paths)
        if isinstance(index, slice):
            return tuple(self._lexicon(language) for language in languages[index])
        return self._lexicon(languages[index])

    def __len__(self) -> int:
        return len(self._paths)

    def __iter__(self) -> Iterator[_Lexicon]:
        return (self._lexicon(language) for language in self._paths)

    def _lexicon(self, language: str) -> _Lexicon:
        if language not in self._read:
            path = self._paths[language]
            try:
                self._read[language] = self._make(language, read_mapping(path))
            except ValueError as error:
                raise ContentError(path, str(error)) from error
        return self._read[language]


def is_plain_english(text: str) -> bool:
    """Whether the words that any English sentence is made of make up much of `text`."""
    words = text[:_SAMPLE_CHARACTERS].casefold().split()
    common = sum(word in _ENGLISH for word in words)
    return text.isascii() and len(words) > 2 and common >= _ENGLISH_SHARE * len(words)


def _has_letters_of(language: str, text: str) -> bool:
    return not text.isascii() and _letters_of(language).search(text) is not None


@cache
def _letters_of(language: str) -> re.Pattern[str]:
    return re.compile(f"[{_LETTERS[language].replace(' ', '')}]")


@cache
def load_signal_lexicons() -> Lexicons[SignalLexicon]:
    def make(language: str, data: Any) -> SignalLexicon:
        from ..reading.signal_lexicon import SignalLexicon

        return SignalLexicon.from_mapping(language, data)

    return Lexicons("signal", make)


@cache
def load_topic_lexicons() -> Lexicons[TopicLexicon]:
    from ..reading.topic_lexicon import TopicLexicon

    return Lexicons("topic", TopicLexicon.from_mapping)


@cache
def load_option_lexicons() -> Lexicons[OptionLexicon]:
    from ..reading.option_lexicon import OptionLexicon

    return Lexicons("options", OptionLexicon.from_mapping)


@cache
def load_stance_lexicons() -> Lexicons[StanceLexicon]:
    from ..reading.stance_lexicon import StanceLexicon

    return Lexicons("stance", StanceLexicon.from_mapping)
