"""What the trained weights see of an answer: the rules' reading, its phrases, words and letters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .answer import Answer, SignalReading
from .linear_model import FeatureGroup
from .normalise import asks
from .phrasebook import Coverage, Kinds, PhraseKind
from .question import QuestionReading
from .text_features import bucket, crossed, letter_features, unit, word_features

_ALL: Final[Kinds] = frozenset(PhraseKind)
_QUANTITY: Final = re.compile(r"\d")
_SHORT_TOKENS: Final = 6
"""An answer this short is read together with what kind of question it answers."""
_WORDING: Final = 3.0
"""How much the wording weighs beside one fact on the answer's shape; chosen on families of phrasing
that the weights had not met."""
_ASKED: Final = (
    "is_polar",
    "is_choice",
    "is_list",
    "wants_order",
    "wants_quantity",
    "wants_degree",
    "may_be_nothing",
    "offers_delay",
)


def answer_features(answer: Answer, ruled: SignalReading) -> tuple[FeatureGroup, ...]:
    """The features of an answer that the rules read as `ruled`."""
    asked = _asked(answer.question)
    whole = answer.phrasebook.cover(answer.tokens, _ALL)
    kinds = sorted(kind.value for kind in whole.kinds)
    left = f"left={bucket(len(answer.empty.residual))}"
    reading = f"rule={ruled.signal}:{ruled.reason}"
    shape = [*_shape(answer), left, reading, f"rules={ruled.signal}:{ruled.firm}"]
    shape += crossed([reading], asked)
    phrases = [f"kind={kind}" for kind in kinds]
    phrases += crossed([left], [f"kind={kind}" for kind in kinds])
    phrases += [f"ends={'+'.join(found)}" for found in _ends(whole)]
    groups = [
        FeatureGroup(shape),
        unit(phrases, 2.0),
        unit(asked),
        letter_features(answer.words, 2, 4, "c:", _WORDING),
        word_features(answer.tokens, "w:", _WORDING),
    ]
    if len(answer.tokens) <= _SHORT_TOKENS:
        said = " ".join(answer.tokens)
        groups.append(unit([f"all={said}", *crossed(asked, [f"all={said}"])]))
        groups.append(unit(list(crossed(asked, [f"kind={kind}" for kind in kinds]))))
    return tuple(groups)


def _asked(question: QuestionReading) -> list[str]:
    found = [f"q={name}" for name in _ASKED if getattr(question, name)]
    return found or ["q=open"]


def _shape(answer: Answer) -> Iterator[str]:
    tokens = answer.tokens
    yield f"words={bucket(len(tokens))}"
    yield f"letters={bucket(len(answer.words) // 6)}"
    share = len(answer.empty.residual) / (len(tokens) or 1)
    yield f"share={round(share * 5)}"
    echoed = sum(answer.question.echoes(token) for token in answer.empty.residual)
    yield f"echo={round(4 * echoed / (len(answer.empty.residual) or 1))}"
    if _QUANTITY.search(answer.words):
        yield "digit"
    if asks(answer.raw.strip()):
        yield "asks"
        yield f"asks&words={bucket(len(tokens))}"
    if answer.had_paste:
        yield "paste"
    if answer.had_order:
        yield "order"


def _ends(coverage: Coverage) -> Iterator[list[str]]:
    """The kinds of the first and of the last phrase."""
    pieces = coverage.pieces
    if pieces:
        yield ["first", *sorted(pieces[0].kinds)]
        yield ["last", *sorted(pieces[-1].kinds)]
