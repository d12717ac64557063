"""The words of one language that tell options, leanings and reversibility."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

Words = frozenset[str]
Phrases = tuple[str, ...]

# Vowel signs belong to the word they stand in, though `\w` leaves them out.
_MARKS: Final = "\u0900-\u097f\u064b-\u065f"
_SAMPLE_CHARACTERS: Final = 4000
_SCRIPTS: Final[Mapping[str, re.Pattern[str]]] = {
    "kana": re.compile("[\u3040-\u30ff]"),
    "hangul": re.compile("[\uac00-\ud7af]"),
    "han": re.compile("[\u4e00-\u9fff]"),
    "thai": re.compile("[\u0e00-\u0e7f]"),
    "devanagari": re.compile("[\u0900-\u097f]"),
    "arabic": re.compile("[\u0600-\u06ff]"),
    "cyrillic": re.compile("[\u0400-\u04ff]"),
}
_LATIN: Final = re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_LATIN_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


@dataclass(frozen=True, eq=False)
class OptionLexicon:
    """One language's vocabulary of choice; lists that a language has no use for are empty.

    Compared and hashed by identity, so that compiled patterns can be cached on it. In a
    reversibility phrase `~` stands for up to three words.
    """

    language: str
    script: str
    spaced: bool = True
    """False for scripts that write no blanks between words."""
    markers: Words = frozenset()
    """Function words that tell this language from others in the same script."""

    conjunctions: Phrases = ()
    parallel_endings: Phrases = ()
    """Endings that, on two clauses in a row, make them alternatives (Korean)."""
    false_pairs: Phrases = ()
    open_tails: Phrases = ()
    """Ends such as "or not" and "or anything else", which name no alternative."""
    noise_endings: Phrases = ()
    """Particles at the end of a clause that are no part of the option."""
    openers: Phrases = ()
    asking_endings: Phrases = ()
    """Ends of a question that asks about one step, where the language has no opener for it."""
    fork_frames: Phrases = ()
    """Whole frames of a choice, with `{}` for each alternative: "either {}, or {}"."""
    between_frames: Phrases = ()
    """Frames that are a choice only beside a word of `between_cues`: "between {} and {}"."""
    lean_frames: Phrases = ()
    """Frames around a step that is leaned to, for languages whose cue follows it."""
    other_frames: Phrases = ()
    """Frames around a step that somebody else wants, or that is only thought of."""
    parallel_starts: Words = frozenset()
    """Words that open each alternative: what stands before the first one is its topic."""
    topic_marks: Phrases = ()
    """What closes the topic before an alternative (Japanese "は")."""
    choice_cues: Words = frozenset()
    list_nouns: Words = frozenset()
    between_cues: Words = frozenset()

    lean_before: Phrases = ()
    """Cues before the action that is leaned to."""
    lean_noun: Phrases = ()
    """Cues before a thing or a gerund that is leaned to."""
    lean_after: Phrases = ()
    lean_others: Phrases = ()
    """Cues before an action that somebody else wants."""
    lean_labels: Phrases = ()
    weak_before: Phrases = ()
    proposal_before: Phrases = ()
    others: Words = frozenset()
    no_direction_verbs: Words = frozenset()
    effect_verbs: Words = frozenset()
    """What things do by themselves; no direction when the subject may be a thing."""
    open_objects: Words = frozenset()
    question_starts: Words = frozenset()
    """Question words that make a step open only where they stand before it."""

    clause_breaks: Phrases = ()
    reason_words: Phrases = ()
    status_quo: Phrases = ()
    keep_as_is: str = ""
    keep_as_is_latin: str = ""
    """The same where the language is written in Latin letters beside its own."""
    fork_question: str = "{} / {}?"
    """A question of two paths, with a place for each."""
    fork_question_latin: str = ""
    assent: Phrases = ()
    refusal: Phrases = ()

    ordinals: tuple[Phrases, ...] = ()
    last_words: Phrases = ()
    ordinal_fillers: Words = frozenset()
    negations: Words = frozenset()
    same_meaning: tuple[Words, ...] = ()
    stopwords: Words = frozenset()

    reversible_starts: Phrases = ()
    reversible: Phrases = ()
    reversible_claims: Phrases = ()
    irreversible: Phrases = ()
    irreversible_claims: Phrases = ()

    verbs: Words = frozenset()
    noun_verbs: Words = frozenset()
    """Verbs that are as often nouns and need more evidence."""
    numbers: Words = frozenset()
    determiners: Words = frozenset()
    articles_one: Words = frozenset()
    articles_the: Words = frozenset()
    pronouns: Words = frozenset()
    subjects: Words = frozenset()
    prepositions: Words = frozenset()
    guards: Words = frozenset()
    """Words that make a following list of nouns part of a condition, not a choice."""
    time_starts: Words = frozenset()
    time_words: Words = frozenset()
    tail_starts: Words = frozenset()
    end_words: Words = frozenset()
    lead_words: Words = frozenset()
    later_words: Words = frozenset()
    proper_nouns: Words = frozenset()
    particles: Words = frozenset()
    verb_followers: Words = frozenset()
    """Words that after a doubtful verb show that it is one."""
    auxiliaries: Words = frozenset()
    statement_openers: Words = frozenset()
    finite_words: Words = frozenset()
    """Words that make a sentence more than a bare list of things or steps."""
    versus_stops: Words = frozenset()
    """Words that end what can stand left of "versus"."""
    effect_cues: Phrases = ()
    """Leaning cues that also tell effects, and so need a subject that can decide."""
    empty_progress_verbs: Words = frozenset()
    empty_subjects: Words = frozenset()

    @classmethod
    def from_mapping(cls, language: str, data: Mapping[str, object]) -> OptionLexicon:
        """The lexicon of `language` from parsed data.

        Word sets are given as blank-separated text or as a list, phrases as a list, groups as a
        list of lists or of blank-separated texts.

        Raises: `ValueError` for an unknown key, a missing script, or another language's data.
        """
        if data.get("language") != language:
            raise ValueError(f"{language}: the data says language {data.get('language')!r}")
        kinds = {each.name: str(each.type) for each in fields(cls)}
        unknown = sorted(set(data) - set(kinds))
        if unknown:
            raise ValueError(f"{language}: unknown keys {', '.join(unknown)}")
        if not isinstance(data.get("script"), str):
            raise ValueError(f"{language}: the script is missing")
        values = {key: _typed(kinds[key], value) for key, value in data.items()}
        return cls(**values)  # type: ignore[arg-type]


def choose_lexicon(text: str, lexicons: Sequence[OptionLexicon]) -> OptionLexicon:
    """The lexicon of the language that `text` is mostly written in.

    English, or else the first lexicon, when the text tells nothing.

    Raises: `ValueError` when there is no lexicon.
    """
    if not lexicons:
        raise ValueError("no option lexicon was given")
    sample = text[:_SAMPLE_CHARACTERS]
    script = _script(sample)
    candidates = [each for each in lexicons if each.script == script]
    if script == "latin":
        candidates += [_in_latin(each) for each in lexicons if each.keep_as_is_latin]
    if len(candidates) == 1:
        return candidates[0]
    words = [word.casefold() for word in _LATIN_WORD.findall(sample)]
    default = next((each for each in lexicons if each.language == "en"), lexicons[0])
    ranked = sorted(candidates, key=lambda each: each is not default)
    best = max(ranked, key=lambda each: _markers_in(words, each), default=default)
    if _markers_in(words, best) == 0 and (other := _second_script(sample)):
        # Two product names around a foreign conjunction: the conjunction tells the language.
        return next((each for each in lexicons if each.script == other), best)
    return best


@functools.cache
def _in_latin(lexicon: OptionLexicon) -> OptionLexicon:
    """`lexicon` for texts that write its language in Latin letters."""
    return replace(
        lexicon,
        keep_as_is=lexicon.keep_as_is_latin,
        fork_question=lexicon.fork_question_latin or lexicon.fork_question,
    )


def _markers_in(words: Sequence[str], lexicon: OptionLexicon) -> int:
    return sum(word in lexicon.markers for word in words)


def _second_script(sample: str) -> str:
    """A script other than Latin that `sample` holds; empty when there is none."""
    return next((name for name, pattern in _SCRIPTS.items() if pattern.search(sample)), "")


@functools.cache
def phrase_pattern(phrases: Phrases, *, spaced: bool) -> re.Pattern[str]:
    """A pattern that finds any of `phrases`, the longest first; it never matches without any."""
    if not phrases:
        return re.compile(r"(?!)")
    ordered = sorted(phrases, key=len, reverse=True)
    body = "|".join(_phrase_source(phrase) for phrase in ordered)
    if not spaced:
        return re.compile(f"(?:{body})", re.IGNORECASE)
    # An elided word ("d'") stands right before the next one.
    return re.compile(rf"(?<![\w{_MARKS}])(?:{body})(?:(?<=['’])|(?![\w{_MARKS}]))", re.IGNORECASE)


def _phrase_source(phrase: str) -> str:
    words = (re.escape(word).replace("'", "['’]") for word in phrase.replace(" ~ ", " ").split())
    if " ~ " not in phrase:
        return r"\s+".join(words)
    before, after = phrase.split(" ~ ", 1)
    return rf"{_phrase_source(before)}\s+(?:[\w'’-]+\s+){{0,3}}?{_phrase_source(after)}"


def _script(sample: str) -> str:
    """The script most used; any kana makes a text Japanese, as Chinese has none."""
    counts = {name: len(pattern.findall(sample)) for name, pattern in _SCRIPTS.items()}
    if counts["kana"] * 10 > counts["han"]:
        counts["kana"] += counts["han"]
    # A letter of these scripts carries more than a Latin one; names and units stay Latin in them.
    counts = {name: count * 2 for name, count in counts.items()}
    counts["latin"] = len(_LATIN.findall(sample))
    return max(counts, key=lambda name: counts[name]) if any(counts.values()) else "latin"


def _typed(kind: str, value: object) -> object:
    if kind == "Words":
        return frozenset(_texts(value))
    if kind == "Phrases":
        return tuple(dict.fromkeys(_texts(value)))
    if kind == "tuple[Phrases, ...]":
        return tuple(tuple(_texts(group)) for group in _items(value))
    if kind == "tuple[Words, ...]":
        return tuple(frozenset(_texts(group)) for group in _items(value))
    return value


def _texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        return value.split()
    return [str(item) for item in _items(value)]


def _items(value: object) -> Sequence[object]:
    if not isinstance(value, list):
        raise ValueError(f"expected a list, got {value!r}")
    return value
