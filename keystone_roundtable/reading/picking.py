"""Which of the listed paths an answer picks, where the question asks for one.

People open with the answer and go on with why: "one senior, two juniors need too much help". So the
opening decides, and what the reason names decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .option_lexicon import OptionLexicon
from .references import by_polarity, mentions, same_option
from .stance_lexicon import Found, StanceLexicon

MAX_READ: Final = 2_000  # characters; whoever picks does so before that
_MOST_CLAUSES: Final = 12
_LEAD_UP_WORDS: Final = 2  # "Honestly?", "Hmm, well"
_BRIEF_WORDS: Final = 8  # of a clause that stands for an option in other words

_NUMBER: Final = re.compile(
    r"(?:#|no\.?\s?|nr\.?\s?|n[º°]\s?|number\s|option\s|choice\s|path\s|variante?\s|opci[óo]n\s)?"
    r"(?P<number>[1-9１-９]|[①-⑥])(?![\w%/])(?!\s?[-–]\s?\d)(?![.,:]\d)",
    re.IGNORECASE,
)
# What may follow a number that stands for an option: the end, a mark, or words about it. "2 weeks"
# is an amount.
_AFTER_NUMBER: Final = re.compile(r"\s*(?:$|[.,;:)!?–—、，。-])")
_CLAUSE_END: Final = re.compile(r"[;:!?\n(…。；！？，、]+|,|\.+(?=\s|$)|\s[-–—]+\s")


@dataclass(frozen=True)
class Pick:
    """What was picked, and which paths were turned from; None and () where neither was said."""

    chosen: int | None = None
    turned_from: tuple[int, ...] = ()
    by_place: bool = False
    """Whether it was named by its number or ordinal, which no other words can be mistaken for."""


def read_pick(
    text: str,
    options: Sequence[str],
    lexicons: Sequence[OptionLexicon],
    stances: Sequence[StanceLexicon],
) -> Pick:
    """The path of `options` that an answer to "which one?" picks."""
    folded = text[:MAX_READ].casefold().replace("’", "'").strip()
    folded = _after_second_thoughts(folded, stances)
    numbered = _numbered(folded, options, lexicons, stances)
    if numbered is not None:
        return numbered
    return _Picking(options, lexicons, stances).read(_clauses(folded))


def _after_second_thoughts(folded: str, stances: Sequence[StanceLexicon]) -> str:
    """What follows the last change of mind, where anything stands before it."""
    for stance in stances:
        while (found := stance.finds("change_of_mind", folded)) and found.start > 0:
            after = folded[found.end :].strip(" ,.:;-")
            if not after:
                break
            folded = after
    return folded


def _clauses(folded: str) -> list[str]:
    parts = (part.strip(" \t\"'“”«»*_") for part in _CLAUSE_END.split(folded))
    return [part for part in parts if part][:_MOST_CLAUSES]


def _numbered(
    folded: str,
    options: Sequence[str],
    lexicons: Sequence[OptionLexicon],
    stances: Sequence[StanceLexicon],
) -> Pick | None:
    """By a number or an ordinal at the opening; a number that no option has picks nothing."""
    opening = _without_lead_in(folded, stances)
    found = _NUMBER.match(opening)
    if found is not None:
        rest = opening[found.end() :]
        if _AFTER_NUMBER.match(rest) or _opens_with_reason(rest, stances) or _is_judged(rest):
            index = _value(found["number"]) - 1
            return Pick(index if index < len(options) else None, by_place=True)
    return _by_ordinal(opening, options, lexicons)


def _by_ordinal(
    opening: str, options: Sequence[str], lexicons: Sequence[OptionLexicon]
) -> Pick | None:
    words = re.findall(r"[^\W_]+", opening)[:4]
    for lexicon in lexicons:
        if not lexicon.spaced:
            for index, names in enumerate(lexicon.ordinals[: len(options)]):
                if any(len(name) > 1 and opening.startswith(name) for name in names):
                    return Pick(index, by_place=True)
            continue
        left = list(words)
        while left and left[0] in lexicon.ordinal_fillers | _ARTICLES and left[0] not in _COUNTS:
            left.pop(0)
        if not left or left[0] in _COUNTS or len(left[0]) == 1:
            continue
        if left[0] in lexicon.last_words:
            return Pick(len(options) - 1, by_place=True)
        for index, names in enumerate(lexicon.ordinals[: len(options)]):
            if left[0] in names and not _is_part_of(left[:2], options[index], options):
                return Pick(index, by_place=True)
    return None


# Counting words are amounts ("two juniors") unless "number" or "option" leads up to them.
_COUNTS: Final = frozenset("one two three four five six".split())  # noqa: SIM905
_ARTICLES: Final = frozenset("the le la les l el los o a die der das den".split())  # noqa: SIM905


def _is_part_of(words: Sequence[str], option: str, options: Sequence[str]) -> bool:
    """Whether an ordinal is a word of the options themselves: "the first floor"."""
    pair = " ".join(words)
    return any(pair in other.casefold() for other in options) and len(words) > 1


def _value(digit: str) -> int:
    if "①" <= digit <= "⑥":
        return ord(digit) - ord("①") + 1
    return int(digit)


_JUDGED: Final = re.compile(
    r"\s+(?:is|it is|was|would|wins|please|for|i |we |by|looks|seems|pays|makes)\b"
)


def _is_judged(rest: str) -> bool:
    return _JUDGED.match(rest) is not None


def _opens_with_reason(rest: str, stances: Sequence[StanceLexicon]) -> bool:
    stripped = rest.lstrip()
    return any(
        stripped.startswith(phrase.strip()) for stance in stances for phrase in stance.reason
    )


def _without_lead_in(folded: str, stances: Sequence[StanceLexicon]) -> str:
    """The answer without what leads up to it: "I'd say", "honestly"."""
    changed = True
    while changed:
        changed = False
        folded = folded.lstrip(" ,.:;!?-…")
        for stance in stances:
            found = stance.finds("lead_ins", folded)
            if found is not None and found.start == 0 and folded[found.end :].strip(" ,.:;!?"):
                folded = folded[found.end :]
                changed = True
    return folded.strip()


@dataclass(frozen=True)
class _Picking:
    options: Sequence[str]
    lexicons: Sequence[OptionLexicon]
    stances: Sequence[StanceLexicon]

    def read(self, clauses: Sequence[str]) -> Pick:
        concluded = next(filter(None, map(self._concluded, clauses[1:])), None)
        if concluded is not None:
            return concluded
        turned: list[int] = []
        for number, clause in enumerate(clauses):
            if not turned and not all(map(self._leads_up, clauses[:number])):
                break
            if self._only_explains(clause):
                continue
            away = self._turned_from(clause)
            if away is not None:
                turned += [i for i in away if i not in turned]
                continue
            head, unwanted = self._head(clause)
            named = self._named(head)
            if len(named) == 1 and named[0] not in turned:
                against = [i for i in self._named(unwanted) if i != named[0]]
                return Pick(named[0], tuple(dict.fromkeys((*turned, *against))))
            if named and not turned:
                return Pick()
        if len(turned) == 1 and len(self.options) == 2:
            return Pick(1 - turned[0], tuple(turned))
        return Pick(None, tuple(turned))

    def _concluded(self, clause: str) -> Pick | None:
        """ "So build it" says what follows from the clauses before; "so we build once" does not."""
        found = self._opening("conclusion", clause)
        if found is None:
            return None
        wanted = _without_lead_in(clause[found.end :], self.stances)
        named = self._named(self._head(wanted)[0])
        first = next(iter(wanted.split()), "")
        opens = named and mentions(first, [self.options[named[0]], _OTHER], self.lexicons) == (0,)
        return Pick(named[0]) if opens and len(named) == 1 else None

    def _named(self, head: str) -> tuple[int, ...]:
        if not head:
            return ()
        named = mentions(head, self.options, self.lexicons)
        if len(named) != 1 and len(head.split()) <= _BRIEF_WORDS:
            index = same_option(head, self.options, self.lexicons)
            if index is None:
                index = by_polarity(head, self.options, self.lexicons)
            return named if index is None else (index,)
        return named

    def _head(self, clause: str) -> tuple[str, str]:
        """A clause up to its reason, and what it is set against: "X rather than Y, because Z"."""
        clause = self._cut(clause, "reason", "concession")[0]
        wanted, unwanted = self._cut(clause, "contrast")
        earlier = self._cut(wanted, "conditional")[0]
        # "After the refactor" is all condition, and names a path by it.
        return (earlier if self._named(earlier) else wanted), unwanted

    def _cut(self, clause: str, *kinds: str) -> tuple[str, str]:
        cuts = [
            found
            for stance in self.stances
            for kind in kinds
            if (found := stance.finds(kind, clause)) and found.start > 0
        ]
        if not cuts:
            return clause, ""
        first = min(cuts)
        return clause[: first.start].strip(" ,"), clause[first.end :].strip()

    def _leads_up(self, clause: str) -> bool:
        """Whether a clause only leads up to the answer: "Honestly?", "well, I think"."""
        if self._only_explains(clause):
            return True
        if self._turned_from(clause) or self._named(clause):
            return False
        return len(clause.split()) <= _LEAD_UP_WORDS or not _without_lead_in(clause, self.stances)

    def _only_explains(self, clause: str) -> bool:
        """Whether a clause begins with why, or with what speaks against it."""
        return bool(self._opening("reason", clause) or self._opening("concession", clause))

    def _turned_from(self, clause: str) -> tuple[int, ...] | None:
        """The paths that a clause says not to take: "not the refactor", "X can wait"; else None."""
        head = self._head(clause)[0]
        opening = self._opening("turning_away", clause)  # "anything but X" concedes nothing
        if opening and not self._is_own_word(clause[: opening.end], head):
            return self._named(self._head(clause[opening.end :].strip())[0])
        for stance in self.stances:
            put_off = stance.finds("putting_off", head)
            if put_off and (named := self._named(head[: put_off.start].strip())):
                return named
            away = stance.finds("turning_away", head)
            if away and not self._is_own_word(head[away.start : away.end], head):
                return self._named(head[away.end :].strip() or head[: away.start].strip())
            against = stance.finds("exclusion", head)
            if against is not None:
                before, after = head[: against.start].strip(), head[against.end :].strip()
                return self._named(before) or self._named(after)
        return None

    def _opening(self, kind: str, clause: str) -> Found | None:
        found = (stance.finds(kind, clause) for stance in self.stances)
        return next((one for one in found if one is not None and one.start == 0), None)

    def _is_own_word(self, phrase: str, head: str) -> bool:
        """Whether a word such as "not" or "stop" belongs to the option that the head names."""
        first = phrase.split()[0]
        named = self._named(head)
        return any(first in self.options[i].casefold().split() for i in named)


_OTHER: Final = "\0"  # an option that nothing names
