"""The direction that an English topic has taken or leans to."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from .option_lexicon import OptionLexicon, Phrases, phrase_pattern
from .phrases import (
    as_action,
    cut_clause,
    first_word,
    is_verbal,
    lower_opening,
    tidy,
    words_of,
)

_STARTS: Final = 600
_MOST_CUES: Final = 6
_LOOK_BACK: Final = 60
_LONGEST_SUBJECT_WORDS: Final = 6
_CLAUSE_START: Final = re.compile(
    r".*(?:[,;:–—]|\b(?:that|and|but|so|because|when|if)\b)\s*", re.I | re.S
)
_NEGATED: Final = re.compile(
    r"\b(?:not|never|no|n't|nobody|cannot|can't|whether|if|unless|once|until|when|what|which|who|why|how)\b",
    re.I,
)
_LABEL_END: Final = r"\s*[:,–—-]\s+"
_FROM_BEFORE: Final = re.compile(
    r"^(?:decision|plan|direction|proposal)\b[^:.?]{0,40}\b(?:stands|is made|is clear)\s*[:,]\s*",
    re.I,
)
_ADVERBS: Final = re.compile(
    r"^(?:already|now|probably|finally|just|really|simply|even|also|be|to|very|quite|fully|firmly)\s+",
    re.I,
)
_PROGRESSIVE: Final = re.compile(
    r"\b(?P<subject>we|i)(?:\s+(?:are|am)|'re|'m|’re|’m)\s+(?:now\s+|already\s+)?(?P<gerund>\w+ing)\b",
    re.I,
)
_LETS: Final = re.compile(
    r"^(?:ok(?:ay)?,?\s+)?(?:let's|let’s|let us|(?=go for |go with ))\s*", re.I
)
_WISH: Final = re.compile(
    r"\b(?P<subject>we|i) want (?P<who>(?:the|our|a|an|all|every) [\w\s-]{1,40}?)"
    r" to (?P<what>\w+.*)$",
    re.I,
)
_OPINION: Final = re.compile(r"\b(?:do we|should we|shall we)\b", re.I)
_SHORT_FORMS: Final = tuple(
    (re.compile(rf"(?<=\w)['’]{short}\b", re.I), f" {full}")
    for short, full in (("re", "are"), ("m", "am"), ("ll", "will"), ("ve", "have"))
)
_CONDITIONAL: Final = re.compile(
    r"^(?:it|that|this|which|there|what|how|who|they|nobody|you)$", re.I
)


@dataclass(frozen=True)
class Direction:
    """A path that a topic has taken, leans to, or has been asked to take."""

    text: str
    subject: str
    is_lean: bool
    """False when only somebody else wants it, or when it is merely considered."""


def find_direction(sentences: Sequence[str], lexicon: OptionLexicon) -> Direction | None:
    """The first direction that `sentences` lean to, else the first that somebody proposes."""
    proposed: Direction | None = None
    for sentence in sentences:
        if _OPINION.search(sentence):
            continue
        direction = _direction(_spelled_out(sentence[:_STARTS]), lexicon)
        if direction is not None and direction.is_lean:
            return direction
        proposed = proposed or direction
    return proposed


def find_proposals(sentences: Sequence[str], lexicon: OptionLexicon) -> tuple[Direction, ...]:
    """What `sentences` say other people want, in order."""
    return tuple(
        proposal
        for sentence in sentences
        for proposal in _proposals(_spelled_out(sentence[:_STARTS]), lexicon)
    )


def _direction(sentence: str, lexicon: OptionLexicon) -> Direction | None:
    for read in (
        _label,
        _opening_call,
        _proposal,
        _verbal_cue,
        _wish,
        _noun_cue,
        _settled,
        _progressive,
        _considered,
    ):
        if direction := read(sentence, lexicon):
            return direction
    return None


def _spelled_out(sentence: str) -> str:
    """`sentence` with "we're", "I'll" and the like written in full."""
    for short, full in _SHORT_FORMS:
        sentence = short.sub(full, sentence)
    return sentence


_NEGATED_WISH: Final = re.compile(
    r"\b(?:don't|do not|didn't|never|not) (?:want|like|plan|intend)(?: to)?$", re.I
)


def _cues(phrases: Phrases, sentence: str) -> Iterator[re.Match[str]]:
    """The first few places of `phrases`, so that a text of nothing but cues stays cheap."""
    found = phrase_pattern(phrases, spaced=True).finditer(sentence)
    meant = (cue for cue in found if not _NEGATED_WISH.search(sentence[: cue.end()]))
    return itertools.islice(meant, _MOST_CUES)


def _label(sentence: str, lexicon: OptionLexicon) -> Direction | None:
    """ "Plan: X", "Direction is clear, X", "Decision from last month stands: X"."""
    found = _label_pattern(lexicon).match(sentence) or _FROM_BEFORE.match(sentence)
    if found is None:
        return None
    return _made(sentence[found.end() :], "", lexicon, is_lean=True, noun=True)


def _opening_call(sentence: str, lexicon: OptionLexicon) -> Direction | None:
    """ "Let's X", "Go for X, yes"."""
    found = _LETS.match(sentence)
    if found is None or sentence.rstrip().endswith("?"):
        return None
    return _made(sentence[found.end() :], "", lexicon, is_lean=True)


def _proposal(sentence: str, lexicon: OptionLexicon) -> Direction | None:
    """ "The CTO wants to X", "our architect proposes X"."""
    found = next(_cues(lexicon.proposal_before, sentence), None)
    if found is None:
        return None
    subject = words_of(_subject(sentence[: found.start()], lexicon))
    if not any(word in lexicon.others for word in subject):
        return None
    return next(iter(_proposals(sentence, lexicon)), None)


def _proposals(sentence: str, lexicon: OptionLexicon) -> Iterator[Direction]:
    """What one sentence says that others want ("the CTO wants X, the team wants Y")."""
    for found in _cues(lexicon.proposal_before, sentence):
        subject = _subject(sentence[: found.start()], lexicon)
        if not subject or first_word(subject) in lexicon.subjects:
            continue
        is_noun = not found[0].casefold().endswith(" to")
        rest = sentence[found.end() :]
        if direction := _made(rest, "", lexicon, is_lean=False, noun=is_noun):
            yield direction


def _verbal_cue(sentence: str, lexicon: OptionLexicon) -> Direction | None:
    """ "We plan to X", "the clinic will X", "I think we should X"."""
    for found in _cues(lexicon.lean_before, sentence):
        before = sentence[: found.start()]
        subject = _subject(before, lexicon)
        if not _may_decide(subject, before, found[0], lexicon):
            continue
        rest = sentence[found.end() :]
        cue = found[0].casefold()
        if cue.endswith(("we should", "is to")):
            subject = "I" if first_word(subject) == "my" else "we"
        is_other = any(word in lexicon.others for word in words_of(subject)[-2:])
        if cue in lexicon.effect_cues and _tells_effect(rest, subject, lexicon):
            continue
        is_asked = cue.endswith("we should") and sentence.rstrip().endswith("?")
        is_lean = not (is_other and "want" in cue) and not is_asked
        if direction := _made(rest, subject, lexicon, is_lean=is_lean):
            return direction
    return None


def _wish(sentence: str, lexicon: OptionLexicon) -> Direction | None:
    """ "We want the tool to X", which is to have it X."""
    found = _WISH.search(sentence)
    if found is None or _NEGATED.search(sentence[: found.start()]):
        return None
    step = cut_clause(f"have {found['who']} {found['what']}", lexicon)
    return Direction(step, found["subject"], is_lean=True)


def _noun_cue(sentence: str, lexicon: OptionLexicon) -> Direction | None:
    """ "Leaning towards X-ing", "settled on X"."""
    for found in _cues(lexicon.lean_noun, sentence):
        before, rest = sentence[: found.start()], sentence[found.end() :]
        if _NEGATED.search(before[-_LOOK_BACK:]):
            continue
        if direction := _made(rest, _subject(before, lexicon), lexicon, is_lean=True, noun=True):
            return direction
    return None


def _settled(sentence: str, lexicon: OptionLexicon) -> Direction | None:
    """ "X is agreed", "X is a go", "X is obvious"."""
    for found in _settled_pattern(lexicon).finditer(sentence):
        before = sentence[: found.start()]
        subject = tidy(_CLAUSE_START.sub("", before, count=1))
        words = words_of(subject)
        if not words or _NEGATED.search(subject) or len(words) > 12:
            continue
        is_pronoun = words[0] in lexicon.pronouns | lexicon.subjects
        if is_pronoun or words[-1] in lexicon.empty_subjects:
            continue
        return _made(subject, "", lexicon, is_lean=True, noun=True)
    return None


def _progressive(sentence: str, lexicon: OptionLexicon) -> Direction | None:
    """ "We are splitting the monolith"."""
    found = _PROGRESSIVE.search(sentence)
    if (
        found is None
        or _NEGATED.search(sentence[: found.start()])
        or sentence.rstrip().endswith("?")
    ):
        return None
    action = as_action(sentence[found.start("gerund") :], lexicon)
    if first_word(action) in lexicon.no_direction_verbs | lexicon.empty_progress_verbs:
        return None
    return _made(action, found["subject"], lexicon, is_lean=True)


def _considered(sentence: str, lexicon: OptionLexicon) -> Direction | None:
    """ "I am thinking about X-ing"."""
    found = phrase_pattern(lexicon.weak_before, spaced=True).search(sentence)
    if found is None or not as_action(sentence[found.end() :], lexicon):
        return None
    subject = _subject(sentence[: found.start()], lexicon)
    return _made(sentence[found.end() :], subject, lexicon, is_lean=False)


def _made(
    rest: str,
    subject: str,
    lexicon: OptionLexicon,
    *,
    is_lean: bool,
    noun: bool = False,
) -> Direction | None:
    """The direction that begins at `rest`; None when it names no step."""
    text = cut_clause(_ADVERBS.sub("", rest.strip()), lexicon)
    action = as_action(text, lexicon)
    is_gerund = first_word(text).endswith("ing")
    if action and (is_gerund or is_verbal(action, lexicon) or not noun):
        if first_word(action) in lexicon.no_direction_verbs or _is_open(action, lexicon):
            return None
        return Direction(lower_opening(action, lexicon), subject, is_lean)
    words = words_of(text)
    if not noun or not words or len(words) > 14 or _is_open(text, lexicon):
        return None
    pronouns = (lexicon.pronouns - lexicon.determiners) | lexicon.subjects | {"that"}
    if words[0] in pronouns | lexicon.prepositions:
        return None
    return Direction(f"go ahead with {lower_opening(text, lexicon)}", subject, is_lean)


def _is_open(text: str, lexicon: OptionLexicon) -> bool:
    return any(word in lexicon.open_objects for word in words_of(text)[:4])


def _may_decide(subject: str, before: str, cue: str, lexicon: OptionLexicon) -> bool:
    """Whether `subject` is one who can take a direction, not a thing that has an effect."""
    words = words_of(subject)
    if _NEGATED.search(before[-_LOOK_BACK:]) or (words and _CONDITIONAL.match(words[0])):
        return False
    if cue.casefold() in lexicon.effect_cues:
        return bool(words) and words[0] in {"we", "i"} | lexicon.determiners
    return True


def _tells_effect(rest: str, subject: str, lexicon: OptionLexicon) -> bool:
    """Whether a thing, not a person, is said to do this ("the move will take a week")."""
    is_person = first_word(subject) in lexicon.subjects
    return not is_person and first_word(_ADVERBS.sub("", rest.strip())) in lexicon.effect_verbs


def _subject(before: str, lexicon: OptionLexicon) -> str:
    """The subject just before a cue, without auxiliaries; empty when there is none in reach."""
    clause = tidy(_CLAUSE_START.sub("", before, count=1))
    words = clause.split()
    while words and words[-1].casefold() in lexicon.auxiliaries:
        words.pop()
    return " ".join(words) if len(words) <= _LONGEST_SUBJECT_WORDS else ""


@functools.cache
def _label_pattern(lexicon: OptionLexicon) -> re.Pattern[str]:
    labels = "|".join(
        re.escape(label) for label in sorted(lexicon.lean_labels, key=len, reverse=True)
    )
    when = r"(?:\s+(?:yesterday|today|last week|last month|for now))?"
    return re.compile(rf"^(?:{labels}){when}{_LABEL_END}", re.IGNORECASE)


@functools.cache
def _settled_pattern(lexicon: OptionLexicon) -> re.Pattern[str]:
    words = "|".join(re.escape(each) for each in sorted(lexicon.lean_after, key=len, reverse=True))
    return re.compile(
        rf"\s+(?:is|are|was|were|has been|have been)\s+(?:already\s+|now\s+)?(?:{words})"
        r"(?=$|[\s.,;:!])",
        re.I,
    )
