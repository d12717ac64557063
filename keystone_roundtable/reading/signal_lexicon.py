"""One language's phrases for reading the signal of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from .normalise import fold, tokenise, without_marks
from .phrasebook import Phrasebook, PhraseKind

SCRIPTS: Final = frozenset(
    {"latin", "cyrillic", "han", "kana", "hangul", "thai", "devanagari", "arabic"}
)
_KIND_NAMES: Final = frozenset(kind.value for kind in PhraseKind)


@dataclass(frozen=True)
class SignalLexicon:
    """The phrases of one language by kind; `scripts` are those the language is written in."""

    language: str
    scripts: frozenset[str]
    phrases: Mapping[PhraseKind, tuple[str, ...]]

    @cached_property
    def phrasebook(self) -> Phrasebook:
        """The phrases ready to be looked up; compiled at first use, since few languages are met."""
        return Phrasebook(self.phrases)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of every phrase: rules a language out without compiling its phrasebook."""
        return self._words_of(PhraseKind)

    @cached_property
    def function_words(self) -> frozenset[str]:
        """The words that tell the language of a sentence, cheaper than the whole phrasebook."""
        return self._words_of((PhraseKind.FILLER, PhraseKind.INTERROGATIVE, PhraseKind.CHOOSING))

    def _words_of(self, kinds: Iterable[PhraseKind]) -> frozenset[str]:
        folded = fold("\n".join(phrase for kind in kinds for phrase in self.phrases[kind]))
        return frozenset(
            word for spelling in {folded, without_marks(folded)} for word in tokenise(spelling)
        )

    @classmethod
    def from_mapping(cls, language: str, data: Mapping[str, object]) -> SignalLexicon:
        """The lexicon in `data`: `scripts`, and under each kind its phrases in one string.

        Phrases are separated by line ends or semicolons; one string instead of a list keeps loading
        fast. A kind that the language has no phrases for is an empty string.

        Raises:
            ValueError: a field is missing, unknown or of the wrong type; the message names it.
        """
        unknown = sorted(str(name) for name in data.keys() - _KIND_NAMES - {"scripts"})
        if unknown:
            raise ValueError(f"signal lexicon {language}: unknown field {unknown[0]!r}")
        phrases = {kind: _phrases(language, kind.value, data) for kind in PhraseKind}
        return cls(language, _scripts(language, data), phrases)


def _text(language: str, field: str, data: Mapping[str, object]) -> str:
    value = data.get(field)
    if value is None:
        raise ValueError(f"signal lexicon {language}: field {field!r} is missing")
    if not isinstance(value, str):
        raise ValueError(
            f"signal lexicon {language}: field {field!r} must be text, not {type(value).__name__}"
        )
    return value


def _phrases(language: str, field: str, data: Mapping[str, object]) -> tuple[str, ...]:
    parts = (part.strip() for part in _text(language, field, data).replace("\n", ";").split(";"))
    return tuple(part for part in parts if part)


def _scripts(language: str, data: Mapping[str, object]) -> frozenset[str]:
    names = frozenset(_text(language, "scripts", data).split())
    if not names or names - SCRIPTS:
        raise ValueError(
            f"signal lexicon {language}: field 'scripts' must name some of {sorted(SCRIPTS)}"
        )
    return names
