"""English phrases: verb phrases, their objects and tails, and the shape an option is given in."""

from __future__ import annotations

import re
from typing import Final

from .option_lexicon import OptionLexicon, phrase_pattern

LONGEST_OPTION: Final = 160

_EDGES: Final = " \t\r\n.,;:!?…-–—*•|/\\\"'“”‘’«»()[]{}"
_LEADING_NOISE: Final = re.compile(r"^(?:please|kindly)\s+", re.IGNORECASE)
_DASH: Final = re.compile(r"\s+[-–—]+\s+|\s*—\s*")
_NEW_CLAUSE: Final = re.compile(
    r"""\s*(?:;|,?\s+(?:but|though|although|yet|however|whereas)\s|
        ,\s+(?:so|which|that|and\s+(?:i|we|it|they|nobody|no\s+one|everyone|everybody|who|the)|
            i|we|it|they|he|she|you|everybody|everyone|nobody|somebody|decided|agreed|yes|no|just|only|given|
            (?:the|our)\s+\w+\s+(?:wants?|is|are|has|have|says?|thinks?|prefers?)|full\s+stop|right|is|are|any|what|who|how|cheaper|as|while)\b|
        \s+(?:so\s+(?:we|i|that\s+we|whether|the|it)|and\s+(?:i|we|it|they|nobody|everyone|want|wonder))\b)""",
    re.VERBOSE | re.IGNORECASE,
)
_RELATIVE: Final = re.compile(r"\b(?:that|which|who|whose)\b", re.IGNORECASE)
_PRONOUN: Final = re.compile(
    r"\b(?P<word>it|them|this|that)\b(?=$|\s+(?:until|till|after|before|for|to|in|on|with|from|by|"
    r"now|later|as|out|up|off|down|over|behind|at|when|once|if|next|this|ourselves|alone|only|first|instead|"
    r"and|or|again|outright|ourselves|\w+ly|everywhere|myself|apart|together)\b)",
    re.IGNORECASE,
)
_ADVERB: Final = re.compile(r"[a-z]{3,}ly", re.IGNORECASE)
_DOUBLED: Final = re.compile(r"([bdfgklmnprtvz])\1$")


def tidy(text: str) -> str:
    """`text` without blanks, quotes and punctuation at its ends, its blanks made single."""
    stripped = " ".join(text.split()).strip(_EDGES.replace("{}", ""))  # "{name}" stays whole
    stripped = _LEADING_NOISE.sub("", stripped)
    if text.rstrip(" .,;:!?").endswith(")") and "(" in stripped:
        stripped += ")"
    return stripped


def words_of(text: str) -> list[str]:
    """The blank-separated words of `text` in lower case and without punctuation."""
    return [word.strip(_EDGES).casefold() for word in text.split()]


def first_word(text: str) -> str:
    """The first word of `text` in lower case; empty when there is none."""
    return text.split(maxsplit=1)[0].strip(_EDGES).casefold() if text.split() else ""


def drop_lead(text: str, lexicon: OptionLexicon) -> str:
    """`text` without adverbs and connectives before its first verb ("rather", "just")."""
    words = text.split()
    start = 0
    while start < len(words) - 1 and words[start].strip(_EDGES).casefold() in lexicon.lead_words:
        start += 1
    rest = " ".join(words[start:])
    return rest if is_verbal(rest, lexicon) else text


def is_verbal(text: str, lexicon: OptionLexicon) -> bool:
    """Whether `text` opens with a bare verb. Words that are also nouns need an object after."""
    spelled = without_adverbs(text, lexicon).split()
    words = words_of(" ".join(spelled))
    if words and words[0] in {"not", "to"}:
        words, spelled = words[1:], spelled[1:]
    if not words or words[0] not in lexicon.verbs:
        return False
    if words[0] not in lexicon.noun_verbs:
        return True
    if len(words) == 1:
        return False
    has_name_after = spelled[0].islower() and spelled[1].istitle()  # "train Dana"
    following = words[1]
    return (
        has_name_after
        or following in lexicon.determiners | lexicon.pronouns | lexicon.verb_followers
    )


def without_adverbs(text: str, lexicon: OptionLexicon) -> str:
    """`text` without adverbs in "-ly" before its verb ("permanently delete it" is "delete it")."""
    words = text.split()
    start = 0
    while start < len(words) - 1 and _ADVERB.fullmatch(words[start]):
        if words[start].casefold() in lexicon.verbs:  # "apply", "reply"
            break
        start += 1
    rest = " ".join(words[start:])
    return rest if first_word(rest) in lexicon.verbs else text


def bare_verb(gerund: str, lexicon: OptionLexicon) -> str:
    """The verb of a gerund ("letting" gives "let"); empty when the verb is not known."""
    word = gerund.casefold()
    if not word.endswith("ing") or len(word) < 5:
        return ""
    stem = word[:-3]
    for candidate in (stem, stem + "e", _DOUBLED.sub(r"\1", stem), stem[:-1] + "ie"):
        if candidate in lexicon.verbs:
            return candidate
    prefix, _, tail = stem.rpartition("-")
    return f"{prefix}-{tail}" if prefix and tail in lexicon.verbs else ""


def as_action(text: str, lexicon: OptionLexicon) -> str:
    """`text` as a bare verb phrase when it is one, a "to" phrase or a gerund; else empty."""
    phrase = drop_lead(tidy(text), lexicon)
    opening, _, rest = phrase.partition(" ")
    if opening.casefold() == "to" and first_word(rest) in lexicon.verbs:
        return rest
    if verb := bare_verb(opening, lexicon):
        return _bare_coordination(f"{verb} {rest}".strip(), lexicon)
    return phrase if first_word(phrase) in lexicon.verbs else ""


def _bare_coordination(phrase: str, lexicon: OptionLexicon) -> str:
    """A second gerund joined by "and" follows the first into the bare form."""

    def bare(found: re.Match[str]) -> str:
        verb = bare_verb(found[1], lexicon)
        return f"and {verb}" if verb else found[0]

    return re.sub(r"\band (\w+ing)\b(?= (?:the|a|an|our|my|it|them|all|on|to)\b)", bare, phrase)


def cut_clause(text: str, lexicon: OptionLexicon) -> str:
    """`text` up to where another clause or a reason begins; conditions stay."""
    reasons = phrase_pattern(lexicon.reason_words, spaced=True)
    ends = [len(text)]
    for pattern in (_NEW_CLAUSE, _DASH):
        if found := pattern.search(text, 1):
            ends.append(found.start())
    for found in reasons.finditer(text, 1):
        # "since" and "as" also tell a time; a reason is set off or has a subject after it.
        ends.append(found.start())
        break
    return tidy(text[: min(ends)])


def trim(text: str) -> str:
    """`text` within the longest option, cut at a clause or else at a word."""
    if len(text) <= LONGEST_OPTION:
        return text
    head = text[: LONGEST_OPTION + 1]
    clause = max(
        head.rfind(mark) for mark in (",", ";", ":", " (", " that ", " which ", "，", "、")
    )
    if clause >= LONGEST_OPTION // 3:
        return tidy(head[:clause])
    word = head.rfind(" ")
    return tidy(head[:word] if word > 0 else head[:LONGEST_OPTION])


def lower_opening(text: str, lexicon: OptionLexicon, *, known: bool = False) -> str:
    """`text` without the capital of a sentence start; names and abbreviations keep theirs.

    With `known` only words the lexicon holds are lowered.
    """
    opening, blank, rest = text.partition(" ")
    letters = opening.strip(_EDGES)
    if not letters[:1].isupper() or letters[1:] != letters[1:].lower() or len(letters) < 2:
        is_article = letters == "A" and bool(rest)
        return opening.lower() + blank + rest if is_article else text
    word = letters.casefold()
    if is_verbal(text, lexicon):
        return opening.lower() + blank + rest
    if word in lexicon.proper_nouns or any(mark.isdigit() for mark in word):
        return text
    if known and not (word in lexicon.verbs or word in lexicon.determiners or word.endswith("ing")):
        return text
    return opening.lower() + blank + rest


def split_time(text: str, lexicon: OptionLexicon) -> tuple[str, str]:
    """`text` parted before the time it ends with ("ship it" and "next month")."""
    words = text.split()
    lowered = words_of(text)
    if len(words) > 1 and lowered[-1] in {
        "now",
        "later",
        "today",
        "tomorrow",
        "first",
        "soon",
        "immediately",
    }:
        cut = len(words) - 1
        if lowered[cut - 1] == "right":
            cut -= 1
        return " ".join(words[:cut]), " ".join(words[cut:])
    for index in range(len(words) - 2, 0, -1):
        word = lowered[index]
        if word in {"before", "after", "until", "once"} or (
            word in lexicon.time_starts
            and any(
                later in lexicon.time_words or later[:4].isdigit() for later in lowered[index + 1 :]
            )
            and len(words) - index <= 5
        ):
            return " ".join(words[:index]), " ".join(words[index:])
    return text, ""


def object_of(action: str, lexicon: OptionLexicon) -> str:
    """The object of a verb phrase ("the toggle" of "build the toggle now"); empty when unsure."""
    body, _ = split_time(action, lexicon)
    words = without_adverbs(body, lexicon).split()[1:]
    lowered = [word.strip(_EDGES).casefold() for word in words]
    while lowered and lowered[0] in lexicon.particles:
        words, lowered = words[1:], lowered[1:]
    end = next((i for i, word in enumerate(lowered) if word in lexicon.prepositions), len(words))
    found = " ".join(words[:end])
    if not found or lowered[0] in lexicon.pronouns - lexicon.determiners or _RELATIVE.search(found):
        return ""
    if end > 8 or any(word in {"and", "or", "why", "how", "what", "not"} for word in lowered[:end]):
        return ""
    return tidy(found)


def resolve_pronoun(action: str, antecedent: str) -> str:
    """`action` with its one pronoun replaced by `antecedent` where the number agrees."""
    if not antecedent:
        return action
    found = _PRONOUN.search(action)
    if found is None or found.start() == 0 or len(_PRONOUN.findall(action)) > 1:
        return action
    if (found["word"].casefold() == "them") != _is_plural(antecedent):
        return action
    return action[: found.start()] + antecedent + action[found.end() :]


def _is_plural(noun: str) -> bool:
    opening = first_word(noun)
    last = noun.split(" of ")[0].rstrip().casefold()
    is_one = opening in {"a", "an", "another", "one", "each", "every", "this", "that"}
    return last.endswith("s") and not last.endswith(("ss", "us", "is")) and not is_one
