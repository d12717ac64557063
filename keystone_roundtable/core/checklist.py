"""The 14 points a finished session is checked for (ks-roundtable, Quality Checklist)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from .convergence import roles_disagree
from .limits import BREAKER_AT, MIN_ANSWERED
from .outcome import Outcome
from .records import MODES, Question, Record
from .report import Report
from .session import Session

Verdict = Literal["ok", "failed", "waived"]
MIN_ROLES = 2
MIN_NAME = 4  # characters; chosen by judgement: "Go" and "A" are found in any sentence


class CheckedPoint(Record):
    """`reason` is empty for `ok`, and says why for `failed` and `waived`."""

    point: str
    verdict: Verdict
    reason: str = ""


@dataclass(frozen=True)
class _Ended:
    session: Session
    outcome: Outcome
    report: Report


_Check = Callable[[_Ended], str | tuple[Verdict, str]]
"""Gives "" for ok, a reason for failed, or a verdict with its reason."""


def _separate(e: _Ended) -> str:
    shown = "\n".join(_shown(turn.question) for turn in e.session.turns)
    held = (e.session.prepared.views, *(a.views for _, a in e.session.assessments))
    leaked = any(view.position in shown for views in held for view in views if view.position)
    return "a role's view was shown in a question" if leaked else ""


def _shown(question: Question) -> str:
    suggested = (suggestion.text for suggestion in question.suggestions)
    texts = (question.lead, question.text, question.stakes, question.explanation, *suggested)
    return "\n".join(texts)


def _mode_explicit(e: _Ended) -> str:
    return "" if e.report.mode in MODES else "no mode"


def _enough_asked(e: _Ended) -> str | tuple[Verdict, str]:
    if len(e.session.answered) >= MIN_ANSWERED:
        return ""
    if e.session.phase_exit in ("circuit_breaker", "user_stopped", "user_deferred"):
        return "waived", f"the question phase ended early: {e.session.phase_exit}"
    return f"only {len(e.session.answered)} questions were answered"


def _exit_satisfied(e: _Ended) -> str:
    return "" if e.session.phase_exit else "the question phase never ended"


def _report_after(e: _Ended) -> str:
    return "" if e.session.phase_exit and e.session.conclusion else "no report after the questions"


def _roles_match(e: _Ended) -> str:
    roles = e.session.prepared.roles
    return "" if len(set(roles)) >= MIN_ROLES else f"only {len(set(roles))} role was activated"


def _singular(e: _Ended) -> str | tuple[Verdict, str]:
    text, chosen = e.report.decision.casefold(), e.outcome.option
    if chosen is None:
        if not text.startswith("none:"):
            return "the decision names a direction although none was taken"
        return "waived", f"no direction was taken: {e.outcome.decision}"
    if chosen.text.casefold() not in text:
        return "the decision does not name the direction taken"
    rest = text.replace(chosen.text.casefold(), "")
    others = [o for o in e.session.options if o.id != chosen.id and len(o.text) >= MIN_NAME]
    named = [o.id for o in others if _holds(rest, o.text.casefold())]
    return f"the decision also names {', '.join(named)}" if named else ""


def _holds(text: str, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None


def _excluded_explicit(e: _Ended) -> str:
    return "" if e.report.excluded_paths.strip() else "no line on excluded paths"


def _next_skill(e: _Ended) -> str:
    return "" if e.report.next_skill else "no next skill"


def _breaker_applied(e: _Ended) -> str | tuple[Verdict, str]:
    if not e.session.breaker_tripped:
        return "waived", "the user gave no two non-answers in a row"
    return "" if e.session.phase_exit == "circuit_breaker" or e.session.deferred else "not applied"


def _cost_disclosed(e: _Ended) -> str:
    return "" if e.report.wrong_choice_cost.strip() else "no line on the wrong-choice cost"


def _dissent_kept(e: _Ended) -> str | tuple[Verdict, str]:
    shown = {line.role for line in e.report.role_views}
    missing = sorted(set(e.session.prepared.roles) - shown)
    if missing:
        return f"no view of {', '.join(missing)}"
    if not roles_disagree(e.session):
        return ""
    return "the report says 'none'" if e.report.disagreement.strip().casefold() == "none" else ""


def _compressed_first(e: _Ended) -> str | tuple[Verdict, str]:
    if e.session.prepared.vague:
        return "waived", "the topic could not be compressed; the user described it first"
    return "" if e.session.prepared.decision_topic else "no decision topic"


def _threshold_respected(e: _Ended) -> str:
    run = longest = 0
    for turn in e.session.turns:
        if turn.signal is not None:
            run = run + 1 if turn.signal == "low_information" else 0
            longest = max(longest, run)
    return "" if longest <= BREAKER_AT else f"{longest} non-answers in a row"


_POINTS: tuple[tuple[str, _Check], ...] = (
    ("the internal preview and user-visible output are separate", _separate),
    ("the mode is explicit", _mode_explicit),
    ("at least 3 Socratic questions were asked before the final report", _enough_asked),
    ("the question phase exit condition is satisfied", _exit_satisfied),
    ("the final report appears only after the question phase", _report_after),
    ("the activated roles match the problem and mode", _roles_match),
    ('the conclusion is singular (one direction, not "both are fine")', _singular),
    ("excluded paths are explicit", _excluded_explicit),
    ("the next skill is explicit", _next_skill),
    ("circuit breaker was applied when user gave consecutive non-answers", _breaker_applied),
    ("wrong-choice cost is disclosed in the report", _cost_disclosed),
    ("role disagreement was not suppressed to force false consensus", _dissent_kept),
    ("the one-sentence topic compression was performed before questions began", _compressed_first),
    (
        "the circuit breaker threshold (2 consecutive non-answers) was respected",
        _threshold_respected,
    ),
)


def check(session: Session, outcome: Outcome, report: Report) -> tuple[CheckedPoint, ...]:
    """The 14 points in the skill's order."""
    ended = _Ended(session, outcome, report)
    return tuple(_checked(point, rule(ended)) for point, rule in _POINTS)


def _checked(point: str, found: str | tuple[Verdict, str]) -> CheckedPoint:
    if isinstance(found, tuple):
        return CheckedPoint(point=point, verdict=found[0], reason=found[1])
    return CheckedPoint(point=point, verdict="failed" if found else "ok", reason=found)
