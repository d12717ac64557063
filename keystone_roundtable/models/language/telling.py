"""The line of the report that says who played the roles, and which steps the rules did instead."""

from __future__ import annotations

from ...core.plain import one_line
from ...core.session import Session
from ..concluding import SIMULATED_BY


def simulated_by(session: Session, model: str, conclude_fallback: str) -> str:
    """One model played every role, unless the rules did all; what it could not do is named."""
    models = _models(session, model, conclude_fallback)
    instead = _instead(session, conclude_fallback)
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


def left_to_the_rules(session: Session) -> str:
    """The same where the session was left to the rules, which write the report, after a model."""
    return simulated_by(session, session.start.model, "the session went on without a model")


def _models(session: Session, model: str, conclude_fallback: str) -> list[str]:
    sources = [session.prepared.source, *(a.source for _, a in session.assessments)]
    sources += [] if conclude_fallback else [model]
    return [source for source in dict.fromkeys(sources) if source != "offline"]


def _instead(session: Session, conclude_fallback: str) -> str:
    """What the rules did although a model was asked, and why."""
    found = [("the preparation", session.prepared.fallback)]
    found += [(f"the reading of {turn.answer_id}", a.fallback) for turn, a in session.assessments]
    found += [("this report", conclude_fallback)]
    return "; ".join(f"{step} ({one_line(why)})" for step, why in found if why)
