"""Which of the listed options a later phrase or answer refers to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from .option_lexicon import OptionLexicon, phrase_pattern

_WORD: Final = re.compile(r"(?:[^\W_]|[\u0900-\u0963\u064b-\u065f])+(?:['’-][^\W_]+)*")
_UNSPACED: Final = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff]+")
_NUMBERED: Final = re.compile(
    r"\b(?:option|choice|number|variant|plan|no\.)\s*([1-6]|[a-f])\b", re.I
)
_ENDINGS: Final = ("ings", "ing", "ies", "ied", "ed", "es", "s", "ly", "e", "y")
_SHORTEST_STEM: Final = 3
_LONGEST_READ: Final = 20_000
_SHORT_TEXT_WORDS: Final = 5  # chosen by judgement: "the one after the refactor"
_CHOOSING_STEMS: Final = frozenset(
    {"bet", "choos", "do", "favor", "favour", "first", "go", "lean", "mayb", "opt", "pick"}
    | {"prefer", "probab", "rather", "start", "tak", "vot"}
)
_TIME_WORDS: Final = frozenset({"now", "later", "today", "first", "soon"})


def same_option(
    mention: str, options: Sequence[str], lexicons: Sequence[OptionLexicon]
) -> int | None:
    """The index of the one option that `mention` names; None when none or more than one fits.

    Read in this order: the text itself, an ordinal or letter, yes or no to a path that stands
    against keeping things as they are, and the words that set the options apart. "Not X" names
    the other of two.
    """
    phrase = " ".join(_words(mention[:_LONGEST_READ]))
    if not phrase or not options:
        return None
    texts = [" ".join(_words(option)) for option in options]
    if phrase in texts:
        return texts.index(phrase)
    for read in (_by_ordinal, _by_consent, _by_words):
        if (index := read(phrase, options, lexicons)) is not None:
            return index
    return None


def mentions(
    text: str, options: Sequence[str], lexicons: Sequence[OptionLexicon]
) -> tuple[int, ...]:
    """The options that `text` names, in order: by number, or by words that only one has.

    In a few words that speak of nothing else one such word is enough ("the one after the audit");
    any other text must hold half of them, a longer one two, and there a word of time ("now")
    names nothing by itself.
    """
    read = text[:_LONGEST_READ]
    numbered = {_index_of_label(label) for label in _NUMBERED.findall(read)}
    is_short = len(_words(read)) <= _SHORT_TEXT_WORDS
    stems = _stems(read, lexicons) - (frozenset() if is_short else _TIME_WORDS)
    phrase = " ".join(_words(read))
    known = _option_stems(tuple(options), tuple(lexicons))
    return tuple(
        index
        for index, (option, (own, every)) in enumerate(zip(options, known, strict=True))
        if index in numbered
        or _names(own, stems, every, is_short)
        or _is_said_whole(option, phrase)
    )


def _is_said_whole(option: str, phrase: str) -> bool:
    words = " ".join(_words(option))
    return bool(words) and f" {words} " in f" {phrase} "


def _names(
    own: frozenset[str], said: frozenset[str], option: frozenset[str], is_short: bool
) -> bool:
    held = own & said
    if not held or 2 * len(held) >= len(own):
        return bool(held)
    return not (said - option - _CHOOSING_STEMS) if is_short else len(held) > 1


def resembles(text: str, option: str, lexicons: Sequence[OptionLexicon]) -> bool:
    """Whether `text` holds more than half of the content words of `option`."""
    wanted = _stems(option, lexicons)
    return bool(wanted) and 2 * len(wanted & _stems(text, lexicons)) > len(wanted)


def is_status_quo(option: str, lexicons: Sequence[OptionLexicon]) -> bool:
    """Whether `option` means to keep things as they are."""
    return any(
        option == lexicon.keep_as_is or _opens_with_status_quo(option, lexicon)
        for lexicon in lexicons
    )


def _opens_with_status_quo(option: str, lexicon: OptionLexicon) -> bool:
    pattern = phrase_pattern(lexicon.status_quo, spaced=lexicon.spaced)
    if lexicon.language != "en":
        return pattern.search(option) is not None
    found = pattern.match(option)
    # "wait" alone keeps things as they are, "wait until the audit" is a date; "keep the diary"
    # keeps what there is, "keep a diary" is a new step.
    if found is None:
        return False
    rest = _words(option[found.end() :])
    if found[0].casefold() in {"wait", "just wait"}:
        return not any(word in lexicon.later_words for word in rest)
    return not (found[0].casefold() == "keep" and rest and rest[0] in lexicon.articles_one)


def _by_ordinal(
    phrase: str, options: Sequence[str], lexicons: Sequence[OptionLexicon]
) -> int | None:
    for lexicon in lexicons:
        if not lexicon.spaced:
            found = _unspaced_ordinal(phrase, lexicon)
        else:
            left = [word for word in phrase.split() if word not in lexicon.ordinal_fillers]
            left = left or [word for word in phrase.split() if word in {"1", "one", "a"}]
            found = _ordinal_index(" ".join(left), lexicon, len(options))
        if found is not None and found < len(options):
            return found
    return None


def _unspaced_ordinal(phrase: str, lexicon: OptionLexicon) -> int | None:
    for index, names in enumerate(lexicon.ordinals):
        if any((len(name) > 1 and phrase.startswith(name)) or phrase == name for name in names):
            return index
    return None


def _ordinal_index(word: str, lexicon: OptionLexicon, count: int) -> int | None:
    if word in lexicon.last_words:
        return count - 1
    return next((i for i, names in enumerate(lexicon.ordinals) if word in names), None)


def _by_consent(
    phrase: str, options: Sequence[str], lexicons: Sequence[OptionLexicon]
) -> int | None:
    kept = [index for index, option in enumerate(options) if is_status_quo(option, lexicons)]
    if len(options) != 2 or len(kept) != 1:
        return kept[0] if len(kept) == 1 and _is_one_of(phrase, lexicons, refusal=True) else None
    if _is_one_of(phrase, lexicons, refusal=True) or is_status_quo(phrase, lexicons):
        return kept[0]
    return 1 - kept[0] if _is_one_of(phrase, lexicons, refusal=False) else None


def _is_one_of(phrase: str, lexicons: Sequence[OptionLexicon], *, refusal: bool) -> bool:
    known = {
        " ".join(_words(each))
        for lexicon in lexicons
        for each in (lexicon.refusal if refusal else lexicon.assent)
    }
    opening, _, rest = phrase.partition(" ")
    return phrase in known or (opening in known and rest in known)


def _by_words(phrase: str, options: Sequence[str], lexicons: Sequence[OptionLexicon]) -> int | None:
    stems = _stems(phrase, lexicons)
    option_stems = [_stems(option, lexicons) for option in options]
    counts = Counter(stem for each in option_stems for stem in each)
    scores = [
        sum(1 + len(options) - counts[stem] for stem in each & stems if counts[stem] < len(options))
        if len(options) > 1
        else len(each & stems)
        for each in option_stems
    ]
    best = max(scores)
    if best == 0 or scores.count(best) > 1:
        return None
    index = scores.index(best)
    if not _is_negated(phrase, lexicons):
        return index
    if any(word in _words(options[index]) for word in ("not", "no", "without")):
        return index
    return 1 - index if len(options) == 2 else None


def by_polarity(
    phrase: str, options: Sequence[str], lexicons: Sequence[OptionLexicon]
) -> int | None:
    """The one option that says the same with or without "not": "renew it", of a lease to renew or
    not to renew.
    """
    said = _stems(phrase, lexicons)
    if not said:
        return None
    negated = _is_negated(phrase, lexicons)
    fitting = [
        index
        for index, option in enumerate(options)
        if said <= _stems(option, lexicons) and _is_negated(option, lexicons) == negated
    ]
    return fitting[0] if len(fitting) == 1 else None


def _is_negated(phrase: str, lexicons: Sequence[OptionLexicon]) -> bool:
    opening = phrase.split()[:2]
    return any(
        (lexicon.spaced and any(word in lexicon.negations for word in opening))
        or (not lexicon.spaced and any(phrase.startswith(each) for each in lexicon.negations))
        for lexicon in lexicons
    )


_WITHOUT: Final = frozenset("without ohne sin ni sans sem nem без بدون tanpa".split())  # noqa: SIM905


def denies(phrase: str, lexicon: OptionLexicon) -> bool:
    """Whether a phrase says that something is not so: "the council does not want that".

    "Not renewing the lease" is a path, and so is one without something.
    """
    negations = lexicon.negations - _WITHOUT
    if lexicon.spaced:
        return any(word in negations for word in _words(phrase)[1:])
    return any(phrase.find(negation) > 0 for negation in negations)


@lru_cache(maxsize=64)  # the same options are looked for in every clause of a page
def _option_stems(
    options: tuple[str, ...], lexicons: tuple[OptionLexicon, ...]
) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """For each option the stems that no other option has, and all its stems."""
    option_stems = [_stems(option, lexicons) for option in options]
    counts = Counter(stem for each in option_stems for stem in each)
    return tuple(
        (frozenset(stem for stem in each if counts[stem] == 1), each) for each in option_stems
    )


def _stems(text: str, lexicons: Sequence[OptionLexicon]) -> frozenset[str]:
    """The stems of the content words; pairs of characters where words are not spaced."""
    groups = _meaning_groups(tuple(lexicons))
    found: set[str] = set()
    for word in _words(text):
        if _UNSPACED.fullmatch(word):
            found.update(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        elif not any(word in lexicon.stopwords for lexicon in lexicons):
            stem = _stem(word)
            found.add(groups.get(stem, stem))
    return frozenset(found)


@cache
def _meaning_groups(lexicons: tuple[OptionLexicon, ...]) -> dict[str, str]:
    return {
        _stem(word): min(group)
        for lexicon in lexicons
        for group in lexicon.same_meaning
        for word in group
    }


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            stem = word[: -len(ending)]
            is_doubled = stem[-1] == stem[-2] and stem[-1] not in "lsz"
            return stem[:-1] if is_doubled else stem
    return word


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _index_of_label(label: str) -> int:
    return int(label) - 1 if label.isdigit() else ord(label.casefold()) - ord("a")
