"""The questions that put a choice in an English topic."""

from __future__ import annotations

import re
from typing import Final

from .choices import (
    Fork,
    Reader,
    as_question,
    fork_of,
    steps_fork,
    to_question_end,
)
from .forks import (
    has_choice_word,
    is_item_list,
    split_alternatives,
    split_list,
)
from .option_lexicon import OptionLexicon
from .phrases import as_action, first_word, is_verbal, tidy, words_of

_LEAD_LIST: Final = re.compile(
    r"^(?P<rest>[^?:]+?)(?::|;|\s[–—-])\s+(?:where|which|what|who|how)\b[^?]*\?$", re.I
)
_LONGEST_NOTE_WORDS: Final = 12  # "monorepo or polyrepo", typed without a question mark
_WH: Final = re.compile(r"\b(?:what|which|how|when|where|who|whom|why)\b[\w\s'’-]*$", re.I)
_SHOULD: Final = re.compile(
    r"(?:^|[,;:.–—-]\s*|\b(?:and|but|or|so|now|question is|wondering|wonder)[,:]?\s+)"
    r"(?:should|shall|ought)\s+(?P<rest>\S.*)$",
    re.I | re.S,
)
_TO_BE: Final = re.compile(r"(?P<subject>\S+(?:\s+\S+){0,6}?)\s+be\s+(?P<rest>\S.*)$", re.I)
_DONE: Final = re.compile(
    r"(?:\w{2,}(?:ed|en|wn)|done|made|kept|left|sold|put|cut|split|run)\b", re.I
)
_DO_WE: Final = re.compile(
    r"(?:^|[,;:.–—-]\s*|\b(?:and|but|so|now)[,:]?\s+)(?P<modal>do|would|could|can|must)\s+(?P<subject>we|i)\s+(?P<rest>\S.*)$",
    re.I | re.S,
)
_WORTH: Final = re.compile(
    r"\b(?:is\s+it|would\s+it\s+be|does\s+it|is\s+now\s+the\s+time|are\s+we\s+better\s+off|am\s+i\s+better\s+off)\s*"
    r"(?:make\s+(?:any\s+|more\s+)?sense|really|still|actually|finally|even|[\w\s]{0,30}?"
    r"(?:better|wiser|worth|time|right|wise|smart|smarter|best|good\s+idea|mistake|sensible|okay|ok|safe|premature|early|reasonable|worthwhile))?\s*"
    r"(?:for\s+us\s+|it\s+)?(?:now\s+)?(?P<rest>(?:to\s+[a-z]+|[a-z]+ing)\b.*)$",
    re.I | re.S,
)
_WHICH_OF: Final = re.compile(r"\bwhich\s+(?:one\s+)?of\s+(?P<rest>[^?]+)", re.I)
_WHICH_END: Final = re.compile(
    r",?\s+(?:should|shall|do|does|is|are|comes?|goes|gets?|to|would|will|deserves?|first)\b", re.I
)
_COLON: Final = re.compile(r"(?P<head>[^:]*):\s+(?P<rest>[^:]+)$")
_WH_TAIL: Final = re.compile(
    r"\b(?P<wh>which|what|where|who|when|how)\b(?P<head>[^,:;?–—]*?)(?:[,:;]|\s[–—-])\s+(?P<rest>[^?]+)",
    re.I,
)
_DIAGNOSIS: Final = re.compile(
    r"^(?:it|this|that|these|those|there)\s+(?:is|are|was|were)\b|\bfails?\b|\bbroken?\b", re.I
)


def _should_be(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "Should the port be native or WSL2?": what something is to be, not what is to be done."""
    found = _SHOULD.search(sentence)
    if found is None or ("?" not in sentence and found.start() > 0):
        return None
    parted = _TO_BE.match(to_question_end(found["rest"]).strip())
    if parted is None or has_choice_word(parted["subject"]):
        return None
    items = split_list(parted["rest"], lexicon)
    if not is_item_list(items) or any(_DONE.match(each) for each in items):
        return None
    if any(first_word(each) == "be" or is_verbal(each, lexicon) for each in items):
        return None
    return fork_of(items, sentence, lexicon, question=as_question(sentence))


def _should(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "Should we A or B?", "Shall I A?"; not "what should we do?"."""
    found = _SHOULD.search(sentence)
    if found is None or ("?" not in sentence and found.start() > 0):
        return None
    subject, complement = _split_subject(found["rest"], lexicon)
    if not complement or (
        first_word(complement) in {"be", "have"} and not has_choice_word(complement)
    ):
        return None
    fork = steps_fork(complement, sentence, lexicon, subject)
    is_open = any(word in lexicon.open_objects for word in words_of(complement)[1:3])
    return None if fork is not None and is_open and len(fork.alternatives) < 2 else fork


def _do_we(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "Do we A or B?", "Can I A or B?", "Do we need A?"."""
    found = _DO_WE.search(sentence)
    if found is None or "?" not in sentence:
        return None
    fork = steps_fork(found["rest"], sentence, lexicon, found["subject"])
    if fork is None:
        return None
    if len(fork.alternatives) == 1 and first_word(fork.alternatives[0]) == "need":
        return _needed(fork, lexicon)
    if first_word(fork.wording) == "want":
        wanted = split_alternatives(fork.wording.partition(" ")[2], lexicon)
        return fork_of(wanted, sentence, lexicon, question=as_question(sentence))
    is_factual = first_word(fork.alternatives[0]) in lexicon.no_direction_verbs
    is_proposed = len(fork.alternatives) > 1 or found["modal"].casefold() == "could"
    return None if is_factual or not is_proposed else fork


def _needed(fork: Fork, lexicon: OptionLexicon) -> Fork | None:
    """ "Do we need X?" as having X against doing without it."""
    wanted = fork.alternatives[0].partition(" ")[2]
    if first_word(wanted) == "to":
        return fork_of([as_action(wanted, lexicon)], fork.sentence, lexicon, subject=fork.subject)
    pair = (f"have {wanted}", f"do without {wanted}")
    return Fork(pair, fork.sentence, fork.subject, question=as_question(fork.sentence))


def _which_of(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "Which of A, B and C should we do?"."""
    found = _WHICH_OF.search(sentence)
    if found is None:
        return None
    named = re.sub(r"^[^:?]*:\s+", "", found["rest"])  # "which of three hosts: A, B or C"
    items = split_list(_WHICH_END.split(named, maxsplit=1)[0], lexicon)
    if not is_item_list(items):
        return None
    actions = [
        as_action(item, lexicon) if item.split()[0].endswith("ing") else "" for item in items
    ]
    return fork_of(
        actions if all(actions) else items, sentence, lexicon, question=as_question(sentence)
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
    is_question = sentence.rstrip().endswith("?") and len(found["head"].split()) > 1
    return fork_of(
        items,
        sentence,
        lexicon,
        wording=rest,
        question=as_question(sentence) if is_question else "",
    )


def _lead_list(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "More features, better docs, or fewer bugs: where should we focus?"."""
    found = _LEAD_LIST.match(sentence)
    if (
        found is None
        or not has_choice_word(found["rest"])
        or not _is_fragment(found["rest"], lexicon)
    ):
        return None
    items = split_alternatives(found["rest"], lexicon)
    if not is_item_list(items):
        return None
    return fork_of(items, sentence, lexicon, question=as_question(sentence))


def _when(found: re.Match[str], sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "When should we migrate: now or after the audit?"."""
    asked = re.match(
        r"\s*(?:should|do|shall)\s+(?P<subject>we|i)\s+(?P<action>.+)$", found["head"], re.I
    )
    if asked is None:
        return None
    return steps_fork(f"{asked['action']} {found['rest']}", sentence, lexicon, asked["subject"])


def _worth(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "Is it time to A?", "Would it be better to A or B?"."""
    found = _WORTH.search(sentence)
    if found is None or "?" not in sentence or _WH.search(sentence[: found.start()]):
        return None
    rest = re.sub(r"^to\s+", "", to_question_end(found["rest"]), flags=re.I)
    fork = steps_fork(as_action(rest, lexicon), sentence, lexicon)
    if fork is None or first_word(fork.alternatives[0]) in lexicon.no_direction_verbs:
        return None
    return fork


def _fragment(sentence: str, lexicon: OptionLexicon) -> Fork | None:
    """ "Blog or newsletter?", "Hire a team, outsource, or wait?"."""
    is_asked = sentence.rstrip().endswith("?")
    is_note = sentence[-1:].isalnum() and len(sentence.split()) <= _LONGEST_NOTE_WORDS
    if not (is_asked or is_note) or not has_choice_word(sentence):
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
    return fork_of(
        items,
        sentence,
        lexicon,
        wording=to_question_end(text),
        verbal=is_verbal(tidy(text), lexicon),
        question="" if colon else as_question(sentence),
    )


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
    named = 2 if lowered[:1] and lowered[0] in lexicon.determiners and len(words) > 3 else 0
    at = (sure or places or [named])[0]
    return " ".join(words[:at]), " ".join(words[at:]) if at else ""


def _is_fragment(text: str, lexicon: OptionLexicon) -> bool:
    """Whether `text` is a bare list of things or steps, with no subject and verb of its own."""
    text = tidy(text)
    if is_verbal(text, lexicon):
        return True
    lowered = words_of(text)
    opening = lowered[0] if lowered else ""
    if opening in lexicon.subjects | lexicon.guards | lexicon.statement_openers:
        return False
    return not any(word in lexicon.finite_words for word in lowered)


QUESTION_READERS: Final[tuple[Reader, ...]] = (
    _should_be,
    _should,
    _do_we,
    _which_of,
    _lead_list,
    _wh_tail,
    _worth,
    _fragment,
)
