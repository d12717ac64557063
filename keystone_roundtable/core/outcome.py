"""How a session ends: decision, confidence, escalation and next skill, computed from the session.

The rows are tried from the top, the first that holds counts; then the lowest cap. No model has a
say in any of it. Source: ks-roundtable, E1-E3 and the state update.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from itertools import permutations
from typing import Literal

from .cost import cost_rank, lowest_cost
from .limits import MIN_ANSWERED
from .preference import Preference, preference
from .records import Option
from .session import Session

Decision = Literal["roundtable-aligned", "roundtable-deferred", "roundtable-escalate"]
ExitCode = Literal["ok", "deferred", "escalate", "redirected"]


class ExitStatus(IntEnum):
    """Process exit statuses, part of the machine interface."""

    OK = 0
    FAILURE = 1
    USAGE = 2
    ESCALATED = 3
    DEFERRED = 4
    REDIRECTED = 5
    PAUSED = 6
    INTERRUPTED = 130


@dataclass(frozen=True)
class Outcome:
    """A session's end. `confidence` is in [0, 1]; `option` is None when nothing was decided."""

    row: str
    decision: Decision
    confidence: float
    confidence_reasons: tuple[str, ...]
    escalate: bool
    next_skill: str
    state_next_skill: str
    exit_code: ExitCode
    status: ExitStatus
    state_reason: str
    option: Option | None
    forced: bool
    notes: tuple[str, ...]


CONVERGED = "Direction converged"
FORCED = "Direction forced with risk disclosure"
LOWEST_COST = "Direction chosen by lowest wrong-choice cost"
DEFERRED = "More discussion is still needed"
ESCALATED = "Directional disagreement cannot be resolved safely"

SCOPE_NOTE = "scope needs compression"
NOTHING_TO_BUILD_NOTE = "nothing to build; record and close"


@dataclass(frozen=True)
class _Standing:
    """What the rows look at."""

    session: Session
    preference: Preference
    forced: bool
    open_options: tuple[Option, ...]
    clashes: tuple[tuple[Option, Option], ...]

    @property
    def preferred(self) -> Option | None:
        return self.session.option(self.preference.option) if self.preference.option else None

    @property
    def cheapest(self) -> Option | None:
        return lowest_cost(self.session, self.open_options)


@dataclass(frozen=True)
class _Row:
    name: str
    holds: Callable[[_Standing], bool]
    decision: Decision
    confidence: float
    state_reason: str
    note: str = ""


def is_forced(session: Session) -> bool:
    """Breaker, or a stop before three informative answers."""
    stopped_early = session.phase_exit == "user_stopped" and len(session.answered) < MIN_ANSWERED
    return session.phase_exit == "circuit_breaker" or stopped_early


def _no_safe_direction(s: _Standing) -> bool:
    return all(o.reversibility == "irreversible" for o in s.open_options)


def _too_much_missing(s: _Standing) -> bool:
    if not s.open_options:
        return True
    if s.session.phase_exit == "user_stopped":
        return False  # stopped after enough answers: the cheaper mistake, and not an escalation
    needed = s.session.prepared.needed
    filled = len(needed) - len(s.session.unfilled_needed)
    return filled * 2 < len(needed) and not s.preference.by_answer


def _clash_without_lower_cost(s: _Standing) -> bool:
    return any(cost_rank(s.session, a) == cost_rank(s.session, b) for a, b in s.clashes)


# Order matters: the first row that holds decides.
_ROWS: tuple[_Row, ...] = (
    _Row("deferred", lambda s: s.session.deferred, "roundtable-deferred", 0.5, DEFERRED),
    _Row(
        "forced_without_safe_direction",
        lambda s: s.forced and _no_safe_direction(s),
        "roundtable-escalate",
        0.5,
        ESCALATED,
    ),
    _Row("forced", lambda s: s.forced, "roundtable-aligned", 0.7, FORCED),
    _Row("too_much_missing", _too_much_missing, "roundtable-escalate", 0.5, ESCALATED),
    _Row("irreconcilable", _clash_without_lower_cost, "roundtable-escalate", 0.5, ESCALATED),
    _Row(
        "none_preferred",
        lambda s: s.preferred is None,
        "roundtable-aligned",
        0.7,
        LOWEST_COST,
    ),
    _Row(
        "irreconcilable_lower_cost",
        lambda s: bool(s.clashes),
        "roundtable-aligned",
        0.8,
        CONVERGED,
    ),
    _Row(
        "converged_scope_soft",
        lambda s: s.session.scope_soft,
        "roundtable-aligned",
        0.8,
        CONVERGED,
        SCOPE_NOTE,
    ),
    _Row("converged", lambda s: True, "roundtable-aligned", 0.9, CONVERGED),
)


@dataclass(frozen=True)
class _Cap:
    name: str
    at_most: float
    holds: Callable[[Session, Option | None], bool]


def suggestions_only(session: Session) -> bool:
    """Answers were given, but every one of them is a suggestion that was picked."""
    return bool(session.answered) and all(t.answer and t.answer.picked for t in session.answered)


def answered_by_agent(session: Session) -> bool:
    return any(t.answer and t.answer.by == "agent" for t in session.turns)


def _unconfirmed(session: Session, option: Option | None) -> bool:
    return option is not None and option.reversibility == "irreversible" and not session.confirmed


_CAPS: tuple[_Cap, ...] = (
    _Cap("suggestions_only", 0.8, lambda session, option: suggestions_only(session)),
    _Cap("answered_by_agent", 0.7, lambda session, option: answered_by_agent(session)),
    _Cap("irreversible_unconfirmed", 0.7, _unconfirmed),
)

_ROUTING: dict[Decision, tuple[str, str, ExitCode, ExitStatus]] = {
    "roundtable-aligned": ("writing-plan", "writing-plan", "ok", ExitStatus.OK),
    "roundtable-deferred": ("roundtable", "roundtable", "deferred", ExitStatus.DEFERRED),
    "roundtable-escalate": ("orchestrate", "", "escalate", ExitStatus.ESCALATED),
}


def clashes(session: Session) -> tuple[tuple[Option, Option], ...]:
    """Pairs of options that two roles cannot settle: one role cannot accept what the other prefers.

    Pairs in which an answer excludes either option are settled and left out.
    """
    excluded = preference(session).excluded
    pairs = {
        (a.prefers, b.prefers)
        for a, b in permutations(session.views, 2)
        if a.prefers and b.prefers and a.prefers != b.prefers and b.prefers in a.cannot_accept
    }
    return tuple(
        (session.option(a), session.option(b))
        for a, b in sorted(pairs)
        if a not in excluded and b not in excluded
    )


def outcome_of(session: Session) -> Outcome:
    """The end of `session` as its answers in force stand."""
    current = preference(session)
    standing = _Standing(
        session=session,
        preference=current,
        forced=is_forced(session),
        open_options=tuple(o for o in session.options if o.id not in current.excluded),
        clashes=clashes(session),
    )
    row = next(r for r in _ROWS if r.holds(standing))
    option = _direction(standing, row)
    caps = [c for c in _CAPS if c.holds(session, option)]
    next_skill, state_next_skill, exit_code, status = _ROUTING[row.decision]
    return Outcome(
        row=row.name,
        decision=row.decision,
        confidence=min([row.confidence, *(c.at_most for c in caps)]),
        confidence_reasons=(row.name, *(c.name for c in caps)),
        escalate=row.decision == "roundtable-escalate",
        next_skill=next_skill,
        state_next_skill=state_next_skill,
        exit_code=exit_code,
        status=status,
        state_reason=row.state_reason,
        option=option,
        forced=standing.forced,
        notes=_notes(session, row, option),
    )


def needs_confirmation(session: Session) -> bool:
    """Whether the direction cannot be undone and was not yet confirmed by typing it."""
    return _unconfirmed(session, outcome_of(session).option)


def confirms(typed: str, option: Option) -> bool:
    """Whether `typed` is the option's text, case and spacing apart."""
    return " ".join(typed.split()).casefold() == " ".join(option.text.split()).casefold()


def _direction(standing: _Standing, row: _Row) -> Option | None:
    if row.decision != "roundtable-aligned":
        return None
    if standing.forced and standing.preference.basis != "chosen":
        return standing.cheapest  # a lean of the topic is no stated preference
    return standing.preferred or standing.cheapest


def _notes(session: Session, row: _Row, option: Option | None) -> tuple[str, ...]:
    start = session.start
    notes = [row.note] if row.note else []
    if option is not None and option.status_quo:
        notes.append(NOTHING_TO_BUILD_NOTE)
    if start.route != "roundtable":
        notes.append(f"entered although the topic reads as '{start.route}'")
    if start.reopens:
        notes.append(f"reopens {start.reopens}")
    return tuple(notes)
