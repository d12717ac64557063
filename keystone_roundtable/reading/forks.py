"""Alternatives joined by "or" and the like, each made to stand on its own (English)."""

from __future__ import annotations

import re
from typing import Final

from .option_lexicon import OptionLexicon, phrase_pattern
from .phrases import (
    as_action,
    bare_verb,
    cut_clause,
    drop_lead,
    first_word,
    is_verbal,
    object_of,
    resolve_pronoun,
    split_time,
    tidy,
    words_of,
)

MOST_ALTERNATIVES: Final = 6

_GLUE: Final = "\ue000"  # stands for a blank that joins a set phrase, so that no split cuts it
_OR: Final = re.compile(
    r"[,;]?\s+or\s+(?:(?:else|rather|instead|perhaps|maybe|should\s+(?:we|i)|shall\s+(?:we|i)|"
    r"do\s+(?:we|i)|would\s+it\s+be\s+(?:better|wiser|smarter|best)\s+to|is\s+it\s+(?:better|wiser)\s+to|"
    r"whether\s+(?:to|we\s+should))[\s,]+)?",
    re.IGNORECASE,
)
_INSTEAD: Final = re.compile(
    r",?\s+(?:instead\s+of|rather\s+than|as\s+opposed\s+to)\s+", re.IGNORECASE
)
_ORDER: Final = re.compile(r"\s(before|after)\s+or\s+(before|after)\s+", re.IGNORECASE)
_LIST_AND: Final = re.compile(r",?\s+(?:and|or|versus|vs\.?)\s+", re.IGNORECASE)
_OR_NOT: Final = re.compile(r",?\s+or\s+not\b[\s.?!]*(?:at\s+all[\s.?!]*)?$", re.IGNORECASE)
_COMPARATIVE_END: Final = re.compile(
    r"\s+or\s+(?:more|less|fewer|better|worse|earlier|above|below)(?=$|[,.;?!)]|\s+than\b)",
    re.IGNORECASE,
)
_ITEM_STARTS: Final = re.compile(
    r"^(?:which|who|whose|where|when|because|since|given|although|though|but|while|if|so|"
    r"that|as\s+we|as\s+it|for\s+example|e\.g|i\.e|and)\b",
    re.IGNORECASE,
)
_TIMES: Final = frozenset(("now", "later", "today", "tomorrow", "after", "before", "until", "once"))
_SECOND_NOUN: Final = re.compile(r"\b(?:about|of)\s+\w", re.IGNORECASE)
_LIMITERS: Final = re.compile(r"^(?:only|just|merely)\s+(?=\w)", re.IGNORECASE)
_LONGEST_ITEM_WORDS: Final = 14


def split_alternatives(
    complement: str, lexicon: OptionLexicon, *, verbal: bool = False
) -> tuple[str, ...]:
    """The alternatives in what follows "should we" or "whether to", each able to stand alone.

    One element when the complement holds a single path; none when it is blank. "A or not" is the
    single path A. With `verbal` the complement is known to open with a verb, as after "should we".
    """
    text = _glue_set_phrases(_OR_NOT.sub("", tidy(complement)), lexicon)
    if order := _ORDER.search(text):
        return _unglue(_both_orders(text, order, lexicon))
    pieces = _pieces(text, lexicon)
    if len(pieces) == 1:
        pieces = [cut_clause(piece, lexicon) for piece in _INSTEAD.split(pieces[0], maxsplit=1)]
    pieces = [drop_lead(tidy(piece), lexicon) for piece in pieces if tidy(piece)]
    return _unglue(_completed(pieces, lexicon, verbal=verbal))


def split_list(text: str, lexicon: OptionLexicon) -> tuple[str, ...]:
    """The items of a list closed by "and", "or" or "versus", as they stand."""
    glued = _glue_set_phrases(tidy(text), lexicon)
    parts = _LIST_AND.split(glued)
    if len(parts) < 2:
        return ()
    *front, last = parts
    items = [item for part in front for item in part.split(", ")] + [cut_clause(last, lexicon)]
    return _unglue([tidy(item) for item in items if tidy(item)])


def is_item_list(items: tuple[str, ...]) -> bool:
    """Whether `items` are few, short and none of them a clause of another kind."""
    return 2 <= len(items) <= MOST_ALTERNATIVES and all(
        len(item.split()) <= _LONGEST_ITEM_WORDS and not _ITEM_STARTS.match(item) for item in items
    )


def share_tail(items: tuple[str, ...], lexicon: OptionLexicon) -> tuple[str, ...]:
    """Noun items with the closing time or place of the last one given to all of them."""
    if not items:
        return items
    last = items[-1]
    words = words_of(last)
    if words[-1] == "first" and len(words) > 1:
        return (*(f"{item} first" for item in items[:-1]), last)
    at = next(
        (i for i, word in enumerate(words) if i and word in lexicon.tail_starts and i <= 4), None
    )
    if at is None or any(
        word in lexicon.tail_starts for item in items[:-1] for word in words_of(item)
    ):
        return items
    tail = " ".join(last.split()[at:])
    is_time = any(word in lexicon.time_words for word in words[at:])
    all_short = all(len(item.split()) == 1 for item in items[:-1]) and at <= 2
    if not (is_time or all_short):
        return items
    return (*(f"{item} {tail}" for item in items[:-1]), last)


def has_choice_word(text: str) -> bool:
    """Whether `text` holds any word that may join alternatives."""
    return _OR.search(text) is not None


def _glue_set_phrases(text: str, lexicon: OptionLexicon) -> str:
    """`text` with "two or three", "more or less" and open ends ("or anything else") made solid."""

    def glue(found: re.Match[str]) -> str:
        return found[0].replace(" ", _GLUE)

    number = "|".join(sorted(lexicon.numbers))
    glued = re.sub(rf"\b(?:\d[\d.,]*|{number}) or (?:\d[\d.,]*|{number})\b", glue, text, flags=re.I)
    glued = phrase_pattern(lexicon.false_pairs, spaced=True).sub(glue, glued)
    glued = _COMPARATIVE_END.sub(glue, glued)
    tails = tuple(tail for tail in lexicon.open_tails if tail != "or not")
    return phrase_pattern(tails, spaced=True).sub(
        lambda found: _GLUE + found[0].replace(" ", _GLUE), glued
    )


def _unglue(pieces: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(" ".join(piece.replace(_GLUE, " ").split()) for piece in pieces)


def _both_orders(text: str, order: re.Match[str], lexicon: OptionLexicon) -> list[str]:
    action = drop_lead(tidy(text[: order.start()]), lexicon)
    landmark = cut_clause(text[order.end() :], lexicon)
    return [f"{action} {word.lower()} {landmark}" for word in (order[1], order[2])]


def _pieces(text: str, lexicon: OptionLexicon) -> list[str]:
    """The raw pieces between the conjunctions and, in a list, between its commas."""
    parts = [part for part in _OR.split(text) if part.strip()]
    if len(parts) < 2:
        return [cut_clause(text, lexicon)] if text else []
    parts = _rejoin_guarded(parts, lexicon)
    if len(parts) < 2:
        return [cut_clause(parts[0], lexicon)]
    *front, last = parts
    return [item for part in front for item in _commas(part, lexicon)] + [cut_clause(last, lexicon)]


def _rejoin_guarded(parts: list[str], lexicon: OptionLexicon) -> list[str]:
    """Joins again what is a list of nouns inside a condition ("without notice or consent")."""
    joined = [parts[0]]
    for part in parts[1:]:
        opening = drop_lead(part, lexicon)
        stands_alone = is_verbal(opening, lexicon) or first_word(opening) in lexicon.time_starts
        guarded = any(word in lexicon.guards for word in words_of(joined[-1])[1:])
        if guarded and not stands_alone:
            joined[-1] = f"{joined[-1]}{_GLUE}or{_GLUE}{part}"
        else:
            joined.append(part)
    return joined


def _commas(part: str, lexicon: OptionLexicon) -> list[str]:
    items = [tidy(item) for item in part.split(", ") if tidy(item)]
    if len(items) < 2 or not is_item_list(tuple(items)):
        return [cut_clause(part, lexicon)]
    return items


def _completed(pieces: list[str], lexicon: OptionLexicon, *, verbal: bool) -> list[str]:
    """Each alternative with the verb, object or tail that it shares with the one before."""
    if len(pieces) < 2:
        return pieces
    are_gerunds = all(bare_verb(first_word(piece), lexicon) for piece in pieces)
    if are_gerunds and (verbal or any(" " in piece for piece in pieces)):
        pieces = [as_action(piece, lexicon) for piece in pieces]
        verbal = True
    if not (verbal or is_verbal(pieces[0], lexicon)):
        return list(
            share_tail(tuple(_counted(piece, pieces[0], lexicon) for piece in pieces), lexicon)
        )
    if all(" " not in piece for piece in pieces):
        return pieces  # "hire or outsource", "A or B": single words share nothing
    whole = [_with_noun(as_action(pieces[0], lexicon) or pieces[0], pieces[-1], lexicon)]
    head = whole[0]
    for piece in pieces[1:]:
        if are_gerunds or _is_step(piece, lexicon):
            head = resolve_pronoun(piece, _shared_object(whole, lexicon))
            whole.append(head)
        else:
            whole.append(_with_head(head, piece, lexicon))
    return _with_shared_tail(whole, pieces, lexicon)


def _counted(piece: str, first: str, lexicon: OptionLexicon) -> str:
    """A bare number with the noun it counts: "two" after "one region" is "two regions"."""
    count, _, noun = first.partition(" ")
    if piece not in lexicon.numbers or count.casefold() not in {"one", "a", "an"} or not noun:
        return piece
    return f"{piece} {noun}" if noun.endswith("s") else f"{piece} {noun}s"


def _is_step(piece: str, lexicon: OptionLexicon) -> bool:
    """Whether a later alternative has a verb of its own, known or told by the object after it.

    A capital inside a sentence is a name ("Rust instead of Go").
    """
    if piece[0].isupper():
        return False
    opening, *following = words_of(piece)
    known = lexicon.determiners | lexicon.prepositions | lexicon.time_starts | lexicon.lead_words
    objects = lexicon.articles_the | lexicon.articles_one | lexicon.pronouns
    told = bool(following) and following[0] in objects
    return is_verbal(piece, lexicon) or (told and opening not in known)


def _shared_object(whole: list[str], lexicon: OptionLexicon) -> str:
    """The object that all the steps so far are about; empty when it is not certain."""
    first, *others = (object_of(step, lexicon) for step in whole)
    is_certain = all(other in {"", first} for other in others)
    return first if is_certain and not _SECOND_NOUN.search(whole[0]) else ""


def _with_noun(first: str, last: str, lexicon: OptionLexicon) -> str:
    """ "run weekly" with the noun of "monthly reviews"."""
    opening, _, noun = last.partition(" ")
    if noun and {words_of(first)[-1], opening.casefold()} <= lexicon.end_words:
        return f"{first} {noun}"
    return first


def _with_head(head: str, piece: str, lexicon: OptionLexicon) -> str:
    """`piece` after the part of the verb phrase `head` that it does not replace."""
    opening = first_word(_LIMITERS.sub("", piece))
    body, time = split_time(head, lexicon)
    if time and _is_time(piece, opening, lexicon):
        return f"{body} {_full_time(piece, time)}"
    if time and piece.split()[-1].casefold() in lexicon.time_words:
        lead = time.split()[0] if first_word(time) in lexicon.prepositions else ""
        return " ".join(filter(None, (body, lead, piece)))
    if opening in _TIMES:
        return f"{head} {piece}"
    words = body.split()
    if len(piece.split()) == 1 and {opening, words_of(body)[-1]} <= lexicon.end_words:
        return " ".join([*words[:-1], piece])
    if opening in lexicon.prepositions:
        return " ".join([*words[: _preposition_at(words, opening, lexicon)], piece])
    return " ".join([*words[: _slot_at(words, piece, lexicon)], piece])


def _is_time(piece: str, opening: str, lexicon: OptionLexicon) -> bool:
    if opening in _TIMES:
        return True
    names_time = any(word in lexicon.time_words for word in words_of(piece))
    return opening in lexicon.time_starts and (names_time or len(piece.split()) == 1)


def _full_time(piece: str, time: str) -> str:
    """ "next" after "this quarter" means "next quarter"."""
    is_bare = piece.casefold() in {"next", "the next", "this", "last"}
    return f"{piece} {time.split()[-1]}" if is_bare else piece


def _preposition_at(words: list[str], opening: str, lexicon: OptionLexicon) -> int:
    lowered = [word.casefold() for word in words]
    if opening in lowered:
        return len(lowered) - 1 - lowered[::-1].index(opening)
    places = [i for i, word in enumerate(lowered) if i and word in lexicon.prepositions]
    return places[-1] if places else len(words)


def _slot_at(words: list[str], piece: str, lexicon: OptionLexicon) -> int:
    """Where in the verb phrase the noun begins that `piece` is an alternative to.

    The noun after the last preposition, unless its article differs in kind from that of `piece`
    and an earlier noun agrees ("build a portal for partners or an app").
    """
    lowered = [word.casefold() for word in words]
    after_verb = 2 if len(lowered) > 2 and lowered[1] in {"up", "out", "off", "down", "over"} else 1
    if first_word(" ".join(words)) == "go" and len(words) == 2:
        after_verb = 1
    slots = [after_verb] + [
        i + 1 for i, word in enumerate(lowered) if i >= after_verb and word in lexicon.prepositions
    ]
    slots = [slot for slot in slots if slot < len(words)] or [min(after_verb, len(words))]
    wanted = _article(first_word(piece), lexicon)
    agreeing = [
        slot for slot in slots if slot < len(words) and _article(lowered[slot], lexicon) == wanted
    ]
    if wanted and slots[-1] not in agreeing and agreeing:
        return agreeing[-1]
    return slots[-1]


def _article(word: str, lexicon: OptionLexicon) -> str:
    if word in lexicon.articles_one:
        return "one"
    return "the" if word in lexicon.articles_the else ""


def _with_shared_tail(whole: list[str], pieces: list[str], lexicon: OptionLexicon) -> list[str]:
    """Verb phrases of one shared verb get the closing time of the last one."""
    has_own_verb = any(_is_step(piece, lexicon) for piece in pieces[1:])
    tells_time = any(first_word(piece) in lexicon.time_starts for piece in pieces[1:])
    if has_own_verb or tells_time or any(" " not in each for each in whole):
        return whole
    shared = share_tail(tuple(each.split(" ", 1)[1] for each in whole), lexicon)
    return [f"{each.split()[0]} {tail}" for each, tail in zip(whole, shared, strict=True)]
