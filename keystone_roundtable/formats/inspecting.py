"""Whether a table needs its next round: read from the answers after rounds 2 and 3."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..core.plain import is_blank, one_line
from ..core.report import shorten
from .errors import TableStateError
from .table_state import MAX_ROUND, Agent, RoundAnswer, TableState, whole_number

Inspection = Literal["EARLY-STOP", "SKIP-ROUND-3", "EXPERT-DEFERENCE", "CONTINUE"]

# round-table, step 2
_AGREED_AT = 8
_EXPERT_AT = 10
_LAY_AT_MOST = 3

_HELD = 80  # characters of a position that is told; chosen by judgement
_NO_CHANGE = re.compile(r"\bno changes?\b", re.IGNORECASE)


@dataclass(frozen=True)
class Inspected:
    """What the inspector found after `round`, and why in one line. `expert` is the one soul at 10,
    "" unless the outcome is a deference to it.
    """

    outcome: Inspection
    round: int
    reason: str
    expert: str = ""


def inspect(state: TableState) -> Inspected:
    """What to do next. Raises `TooFewSoulsError`, and `TableStateError` where a soul lacks an
    answer in the latest round, or has one that cannot be read.
    """
    seated = state.seated()
    latest = max((answer.round for agent in seated for answer in agent.rounds), default=0)
    if latest == 1:
        raise TableStateError(
            "agents",
            "there is only round 1, whose openings are sealed",
            "Inspect after rounds 2 and 3",
        )
    answers: list[tuple[RoundAnswer, int]] = []
    for number, agent in enumerate(state.agents):
        if agent.empty:
            continue
        answer = agent.answer_in(latest)
        if answer is None:
            raise TableStateError(
                f"agents[{number}].rounds",
                f"'{one_line(agent.name)}' has no answer in round {latest}"
                if latest
                else f"'{one_line(agent.name)}' has no answer yet",
                "Ask that soul, or say in its field 'empty' why it has no say",
            )
        _check_position(answer, agent, number, state.options)
        answers.append((answer, _confidence(answer, number)))
    names = [agent.name for agent in seated]
    if _agreed(answers):
        least = min(confidence for _, confidence in answers)
        position = one_line(answers[0][0].position)
        return Inspected(
            "EARLY-STOP", latest, f"all hold {position}, each at {least} or more: vote now"
        )
    if latest == 2 and _nobody_moved(state):
        return Inspected(
            "SKIP-ROUND-3", latest, "nobody moved in round 2: confirm that no new evidence came"
        )
    expert = _expert([confidence for _, confidence in answers])
    if expert is not None:
        return Inspected(
            "EXPERT-DEFERENCE",
            latest,
            f"{one_line(names[expert])} stands at {_EXPERT_AT}, all others at {_LAY_AT_MOST} or "
            "less: ask the human whether to short-circuit",
            names[expert],
        )
    return Inspected("CONTINUE", latest, "run the next round" if latest < MAX_ROUND else "vote")


def _confidence(answer: RoundAnswer, agent: int) -> int:
    confidence = whole_number(answer.confidence)
    if confidence is None or not 1 <= confidence <= 10:
        raise TableStateError(
            f"agents[{agent}].rounds, round {answer.round}, confidence",
            "must be a whole number from 1 to 10",
        )
    return confidence


def _check_position(answer: RoundAnswer, agent: Agent, number: int, options: Sequence[str]) -> None:
    if answer.position in options:
        return
    held = f"'{shorten(one_line(answer.position), _HELD)}'"
    raise TableStateError(
        f"agents[{number}].rounds, round {answer.round}, position",
        "is blank"
        if is_blank(answer.position)
        else f"'{one_line(agent.name)}' holds {held}, which is none of the options",
        f"The options are {', '.join(map(one_line, options))}",
    )


def _agreed(answers: Sequence[tuple[RoundAnswer, int]]) -> bool:
    positions = {answer.position for answer, _ in answers}
    return len(positions) == 1 and all(confidence >= _AGREED_AT for _, confidence in answers)


def _nobody_moved(state: TableState) -> bool:
    """Each position is as in round 1, and nobody says that something changed."""
    for agent in state.seated():
        first, second = agent.answer_in(1), agent.answer_in(2)
        if first is None or second is None or first.position != second.position:
            return False
        if not (is_blank(second.self_update) or _NO_CHANGE.search(second.self_update)):
            return False
    return True


def _expert(confidences: Sequence[int]) -> int | None:
    """Which one stands at 10 alone, with all others far below; None where none does."""
    tens = [n for n, confidence in enumerate(confidences) if confidence == _EXPERT_AT]
    others = [confidence for confidence in confidences if confidence != _EXPERT_AT]
    alone = len(tens) == 1 and all(confidence <= _LAY_AT_MOST for confidence in others)
    return tens[0] if alone else None
