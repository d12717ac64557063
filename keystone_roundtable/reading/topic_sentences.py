"""The sentences of a topic with the cues each one holds.

Only the beginning and the end of a very long topic are read: a request stands in one or the other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from .sentences import split_sentences
from .topic_lexicon import CueKind, TopicLexicon, fold

# Chosen by judgement: far more than a person types, little enough to read at once.
_WINDOW_CHARS: Final = 20_000
_MOST_SENTENCES: Final = 120
_LONGEST_SENTENCE: Final = 1_500

_SCRIPTS: Final = {
    "latin": re.compile(r"[a-zA-Z\u00c0-\u024f\u1e00-\u1eff]"),
    "cyrillic": re.compile(r"[\u0400-\u04ff]"),
    "han": re.compile(r"[\u4e00-\u9fff]"),
    "kana": re.compile(r"[\u3040-\u30ff]"),
    "hangul": re.compile(r"[\uac00-\ud7af]"),
    "thai": re.compile(r"[\u0e00-\u0e7f]"),
    "devanagari": re.compile(r"[\u0900-\u097f]"),
    "arabic": re.compile(r"[\u0600-\u06ff]"),
}
_LEAST_SHARE: Final = 0.15  # of the letters, for a script to count, chosen by judgement
_KANA_SHARE: Final = (
    0.05  # Japanese is mostly Han in headlines; a little kana tells it from Chinese
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_CLAUSE_MARKS: Final = re.compile(
    r"""
    [.!?;:()\[\]"«»“”„…|]++(?=\s|$|[^\x00-\x7f])   # not inside names and numbers such as 3.5
    | ["«“„(\[¿¡|]                                  # what opens a clause stands before a letter
    | [。！？；：（）「」『』؟؛।॥\n—]
    | \s[-–]+\s
    """,
    re.VERBOSE,
)
_COMMA: Final = re.compile(r"[,，、،](?!\d)")
_QUESTION_MARKS: Final = ("?", "？", "؟")


@dataclass(frozen=True)
class TopicSentence:
    """One sentence of a topic: what it says by kind of cue, and how it is put."""

    text: str
    kinds: frozenset[CueKind]
    parties: int
    """How many different parties it names."""
    asks: bool
    orders: bool
    """It opens with a verb that orders a change."""

    def has(self, *kinds: CueKind) -> bool:
        """Whether a cue of any of `kinds` stands in the sentence."""
        return not self.kinds.isdisjoint(kinds)


def read_topic_sentences(topic: str, lexicons: Sequence[TopicLexicon]) -> tuple[TopicSentence, ...]:
    """The sentences of `topic` in order, read with the lexicons of its languages.

    Empty when `topic` is blank. Time is bounded however long the topic is.
    """
    window = _window(topic)
    chosen = lexicons_for(window, lexicons)
    sentences = split_sentences(window)
    if len(sentences) > _MOST_SENTENCES:
        half = _MOST_SENTENCES // 2
        sentences = sentences[:half] + sentences[-half:]
    return tuple(_read(_shorten(sentence), chosen) for sentence in sentences)


def lexicons_for(text: str, lexicons: Sequence[TopicLexicon]) -> tuple[TopicLexicon, ...]:
    """The lexicons of the languages `text` seems to be written in, in the order given.

    All of them when its script is unknown; several when its language is in doubt.
    """
    scripts = _scripts(text)
    by_script = [lexicon for lexicon in lexicons if lexicon.script in scripts]
    words = [fold(word) for word in _WORD.findall(text)]
    scores = {lexicon.language: _familiarity(words, lexicon) for lexicon in by_script}
    best = {
        script: max((scores[x.language] for x in by_script if x.script == script), default=0)
        for script in scripts
    }
    likely = tuple(x for x in by_script if scores[x.language] >= 0.7 * best[x.script])
    return likely or tuple(lexicons)


def _window(topic: str) -> str:
    if len(topic) <= 2 * _WINDOW_CHARS:
        return topic
    return f"{topic[:_WINDOW_CHARS]}\n\n{topic[-_WINDOW_CHARS:]}"


def _shorten(sentence: str) -> str:
    if len(sentence) <= _LONGEST_SENTENCE:
        return sentence
    half = _LONGEST_SENTENCE // 2
    return f"{sentence[:half]} {sentence[-half:]}"


def _scripts(text: str) -> frozenset[str]:
    counts = {script: len(letters.findall(text)) for script, letters in _SCRIPTS.items()}
    letters = max(1, sum(counts.values()))
    scripts = {script for script, count in counts.items() if count >= _LEAST_SHARE * letters}
    if counts["kana"] > _KANA_SHARE * letters:
        scripts = (scripts - {"han"}) | {"kana"}
    return frozenset(scripts) if sum(counts.values()) else frozenset()


def _familiarity(words: Collection[str], lexicon: TopicLexicon) -> int:
    return sum(word in lexicon.common_words for word in words)


def _read(sentence: str, lexicons: Iterable[TopicLexicon]) -> TopicSentence:
    found: Counter[CueKind] = Counter()
    orders = False
    for lexicon in lexicons:
        prepared = _cut_out(_prepare(sentence, lexicon), lexicon)
        orders = orders or _opens_with_order(prepared, lexicon)
        for kind, cues in lexicon.cues.items():
            found[kind] += sum(cue.find(prepared) is not None for cue in cues)
    return TopicSentence(
        text=sentence,
        kinds=frozenset(kind for kind, count in found.items() if count),
        parties=found[CueKind.PARTIES],
        asks=any(mark in sentence for mark in _QUESTION_MARKS),
        orders=orders,
    )


def _prepare(sentence: str, lexicon: TopicLexicon) -> str:
    """`sentence` folded, with `|` before each clause and no word that only softens its start."""
    text = fold(sentence)
    for written, read in lexicon.spellings:
        text = text.replace(written, f" {read} ")
    text = _COMMA.sub(" , ", _CLAUSE_MARKS.sub(" | ", text))
    words: list[str] = ["|"]
    for word in text.split():
        if word in lexicon.softeners and words[-1] in ("|", ","):
            words[-1] = "|"
        else:
            words.append(word)
    return f" {' '.join(words)} |"


def _cut_out(prepared: str, lexicon: TopicLexicon) -> str:
    for cue in lexicon.cues.get(CueKind.IDLE, ()):
        while (span := cue.find(prepared)) is not None:
            prepared = f"{prepared[: span[0]]} ~ {prepared[span[1] :]}"
    return prepared


def _opens_with_order(prepared: str, lexicon: TopicLexicon) -> bool:
    clauses = (clause.split(maxsplit=1) for clause in prepared.split("|"))
    return any(words[0] in lexicon.order_verbs for words in clauses if words)
