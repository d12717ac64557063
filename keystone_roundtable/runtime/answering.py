"""What the person typed at an open question, as the answer that is logged."""

from __future__ import annotations

from ..core.errors import UsageError
from ..core.ports import Reader
from ..core.records import Answer, Author, Question
from ..core.suggestions import bare_number, picked_suggestion


def read_answer(reader: Reader, text: str, question: Question, asking: str, by: Author) -> Answer:
    """The answer with how it was read. Raises `UsageError` for the number of a suggestion that is
    not there.
    """
    picked = picked_suggestion(text, question)
    if picked is None:
        _refuse_unlisted(reader, text, question)
    reading = reader.signal(text, question.text, [s.text for s in question.suggestions])
    signal, firm, reason = reading.signal, reading.firm, reading.reason
    if picked is not None:
        signal, firm, reason = "informative", True, "a suggestion was picked"
    elif signal == "low_information" and not firm:
        signal = "informative"  # unsure: a non-answer only where a model says so too
    return Answer(
        question=question.id,
        asking=asking,
        text=text,
        by=by,
        signal=signal,
        firm=firm,
        confidence=1.0 if picked is not None else reading.confidence,
        reason=reason,
        picked=picked is not None,
    )


def _refuse_unlisted(reader: Reader, text: str, question: Question) -> None:
    number, listed = bare_number(text), len(question.suggestions)
    if number is None or not listed:
        return
    alone = reader.signal(text, question.text, ())
    if alone.signal == "low_information":  # else the question itself asks for a number
        numbers = f"1 to {listed}" if listed > 1 else "1"
        raise UsageError(
            f"nothing is listed under {number}; the numbers here are {numbers}",
            "Pick one of them, or answer in words",
        )
