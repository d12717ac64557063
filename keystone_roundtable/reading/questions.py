"""Where an English topic puts its choice: the questions, frames and lists that hold alternatives."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from keystone_roundtable.reading.forks import (
    MOST_ALTERNATIVES,
    has_choice_word,
    is_item_list,
    share_tail,
    split_alternatives,
    split_list,
)
from keystone_roundtable.reading.option_lexicon import OptionLexicon
from keystone_roundtable.reading.phrases import (
    as_action,
    cut_clause,
    first_word,
    is_verbal,
    object_of,
    resolve_pronoun,
    tidy,
    words_of,
)

_LONGEST_SENTENCE: Final = 600
_WH: Final = re.compile(r"\b(?:what|which|how|when|where|who|whom|why)\b[\w\s'’-]*$", re.I)
_SHOULD: Final = re.compile(
    r"(?:^|[,;:.–—-]\s*|\b(?:and|but|or|so|now|question is|wondering|wonder)[,:]?\s+)(?:should|shall|ought)\s+(?P<rest>\S.*)$",
    re.I | re.S,
)
_DO_WE: Final = re.compile(
    r"(?:^|[,;:.–—-]\s*|\b(?:and|but|so|now)[,:]?\s+)(?:do|would|could|can|must)\s+(?P<subject>we|i)\s+(?P<rest>\S.*)$",
    re.I | re.S,
)
_WHETHER: Final = re.compile(
    r"\b(?:whether(?:\s+or\s+not)?|if)\s+(?:(?P<to>to)|(?P<subject>we|i|the\s+\w+(?:\s\w+)?)\s+(?:should|ought\s+to))\s+(?P<rest>\S.*)$",
    re.I | re.S,
)
_WORTH: Final = re.compile(
    r"\b(?:is\s+it|would\s+it\s+be|does\s+it|is\s+now\s+the\s+time|are\s+we\s+better\s+off|am\s+i\s+better\s+off)\s*"
    r"(?:make\s+(?:any\s+|more\s+)?sense|really|still|actually|finally|even|[\w\s]{0,30}?"
    r"(?:better|wiser|worth|time|right|wise|smart|smarter|best|good\s+idea|mistake|sensible|okay|ok|safe|premature|early|reasonable|worthwhile))?\s*"
    r"(?:for\s+us\s+|it\s+)?(?:now\s+)?(?P<rest>(?:to\s+[a-z]+|[a-z]+ing)\b.*)$",
    re.I | re.S,
)
_COULD: Final = re.compile(
    r"\b(?:we|i|they)\s+(?:could|might|can\s+either|may\s+either)\s+(?:also\s+|either\s+)?(?P<rest>\S.*)$",
    re.I | re.S,
)
_EITHER: Final = re.compile(
    r"\b(?:it\s+is|it's|we|i)\s+either\s+(?P<rest>\S.*)$|^either\s+(?:we\s+)?(?P<bare>\S.*)$",
    re.I | re.S,
)
_BETWEEN: Final = re.compile(
    r"\b(?P<cue>[\w-]+)\s+(?:[\w-]+\s+)?between\s+(?P<rest>\S.*)$", re.I | re.S
)
_BETWEEN_AND: Final = re.compile(r",?\s+(?:and|or|versus)\s+", re.I)
_VERSUS: Final = re.compile(r"\s+(?:vs\.?|versus)\s+", re.I)
_WHICH_OF: Final = re.compile(r"\bwhich\s+(?:one\s+)?of\s+(?P<rest>[^?]+)", re.I)
_WHICH_END: Final = re.compile(
    r",?\s+(?:should|shall|do|does|is|are|comes?|goes|gets?|to|would|will|deserves?|first)\b", re.I
)
_COLON: Final = re.compile(r"(?P<head>[^:]*):\s+(?P<rest>[^:]+)$")
_WH_TAIL: Final = re.compile(
    r"\b(?P<wh>which|what|where|who|when|how)\b(?P<head>[^,:;?–—]*?)(?:[,:;]|\s[–—-])\s+(?P<rest>[^?]+)",
    re.I,
)
_OPTIONS_ARE: Final = re.compile(
    r"\b(?P<noun>\w+)\s+(?:are|is)(?:\s+between)?\s*:?\s+(?P<rest>\S.*)$", re.I | re.S
)
_LEAD_CLAUSE: Final = re.compile(
    r"^(?:[^,?]{1,80}?)[,:;]\s+(?=(?:should|shall|do\s+we|do\s+i)\b)", re.I
)
_INNER_ASKING: Final = re.compile(
    r"\bor\s+(?:should|shall|do|would|can)\s+(?:we|i)\s+(?:rather\s+)?", re.I
)
_AFFORD: Final = re.compile(
    r"^(?:(?:even|really|actually|still|just|simply|now|perhaps|maybe)\s+)*(?:afford\s+to\s+)?",
    re.I,
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
_DIAGNOSIS: Final = re.compile(
    r"^(?:it|this|that|these|those|there)\s+(?:is|are|was|were)\b|\bfails?\b|\bbroken?\b", re.I
)
_LIST_ITEM_WH: Final = re.compile(r"^(?:which|how|who|whether|what|where|when|why|if)\b", re.I)
_PICK: Final = re.compile(
    r"^(?:please\s+)?(?:pick|choose|select|decide on)\s+(?:a|an|the|one|our)\s+(?P<what>[^:,]+)$",
    re.I,
)


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


def find_fork(sentences: Sequence[str], lexicon: OptionLexicon) -> Fork | None:
    """The choice that `sentences` put: several alternatives before a yes or no, questions first."""
    readable = [each for each in sentences if len(each) <= _LONGEST_SENTENCE]
    single: Fork | None = None
    for readers in (_QUESTION_READERS, _FRAME_READERS):
        for sentence in readable:
            for read in readers:
                fork = read(sentence, lexicon)
                if fork is not None and len(fork.alternatives) > 1:
                    return fork
                single = single or fork
    return single


def _fork(
    alternatives: Sequence[str],
    sentence: str,
    lexicon: OptionLexicon,
    *,
    subject: str = "we",
    wording: str = "",
    question: str = "",
    verbal: bool = False,
) -> Fork | None:
    found = tuple(each for each in alternatives if each)[: MOST_ALTERNATIVES + 1]
    if (
        not found
        or len(found) > MOST_ALTERNATIVES
        or any(_LIST_ITEM_WH.match(each) for each in found)
    ):
        return None
    is_scope = not verbal and not any(is_verbal(each, lexicon) for each in found)
    return Fork(found, sentence, subject, is_scope, wording, question=question)


def _steps(
    complement: str, sentence: str, lexicon: OptionLexicon, subject: str = "we"
) -> Fork | None:
    """The fork of a complement that is known to open with a verb."""
    asked = _INNER_ASKING.sub("or ", _AFFORD.sub("", _to_question_end(complement).strip()))
    actions = split_alternatives(asked, lexicon, verbal=True)
    return _fork(actions, sentence, lexicon, subject=subject, wording=asked, verbal=True)


def _should(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "Should we A or B?", "Shall I A?"; not "what should we do?"."""
    found = _SHOULD.search(sentence)
    if found is None or "?" not in sentence:
        return None
    subject, complement = _split_subject(found["rest"], lexicon)
    if (
        not complement
        or first_word(complement) in {"be", "have"}
        and not has_choice_word(complement)
    ):
        return None
    fork = _steps(complement, sentence, lexicon, subject)
    is_open = any(word in lexicon.open_objects for word in words_of(complement)[1:3])
    return None if fork is not None and is_open and len(fork.alternatives) < 2 else fork


def _do_we(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "Do we A or B?", "Can I A or B?", "Do we need A?"."""
    found = _DO_WE.search(sentence)
    if found is None or "?" not in sentence:
        return None
    fork = _steps(found["rest"], sentence, lexicon, found["subject"])
    if fork is None:
        return None
    if len(fork.alternatives) == 1 and first_word(fork.alternatives[0]) == "need":
        return _needed(fork, lexicon)
    is_factual = first_word(fork.alternatives[0]) in {"know", "have", "see", "mean", "think"}
    return None if len(fork.alternatives) < 2 or is_factual else fork


def _needed(fork: Fork, lexicon: OptionLexicon) -> Fork | None:
    """ "Do we need X?" as having X against doing without it."""
    wanted = fork.alternatives[0].partition(" ")[2]
    if first_word(wanted) == "to":
        return _fork([as_action(wanted, lexicon)], fork.sentence, lexicon, subject=fork.subject)
    pair = (f"have {wanted}", f"do without {wanted}")
    return Fork(pair, fork.sentence, fork.subject, question=_question(fork.sentence))


def _which_of(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "Which of A, B and C should we do?"."""
    found = _WHICH_OF.search(sentence)
    if found is None:
        return None
    items = split_list(_WHICH_END.split(found["rest"], maxsplit=1)[0], lexicon)
    if not is_item_list(items):
        return None
    actions = [
        as_action(item, lexicon) if item.split()[0].endswith("ing") else "" for item in items
    ]
    return _fork(
        actions if all(actions) else items, sentence, lexicon, question=_question(sentence)
    )


def _wh_tail(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "Which X should come first, A, B or C?", "where the first slice ends: A, B, or C"."""
    found = _WH_TAIL.search(sentence)
    if found is None or not has_choice_word(found["rest"]):
        return None
    if found["wh"].casefold() == "when" and (timed := _when(found, sentence, lexicon)):
        return timed
    rest = re.sub(r"^(?:should|do|shall)\s+(?:we|i)\s+", "", found["rest"].strip(), flags=re.I)
    if _DIAGNOSIS.search(rest) or rest != found["rest"].strip():
        return None
    items = split_alternatives(rest, lexicon)
    if not is_item_list(items):
        return None
    is_question = sentence.rstrip().endswith("?") and len(found["head"].split()) > 2
    return _fork(
        items, sentence, lexicon, wording=rest, question=_question(sentence) if is_question else ""
    )


def _when(found: re.Match[str], sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "When should we migrate: now or after the audit?"."""
    asked = re.match(
        r"\s*(?:should|do|shall)\s+(?P<subject>we|i)\s+(?P<action>.+)$", found["head"], re.I
    )
    if asked is None:
        return None
    return _steps(f"{asked['action']} {found['rest']}", sentence, lexicon, asked["subject"])


def _worth(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "Is it time to A?", "Would it be better to A or B?"."""
    found = _WORTH.search(sentence)
    if found is None or "?" not in sentence or _WH.search(sentence[: found.start()]):
        return None
    rest = re.sub(r"^to\s+", "", _to_question_end(found["rest"]), flags=re.I)
    fork = _steps(as_action(rest, lexicon), sentence, lexicon)
    if fork is None or first_word(fork.alternatives[0]) in lexicon.no_direction_verbs:
        return None
    return fork


def _fragment(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "Blog or newsletter?", "Hire a team, outsource, or wait?"."""
    if not sentence.rstrip().endswith("?") or not has_choice_word(sentence):
        return None
    colon = _COLON.search(sentence)
    text = colon["rest"] if colon and has_choice_word(colon["rest"]) else sentence
    if not colon and ("; " in text or re.search(r"\s[–—-]\s", text)):
        text = re.split(r";\s|\s[–—-]\s", text)[-1]
    if colon and (found := _should(sentence, lexicon) or _do_we(sentence, lexicon)):
        return found
    if not _is_fragment(text, lexicon):
        return None
    items = split_alternatives(text, lexicon)
    if not is_item_list(items):
        return None
    return _fork(
        items,
        sentence,
        lexicon,
        wording=_to_question_end(text),
        verbal=is_verbal(tidy(text), lexicon),
        question="" if colon else _question(sentence),
    )


def _whether(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "Unsure whether to A or B", "I wonder if we should A"."""
    for found in _WHETHER.finditer(sentence):
        if found["to"] is None and re.match(r"be\b", found["rest"], re.I):
            continue
        subject = "we" if found["to"] else found["subject"]
        if first_word(found["rest"]) in lexicon.verbs:
            rest = _REMAINS.sub("", re.split(r"\.\s", found["rest"])[0])
            return _steps(rest, sentence, lexicon, subject)
    return None


def _between(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "Torn between A and B", "the choice is between A and B"."""
    for found in _BETWEEN.finditer(sentence):
        before = words_of(sentence[: found.start("rest")])[-6:]
        if not any(word in lexicon.between_cues for word in before):
            continue
        rest = re.split(r"[?;]|\.\s", found["rest"])[0]
        sides = [cut_clause(each, lexicon) for each in _BETWEEN_AND.split(rest)]
        items = [item for side in sides for item in side.split(", ")]
        if is_item_list(tuple(items)):
            return _fork(_as_actions(items, lexicon), sentence, lexicon)
    return None


def _as_actions(items: list[str], lexicon: OptionLexicon) -> list[str]:
    actions = [
        as_action(item, lexicon) if item.split()[0].casefold().endswith("ing") else ""
        for item in items
    ]
    if not all(actions):
        return items
    antecedent = object_of(actions[0], lexicon)
    return [actions[0], *(resolve_pronoun(each, antecedent) for each in actions[1:])]


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
    are_steps = all(first_word(item) in lexicon.verbs for item in items)
    wording = " or ".join(item.lower() if are_steps else item for item in items)
    items = _as_actions(list(share_tail(tuple(items), lexicon)), lexicon)
    return _fork(items, sentence, lexicon, wording=wording, verbal=are_steps)


def _over(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "We chose A over B", which leans to A."""
    found = _OVER.search(sentence)
    if found is None:
        return None
    items = (found["first"], cut_clause(found["second"], lexicon))
    fork = _fork(_as_actions(list(items), lexicon), sentence, lexicon)
    return replace(fork, lean=0) if fork is not None else None


def _right_side(text: str, lexicon: OptionLexicon) -> str:
    """What stands left of "versus": after a colon, or after the last verb, preposition or pronoun."""
    text = re.split(r"[:;,–—]\s*", text)[-1]
    words = text.split()
    lowered = words_of(text)
    stops = [
        i
        for i, word in enumerate(lowered[:-1])
        if word
        in lexicon.subjects
        | {
            "settle",
            "decide",
            "on",
            "about",
            "over",
            "is",
            "are",
            "of",
            "between",
            "comparing",
            "weighing",
            "debating",
            "it's",
        }
    ]
    return " ".join(words[stops[-1] + 1 :]) if stops else text


def _could(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "We could A, B, or C"."""
    found = _COULD.search(sentence)
    if found is None or not has_choice_word(found["rest"]) or _WH.search(sentence[: found.start()]):
        return None
    fork = _steps(found["rest"], sentence, lexicon)
    return fork if fork is not None and len(fork.alternatives) > 1 else None


def _either(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    found = _EITHER.search(sentence)
    if found is None:
        return None
    rest = re.sub(r"\bor\s+we\s+", "or ", found["rest"] or found["bare"], flags=re.I)
    actions = split_alternatives(rest, lexicon)
    return _fork(actions, sentence, lexicon, wording=rest) if is_item_list(actions) else None


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
    if has_or:
        items = split_alternatives(found["rest"], lexicon)
    else:
        items = split_list(re.split(r"\.\s", found["rest"])[0], lexicon)
    items = items or ()
    if not is_item_list(items):
        return None
    return _fork(
        _as_actions(list(items), lexicon),
        sentence,
        lexicon,
        wording=found["rest"] if has_or else "",
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
    return _fork(_as_actions(stripped, lexicon), sentence, lexicon)


def _split_subject(rest: str, lexicon: OptionLexicon) -> tuple[str, str]:
    """ "the small museum sell tickets" as ("the small museum", "sell tickets")."""
    words = rest.split()
    lowered = words_of(rest)
    if lowered and lowered[0] in lexicon.subjects:
        return words[0], " ".join(words[1:])
    places = [
        i
        for i, word in enumerate(lowered[:10])
        if i and word in lexicon.verbs and not (i == 1 and lowered[0] in lexicon.determiners)
    ]
    sure = [i for i in places if is_verbal(" ".join(words[i:]), lexicon)]
    at = (sure or places or [0])[0]
    return " ".join(words[:at]), " ".join(words[at:]) if at else ""


def _is_fragment(text: str, lexicon: OptionLexicon) -> bool:
    """Whether `text` is a bare list of things or steps, with no subject and verb of its own."""
    text = tidy(text)
    if is_verbal(text, lexicon):
        return True
    lowered = words_of(text)
    opening = lowered[0] if lowered else ""
    if opening in lexicon.subjects | lexicon.guards | {
        "is",
        "are",
        "was",
        "were",
        "does",
        "did",
        "do",
        "can",
        "could",
        "will",
        "would",
        "should",
        "has",
        "have",
        "had",
        "why",
        "how",
        "what",
        "any",
        "may",
        "might",
        "must",
        "am",
        "there",
        "because",
    }:
        return False
    finite = {
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "had",
        "will",
        "would",
        "should",
        "could",
        "does",
        "did",
        "fails",
        "fail",
        "we",
        "i",
        "they",
        "it's",
    }
    return not any(word in finite for word in lowered)


def _to_question_end(text: str) -> str:
    return text.split("?", 1)[0]


def _question(sentence: str) -> str:
    return " ".join(sentence.split()) if sentence.rstrip().endswith("?") else ""


_QUESTION_READERS: Final[tuple[Reader, ...]] = (
    _should,
    _do_we,
    _which_of,
    _wh_tail,
    _worth,
    _fragment,
)
_FRAME_READERS: Final[tuple[Reader, ...]] = (
    _whether,
    _between,
    _over,
    _versus,
    _listed,
    _could,
    _either,
    _options_are,
)
