"""A decision as a record in the MADR shape, each line of it from what its log and contract hold.

MADR: Markdown Any Decision Records, 4.0 (adr.github.io/madr). Where nothing was said under a
heading, the record says so and invents nothing. Secrets are masked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from ..core.account import Account, Reason
from ..core.contract import Contract
from ..core.plain import one_line
from ..core.preference import preference
from ..core.records import Option
from ..core.report import Report
from ..core.secrets import mask
from ..core.session import Session
from .aftermath import DECIDED, Aftermath

_ENDED = {"roundtable-deferred": "deferred", "roundtable-escalate": "escalated"}
_MAKERS = {"user": "the person who answered", "agent": "the calling agent"}


@dataclass(frozen=True)
class OptionRecord:
    """One path that was open; `chosen` is the direction taken."""

    text: str
    chosen: bool
    reasons: tuple[Reason, ...]


@dataclass(frozen=True)
class DecisionRecord:
    """Everything under the headings of a record. Texts are one line each, safe and masked."""

    session: str
    """The id, of a table or a room too."""
    word: str
    """`session`, `table` or `room`."""
    title: str
    status: str
    date: str
    decision_makers: tuple[str, ...]
    topic: str
    """The words typed at the start, as far as they are not the title."""
    context: tuple[str, ...]
    drivers: tuple[str, ...]
    options: tuple[OptionRecord, ...]
    option: str
    """The direction taken; "" where none was."""
    decision: str
    why: str
    consequences: tuple[str, ...]
    confirmation: tuple[str, ...]
    more: tuple[str, ...]


def make_record(
    session: Session, report: Report, contract: Contract, after: Aftermath
) -> DecisionRecord:
    """The record of a finished session."""
    typed, title = _safe(session.start.topic), _safe(contract.topic)
    return DecisionRecord(
        session=session.id,
        word="session",
        title=title,
        status=status_of(contract.decision, after),
        date=(session.finished_at or session.last_at)[:10],
        decision_makers=_makers(session),
        topic="" if typed == title else typed,
        context=tuple(_context(session)),
        drivers=tuple(_drivers(session)),
        options=tuple(_option(session, option, contract) for option in session.options),
        option=_safe(contract.option or ""),
        decision=_safe(report.decision),
        why=_safe(report.why),
        consequences=tuple(_consequences(session, report, contract)),
        confirmation=tuple(_confirmation(contract, after, report.entry_condition)),
        more=tuple(_more(session, report, contract, after)),
    )


def record_of(account: Account, contract: Contract, after: Aftermath) -> DecisionRecord:
    """The record of a finished table or room."""
    typed, title = _safe(account.question), _safe(contract.topic)
    option = _safe(contract.option or "")
    return DecisionRecord(
        session=contract.session,
        word=contract.format,
        title=title,
        status=status_of(contract.decision, after),
        date=account.date,
        decision_makers=account.makers,
        topic="" if typed == title else typed,
        context=_all_safe(account.context),
        drivers=_all_safe(account.drivers),
        options=tuple(
            OptionRecord(
                text := _safe(one.text),
                chosen=bool(option) and text == option,
                reasons=tuple(Reason(r.weight, _safe(r.text)) for r in one.reasons),
            )
            for one in account.options
        ),
        option=option,
        decision=_safe(account.decision),
        why=_safe(account.why),
        consequences=(*_all_safe(account.consequences), _fallback(contract)),
        confirmation=tuple(_confirmation(contract, after)),
        more=(
            f"{contract.format.capitalize()} {contract.session}, format {contract.format}.",
            *_all_safe(account.more),
            *_all_safe(contract.notes),
            *_linked(after),
        ),
    )


def status_of(decision: str | None, after: Aftermath) -> str:
    """MADR's status: what came later outweighs how the session ended."""
    if after.superseded:
        return f"superseded by {after.superseded.source}"
    if decision != DECIDED:
        return "proposed"
    return "deprecated" if after.outcome and after.outcome.outcome == "reversed" else "accepted"


def _safe(text: str) -> str:
    return one_line(mask(text))


def _all_safe(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(_safe, texts))


def _quoted(text: str) -> str:
    return f"“{_safe(text)}”"


def _makers(session: Session) -> tuple[str, ...]:
    by = dict.fromkeys(t.answer.by for t in session.turns if t.answer)
    return tuple(_MAKERS[author] for author in by or ("user",))


def _context(session: Session) -> Iterator[str]:
    start = session.start
    if start.context:
        name = f": {_safe(start.context_name)}" if start.context_name else ""
        yield f"A text came with it{name} ({len(start.context):,} characters)."
    if start.reopens:
        yield f"It reopens {start.reopens}."


def _drivers(session: Session) -> Iterator[str]:
    """What was said, each with its id and the question that it answers."""
    for fact in session.start.facts:
        yield f"{_quoted(fact.text)} ({fact.ref}, kept from the earlier session)"
    for turn in session.answered:
        yield f"{_quoted(turn.words)} ({turn.answer_id}, to: {_safe(turn.question.text)})"
    for note in session.notes:
        yield f"{_quoted(note.text)} ({note.id}, a note)"


def _option(session: Session, option: Option, contract: Contract) -> OptionRecord:
    text = _safe(option.text)
    reasons = chain(_from_answers(session, option), _from_roles(session, option))
    chosen = contract.option is not None and text == _safe(contract.option)
    return OptionRecord(text, chosen, tuple(dict.fromkeys(reasons)))


def _from_answers(session: Session, option: Option) -> Iterator[Reason]:
    words = {turn.answer_id: turn.words for turn in session.turns}
    votes = preference(session)
    for ref in votes.chosen.get(option.id, ()):
        yield Reason("good", f"it was chosen: {_quoted(words[ref])} ({ref})")
    for ref in votes.excluded.get(option.id, ()):
        yield Reason("bad", f"it was excluded: {_quoted(words[ref])} ({ref})")
    for fact in (fact for fact in session.facts if option.id in fact.options):
        said = f"{_quoted(fact.text)} ({fact.ref})"
        if fact.kind == "support":
            yield Reason("good", f"{fact.role or 'somebody'} is said to support it: {said}")
        elif fact.kind == "objection":
            yield Reason("bad", f"{fact.role or 'somebody'} is said to object: {said}")
        elif fact.kind == "refusal":
            yield Reason("bad", f"it was called unacceptable: {said}")
    for turn, assessment in session.assessments:
        for cost in (cost for cost in assessment.costs if cost.option == option.id):
            yield Reason("bad", f"as a mistake it costs {_quoted(cost.words)} ({turn.answer_id})")
    told = f": {_quoted(option.reversibility_words)}" if option.reversibility_words else ""
    if option.reversibility == "irreversible":
        yield Reason("bad", f"it cannot be undone{told}")
    elif option.reversibility == "reversible":
        yield Reason("good", f"it can be undone{told}")


def _from_roles(session: Session, option: Option) -> Iterator[Reason]:
    for view in session.views:
        if view.prefers == option.id:
            yield Reason("good", f"{view.role} (simulated) prefers it: {_safe(view.reason)}")
        elif option.id in view.cannot_accept:
            yield Reason("bad", f"{view.role} (simulated) cannot accept it: {_safe(view.risk)}")


def _consequences(session: Session, report: Report, contract: Contract) -> Iterator[str]:
    yield f"Excluded paths: {_safe(report.excluded_paths)}"
    yield f"Wrong-choice cost: {_safe(report.wrong_choice_cost)}"
    for line in report.risk_disclosure:
        yield f"Risk: {_safe(line)}"
    yield _fallback(contract)


def _fallback(contract: Contract) -> str:
    return f"If it fails: {_safe(contract.fallback)}"


def _confirmation(contract: Contract, after: Aftermath, entry: str = "") -> Iterator[str]:
    """`entry` is the condition on which the next skill begins; only a session states one."""
    reasons = ", ".join(contract.confidence_reasons)
    yield f"Stated confidence: {contract.confidence:g} ({reasons})."
    if entry:
        yield f"Entry condition: {_safe(entry)}"
    yield f"Next: {_safe(contract.next_skill)}. {_safe(contract.next_action)}"
    if contract.decision != DECIDED:
        return
    for told in after.outcomes:
        note = f": {_safe(told.note)}" if told.note else ""
        yield f"Outcome told on {told.at[:10]}: {told.outcome}{note}"
    if not after.outcomes:
        yield "How it turned out has not been told yet."


def _more(session: Session, report: Report, contract: Contract, after: Aftermath) -> Iterator[str]:
    yield f"Session {session.id}, format {contract.format}, mode {contract.mode}."
    if contract.decision in _ENDED:
        yield f"The session was {_ENDED[contract.decision]}: no direction was taken."
    yield f"Disagreement among the simulated roles: {_safe(report.disagreement)}"
    yield from map(_safe, report.remarks)
    for line in report.missing_points:
        yield f"Missing: {_safe(line)}"
    yield from _linked(after)
    yield _safe(report.simulated_by)


def _linked(after: Aftermath) -> Iterator[str]:
    for link in after.links:
        yield f"{link.source} {link.relation} {link.target} ({link.at[:10]})."
