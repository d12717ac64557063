"""Sentences of a text in any of the languages the product reads.

The split is by punctuation, line structure and, for Thai, which writes neither, by the particles
that close an utterance. It is meant for telling a last request from its preamble; it needs no
dictionary, and a wrong cut costs a reading little.
"""

from __future__ import annotations

import re
from typing import Final

_BOUNDARY: Final = re.compile(
    r"""
    (?<![.!?…])(?P<stop>[.!?…]++)["'”’»)\]]*+(?=\s|$)  # spaced scripts: only before a gap
    | [。！？｡．؟۔।॥‽]++[」』”’»）)\]"']*+              # scripts that need no gap after the mark
    | (?P<newline>\n\s*+)
    | (?<=[\u0e00-\u0e7f])(?:ครับ|ค่ะ|คะ|ไหม|มั้ย|หรือเปล่า|หรือไม่)(?=\s)
    """,
    re.VERBOSE,
)
_ALWAYS_FOLLOWED: Final = re.compile(
    r"(?:^|[\s(\"'])(?:e\.g|i\.e|vs|cf|approx|incl|excl|dr|mr|mrs|ms|prof|bzw|ca|ggf|evtl"
    r"|z\.\s?b|d\.\s?h|u\.\s?a|p\.\s?ex|por ej|p\. ?ej|mme|sra|ud|т\.\s?е|ул)$",
    re.IGNORECASE,
)
_MAY_CLOSE: Final = re.compile(
    r"(?:^|[\s(\"'])(?:etc|usw|u\.s\.w|inc|ltd|jr|sr|dll|dsb|a\.m|p\.m|т\.\s?д|т\.\s?п|г)$",
    re.IGNORECASE,
)
_NUMBERED: Final = re.compile(r"(?:^|[\s(\"'])(?:no|nr|fig|art|ch|p|pp|num|núm|nº)$", re.IGNORECASE)
_SPLIT_ABBREVIATION: Final = re.compile(r"\s?[^\W\d_]{1,2}\.(?=\s|$)")
_LIST_ITEM: Final = re.compile(r"(?:[-*•–·]|\d{1,3}[.)]|[a-zA-Z][.)])\s")
_LONGEST_ABBREVIATION: Final = 8


def split_sentences(text: str) -> tuple[str, ...]:
    """The sentences of `text` in order, each stripped and with its closing punctuation.

    Decimals (`3.5`), file names (`settings.py`) and common abbreviations (`e.g.`) do not end a
    sentence. A blank line does, and so does a line break unless the next line goes on in lower
    case, as wrapped text does. Empty when `text` holds nothing but blanks. Linear in its length.
    """
    sentences: list[str] = []
    start = 0
    for boundary in _BOUNDARY.finditer(text):
        if _ends_sentence(text, boundary):
            sentences.append(text[start : boundary.end()])
            start = boundary.end()
    sentences.append(text[start:])
    return tuple(unwrapped for piece in sentences if (unwrapped := " ".join(piece.split())))


def _ends_sentence(text: str, boundary: re.Match[str]) -> bool:
    if (line_break := boundary["newline"]) is not None:
        return line_break.count("\n") > 1 or not _goes_on_in_lower_case(text, boundary.end())
    stop = boundary["stop"]
    if stop == ".":
        return not (
            _is_abbreviation(text, boundary.start()) or _is_list_number(text, boundary.start())
        )
    if stop is not None and set(stop) <= {".", "…"}:
        return not _goes_on_in_lower_case(text, boundary.end())
    return True


def _goes_on_in_lower_case(text: str, position: int) -> bool:
    following = text[position : position + 4].lstrip()
    return following[:1].islower() and _LIST_ITEM.match(text, position) is None


def _is_abbreviation(text: str, stop: int) -> bool:
    before = text[max(0, stop - _LONGEST_ABBREVIATION) : stop]
    following = text[stop + 1 : stop + 4].lstrip()
    if _ALWAYS_FOLLOWED.search(before):
        return bool(following)
    if _MAY_CLOSE.search(before):
        return following[:1].islower()
    if _NUMBERED.search(before):
        return following[:1].isdigit()
    is_single_letter = before[-1:].isalpha() and not before[-2:-1].isalnum()
    return is_single_letter and _SPLIT_ABBREVIATION.match(text, stop + 1) is not None


def _is_list_number(text: str, stop: int) -> bool:
    """Whether the stop closes the number of a list item ("2. Rename the column")."""
    line_start = text.rfind("\n", max(0, stop - _LONGEST_ABBREVIATION), stop) + 1
    if line_start == 0 and stop > _LONGEST_ABBREVIATION:
        return False
    return text[line_start:stop].strip().isdigit()
