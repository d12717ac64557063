"""What a model's reading of an answer may change of the rules' own.

Stop and defer need the rules, or a quote from the answer. A non-answer holds where the rules say so
firmly, or where they are unsure and the model says so with a reason.
"""

from __future__ import annotations

from .plain import one_line
from .records import Answer, SignalOpinion

LEAVING = ("stop", "defer")


def reconciled(answer: Answer, opinion: SignalOpinion | None) -> Answer:
    """The answer as both readings leave it."""
    if opinion is None or opinion.signal == answer.signal or answer.picked:
        return answer
    if answer.signal in LEAVING or not _carries(opinion, answer):
        return answer
    return answer.model_copy(update={"signal": opinion.signal, "reason": one_line(opinion.reason)})


def _carries(opinion: SignalOpinion, answer: Answer) -> bool:
    if opinion.signal in LEAVING:
        return is_quoted(opinion.quote, answer.text)
    return opinion.signal != "clarify" and not answer.firm and bool(opinion.reason.strip())


def is_quoted(quote: str, text: str) -> bool:
    """Whether the words stand in the text, spacing and capitals apart."""
    wanted = " ".join(quote.split()).casefold()
    return bool(wanted) and wanted in " ".join(text.split()).casefold()
