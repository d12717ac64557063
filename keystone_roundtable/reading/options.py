"""The options that a typed decision topic holds, by rules and without a model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from .choice_frames import FRAME_READERS
from .choice_questions import QUESTION_READERS
from .choices import Fork
from .clauses import (
    clause_alternatives,
    clause_lean,
    clause_proposal,
    clause_single,
    joined_questions,
)
from .decision_topics import (
    fork_topic,
    open_question,
    pair_topic,
    step_topic,
    within,
)
from .enumerations import listed_options
from .forks import has_choice_word, split_alternatives
from .leans import Direction, find_direction, find_proposals
from .markup import without_emphasis
from .option_lexicon import OptionLexicon, choose_lexicon
from .phrases import is_verbal, lower_opening, tidy, trim
from .references import is_status_quo, mentions, resembles, same_option
from .reversibility import (
    Reversibility,
    find_claim,
    find_reversibility,
)
from .sentences import split_sentences

__all__ = [
    "FoundOption",
    "OptionsReading",
    "find_reversibility",
    "mentions",
    "read_options",
    "same_option",
]

MOST_OPTIONS: Final = 6

_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\ufeff\ud800-\udfff]")
_LATE_OR: Final = re.compile(r"\?\s+or\s+(?=(\w+))", re.I)
_ASKING: Final = frozenset(("should", "shall", "do", "rather", "just", "is"))
_LONGEST_SENTENCE: Final = 600  # a longer one is no question; it also bounds the work
_MOST_SENTENCES: Final = 400


@dataclass(frozen=True)
class FoundOption:
    """One path open to the decision, worded to follow "Should we" where it can."""

    text: str
    source: Literal["topic", "implied"]
    status_quo: bool
    """True for keeping things as they are."""
    reversibility: Reversibility
    reversibility_words: str
    """The topic's words that tell so; empty when it says nothing."""


@dataclass(frozen=True)
class OptionsReading:
    """What a topic holds; no options when it is open."""

    options: tuple[FoundOption, ...]
    lean: int | None
    """Index of the option that the topic leans to."""
    decision_topic: str | None
    """The decision in one sentence of at most 200 characters; None when it cannot be compressed."""


def read_options(topic: str, lexicons: Sequence[OptionLexicon]) -> OptionsReading:
    """The options, the leaning and the one-sentence decision of `topic`.

    Linear in the length of `topic`; a text of any length and content gives a reading.

    Raises: `ValueError` when `lexicons` is empty.
    """
    text = without_emphasis(_CONTROL.sub(" ", topic))
    lexicon = choose_lexicon(text, lexicons)
    sentences = split_sentences(_with_late_alternatives(text, lexicon))[:_MOST_SENTENCES]
    read = _read_english if lexicon.language == "en" else _read_clauses
    return read(text, sentences, lexicon, lexicons)


def _with_late_alternatives(text: str, lexicon: OptionLexicon) -> str:
    """`text` with "Should we A? Or B?" made one sentence where B is a step of its own."""

    def joined(found: re.Match[str]) -> str:
        opens_step = found[1].casefold() in lexicon.verbs | _ASKING
        return " or " if opens_step else found[0]

    return _LATE_OR.sub(joined, text)


def _read_english(
    text: str, sentences: Sequence[str], lexicon: OptionLexicon, lexicons: Sequence[OptionLexicon]
) -> OptionsReading:
    listed = listed_options(text, lexicon)
    fork = _listed_fork(listed, lexicon) if listed else _find_fork(sentences, lexicon)
    elsewhere = [each for each in sentences if fork is None or each != fork.sentence]
    direction = find_direction(elsewhere, lexicon)
    if fork is None and (direction is None or not direction.is_lean):
        fork = _rival_proposals(elsewhere, lexicon)
    if fork is not None and len(fork.alternatives) == 1:
        direction = _asked(fork, direction, lexicons)
        fork = None
    if fork is not None:
        return _fork_reading(fork, direction, sentences, lexicon, lexicons)
    if direction is not None and (chosen := _chosen_instead(direction, lexicon)):
        return _fork_reading(chosen, direction, sentences, lexicon, lexicons)
    if direction is not None:
        return _direction_reading(direction, sentences, lexicon, lexicons)
    return OptionsReading((), None, open_question(sentences))


def _find_fork(sentences: Sequence[str], lexicon: OptionLexicon) -> Fork | None:
    """The choice that `sentences` put: several alternatives before a yes or no, questions first."""
    readable = [each for each in sentences if len(each) <= _LONGEST_SENTENCE]
    single: Fork | None = None
    for readers in (QUESTION_READERS, FRAME_READERS):
        for sentence in readable:
            for read in readers:
                fork = read(sentence, lexicon)
                if fork is not None and len(fork.alternatives) > 1:
                    return fork
                single = single or fork
    return single


def _listed_fork(listed: tuple[str, ...], lexicon: OptionLexicon) -> Fork:
    verbal = any(is_verbal(lower_opening(each, lexicon), lexicon) for each in listed)
    return Fork(listed, "", is_scope=not verbal)


def _chosen_instead(direction: Direction, lexicon: OptionLexicon) -> Fork | None:
    """The fork in "use A instead of B", which leans to A."""
    sides = split_alternatives(direction.text, lexicon, verbal=True)
    if len(sides) != 2 or has_choice_word(direction.text):
        return None
    lean = 0 if direction.is_lean else None
    return Fork(sides, "", direction.subject or "we", wording=direction.text, lean=lean)


def _rival_proposals(sentences: Sequence[str], lexicon: OptionLexicon) -> Fork | None:
    """The fork of several people who each want something else."""
    steps = {each.text.casefold(): each.text for each in find_proposals(sentences, lexicon)}
    if not 2 <= len(steps) <= MOST_OPTIONS:
        return None
    return Fork(tuple(steps.values()), "")


def _asked(fork: Fork, direction: Direction | None, lexicons: Sequence[OptionLexicon]) -> Direction:
    """The step a yes-no question asks about; leaned to when the topic has already taken it."""
    step = fork.alternatives[0]
    is_lean = (
        direction is not None
        and direction.is_lean
        and _named_by(direction.text, (step,), lexicons) is not None
    )
    return Direction(step, fork.subject, is_lean)


def _fork_reading(
    fork: Fork,
    direction: Direction | None,
    sentences: Sequence[str],
    lexicon: OptionLexicon,
    lexicons: Sequence[OptionLexicon],
) -> OptionsReading:
    texts = _worded(fork.alternatives, lexicon)
    if len(texts) < 2:
        return OptionsReading((), None, open_question(sentences))
    options = _told_apart([_option(text, lexicons) for text in texts])
    lean = fork.lean
    if lean is None and direction is not None and direction.is_lean:
        lean = _named_by(direction.text, texts, lexicons)
    return OptionsReading(options, lean, fork_topic(fork, texts, direction, lexicon))


def _direction_reading(
    direction: Direction,
    sentences: Sequence[str],
    lexicon: OptionLexicon,
    lexicons: Sequence[OptionLexicon],
) -> OptionsReading:
    step = trim(lower_opening(direction.text, lexicon))
    option = _option(step, lexicons)
    if option.reversibility == "unknown":
        value, words = find_claim(" ".join(sentences), lexicons)
        option = replace(option, reversibility=value, reversibility_words=words)
    options = (option, _kept(lexicon))
    topic = step_topic(step, direction.subject, lexicon)
    return OptionsReading(options, 0 if direction.is_lean else None, topic)


def _read_clauses(
    text: str, sentences: Sequence[str], lexicon: OptionLexicon, lexicons: Sequence[OptionLexicon]
) -> OptionsReading:
    sentences = joined_questions(sentences, lexicon)
    for sentence in sentences:
        found = clause_alternatives(sentence, lexicon)
        if found:
            found = _evenly_cased(found, lexicon)
            options = _told_apart([_option(each, lexicons) for each in found])
            return OptionsReading(
                options,
                _clause_lean_among(found, sentence, sentences, lexicon, lexicons),
                within(sentence, pair_topic(found[:2], lexicon) if len(found) == 2 else ""),
            )
    for read, is_lean in ((clause_single, False), (clause_lean, True), (clause_proposal, False)):
        for sentence in sentences:
            if step := read(sentence, lexicon):
                topic = (
                    sentence
                    if read is clause_single
                    else pair_topic((step, lexicon.keep_as_is), lexicon)
                )
                options = (_option(step, lexicons), _kept(lexicon))
                return OptionsReading(options, 0 if is_lean else None, within(topic))
    return OptionsReading((), None, None)


def _clause_lean_among(
    found: tuple[str, ...],
    fork: str,
    sentences: Sequence[str],
    lexicon: OptionLexicon,
    lexicons: Sequence[OptionLexicon],
) -> int | None:
    """The alternative that the topic leans to beside the sentence that puts the choice."""
    for sentence in sentences:
        # In the sentence of the fork only what follows it tells more.
        read = sentence.partition(found[-1])[2] if sentence == fork else sentence
        if step := clause_lean(read, lexicon):
            named = mentions(step, found, lexicons) or _holding(step, found)
            return named[0] if len(named) == 1 else None
    return None


def _holding(step: str, options: Sequence[str]) -> tuple[int, ...]:
    """The options that hold a word of `step`, glued to a particle as it may be."""
    words = step.casefold().split()
    return tuple(
        index
        for index, option in enumerate(options)
        if any(word in option.casefold() for word in words)
    )


def _evenly_cased(found: tuple[str, ...], lexicon: OptionLexicon) -> tuple[str, ...]:
    """The first clause without its sentence capital where the others have none (not in German)."""
    if lexicon.language == "de" or any(each[:1].isupper() for each in found[1:]):
        return found
    return (found[0][:1].lower() + found[0][1:], *found[1:])


def _worded(alternatives: Sequence[str], lexicon: OptionLexicon) -> tuple[str, ...]:
    """The alternatives as they are shown: trimmed, without sentence capitals, without repeats."""
    bare = [tidy(each) for each in alternatives]
    later_lower = all(each[:1] == each[:1].lower() for each in bare[1:])
    shown = [trim(lower_opening(each, lexicon, known=not later_lower)) for each in bare if each]
    return tuple({each.casefold(): each for each in shown}.values())[:MOST_OPTIONS]


def _option(text: str, lexicons: Sequence[OptionLexicon]) -> FoundOption:
    value, words = find_reversibility(text, lexicons)
    return FoundOption(text, "topic", is_status_quo(text, lexicons), value, words)


def _told_apart(options: Sequence[FoundOption]) -> tuple[FoundOption, ...]:
    """The options with the mark of the status quo only where it tells some from others."""
    if all(option.status_quo for option in options):
        return tuple(replace(option, status_quo=False) for option in options)
    return tuple(options)


def _kept(lexicon: OptionLexicon) -> FoundOption:
    return FoundOption(lexicon.keep_as_is, "implied", True, "reversible", "")


def _named_by(text: str, options: Sequence[str], lexicons: Sequence[OptionLexicon]) -> int | None:
    """The option that `text` names, most of whose words it holds."""
    index = same_option(text, options, lexicons)
    return index if index is not None and resembles(text, options[index], lexicons) else None
