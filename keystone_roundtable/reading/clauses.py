"""Options and leanings of languages without an English-like grammar here: clauses as they stand."""

from __future__ import annotations

import functools
import re
from typing import Final

from .option_lexicon import OptionLexicon, Phrases, phrase_pattern
from .phrases import tidy

_EDGES: Final = " \t\r\n¿¡?？！!。.、，,;；:：؟،।…"
_COMMAS: Final = re.compile(r"\s*[,、，،;；]\s*")
_LAST_BREAK: Final = re.compile(r"[,，、；;。:：،]\s*")
_FORK_BREAK: Final = re.compile(r"[。！!；;:：]\s*|\s[–—-]\s")
_QUESTION: Final = re.compile(r"[?？؟]")
_LONGEST_ALTERNATIVE: Final = 160
_MOST_ALTERNATIVES: Final = 6


def clause_alternatives(sentence: str, lexicon: OptionLexicon) -> tuple[str, ...]:
    """The clauses that `sentence` sets against each other; empty when it sets none."""
    if lexicon.parallel_endings and (parallel := _parallel(sentence, lexicon)):
        return parallel
    joined = _conjunction(lexicon)
    if not joined.search(sentence) or not _is_choice(sentence, lexicon):
        return ()
    parts = [
        part for part in joined.split(_without_false_pairs(sentence, lexicon)) if part.strip(_EDGES)
    ]
    if len(parts) < 2:
        return ()
    *front, last = parts
    opening = _after_opener(_last_clause(front[0], lexicon), lexicon)
    items = [opening, *front[1:]] if len(front) > 1 else [opening]
    pieces = [piece for item in items for piece in _COMMAS.split(item)] + [
        _first_clause(last, lexicon)
    ]
    return _distinct([_bare(piece, lexicon) for piece in pieces])


def clause_lean(sentence: str, lexicon: OptionLexicon) -> str:
    """The step that `sentence` has decided on or leans to; empty when there is none."""
    if lexicon.lean_after:
        after = phrase_pattern(lexicon.lean_after, spaced=False).search(sentence)
        step = _bare(_LAST_BREAK.split(sentence[: after.start()])[-1], lexicon) if after else ""
        if step and not _is_open(step, lexicon):
            return _shortened(step)
    return _shortened(_after_cue(sentence, lexicon.lean_before, lexicon))


def clause_proposal(sentence: str, lexicon: OptionLexicon) -> str:
    """The step that `sentence` says somebody else wants; empty when there is none."""
    return _shortened(_after_cue(sentence, lexicon.lean_others, lexicon))


def clause_single(sentence: str, lexicon: OptionLexicon) -> str:
    """The one step that a yes-no question asks about; empty when it asks none."""
    tails = phrase_pattern(lexicon.open_tails, spaced=lexicon.spaced)
    if not (_QUESTION.search(sentence) or tails.search(sentence)) or not lexicon.openers:
        return ""
    openers = tuple(opener for opener in lexicon.openers if len(opener) > 2)
    found = phrase_pattern(openers, spaced=lexicon.spaced).search(sentence)
    if found is None or found.start() > 12:
        return ""
    return _shortened(
        _bare(tails.sub("", _first_clause(sentence[found.end() :], lexicon)), lexicon)
    )


def _after_cue(sentence: str, cues: Phrases, lexicon: OptionLexicon) -> str:
    found = phrase_pattern(cues, spaced=lexicon.spaced).search(sentence)
    if found is None:
        return ""
    step = _bare(_first_clause(sentence[found.end() :], lexicon), lexicon)
    return "" if _is_open(step, lexicon) else step


def _is_open(step: str, lexicon: OptionLexicon) -> bool:
    """Whether `step` is only a pronoun, or a wish for something not yet named."""
    named = phrase_pattern(tuple(sorted(lexicon.open_objects)), spaced=lexicon.spaced)
    return step.casefold() in lexicon.pronouns or named.search(step) is not None


def _parallel(sentence: str, lexicon: OptionLexicon) -> tuple[str, ...]:
    """Clauses in a row that share an ending ("…지, …지, …지 …")."""
    endings = "|".join(map(re.escape, lexicon.parallel_endings))
    found = [
        tidy(each) for each in re.findall(rf"([^,.?!]*?\S(?:{endings}))(?=[,\s?.]|$)", sentence)
    ]
    strip = _conjunction(lexicon)
    clauses = [tidy(strip.sub(" ", clause)) for clause in found]
    return _distinct([clause for clause in clauses if clause]) if len(clauses) > 1 else ()


def _is_choice(sentence: str, lexicon: OptionLexicon) -> bool:
    lowered = sentence.casefold()
    if _QUESTION.search(sentence):
        return True
    cue = phrase_pattern(tuple(sorted(lexicon.choice_cues)), spaced=lexicon.spaced)
    return cue.search(lowered) is not None


def _without_false_pairs(sentence: str, lexicon: OptionLexicon) -> str:
    """`sentence` with set phrases taken out of the reach of the conjunction."""
    cleaned = phrase_pattern(lexicon.open_tails, spaced=lexicon.spaced).sub("", sentence)
    pairs = phrase_pattern(lexicon.false_pairs, spaced=lexicon.spaced)
    return pairs.sub("", cleaned) if pairs.search(cleaned) else cleaned


@functools.cache
def _conjunction(lexicon: OptionLexicon) -> re.Pattern[str]:
    return phrase_pattern(lexicon.conjunctions, spaced=lexicon.spaced)


def _last_clause(text: str, lexicon: OptionLexicon) -> str:
    """What follows the last full break; commas stay, as they may part a list."""
    breaks = phrase_pattern(lexicon.clause_breaks, spaced=lexicon.spaced)
    after_break = _FORK_BREAK.split(text)[-1]
    return breaks.split(after_break)[-1]


def _first_clause(text: str, lexicon: OptionLexicon) -> str:
    ends = [len(text)]
    stops = [_COMMAS, _FORK_BREAK, _QUESTION]
    stops.append(phrase_pattern(lexicon.clause_breaks, spaced=lexicon.spaced))
    stops.append(phrase_pattern(lexicon.reason_words, spaced=lexicon.spaced))
    for stop in stops:
        if found := stop.search(text, 1):
            ends.append(found.start())
    return text[: min(ends)]


def _after_opener(text: str, lexicon: OptionLexicon) -> str:
    found = None
    for found in phrase_pattern(lexicon.openers, spaced=lexicon.spaced).finditer(text):  # noqa: B007
        pass
    return text[found.end() :] if found and text[found.end() :].strip(_EDGES) else text


def _bare(text: str, lexicon: OptionLexicon) -> str:
    stripped = tidy(text).strip(_EDGES)
    for ending in sorted(lexicon.noise_endings, key=len, reverse=True):
        if stripped.endswith(ending) and len(stripped) > len(ending):
            return stripped.removesuffix(ending).strip(_EDGES)
    return stripped


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_ALTERNATIVE else ""


def _distinct(pieces: list[str]) -> tuple[str, ...]:
    distinct = tuple({piece.casefold(): piece for piece in pieces if piece}.values())
    fits = all(len(piece) <= _LONGEST_ALTERNATIVE for piece in distinct)
    return distinct if 2 <= len(distinct) <= _MOST_ALTERNATIVES and fits else ()
