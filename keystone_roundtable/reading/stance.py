"""What an answer says about the options: chosen, excluded, limited, or a role's position."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from .stance_lexicon import Found, StanceLexicon

Mentions = Callable[[str], tuple[int, ...]]
"""Gives the indices of the options that a text mentions."""


@dataclass(frozen=True)
class Position:
    """A role's word as the answer reports it."""

    role: str
    favours: bool
    options: tuple[int, ...]
    words: str


@dataclass(frozen=True)
class Stance:
    """Option indices and the clauses they were read from."""

    choices: tuple[int, ...] = ()
    exclusions: tuple[int, ...] = ()
    refusals: tuple[int, ...] = ()
    """Exclusions in words that call the option unacceptable."""
    limits: tuple[str, ...] = ()
    costs: tuple[str, ...] = ()
    positions: tuple[Position, ...] = ()


@dataclass
class _Found:
    choices: list[int] = field(default_factory=list)
    exclusions: list[int] = field(default_factory=list)
    refusals: list[int] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    costs: list[str] = field(default_factory=list)
    positions: list[Position] = field(default_factory=list)

    @property
    def named(self) -> bool:
        return bool(self.choices or self.exclusions)


Leaning = Literal["choice", "exclusion"] | None
MAX_READ = 20_000  # characters; the rest of a pasted page adds no stance of its own

# Gaps and numbers are bounded where a match can begin anywhere in them: a page of nothing else
# would take the square of its length.
_CLAUSES = re.compile(
    r"[;\n。；！？]+|(?<=[.!?])\s+"
    r"|,?\s{1,40}(?:but|however|though|yet|aber|mais|pero|mas|но)\s+"
    r"|,\s*(?=(?:and\s+)?(?:we|it|they|i|there|never|must|no|security|product|legal)\b)"
    r"|\s{1,40}and\s+(?=(?:we|it|they|i|there|never|must|no)\b)"
    r"|，\s*",
    re.IGNORECASE,
)
_NOT_THIS = re.compile(r"^(\s*not\b[^,.;]{1,30}),\s", re.IGNORECASE)  # "Not now, in May"
_QUANTITY_SOURCE = (
    r"(?:[$€£¥]\s?\d[\d.,]{0,40}\s?[kKmM]?\b)"
    r"|(?:\b\d[\d.,]{0,40}\s?(?:k|m|million|percent|%|eur|usd|euros?|dollars?|pounds?|hours?|days?|weeks?"
    r"|months?|years?|people|users|customers|ms|seconds|minutes|gb|tb|tage?n?|wochen?|monate?n?"
    r"|jours?|semaines?|mois|días|semanas|meses)(?!\w))"
    r"|(?:\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve)\s"
    r"(?:hours?|days?|weeks?|months?|years?|people|engineers?)\b)"
    r"|(?:\d{1,40}\s?(?:天|周|个月|年|人|万|元|日|週間|か月|円|일|주|개월|만|วัน|สัปดาห์|เดือน|ปี|บาท|คน))"
)


@cache
def _quantity() -> re.Pattern[str]:
    return re.compile(_QUANTITY_SOURCE, re.IGNORECASE)


@cache
def _bounded_quantity() -> re.Pattern[str]:
    bound = r"\b(?:in|within|under|over|only|max|maximum|min|minimum|exactly)\s"
    return re.compile(rf"{bound}(?:about\s|around\s)?(?:{_QUANTITY_SOURCE})", re.IGNORECASE)


_SUBJECTLESS = re.compile(
    r"(?:and\s+)?(?:must|has|have|needs?|cannot|can't|should|may|stays?)\b", re.IGNORECASE
)
_SEVERAL = re.compile(r"\bor\b|\b(?:maybe|perhaps)\b.*\b(?:maybe|perhaps)\b", re.IGNORECASE)
_WORDS_BESIDE_AN_AMOUNT = 2
_FILLER_WORDS = 2  # "Honestly?", "Hmm, well."; chosen by judgement


def split_clauses(text: str) -> tuple[str, ...]:
    """The clauses of an answer, in order, without their closing punctuation."""
    read = _NOT_THIS.sub(r"\1; ", text[:MAX_READ])
    parts = (part.strip(" ,.;:!\t") for part in _CLAUSES.split(read))
    return tuple(part for part in parts if part)


def find_quantities(text: str) -> tuple[str, ...]:
    """Amounts with their units, as written."""
    return tuple(m.group().strip() for m in _quantity().finditer(text[:MAX_READ]))


def read_stance(
    text: str,
    *,
    mentions: Mentions,
    roles: Mapping[str, Sequence[str]],
    leaning: Leaning,
    lexicons: Sequence[StanceLexicon],
) -> Stance:
    """The stance of an answer.

    `leaning` is what a bare mention of an option means under the question asked: a choice, an
    exclusion, or nothing. `roles` maps role ids to the names people use for them.
    """
    found = _Found()
    clauses = split_clauses(text)
    if _Says(text[:MAX_READ].casefold().replace("’", "'"), lexicons).any("change_of_mind"):
        leaning = "choice"
    opens, before = True, ""
    for clause in clauses:
        # Only the opening of an answer answers the question; what follows explains it.
        opens = opens and (not before or _is_filler(before, lexicons))
        meant = leaning if opens and not found.choices else None
        _read_clause(clause, before, found, mentions, roles, meant, lexicons)
        before = clause
    excluded = [i for i in found.exclusions if i not in found.choices]
    return Stance(
        choices=_unique(found.choices),
        exclusions=_unique(excluded),
        refusals=_unique([i for i in found.refusals if i in excluded]),
        limits=tuple(dict.fromkeys(found.limits)),
        costs=tuple(dict.fromkeys(found.costs)),
        positions=tuple(found.positions),
    )


def _is_filler(clause: str, lexicons: Sequence[StanceLexicon]) -> bool:
    """Whether a clause only leads up to the answer: "Honestly?", "I changed my mind"."""
    said = _Says(clause.casefold().replace("’", "'"), lexicons)
    return len(clause.split()) <= _FILLER_WORDS or said.any("change_of_mind")


def _read_clause(
    clause: str,
    before: str,
    found: _Found,
    mentions: Mentions,
    roles: Mapping[str, Sequence[str]],
    leaning: Leaning,
    lexicons: Sequence[StanceLexicon],
) -> None:
    folded = clause.casefold().replace("’", "'")
    says = _Says(folded, lexicons)
    position = _position(clause, folded, says, mentions, roles)
    if position is not None:
        found.positions.append(position)
        return
    if says.any("limit") or (leaning is None and _bounded_quantity().search(clause)):
        found.limits.append(_with_subject(clause, before))
    if says.any("cost"):
        found.costs.append(clause)
    wanted, unwanted = _sides(clause, folded, says)
    negated = says.any("exclusion") or says.opens_with_negation()
    named = mentions(_without_reason(wanted, says)) or mentions(wanted)
    if negated and not says.any("conditional"):
        found.exclusions += named
        found.refusals += named if says.any("refusal") else ()
    elif len(named) == 1 and not negated and (leaning == "choice" or says.any("choice")):
        found.choices += named
    elif leaning == "exclusion":
        found.exclusions += named
    if unwanted and len(named) == 1:
        found.exclusions += [i for i in mentions(unwanted) if i not in named]


_LEAST_MAIN_CHARS = 3  # a clause that opens with its reason has its point elsewhere


def _without_reason(clause: str, says: _Says) -> str:
    """The clause without why: "rebuild, because nobody comes in winter" is about rebuilding."""
    match = says.find("reason")
    if match is None or match.start < _LEAST_MAIN_CHARS or match.start >= len(clause):
        return clause
    return clause[: match.start]


def _with_subject(clause: str, before: str) -> str:
    """The clause, after the one before it where it would lack its subject."""
    return f"{before}, {clause}" if before and _SUBJECTLESS.match(clause) else clause


@dataclass(frozen=True)
class _Says:
    folded: str
    lexicons: Sequence[StanceLexicon]

    def find(self, kind: str) -> Found | None:
        found = (lexicon.finds(kind, self.folded) for lexicon in self.lexicons)
        return next((match for match in found if match), None)

    def any(self, kind: str) -> bool:
        return self.find(kind) is not None

    def opens_with_negation(self) -> bool:
        match = self.find("opening_negation")
        return match is not None and match.start == 0


def _sides(clause: str, folded: str, says: _Says) -> tuple[str, str]:
    """What is wanted and what is not: "the export rather than the import"."""
    match = says.find("contrast")
    if match is None or len(folded) != len(clause):
        return clause, ""
    return clause[: match.start], clause[match.end :]


def _position(
    clause: str,
    folded: str,
    says: _Says,
    mentions: Mentions,
    roles: Mapping[str, Sequence[str]],
) -> Position | None:
    against, favours = says.find("role_against"), says.find("role_for")
    verb = against or favours
    if verb is None:
        return None
    for role, aliases in roles.items():
        alias = _first_alias(folded, aliases)
        if alias is not None and alias < verb.start:
            after = clause[verb.end :] if len(folded) == len(clause) else clause
            return Position(role, against is None, mentions(after), clause)
    return None


def _first_alias(folded: str, aliases: Sequence[str]) -> int | None:
    for alias in aliases:
        match = re.search(rf"(?<!\w){re.escape(alias.casefold())}(?!\w)", folded)
        if match:
            return match.start()
    return None


def _unique(indices: Sequence[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(indices))


def named_alternative(text: str, lexicons: Sequence[StanceLexicon]) -> str | None:
    """The alternative that an answer names, as a short phrase; None where it names nothing short.

    "Not worth choosing now: the native rewrite." gives "the native rewrite".
    """
    clauses = split_clauses(text)
    if not clauses:
        return None
    if _SEVERAL.search(clauses[0]):
        return None
    phrase = _without_lead_in(_REASON.split(clauses[0])[0].strip(_EDGES), lexicons)
    phrase = phrase.split(", ")[0].strip(_EDGES) if phrase.count(", ") == 1 else phrase
    amount = " ".join(find_quantities(phrase))
    if amount and len(phrase.split()) - len(amount.split()) <= _WORDS_BESIDE_AN_AMOUNT:
        return None  # "two weeks", "5k a month": an amount is no path
    if not phrase or len(phrase) > MAX_ALTERNATIVE or declines(phrase, lexicons):
        return None
    return phrase


_GOES_ON = re.compile(r"\s*[^\W\d_]")  # "no outages" names something, "no, because" does not


def declines(text: str, lexicons: Sequence[StanceLexicon]) -> bool:
    """Whether a text opens with a word for nothing or for not knowing."""
    folded = text[:MAX_READ].casefold().replace("’", "'").lstrip()
    found = (lexicon.finds("nothing", folded) for lexicon in lexicons)
    return any(
        match.start == 0 and (" " in folded[: match.end] or not _GOES_ON.match(folded[match.end :]))
        for match in found
        if match
    )


_EDGES = " ,.;:!\"“”'"
MAX_ALTERNATIVE = 100  # characters; a longer answer tells a story rather than names a path
_REASON = re.compile(
    r",?\s{1,40}(?:because|since|as it|weil|parce que|porque|потому что)\s"
    r"|,\s+(?:it|that|which|so)\s|\s[-–—]\s|，因为|因为",
    re.IGNORECASE,
)


def chooses(text: str, lexicons: Sequence[StanceLexicon]) -> bool:
    """Whether a text holds a word of choosing: "I'd go with", "we prefer"."""
    return _Says(text[:MAX_READ].casefold().replace("’", "'"), lexicons).any("choice")


def opens_with_choice(text: str, lexicons: Sequence[StanceLexicon]) -> bool:
    """Whether a text begins with a word of choosing, a pronoun apart: "I choose"."""
    found = _Says(text[:MAX_READ].casefold().replace("’", "'"), lexicons).find("choice")
    return found is not None and len(text[: found.start].split()) <= _WORDS_BEFORE_CHOICE


_WORDS_BEFORE_CHOICE = 2


def consent(text: str, lexicons: Sequence[StanceLexicon]) -> bool | None:
    """Whether a text says to do the thing, or not to; None where it says neither."""
    says = _Says(text[:MAX_READ].casefold().replace("’", "'"), lexicons)
    if says.any("refusal_to_do"):
        return False
    return True if says.any("consent") else None


def _without_lead_in(phrase: str, lexicons: Sequence[StanceLexicon]) -> str:
    changed = True
    while changed:
        changed = False
        for lexicon in lexicons:
            match = lexicon.finds("lead_ins", phrase.casefold())
            if match and match.start == 0 and match.end < len(phrase):
                phrase = phrase[match.end :].strip(" ,.;:")
                changed = True
    return phrase


def reversal_pain(text: str, lexicons: Sequence[StanceLexicon]) -> Literal["easy", "hard"] | None:
    """How hard undoing is said to be, where it is said plainly."""
    folded = text[:MAX_READ].casefold().replace("’", "'")
    says = _Says(folded, lexicons)
    if says.any("hard_reversal"):
        return "hard"
    return "easy" if says.any("easy_reversal") else None
