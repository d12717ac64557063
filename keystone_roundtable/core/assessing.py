"""What a preview and an assessment may say: they cannot invent options, roles or answers."""

from __future__ import annotations

from collections.abc import Iterable

from .errors import IllegalEventError
from .records import Assessment, Fact, Preview, RoleView
from .session import Session, Turn


def check_preview(session: Session, preview: Preview) -> None:
    """Raises `IllegalEventError` where it names what it does not list, or ignores the mode asked.

    A question must be told apart by its template, and every role has its view.
    """
    if session.asked_mode is not None and preview.mode != session.asked_mode:
        raise IllegalEventError(
            f"the preview is for {preview.mode}, the mode asked for is {session.asked_mode}"
        )
    listed = [option.id for option in preview.options]
    _check_unique("option", listed)
    _check_unique("question", [question.template for question in preview.bank])
    named = _in_views(preview.views) | _in_facts(preview.facts)
    _check_known("preview", named | ({preview.lean} if preview.lean else set()), listed)
    _check_every_role("preview", preview.views, preview.roles)


def check_assessment(session: Session, assessment: Assessment) -> Turn:
    """The turn it is for.

    Raises `IllegalEventError` where no answer waits for it or it names what does not exist.
    An answer that gave no usable direction teaches nothing, and no answer redefines an option.
    """
    turn = session.turn_asked(assessment.asking)
    if turn is None or not turn.unassessed:
        raise IllegalEventError(
            f"the assessment is for {assessment.asking}, which no answer waits for"
        )
    if turn.signal == "low_information" and _teaches(assessment):
        raise IllegalEventError("the assessment draws something from a low-information answer")
    brought = [o.id for o in assessment.options]
    _check_unique("option", [*(o.id for o in session.options), *brought])
    listed = [*(o.id for o in session.options_until(turn)), *brought]
    _check_known("assessment", _named_options(assessment), listed)
    if assessment.views:
        _check_every_role("assessment", assessment.views, session.prepared.roles)
    return turn


def _check_unique(kind: str, ids: list[str]) -> None:
    twice = sorted({i for i in ids if ids.count(i) > 1})
    if twice:
        raise IllegalEventError(f"the {kind} {', '.join(twice)} is listed twice")


def _check_known(what: str, named: set[str], listed: list[str]) -> None:
    unknown = sorted(named - set(listed))
    if unknown:
        raise IllegalEventError(f"the {what} names options the session lacks: {', '.join(unknown)}")


def _check_every_role(what: str, views: Iterable[RoleView], roles: tuple[str, ...]) -> None:
    if sorted(view.role for view in views) != sorted(roles):
        raise IllegalEventError(f"the {what} drops or adds a role's view")


def _teaches(assessment: Assessment) -> bool:
    return bool(
        assessment.choices
        or assessment.exclusions
        or assessment.facts
        or assessment.options
        or assessment.reassessed
        or assessment.costs
    )


def _named_options(assessment: Assessment) -> set[str]:
    named = {*assessment.choices, *assessment.exclusions}
    named |= _in_facts(assessment.facts) | _in_views(assessment.views)
    named |= {change.option for change in assessment.reassessed}
    return named | {cost.option for cost in assessment.costs}


def _in_facts(facts: Iterable[Fact]) -> set[str]:
    return {option for fact in facts for option in fact.options}


def _in_views(views: Iterable[RoleView]) -> set[str]:
    return {
        option
        for view in views
        for option in (*view.cannot_accept, *([view.prefers] if view.prefers else []))
    }
