"""The line of the report that says who played the roles, and which steps the rules did instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...core.plain import one_line
from ...core.records import Step as CallStep
from ...core.session import Session
from ..concluding import SIMULATED_BY

WITHOUT_A_MODEL = "the session went on without a model"


@dataclass(frozen=True)
class _Step:
    """A step of the session: who did it, and why the rules did where a model was asked first."""

    told: str
    source: str
    why: str


def simulated_by(session: Session, model: str, conclude_fallback: str) -> str:
    """One model played every role, unless the rules did all; what it could not do is named."""
    source = "offline" if conclude_fallback else model
    last = _Step("this report", source, conclude_fallback)
    return _told([*_steps(session), last], model)


def left_to_the_rules(session: Session) -> str:
    """The same where the session was left to the rules, which write the report, after a model.

    The call that failed says why; what was done after it was done without a model.
    """
    steps = [*_steps(session), _Step("this report", "offline", _failure(session, "conclude"))]
    failed = next((n for n, step in enumerate(steps) if step.why), len(steps) - 1)
    steps[failed:] = [
        replace(step, why=WITHOUT_A_MODEL) if step.source == "offline" and not step.why else step
        for step in steps[failed:]
    ]
    return _told(steps, session.start.model)


def _steps(session: Session) -> list[_Step]:
    """The preparation and the readings of the answers, in order."""
    preview = session.prepared
    steps = [
        _Step("the preparation", preview.source, preview.fallback or _failure(session, "preview"))
    ]
    for turn, read in session.assessments:
        why = read.fallback or _failure(session, "assess", turn.asking)
        steps.append(_Step(f"the reading of {turn.answer_id}", read.source, why))
    return [step if step.source == "offline" else replace(step, why="") for step in steps]


def _failure(session: Session, step: CallStep, asking: str = "") -> str:
    """Why the last call for a step failed; "" where none did."""
    failed = (c for c in session.calls if (c.step, c.asking, c.result) == (step, asking, "failed"))
    return next((call.reason for call in reversed(list(failed))), "")


def _told(steps: Sequence[_Step], model: str) -> str:
    models = [s for s in dict.fromkeys(step.source for step in steps) if s != "offline"]
    instead = _instead(steps)
    if not models and not instead:
        return SIMULATED_BY
    if not models:
        return (
            f"The roles were played by the built-in rules: nothing that {model} replied could be "
            f"used. They did {instead}."
        )
    told = (
        f"The roles were played by {' and '.join(models)}: their agreement is one mind's and weak "
        "evidence."
    )
    return f"{told} The built-in rules did {instead}." if instead else told


def _instead(steps: Sequence[_Step]) -> str:
    """What the rules did although a model was asked, and why."""
    found = [f"{step.told} ({one_line(step.why)})" for step in steps if _has_reason(step)]
    without = [step.told for step in steps if step.why == WITHOUT_A_MODEL]
    found += [f"{', '.join(without)} ({WITHOUT_A_MODEL})"] if without else []
    return "; ".join(found)


def _has_reason(step: _Step) -> bool:
    return bool(step.why) and step.why != WITHOUT_A_MODEL
