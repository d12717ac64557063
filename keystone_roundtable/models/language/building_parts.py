"""Parts that more than one step is built from: options, questions, views, references."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count

from ...core.plain import one_line
from ...core.records import (
    Fact,
    Option,
    Question,
    RoleView,
    Suggestion,
)
from ...core.second_reading import is_quoted
from ...core.session import Session
from ...reading.rules import Rules
from ..preparing import lead_of
from .drafts import (
    KnownDraft,
    OptionDraft,
    QuestionDraft,
    ViewDraft,
)
from .ledger import Ledger


def question_of(
    draft: QuestionDraft, template: str, session: Session, ids: Mapping[str, str]
) -> Question:
    """`ids` are the options by folded text, where picking one of them chooses it."""
    named = draft.recommended if draft.suggestions else None
    recommended = draft.suggestions[named - 1].casefold() if named else None
    once: dict[str, str] = {}
    for text in draft.suggestions:
        once.setdefault(text.casefold(), text)
    suggestions = tuple(
        Suggestion(text=one_line(text), option=ids.get(folded), recommended=folded == recommended)
        for folded, text in once.items()
    )
    return Question(
        id="Q0",
        template=template,
        slot=draft.slot,
        text=one_line(draft.text),
        lead=lead_of(session.start.topic),
        stakes=one_line(draft.stakes),
        explanation=one_line(draft.explanation),
        suggestions=suggestions if len(suggestions) > 1 else (),
    )


def option_of(draft: OptionDraft, equal: Option | None, rules: Rules, ledger: Ledger) -> Option:
    """`equal` is the option of the same name that the rules read; what they know of it stays.

    Else reversibility counts where the quote tells so by itself.
    """
    told, words = rules.reversibility(draft.reversibility_quote)
    if equal is not None:
        told, words = equal.reversibility, equal.reversibility_words
    from_context = draft.quote and source_of(draft.quote, ledger) == "context"
    return Option.model_validate(
        {
            "id": draft.id,
            "text": one_line(draft.text),
            "source": ("context" if from_context else "topic") if draft.quote else "implied",
            "reversibility": told,
            "reversibility_words": one_line(words),
            "status_quo": draft.status_quo if equal is None else equal.status_quo,
        }
    )


def free_ids(taken: Collection[str]) -> Iterator[str]:
    """Ids for further options, in order: `o1`, `o2`, ... without those that are taken."""
    return (fresh for number in count(1) if (fresh := f"o{number}") not in taken)


def source_of(quote: str, ledger: Ledger) -> str:
    """The ref of the first entry that holds the words."""
    return next((e.ref for e in ledger.entries if is_quoted(quote, e.said)), "topic")


def fact_of(known: KnownDraft, ref: str) -> Fact:
    return Fact(
        kind=known.kind,
        text=one_line(known.quote),
        ref=ref,
        options=known.options,
    )


def views_of(
    drafts: Sequence[ViewDraft], held: Mapping[str, RoleView], ledger: Ledger
) -> tuple[RoleView, ...]:
    """`held` are the views as the rules read them: what the person said the roles prefer."""
    return tuple(
        RoleView(
            role=draft.role,
            position=one_line(draft.position),
            reason=one_line(draft.reason),
            risk=one_line(draft.risk),
            prefers=held[draft.role].prefers if draft.role in held else None,
            cannot_accept=held[draft.role].cannot_accept if draft.role in held else (),
            refs=refs_of(draft.refs, ledger),
        )
        for draft in drafts
    )


def refs_of(ids: Iterable[str], ledger: Ledger, roles: Sequence[str] = ()) -> tuple[str, ...]:
    found = (one if one in roles else ledger.ref(one) for one in ids)
    return tuple(dict.fromkeys(ref for ref in found if ref is not None))
