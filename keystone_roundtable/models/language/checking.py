"""Why a well-formed reply may not be used: its breaches, in words for the model.

The words say what is wrong and what would be right, since they go back to it once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from pydantic import BaseModel

from ...core.catalog import Catalog
from ...core.outcome import Outcome
from ...core.plain import plain
from ...core.second_reading import is_quoted
from ...core.secrets import mask
from ...core.session import Session
from .drafts import (
    MAX_SENTENCE,
    AssessDraft,
    ConcludeDraft,
    LineDraft,
    PreviewDraft,
    QuestionDraft,
    ViewDraft,
)
from .ledger import Ledger

Reply = TypeVar("Reply", bound=BaseModel)
_BREACHES_TOLD = 3  # a small model mends no more at a time; chosen by judgement
_ON_ONE_QUOTE = 2  # "A or B" may be one quote; more are variants that nobody named, by judgement
_MAY_REPEAT = 80  # characters: "Nothing was said of it." may stand twice; chosen by judgement
_SHOWN = 40  # characters of a text that breaks off
_QUESTION_MARKS = "?？؟"


def preview_breach(
    draft: PreviewDraft, session: Session, catalog: Catalog, ledger: Ledger
) -> str | None:
    """What is wrong with a preparation; None where nothing is."""
    mode = catalog.mode(session.asked_mode or draft.mode)
    slots = [q.slot for q in mode.questions if not q.only_when_vague]
    return _breaches(
        partial(_mode_breach, draft, session),
        lambda: _role_breach(draft, session, catalog) or _unfounded(draft.views, ledger),
        partial(_echoed, draft.views),
        partial(_option_breach, draft, ledger),
        partial(_known_breach, draft, ledger),
        partial(_bank_breach, draft.questions, slots),
        lambda: _cut_off(_words_of(draft.views)),
    )


def assess_breach(draft: AssessDraft, session: Session, ledger: Ledger) -> str | None:
    """What is wrong with an assessment of the session's last answer."""
    turn = session.turns[-1]
    words = plain(turn.words)
    quotes = [*(k.quote for k in draft.learned), *(c.quote for c in draft.costs)]
    quotes += [*(r.quote for r in draft.reversals), *(o.quote for o in draft.options)]
    named = {o for known in draft.learned for o in known.options}
    named |= {c.option for c in draft.costs} | {r.option for r in draft.reversals}
    listed = {o.id for o in session.options} | {o.id for o in draft.options}
    slots = {q.slot for q in session.bank}
    return _breaches(
        lambda: _unquoted(quotes, words, "the answer"),
        lambda: _unlisted(named, listed),
        lambda: _clash({o.id for o in draft.options}, {o.id for o in session.options}),
        lambda: _unknown_refs(draft.contradicts, ledger),
        partial(_view_breach, draft.views, session.prepared.roles, ledger),
        partial(_echoed, draft.views),
        lambda: next(filter(None, (_question_breach(q) for q in draft.next_questions)), None),
        lambda: _unknown_slots(draft.next_questions, slots),
        lambda: _cut_off(_words_of(draft.views)),
    )


def conclude_breach(
    draft: ConcludeDraft, session: Session, outcome: Outcome, ledger: Ledger, catalog: Catalog
) -> str | None:
    """What is wrong with a report's words for this outcome."""
    roles = session.prepared.roles
    lines = [draft.consensus, draft.disagreement, draft.decision, draft.why]
    lines += [draft.excluded_paths, draft.wrong_choice_cost, draft.entry_condition]
    lines += [draft.risk_disclosure] if draft.risk_disclosure else []
    refs = [ref for line in lines for ref in line.refs if ref not in roles]
    return _breaches(
        lambda: _unknown_refs(refs, ledger),
        lambda: _missing_roles([v.role for v in draft.role_views], roles),
        lambda: _repeated(draft),
        lambda: _cut_off([*(v.text for v in draft.role_views), *(line.text for line in lines)]),
        lambda: _decision_breach(draft.decision.text, session, outcome),
        lambda: _silenced(draft.disagreement.text, session, outcome, catalog),
    )


# -- parts -----------------------------------------------------------------------------


def _breaches(*checks: Callable[[], str | None]) -> str | None:
    """All that is wrong, since it goes back but once: mending the first alone would not do."""
    found = filter(None, (check() for check in checks))
    return "; ".join(list(found)[:_BREACHES_TOLD]) or None


def _mode_breach(draft: PreviewDraft, session: Session) -> str | None:
    asked = session.asked_mode
    if asked is not None and draft.mode != asked:
        return f"the person asked for mode '{asked}', not '{draft.mode}'"
    return None


def _role_breach(draft: PreviewDraft, session: Session, catalog: Catalog) -> str | None:
    unknown = [role for role in draft.roles if role not in catalog.roles]
    if unknown:
        return f"there is no role '{unknown[0]}'; choose from {', '.join(catalog.roles)}"
    if len(set(draft.roles)) < len(draft.roles):
        return "a role has two views"
    if session.start.roles:
        left_out = [role for role in session.start.roles if role not in draft.roles]
        return f"the person asked for the role '{left_out[0]}'" if left_out else None
    return None


def _view_breach(views: Sequence[ViewDraft], roles: Sequence[str], ledger: Ledger) -> str | None:
    return _missing_roles([view.role for view in views], roles) or _unfounded(views, ledger)


def _unfounded(views: Sequence[ViewDraft], ledger: Ledger) -> str | None:
    return _unknown_refs([ref for view in views for ref in view.refs], ledger)


def _echoed(views: Sequence[ViewDraft]) -> str | None:
    """Roles that say one thing in the same words are one role."""
    held: dict[tuple[str, str], str] = {}
    for view in views:
        other = held.setdefault((view.position.casefold(), view.reason.casefold()), view.role)
        if other != view.role:
            return f"'{other}' and '{view.role}' say the same; each role speaks for itself"
    return None


def _words_of(views: Sequence[ViewDraft]) -> list[str]:
    return [text for view in views for text in (view.position, view.reason, view.risk)]


def _cut_off(texts: Iterable[str]) -> str | None:
    """A server that holds a reply to the schema ends a text at the bound, be it amid a word."""
    cut = next((t for t in texts if len(t) >= MAX_SENTENCE - 1 and t[-1].isalnum()), None)
    return f"'...{cut[-_SHOWN:]}' breaks off; be much briefer" if cut else None


def _missing_roles(held: Sequence[str], roles: Sequence[str]) -> str | None:
    if sorted(held) == sorted(roles):
        return None
    return f"there must be exactly one view for each of {', '.join(roles)}"


def _option_breach(draft: PreviewDraft, ledger: Ledger) -> str | None:
    said = ledger.said
    ids = [option.id for option in draft.options]
    texts = [option.text.casefold() for option in draft.options]
    if len(set(ids)) < len(ids) or len(set(texts)) < len(texts):
        return "an option is listed twice"
    quotes = [option.quote for option in draft.options]
    quotes += [option.reversibility_quote for option in draft.options]
    named = {draft.lean} if draft.lean else set()
    named |= {option for known in draft.known for option in known.options}
    implied = [option for option in draft.options if not option.quote]
    nowhere = [option for option in implied if not option.status_quo] or implied[1:]
    if nowhere:
        return (
            f"'{nowhere[-1].text}' comes from nowhere: quote the words that name an option; only "
            "keeping things as they are may be added without a quote"
        )
    shared = Counter(option.quote.casefold() for option in draft.options if option.quote)
    if max(shared.values(), default=0) > _ON_ONE_QUOTE:
        return "too many options rest on the same words; list only paths that the words name"
    unquoted = _unquoted([q for q in quotes if q], said, "the topic or context")
    return unquoted or _unlisted(named, set(ids))


def _known_breach(draft: PreviewDraft, ledger: Ledger) -> str | None:
    said = ledger.said
    quotes = [known.quote for known in draft.known]
    quotes += [draft.lean_quote] if draft.lean else []
    return _unquoted(quotes, said, "what was said")


def _bank_breach(questions: Sequence[QuestionDraft], slots: Sequence[str]) -> str | None:
    for question in questions:
        if (breach := _question_breach(question)) is not None:
            return breach
    asked = [question.slot for question in questions]
    missing = [slot for slot in slots if slot not in asked]
    if missing:
        return (
            f"there is no question for the slot '{missing[0]}'; each of {', '.join(slots)} has one"
        )
    return None


def _question_breach(question: QuestionDraft) -> str | None:
    if sum(question.text.count(mark) for mark in _QUESTION_MARKS) > 1:
        return f"'{question.text}' is more than one question; put exactly one"
    number = question.recommended
    if number is None or not question.suggestions:  # where nothing is suggested, none is meant
        return None
    if not 1 <= number <= len(question.suggestions):
        return f"suggestion {number} of '{question.text}' is recommended and does not exist"
    return None


def _unknown_slots(questions: Sequence[QuestionDraft], slots: set[str]) -> str | None:
    unknown = next((q.slot for q in questions if q.slot not in slots), None)
    return f"there is no slot '{unknown}'; use {', '.join(sorted(slots))}" if unknown else None


def _unquoted(quotes: Iterable[str], said: str, where: str) -> str | None:
    said = f"{said}\n{mask(said)}"  # a secret can only be quoted as it was sent
    wrong = next((quote for quote in quotes if not is_quoted(quote, said)), None)
    return f"'{wrong}' does not stand word for word in {where}" if wrong is not None else None


def _unlisted(named: set[str], listed: set[str]) -> str | None:
    unknown = sorted(named - listed)
    return f"there is no option '{unknown[0]}'" if unknown else None


def _clash(new: set[str], listed: set[str]) -> str | None:
    taken = sorted(new & listed)
    return f"the id '{taken[0]}' belongs to another option already" if taken else None


def _unknown_refs(refs: Iterable[str], ledger: Ledger) -> str | None:
    unknown = next((ref for ref in refs if ledger.ref(ref) is None), None)
    return f"there is nothing with the id '{unknown}' in the ledger" if unknown else None


def _repeated(draft: ConcludeDraft) -> str | None:
    """A report whose lines all say one thing tells none of them."""
    found: dict[str, str] = {}
    for name, line in draft:
        if isinstance(line, LineDraft) and len(line.text) > _MAY_REPEAT:
            first = found.setdefault(line.text.casefold(), name)
            if first != name:
                return f"{first} and {name} say the same; each line has words of its own"
    return None


def _decision_breach(text: str, session: Session, outcome: Outcome) -> str | None:
    """The line must name the one option that was decided, and no other as the direction."""
    folded = " ".join(text.split()).casefold()
    if outcome.option is None:
        return None if folded.startswith("none") else "the decision must begin with 'None:'"
    if outcome.option.text.casefold() not in folded:
        return f"the decision must name '{outcome.option.text}' word for word"
    others = [o.text for o in session.options if o.id != outcome.option.id]
    wrong = [
        o for o in others if o.casefold() in folded.replace(outcome.option.text.casefold(), "")
    ]
    return f"the decision names '{wrong[0]}' too; name one option" if wrong else None


def _silenced(text: str, session: Session, outcome: Outcome, catalog: Catalog) -> str | None:
    """A role that prefers another path must be named where the disagreement is told."""
    decided = outcome.option.id if outcome.option else None
    folded = text.casefold()
    for view in session.views:
        if view.prefers is None or view.prefers == decided or decided is None:
            continue
        title = catalog.role(view.role).title.removeprefix("the ").casefold()
        if view.role.casefold() not in folded and title not in folded:
            return f"'{view.role}' prefers another path and is missing from the disagreement"
    return None
