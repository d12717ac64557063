"""The decision in one sentence, made of the options found and the person's own words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from .choices import Fork
from .forks import has_choice_word
from .leans import Direction
from .option_lexicon import OptionLexicon
from .phrases import cut_clause, lower_opening, tidy

LONGEST_DECISION_TOPIC: Final = 200
_OPEN_QUESTION: Final = re.compile(r"\b(?:what|which|where|how|who)\b", re.I)
_UNBOUND: Final = re.compile(
    r"^(?:and|but|so|or|then)?\s*(?:which one|(?:is|does) (?:it|that|this)|why|who would)\b",
    re.I,
)
_DIRECTIONAL: Final = re.compile(
    r"\b(?:should|could|worth|direction|about|next|first|focus|priorit\w+|effort)\b", re.I
)
_UNBOUND_PRONOUN: Final = re.compile(r"\b(?:it|them|they|this|those|these|that)\b", re.I)
_STANDS_ALONE_WORDS: Final = (
    8  # a shorter question leans on the sentence before; chosen by judgement
)


def fork_topic(
    fork: Fork, texts: Sequence[str], direction: Direction | None, lexicon: OptionLexicon
) -> str | None:
    """The question that a fork puts, in the person's words where they stand by themselves."""
    listing = _listing(texts)
    wording = lower_opening(_whole_choice(fork.wording, lexicon), lexicon, known=fork.is_scope)
    if wording[:1].casefold() == texts[0][:1].casefold():
        wording = texts[0][:1] + wording[1:]
    if not fork.is_scope:
        subject = subject_of(fork.subject)
        asked = f"Should {subject} {wording}?" if wording else ""
        is_wh = _OPEN_QUESTION.match(fork.question) is not None
        own = fork.question if is_wh or not asked else ""
        return within(own, asked, f"Should {subject} {listing}?")
    candidates = [fork.question, f"Should we go for {wording or listing}?"]
    if direction is not None and direction.is_lean:
        at = 1 if len(fork.question.split()) > _STANDS_ALONE_WORDS else 0
        candidates.insert(at, f"Should we {direction.text}: {wording or listing}?")
    return within(*candidates)


def _whole_choice(wording: str, lexicon: OptionLexicon) -> str:
    """`wording` without its last clause, or empty when that would lose an alternative."""
    whole = tidy(wording)
    cut = cut_clause(whole, lexicon)
    return cut if has_choice_word(cut) or not has_choice_word(whole) else ""


def step_topic(step: str, subject: str, lexicon: OptionLexicon) -> str | None:
    """The question whether to take `step` or to keep things as they are."""
    asker = subject_of(subject)
    return within(f"Should {asker} {step}, or {lexicon.keep_as_is}?", f"Should {asker} {step}?")


def _listing(texts: Sequence[str]) -> str:
    if len(texts) == 2:
        return f"{texts[0]} or {texts[1]}"
    return f"{', '.join(texts[:-1])}, or {texts[-1]}"


def pair_topic(texts: Sequence[str], lexicon: OptionLexicon) -> str:
    """Two paths as one question in their language."""
    asked = lexicon.fork_question.format(texts[0], texts[1])
    at = len(lexicon.fork_question) - len(lexicon.fork_question.lstrip("¿"))
    return asked[:at] + asked[at : at + 1].upper() + asked[at + 1 :]


def subject_of(subject: str) -> str:
    """Who decides, as it stands after "Should"; "we" when it is not said."""
    words = subject.split()
    if not words:
        return "we"
    if words[0] in {"I", "i"}:
        return "I"
    if words[0].casefold() in {"we", "they", "he", "she", "you", "it", "one"}:
        return words[0].casefold()
    if words[0].casefold() in {"the", "our", "my", "this", "that"}:
        return f"{words[0].casefold()} {' '.join(words[1:])}".strip()
    return "we"


def within(*candidates: str) -> str | None:
    """The first candidate that fits into one short sentence."""
    return next((each for each in candidates if each and len(each) <= LONGEST_DECISION_TOPIC), None)


def open_question(sentences: Sequence[str]) -> str | None:
    """A question about direction that needs no sentence before it to be understood."""
    for sentence in sentences:
        is_question = (
            sentence.rstrip().endswith("?") and _OPEN_QUESTION.search(sentence) is not None
        )
        is_bound = (
            not _UNBOUND_PRONOUN.search(sentence)
            or len(_OPEN_QUESTION.split(sentence)[0].split()) > 4
        )
        if (
            is_question
            and not _UNBOUND.match(sentence)
            and is_bound
            and _DIRECTIONAL.search(sentence)
        ):
            return within(sentence)
    return None
