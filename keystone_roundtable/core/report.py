"""The report as data: what the template prints and `run --json` shows."""

from __future__ import annotations

from .errors import IllegalEventError
from .outcome import Outcome, answered_by_agent, suggestions_only
from .records import Line, ModeId, Record, RoleLine
from .session import Session

FORCED_SENTENCE = (
    "Direction was forced due to insufficient user input; risk disclosure applies"  # E1
)


class EvidenceItem(Record):
    """One thing a line rests on. `quote` is the person's words, shortened; "" for a role."""

    ref: str
    quote: str = ""


class EvidenceLine(Record):
    line: str
    items: tuple[EvidenceItem, ...]


class Report(Record):
    """The final report, heading for heading. `decision` begins with `None:` where none was made."""

    mode: ModeId
    topic: str
    activated_roles: tuple[str, ...]
    role_views: tuple[RoleLine, ...]
    consensus: str
    disagreement: str
    decision: str
    why: str
    excluded_paths: str
    wrong_choice_cost: str
    next_skill: str
    entry_condition: str
    risk_disclosure: tuple[str, ...]
    missing_points: tuple[str, ...]
    evidence: tuple[EvidenceLine, ...]
    remarks: tuple[str, ...]
    simulated_by: str


MAX_QUOTE = 90  # characters; chosen by judgement: one screen line beside its id


def make_report(session: Session, outcome: Outcome) -> Report:
    """The report of a concluded session. Raises `IllegalEventError` before a conclusion exists."""
    said = session.conclusion
    if said is None:
        raise IllegalEventError("the report has not been drafted")
    risk = (FORCED_SENTENCE,) if outcome.forced and outcome.option else ()
    if said.risk_disclosure is not None:
        risk = (*risk, said.risk_disclosure.text)
    return Report(
        mode=session.prepared.mode,
        topic=session.decision_topic,
        activated_roles=session.prepared.roles,
        role_views=said.role_views,
        consensus=said.consensus.text,
        disagreement=said.disagreement.text,
        decision=said.decision.text,
        why=said.why.text,
        excluded_paths=said.excluded_paths.text,
        wrong_choice_cost=said.wrong_choice_cost.text,
        next_skill=outcome.next_skill,
        entry_condition=said.entry_condition.text,
        risk_disclosure=risk,
        missing_points=tuple(line.text for line in said.missing_points),
        evidence=tuple(_evidence(session, name, line) for name, line in _conclusion_lines(session)),
        remarks=_remarks(session, outcome),
        simulated_by=said.simulated_by,
    )


def _conclusion_lines(session: Session) -> list[tuple[str, Line]]:
    said = session.conclusion
    assert said is not None
    lines = [
        ("Decision", said.decision),
        ("Why", said.why),
        ("Excluded paths", said.excluded_paths),
        ("Wrong-choice cost", said.wrong_choice_cost),
    ]
    if said.risk_disclosure is not None:
        lines.append(("Risk disclosure", said.risk_disclosure))
    return lines


def _evidence(session: Session, name: str, line: Line) -> EvidenceLine:
    known = sources(session)
    items = tuple(
        EvidenceItem(ref=ref, quote=shorten(known[ref])) for ref in line.refs if ref in known
    )
    return EvidenceLine(line=name, items=items)


def sources(session: Session) -> dict[str, str]:
    """Everything a line may rest on: its id and the person's words ("" for a role)."""
    found = {"topic": session.start.topic}
    if session.start.context:
        found["context"] = session.start.context
    found |= {fact.ref: fact.text for fact in session.start.facts}
    for turn in session.turns:
        found[turn.question.id] = turn.question.text
        if turn.answer is not None:
            found[turn.answer_id] = turn.words
    found |= {note.id: note.text for note in session.notes}
    found |= dict.fromkeys(session.prepared.roles, "")
    return found


def shorten(text: str, limit: int = MAX_QUOTE) -> str:
    """`text` on one line, cut at a word end, with an ellipsis where something was left out."""
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    cut = flat[: limit - 1]
    if " " in cut[limit // 2 :]:
        cut = cut[: cut.rindex(" ")]
    return cut.rstrip(" ,;:.") + "…"


def _remarks(session: Session, outcome: Outcome) -> tuple[str, ...]:
    remarks = []
    if suggestions_only(session):
        remarks.append(
            "Every answer is a suggestion that was picked: this is agreement, and holds no words "
            "of the user's own."
        )
    if answered_by_agent(session):
        remarks.append("At least one answer came from the calling agent and not from the user.")
    if "irreversible_unconfirmed" in outcome.confidence_reasons:
        remarks.append(
            "This direction cannot be undone, and it has not been confirmed by typing it."
        )
    elif session.confirmed:
        remarks.append("This direction cannot be undone; the user confirmed it by typing it.")
    remarks += [f"Note: {note}." for note in outcome.notes]
    return tuple(remarks)
