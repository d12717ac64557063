"""Options and leanings of languages without an English-like grammar here: clauses as they stand."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from typing import Final

from .option_lexicon import OptionLexicon, Phrases, Words, phrase_pattern
from .phrases import tidy

_EDGES: Final = " \t\r\n¿¡?？！!。.、，,;；:：؟،।…"
_COMMAS: Final = re.compile(r"\s*[,、，،;；]\s*")
_LAST_BREAK: Final = re.compile(r"[,，、；;。:：،]\s*")
_FORK_BREAK: Final = re.compile(r"[。！!；;:：]\s*|\s[–—-]\s")
_QUESTION_MARKS: Final = ("?", "？", "؟")
_QUESTION: Final = re.compile(r"[?？؟]")
_ENDS: Final = ",，、،;；:：.。!！?？؟।…"  # what no alternative of a frame reaches across
_VERSUS: Final = re.compile(r"\s+(?:vs\b\.?|versus\b)\s+", re.IGNORECASE)
_NAME: Final = re.compile(r"[A-ZÀ-Þ][\w.+#-]*", re.ASCII)
_LAST_NAME: Final = re.compile(r"(?<![A-Za-z0-9])([A-ZÀ-Þ][\w.+#-]*)$", re.ASCII)
_THAI_GAP: Final = re.compile(r"(?<=[\u0e00-\u0e7f])\s+(?=[\u0e00-\u0e7f])")
# "廃止すべき" leaves "廃止す", but "見直すべき" a whole verb.
_CLASSICAL_DO: Final = re.compile(r"(?<=[一-鿿ァ-ヶー]{2})(?<!見直)(?<!引越)(?<!取消)す$")
_HANGUL: Final = 0xAC00
_MODIFIER_ENDS: Final = (4, 8)  # a final ㄴ or ㄹ: "할지", "갈까", not "까지" or "가지"
_MOST_PARTICLES: Final = 2
_LONGEST_FRAMED: Final = 400
_LONGEST_ALTERNATIVE: Final = 160
_MOST_ALTERNATIVES: Final = 6


def joined_questions(sentences: Sequence[str], lexicon: OptionLexicon) -> list[str]:
    """`sentences` with "A? Or B?" made one: a question and a conjunction that opens the next."""
    joined: list[str] = []
    for sentence in sentences:
        opens = _conjunction(lexicon).match(sentence) is not None
        if opens and joined and joined[-1].endswith(_QUESTION_MARKS):
            blank = " " if lexicon.spaced else ""
            joined[-1] = f"{joined[-1].rstrip(_EDGES)}{blank}{sentence}"
        else:
            joined.append(sentence)
    return joined


_IS_TO_BE: Final = re.compile(
    r"^soll(?:en|te|ten)?\s+(?:(?:der|die|das|unser\w*|mein\w*|dies\w*)\s+)?[A-ZÄÖÜ]\S*\s+", re.I
)
_CLOSING_VERB: Final = re.compile(
    r"\s(?!(?:morgen|gestern|oben|unten|hinten|innen|außen|draußen|drüben|selten|zusammen)$)"
    r"([a-zäöüß]+(?:en|ern|eln)|sein|tun)$"
)


def clause_alternatives(sentence: str, lexicon: OptionLexicon) -> tuple[str, ...]:
    """The clauses that `sentence` sets against each other; empty when it sets none."""
    read = _without_false_pairs(sentence, lexicon)
    if framed := _framed_alternatives(read, lexicon):
        return framed
    if lexicon.parallel_endings and (parallel := _parallel(read, lexicon)):
        return parallel
    versus = _VERSUS.split(read)
    if len(versus) == 2:
        return _pieces([versus[0]], versus[1], lexicon)
    joined = _conjunction(lexicon)
    if not joined.search(read) or not _is_choice(sentence, lexicon):
        return ()
    parts = [part for part in joined.split(read) if part.strip(_EDGES)]
    return _pieces(parts[:-1], parts[-1], lexicon) if len(parts) > 1 else ()


def _pieces(front: list[str], last: str, lexicon: OptionLexicon) -> tuple[str, ...]:
    """The alternatives of a list whose last item stands after the conjunction."""
    clause = _last_clause(front[0], lexicon)
    opening = _after_opener(clause, lexicon)
    if lexicon.script == "thai" and not _FORK_BREAK.search(front[0]):
        opening = _THAI_GAP.split(opening)[-1]
    pieces = [piece for item in (opening, *front[1:]) for piece in _split_list(item, lexicon)]
    bare = [_bare(piece, lexicon) for piece in (*pieces, _first_clause(last, lexicon))]
    pieces = _without_topic([piece for piece in bare if piece], lexicon)
    return _distinct(_with_closing_verb(pieces) if lexicon.language == "de" else pieces)


def _with_closing_verb(pieces: list[str]) -> list[str]:
    """German says the verb once, behind the last one: "Postgres oder MySQL nehmen"."""
    closing = _CLOSING_VERB.search(pieces[-1]) if len(pieces) > 1 else None
    if closing is None or any(_CLOSING_VERB.search(f" {each}") for each in pieces[:-1]):
        return pieces
    if closing[1] == "sein":  # what something is to be, by itself: "REST oder GraphQL"
        return [_IS_TO_BE.sub("", pieces[0]), *pieces[1:-1], pieces[-1][: closing.start()]]
    return [*(f"{each} {closing[1]}" for each in pieces[:-1]), pieces[-1]]


def _split_list(text: str, lexicon: OptionLexicon) -> list[str]:
    gap = _THAI_GAP if lexicon.script == "thai" else _COMMAS
    return [piece for part in _COMMAS.split(text) for piece in gap.split(part)]


def _without_topic(pieces: list[str], lexicon: OptionLexicon) -> list[str]:
    """`pieces` without what the first one says of all: "for the shop Postgres, or MySQL"."""
    if len(pieces) < 2:
        return pieces
    first, *rest = pieces
    names = all(_NAME.fullmatch(piece) for piece in rest)
    if names and (name := _LAST_NAME.search(first)):
        return [name[1], *rest]
    for mark in lexicon.topic_marks:
        topic, _, left = first.partition(mark)
        if topic and left and not any(mark in piece for piece in rest):
            return [left, *rest]
    for start in sorted(lexicon.parallel_starts):
        bound = r"(?<!\S)" if lexicon.spaced else r"(?<=.)"
        found = re.search(rf"{bound}{re.escape(start)}.+", first, re.IGNORECASE)
        if found and all(each.casefold().startswith(start) for each in rest):
            return [found[0], *rest]
    return pieces


def _framed_alternatives(sentence: str, lexicon: OptionLexicon) -> tuple[str, ...]:
    frames = lexicon.fork_frames
    if _cued(lexicon.between_cues, sentence, lexicon):
        frames += lexicon.between_frames
    for groups in _frame_matches(sentence, frames, lexicon):
        opening = _after_opener(_last_clause(groups[0], lexicon), lexicon)
        pieces = [opening, *groups[1:]]
        bare = [_bare(piece, lexicon) for piece in pieces]
        if found := _distinct(_without_topic(bare, lexicon)):
            return found
    return ()


def _framed_step(sentence: str, frames: Phrases, lexicon: OptionLexicon) -> str:
    for groups in _frame_matches(sentence, frames, lexicon):
        step = _bare(_last_clause(groups[0], lexicon), lexicon)
        if step and not _is_open(step, lexicon):
            return step
    return ""


def _frame_matches(
    sentence: str, frames: Phrases, lexicon: OptionLexicon
) -> Iterator[tuple[str, ...]]:
    if len(sentence) > _LONGEST_FRAMED:
        return
    for frame in frames:
        if found := _frame_pattern(frame, spaced=lexicon.spaced).search(sentence):
            yield found.groups()


@functools.cache
def _frame_pattern(frame: str, *, spaced: bool) -> re.Pattern[str]:
    """A pattern of `frame`; an alternative at its end runs to the end of the clause."""
    gaps = (r"\s+".join(map(re.escape, part.split(" "))) for part in frame.split("{}"))
    body = rf"([^{_ENDS}]{{1,{_LONGEST_ALTERNATIVE}}}?)".join(gaps)
    bound = r"(?<!\w)" if spaced and not frame.startswith("{}") else ""
    end = rf"(?=[{_ENDS}]|$)" if frame.endswith("{}") else ""
    return re.compile(bound + body + end, re.IGNORECASE)


def clause_lean(sentence: str, lexicon: OptionLexicon) -> str:
    """The step that `sentence` has decided on or leans to; empty when there is none."""
    if step := _framed_step(sentence, lexicon.lean_frames, lexicon):
        return _shortened(step)
    after = phrase_pattern(lexicon.lean_after, spaced=False).search(sentence)
    if after and not _opens_a_step(sentence, after.start(), lexicon):
        step = _bare(_LAST_BREAK.split(sentence[: after.start()])[-1], lexicon)
        if step and not _is_open(step, lexicon):
            return _shortened(step)
    return _shortened(_after_cue(sentence, lexicon.lean_before, lexicon))


def _opens_a_step(sentence: str, place: int, lexicon: OptionLexicon) -> bool:
    """Whether the words at a place are part of a cue that the step follows: "decided that"."""
    before = phrase_pattern(lexicon.lean_before, spaced=lexicon.spaced).search(sentence)
    return before is not None and before.start() <= place < before.end()


def clause_proposal(sentence: str, lexicon: OptionLexicon) -> str:
    """The step that `sentence` says somebody else wants; empty when there is none."""
    step = _framed_step(sentence, lexicon.other_frames, lexicon)
    return _shortened(step or _after_cue(sentence, lexicon.lean_others, lexicon))


def clause_single(sentence: str, lexicon: OptionLexicon) -> str:
    """The one step that a yes-no question asks about; empty when it asks none."""
    tails = phrase_pattern(lexicon.open_tails, spaced=lexicon.spaced)
    tail = tails.search(sentence)
    asks = sentence.rstrip(_EDGES).endswith(lexicon.asking_endings)
    if not (_QUESTION.search(sentence) or tail or asks):
        return ""
    openers = tuple(opener for opener in lexicon.openers if len(opener) > 2 - (not lexicon.spaced))
    found = phrase_pattern(openers, spaced=lexicon.spaced).search(sentence)
    if found is not None and found.start() <= 12:
        if _cued(lexicon.question_starts, sentence[: found.start()], lexicon):
            return ""
        step = tails.sub("", _first_clause(sentence[found.end() :], lexicon))
    elif tail or asks:
        whole = sentence[: tail.start()] if tail else sentence.rstrip(_EDGES)
        step = _after_opener(_COMMAS.split(_last_clause(whole, lexicon))[-1], lexicon)
    else:
        return ""
    step = _bare(step, lexicon)
    return "" if _is_open(step, lexicon) else _shortened(step)


def _after_cue(sentence: str, cues: Phrases, lexicon: OptionLexicon) -> str:
    found = phrase_pattern(cues, spaced=lexicon.spaced).search(sentence)
    if found is None:
        return ""
    step = _bare(_first_clause(sentence[found.end() :], lexicon), lexicon)
    return "" if _is_open(step, lexicon) else step


def _is_open(step: str, lexicon: OptionLexicon) -> bool:
    """Whether `step` is only a pronoun, or a wish for something not yet named."""
    named = phrase_pattern(tuple(sorted(lexicon.open_objects)), spaced=lexicon.spaced)
    asked = phrase_pattern(tuple(sorted(lexicon.question_starts)), spaced=lexicon.spaced)
    return (
        not step
        or step.casefold() in lexicon.pronouns | lexicon.lead_words
        or asked.match(step) is not None
        or named.search(step) is not None
    )


def _parallel(sentence: str, lexicon: OptionLexicon) -> tuple[str, ...]:
    """Clauses in a row that share an ending ("…지, …지, …지 …")."""
    if len(sentence) > _LONGEST_FRAMED:
        return ()
    endings = "|".join(map(re.escape, lexicon.parallel_endings))
    found = [
        tidy(each[1])
        for each in re.finditer(rf"([^,.?!]*?(\S)(?:{endings}))(?=[,\s?.]|$)", sentence)
        if each[1].endswith("거나") or (ord(each[2]) - _HANGUL) % 28 in _MODIFIER_ENDS
    ]
    strip = _conjunction(lexicon)
    clauses = [tidy(strip.sub(" ", clause)) for clause in found]
    if len(clauses) < 2:
        return ()
    clauses[0] = _after_opener(_last_clause(clauses[0], lexicon), lexicon)
    bare = [_bare(clause, lexicon) for clause in clauses]
    return _distinct(_without_topic(bare, lexicon))


def _cued(words: Words, sentence: str, lexicon: OptionLexicon) -> bool:
    cue = phrase_pattern(tuple(sorted(words)), spaced=lexicon.spaced)
    return cue.search(sentence.casefold()) is not None


def _is_choice(sentence: str, lexicon: OptionLexicon) -> bool:
    return _QUESTION.search(sentence) is not None or _cued(lexicon.choice_cues, sentence, lexicon)


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
    after_break = _FORK_BREAK.split(text)[-1].rpartition("¿")[2]
    return breaks.split(after_break)[-1]


def _first_clause(text: str, lexicon: OptionLexicon) -> str:
    ends = [len(text)]
    stops = [_COMMAS, _FORK_BREAK, _QUESTION]
    if lexicon.script == "thai":
        stops.append(_THAI_GAP)
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
    """`text` without the words at its start and the particles at its end that name no step."""
    stripped = tidy(text).strip(_EDGES)
    for ending in _longest_first(lexicon.noise_endings) * _MOST_PARTICLES:
        if stripped.endswith(ending) and len(stripped) > len(ending):
            stripped = stripped.removesuffix(ending).strip(_EDGES)
            stripped = _CLASSICAL_DO.sub("", stripped) if "べき" in ending else stripped
    for word in _longest_first(tuple(lexicon.lead_words)) * _MOST_PARTICLES:
        lead = f"{word} " if lexicon.spaced and word[-1] not in "'’" else word
        if stripped[: len(lead)].casefold() == lead and len(stripped) > len(lead):
            stripped = stripped[len(lead) :].strip(_EDGES)
    return stripped


@functools.cache
def _longest_first(phrases: Phrases) -> Phrases:
    return tuple(sorted(phrases, key=lambda each: (-len(each), each)))


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_ALTERNATIVE else ""


def _distinct(pieces: list[str]) -> tuple[str, ...]:
    distinct = tuple({piece.casefold(): piece for piece in pieces if piece}.values())
    fits = all(len(piece) <= _LONGEST_ALTERNATIVE for piece in distinct)
    return distinct if 2 <= len(distinct) <= _MOST_ALTERNATIVES and fits else ()
