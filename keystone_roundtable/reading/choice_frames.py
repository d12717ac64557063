"""The statements that put a choice in an English topic: whether, between, versus, lists."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from .choices import Fork, Reader, as_actions, fork_of, steps_fork
from .forks import (
    MOST_ALTERNATIVES,
    has_choice_word,
    is_item_list,
    share_tail,
    split_alternatives,
    split_list,
)
from .option_lexicon import OptionLexicon
from .phrases import cut_clause, first_word, is_verbal, tidy, words_of

_WH: Final = re.compile(r"\b(?:what|which|how|when|where|who|whom|why)\b[\w\s'’-]*$", re.I)
_WHETHER: Final = re.compile(
    r"\b(?:whether(?:\s+or\s+not)?|if)\s+(?:(?P<to>to)|"
    r"(?P<subject>we|i|the\s+\w+(?:\s\w+)?)\s+(?:should|ought\s+to)|(?<=whether\s)(?P<plain>we|i))\s+(?P<rest>\S.*)$",
    re.I | re.S,
)
_COULD: Final = re.compile(
    r"\b(?:we|i|they|(?:the|our)\s+\w+)\s+(?:could|might|can\s+either|may\s+either)\s+(?:also\s+|either\s+)?(?P<rest>\S.*)$",
    re.I | re.S,
)
_EITHER: Final = re.compile(
    r"\b(?:it\s+is|it's|we|i|for|on|is|afford|fund)\s+either\s+(?P<rest>\S.*)$|(?:^|[:;,]\s+)either\s+(?:we\s+)?(?P<bare>\S.*)$",
    re.I | re.S,
)
_BETWEEN: Final = re.compile(
    r"\b(?P<cue>[\w-]+)\s+(?:[\w-]+\s+)?between\s+(?P<rest>\S.*)$", re.I | re.S
)
_BETWEEN_AND: Final = re.compile(r",?\s+(?:and|or|versus)\s+", re.I)
_VERSUS: Final = re.compile(r"\s+(?:vs\.?|versus)\s+", re.I)
_COLON: Final = re.compile(r"(?P<head>[^:]*):\s+(?P<rest>[^:]+)$")
_OPTIONS_ARE: Final = re.compile(
    r"\b(?P<noun>\w+)\s+(?:are|is)(?:\s+between)?\s*:?\s+(?P<rest>\S.*)$", re.I | re.S
)
_REMAINS: Final = re.compile(
    r"\s+(?:is|are|remains?)\s+(?:the|still|open|unclear|undecided|what|a|not|up|our|my|anyone)\b.*$",
    re.I | re.S,
)
_OVER: Final = re.compile(
    r"\b(?:chose|chosen|picked|prefer|preferred|favou?r|selected|going\s+with|went\s+with|gone\s+with|opted\s+for|settled\s+on)\s+"
    r"(?P<first>(?:[\w.+#'’-]+\s+){0,5}?[\w.+#'’-]+)\s+(?:over|instead\s+of|rather\s+than)\s+(?P<second>[^.?!;,]+)",
    re.I,
)
_PICK: Final = re.compile(
    r"^(?:please\s+)?(?:pick|choose|select|decide on)\s+(?:a|an|the|one|our)\s+(?P<what>[^:,]+)$",
    re.I,
)


def _whether(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "Unsure whether to A or B", "I wonder if we should A"."""
    for found in _WHETHER.finditer(sentence):
        if found["to"] is None and re.match(r"be\b", found["rest"], re.I):
            continue
        if found["plain"] and first_word(found["rest"]) in lexicon.no_direction_verbs:
            continue
        subject = found["subject"] or found["plain"] or ""
        if first_word(found["rest"]) in lexicon.verbs:
            rest = _REMAINS.sub("", re.split(r"\.\s", found["rest"])[0])
            return steps_fork(rest, sentence, lexicon, subject)
    return None


def _between(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "Torn between A and B", "the choice is between A and B"."""
    for found in _BETWEEN.finditer(sentence):
        before = words_of(sentence[: found.start("rest")])[-6:]
        if not any(word in lexicon.between_cues for word in before):
            continue
        rest = re.split(r"[?;]|\.\s", found["rest"])[0]
        sides = [cut_clause(each, lexicon) for each in _BETWEEN_AND.split(rest)]
        items = tuple(item for side in sides for item in side.split(", "))
        if is_item_list(items):
            shared = list(share_tail(items, lexicon))
            wording = f"{', '.join(items[:-1])} or {items[-1]}" if shared != list(items) else ""
            return fork_of(as_actions(shared, lexicon), sentence, lexicon, wording=wording)
    return None


def _versus(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "A vs B", "we cannot settle A versus B"."""
    sides = _VERSUS.split(sentence)
    if len(sides) < 2 or len(sides) > MOST_ALTERNATIVES:
        return None
    first = _right_side(sides[0], lexicon)
    rest = [cut_clause(re.split(r"[?;:]|\.\s", side)[0], lexicon) for side in sides[1:]]
    items = [tidy(each) for each in (first, *rest) if tidy(each)]
    if not is_item_list(tuple(items)):
        return None
    if is_verbal(items[0], lexicon) and " " in items[0]:
        return steps_fork(" or ".join(items), sentence, lexicon)
    are_steps = all(first_word(item) in lexicon.verbs for item in items)
    wording = " or ".join(item.lower() if are_steps else item for item in items)
    items = as_actions(list(share_tail(tuple(items), lexicon)), lexicon)
    return fork_of(items, sentence, lexicon, wording=wording, verbal=are_steps)


def _right_side(text: str, lexicon: OptionLexicon) -> str:
    """What stands left of "versus": after a colon or after the last word that ends a clause."""
    text = re.split(r"[:;,–—]\s*", text)[-1]
    words = text.split()
    lowered = words_of(text)
    stops = [
        i for i, word in enumerate(lowered[:-1]) if word in lexicon.subjects | lexicon.versus_stops
    ]
    return " ".join(words[stops[-1] + 1 :]) if stops else text


def _over(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "We chose A over B", which leans to A."""
    found = _OVER.search(sentence)
    if found is None:
        return None
    items = (found["first"], cut_clause(found["second"], lexicon))
    fork = fork_of(as_actions(list(items), lexicon), sentence, lexicon)
    return replace(fork, lean=0) if fork is not None else None


def _could(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "We could A, B, or C"."""
    found = _COULD.search(sentence)
    if found is None or not has_choice_word(found["rest"]) or _WH.search(sentence[: found.start()]):
        return None
    fork = steps_fork(found["rest"], sentence, lexicon)
    return fork if fork is not None and len(fork.alternatives) > 1 else None


def _either(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    found = _EITHER.search(sentence)
    if found is None:
        return None
    rest = re.sub(r"\bor\s+we\s+", "or ", found["rest"] or found["bare"], flags=re.I)
    actions = split_alternatives(rest, lexicon)
    return fork_of(actions, sentence, lexicon, wording=rest) if is_item_list(actions) else None


def _listed(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "Three requests are on the table: A, B and C", "Pick a theme: A, B, or C"."""
    found = _COLON.search(sentence)
    if found is None:
        return None
    head = words_of(found["head"])
    names_list = any(word in lexicon.list_nouns for word in head)
    asks = any(word in lexicon.choice_cues for word in head)
    has_or = has_choice_word(found["rest"])
    if not (names_list or (asks and has_or)):
        return None
    rest = found["rest"]
    opening = [*words_of(rest), "", ""][:2]
    takes_up = opening[0] in lexicon.verbs and opening[1] in lexicon.prepositions
    if has_or:
        items = split_alternatives(rest, lexicon, verbal=takes_up)
    else:
        items = split_list(re.split(r"\.\s", rest)[0], lexicon)
    if not is_item_list(items):
        return None
    return fork_of(
        as_actions(list(items), lexicon),
        sentence,
        lexicon,
        wording=rest if has_or else "",
        verbal=takes_up,
        question=_which_question(found),
    )


def _which_question(found: re.Match[str]) -> str:
    """ "Pick a theme for the day: A or B" as "Which theme for the day: A or B?"."""
    picked = _PICK.match(found["head"].strip())
    return f"Which {tidy(picked['what'])}: {tidy(found['rest'])}?" if picked else ""


def _options_are(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "The options are A, B or C"."""
    found = _OPTIONS_ARE.search(sentence)
    if found is None or found["noun"].casefold() not in lexicon.list_nouns | {"choice", "question"}:
        return None
    items = split_alternatives(found["rest"], lexicon)
    if len(items) < 2 and found["noun"].casefold() in lexicon.list_nouns:
        items = split_list(found["rest"], lexicon)
    if not is_item_list(items):
        return None
    stripped = [re.sub(r"^(?:to|whether to)\s+", "", item) for item in items]
    return fork_of(as_actions(stripped, lexicon), sentence, lexicon)


FRAME_READERS: Final[tuple[Reader, ...]] = (
    _whether,
    _between,
    _over,
    _versus,
    _listed,
    _could,
    _either,
    _options_are,
)
