"""The decision block: what a table prints at its end, line by line, and the same as one object.

Whatever a name, an option or a rationale holds, it stays on the line that tells of it.
"""

from __future__ import annotations

from typing import Any

from ..core.plain import is_blank, one_line
from .table_state import ESCALATE
from .voting import Count, Problem, Vote

PROBLEMS: dict[Problem, str] = {
    "missing": "there is no vote",
    "off_option": "the vote is none of the options",
    "bad_number": "the confidence is no whole number from 1 to 10",
    "forbidden_five": "a confidence of 5 takes no side and is not allowed",
}


def block(count: Count) -> str:
    """The lines of a vote that was counted, without a newline at the end."""
    decided = count.winner if count.outcome == "DECIDED" and count.winner else ESCALATE
    lines = [
        f"DECISION: {one_line(decided)}",
        f"Weighted confidence: {_confidence(count)}",
        f"Top dissent: {_top_dissent(count)}",
        f"Top hedger: {_top_hedger(count)}",
        f"Aggregator: {count.aggregator}; {_tally(count)}",
    ]
    if count.reasons:
        lines.append("The human decides, because")
        lines += [f"- {reason.kind}: {reason.text}" for reason in count.reasons]
    return "\n".join(lines)


def reprompt_lines(count: Count) -> str:
    """Who has to be asked again, and why, without a newline at the end."""
    named = [
        f"- {one_line(one.name)}: {one.problem} ({PROBLEMS[one.problem]})" for one in count.reprompt
    ]
    return "\n".join(["RE-PROMPT", *named])


def as_object(count: Count) -> dict[str, Any]:
    """The same for programs: plain JSON values, null where there is nothing to tell."""
    counted = count.outcome != "RE-PROMPT"
    top_dissent, top_hedger = count.top_dissent, count.top_hedger
    return {
        "outcome": count.outcome,
        "aggregator": count.aggregator,
        "winner": count.winner,
        "tally": {one.option: one.confidence for one in count.tally} if counted else None,
        "heads": {one.option: one.heads for one in count.tally} if counted else None,
        "score": count.score if count.winner is not None else None,
        "percent": count.percent,
        "out_of": count.out_of if counted else None,
        "share": count.share if counted else None,
        "top_dissent": top_dissent.name if top_dissent else None,
        "top_hedger": top_hedger.name if top_hedger else None,
        "reasons": [{"kind": one.kind, "text": one.text} for one in count.reasons],
        "reprompt": [{"name": one.name, "problem": one.problem} for one in count.reprompt],
        "block": block(count) if counted else None,
    }


def _confidence(count: Count) -> str:
    if count.winner is None:
        return "none"
    return f"{count.score}/{count.out_of} ({count.percent}%) for {one_line(count.winner)}"


def _top_dissent(count: Count) -> str:
    if count.winner is None:
        return "none (no option leads)"
    vote = count.top_dissent
    if vote is None:
        return "none (no opposing votes)"
    return f"{one_line(vote.name)} ({one_line(vote.option)}, {vote.confidence}){_why(vote)}"


def _top_hedger(count: Count) -> str:
    vote = count.top_hedger
    if vote is None:
        return "none (no option leads)"
    return f"{one_line(vote.name)} ({vote.confidence}){_why(vote)}"


def _why(vote: Vote) -> str:
    return "" if is_blank(vote.rationale) else f" — {one_line(vote.rationale)}"


def _tally(count: Count) -> str:
    return ", ".join(
        f"{one_line(one.option)} {one.confidence} ({one.heads} vote{'' if one.heads == 1 else 's'})"
        for one in count.tally
    )
