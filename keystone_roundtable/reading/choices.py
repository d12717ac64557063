"""A choice as one sentence puts it, and how it is made from the alternatives found."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from .forks import MOST_ALTERNATIVES, split_alternatives
from .option_lexicon import OptionLexicon
from .phrases import as_action, is_verbal, object_of, resolve_pronoun

_INNER_ASKING: Final = re.compile(
    r"\bor\s+(?:should|shall|do|would|can)\s+(?:we|i)\s+(?:rather\s+)?", re.I
)
_AFFORD: Final = re.compile(
    r"^(?:(?:even|really|actually|still|just|simply|now|perhaps|maybe)\s+)*(?:afford\s+to\s+)?",
    re.I,
)
_OPENING_LINK: Final = re.compile(r"^(?:but|and|so|now|then),?\s+", re.IGNORECASE)
_LIST_ITEM_WH: Final = re.compile(r"^(?:which|how|who|whether|what|where|when|why|if)\b", re.I)


@dataclass(frozen=True)
class Fork:
    """The paths one sentence opens: several alternatives, or one to take or leave."""

    alternatives: tuple[str, ...]
    sentence: str
    subject: str = "we"
    is_scope: bool = False
    """True for things to choose from rather than steps to take."""
    wording: str = ""
    """What the person wrote for all the alternatives in one; may be empty."""
    lean: int | None = None
    """Index of the alternative that the sentence itself has chosen."""
    question: str = ""
    """A question that holds the choice by itself, in the person's words; may be empty."""


Reader = Callable[[str, OptionLexicon], Fork | None]


def fork_of(
    alternatives: Sequence[str],
    sentence: str,
    lexicon: OptionLexicon,
    *,
    subject: str = "",
    wording: str = "",
    question: str = "",
    verbal: bool = False,
) -> Fork | None:
    """The fork of `alternatives`; None when there are none, too many, or open questions."""
    found = tuple(each for each in alternatives if each)[: MOST_ALTERNATIVES + 1]
    if (
        not found
        or len(found) > MOST_ALTERNATIVES
        or any(_LIST_ITEM_WH.match(each) for each in found)
    ):
        return None
    is_scope = not verbal and not any(is_verbal(each, lexicon) for each in found)
    return Fork(found, sentence, subject or _asker(sentence), is_scope, wording, question=question)


def _asker(sentence: str) -> str:
    """Who decides when the sentence does not say so: one person who speaks only of themselves."""
    is_several = re.search(r"\b(?:we|our|us)\b", sentence, re.IGNORECASE)
    return "I" if re.search(r"\b(?:I|my)\b", sentence) and not is_several else "we"


def steps_fork(
    complement: str, sentence: str, lexicon: OptionLexicon, subject: str = ""
) -> Fork | None:
    """The fork of a complement that is known to open with a verb."""
    asked = _INNER_ASKING.sub("or ", _AFFORD.sub("", to_question_end(complement).strip()))
    actions = split_alternatives(asked, lexicon, verbal=True)
    return fork_of(actions, sentence, lexicon, subject=subject, wording=asked, verbal=True)


def as_actions(items: list[str], lexicon: OptionLexicon) -> list[str]:
    """`items` as bare verb phrases when all of them are gerunds, else as they stand."""
    actions = [
        as_action(item, lexicon) if item.split()[0].casefold().endswith("ing") else ""
        for item in items
    ]
    if not all(actions):
        return items
    antecedent = object_of(actions[0], lexicon)
    return [actions[0], *(resolve_pronoun(each, antecedent) for each in actions[1:])]


def to_question_end(text: str) -> str:
    """`text` before its first question mark."""
    return text.split("?", 1)[0]


def as_question(sentence: str) -> str:
    """`sentence` as a question of its own, without an opening "but"; empty when it asks nothing."""
    whole = _OPENING_LINK.sub("", " ".join(sentence.split()))
    return whole[:1].upper() + whole[1:] if sentence.rstrip().endswith("?") else ""
