"""What a reply may quote of a short text, so that a schema can list it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...core.second_reading import is_quoted
from ...core.secrets import mask
from ...reading.sentences import split_sentences
from ...reading.stance import split_clauses

_AT_MOST = 24  # stretches; more make a schema long and a choice among them hard, by judgement
_LONGEST = 400  # characters of one, as of any quote
_SHORTEST = 2
_CHARACTERS = 2000  # of all
_APART = 40  # characters at most between the first word of what was read and the rest of it
_PAUSES = re.compile(r"[,:;()\[\]–—\n]+(?:\s|$)|[、，；：。！？]+")


def stretches(said: Iterable[str], read: Iterable[str] = ()) -> tuple[str, ...]:
    """The texts in `said`, their sentences and clauses, and where those of `read` stand in them.

    Empty where they are too long to be listed: then a quote is copied freely. Secrets are masked,
    since the list goes out.
    """
    found: dict[str, str] = {}
    texts = [mask(text) for text in said]
    if sum(map(len, texts)) > _CHARACTERS:
        return ()
    whole = "\n".join(texts)
    for piece in (*_pieces(texts), *(_place(mask(text), whole) for text in read)):
        tidy = " ".join(piece.split()).strip(" ,;:")
        if _SHORTEST <= len(tidy) <= _LONGEST and is_quoted(tidy, whole):
            found.setdefault(tidy.casefold(), tidy)
    listed = tuple(found.values())
    fits = len(listed) <= _AT_MOST and sum(map(len, listed)) <= _CHARACTERS
    return listed if fits else ()


def _place(read: str, whole: str) -> str:
    """What was read where it stands: "defer it until May" for "defer the system until May".

    Empty where no end of it stands there.
    """
    if is_quoted(read, whole):
        return read
    words, folded = read.split(), whole.lower()
    for start in range(1, len(words) - 1):
        tail = " ".join(words[start:])
        end = folded.find(tail.lower())
        if end >= 0:
            head = folded.rfind(f" {words[0].lower()} ", 0, end) + 1
            near = head and end - head <= _APART
            return whole[head if near else end : end + len(tail)]
    return ""


def _pieces(texts: Iterable[str]) -> Iterable[str]:
    for text in texts:
        yield text
        for sentence in split_sentences(text):
            yield sentence
            yield from split_clauses(sentence)
            yield from _PAUSES.split(sentence)
