"""How a table decides: votes counted by code, ties, and what only a human may settle.

Source: round-table, steps 2 and 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..core.plain import is_blank, one_line
from .table_state import AGGREGATORS as AGGREGATORS
from .table_state import Agent, Aggregator, TableState, whole_number
from .value_words import cited

VoteOutcome = Literal["DECIDED", "ESCALATE", "RE-PROMPT"]
Problem = Literal["missing", "off_option", "bad_number", "forbidden_five"]
ReasonKind = Literal["tie", "low_share", "opposing_tens", "value_dissent", "not_unanimous"]

MAX_CONFIDENCE = 10
FORBIDDEN = 5  # round-table, round 4: a 5 takes no side
_LEAST_SHARE_PCT = 60
_UNANIMOUS_AT = 7


@dataclass(frozen=True)
class Vote:
    """One soul's vote, checked."""

    name: str
    option: str
    confidence: int
    rationale: str
    dissent_note: str

    @property
    def dissents(self) -> bool:
        """Whether the soul put a dissent on record."""
        return not is_blank(self.dissent_note)


@dataclass(frozen=True)
class Reprompt:
    """A soul to be asked again, and why."""

    name: str
    problem: Problem


@dataclass(frozen=True)
class Reason:
    """Why the table leaves it to the human."""

    kind: ReasonKind
    text: str


@dataclass(frozen=True)
class Tally:
    """What was cast for one option."""

    option: str
    confidence: int
    heads: int


@dataclass(frozen=True)
class Count:
    """The end of a vote.

    Where souls have to be asked again, `reprompt` names them and the rest is empty. `winner` is the
    option that leads, also where it escalates; None where none does. `tally` has every option, in
    the order of the options. `out_of` is 10 for every vote; `share`, 0 to 1, is the winner's part
    of the confidence cast: in a tie that nothing breaks, the part of the largest of those tied.
    """

    outcome: VoteOutcome
    aggregator: Aggregator
    votes: tuple[Vote, ...] = ()
    reprompt: tuple[Reprompt, ...] = ()
    tally: tuple[Tally, ...] = ()
    winner: str | None = None
    score: int = 0
    out_of: int = 0
    share: float = 0.0
    reasons: tuple[Reason, ...] = ()
    tie_broken: str = ""
    """What broke a tie; "" where there was none, or nothing did."""

    @property
    def percent(self) -> int | None:
        """`score` of `out_of`, rounded half up; None where no option leads."""
        if self.winner is None:
            return None
        return (200 * self.score + self.out_of) // (2 * self.out_of)

    @property
    def top_dissent(self) -> Vote | None:
        """The opposing vote with the highest confidence, the first seated among equals."""
        opposing = [v for v in self.votes if v.option != self.winner]
        if self.winner is None or not opposing:
            return None
        return max(opposing, key=lambda vote: vote.confidence)

    @property
    def top_hedger(self) -> Vote | None:
        """The winner's vote with the lowest confidence, the first seated among equals."""
        backing = [v for v in self.votes if v.option == self.winner]
        return min(backing, key=lambda vote: vote.confidence, default=None)


def vote(state: TableState) -> Count:
    """The count of the final votes. Raises `TooFewSoulsError` below the quorum."""
    checked = [_checked(agent, state.options) for agent in state.seated()]
    again = tuple(one for one in checked if isinstance(one, Reprompt))
    if again:
        return Count("RE-PROMPT", state.aggregator, reprompt=again)
    votes = tuple(one for one in checked if isinstance(one, Vote))
    tally = tuple(_tallied(option, votes) for option in state.options)
    leading = _leading(tally, state.aggregator)
    surest = _broken_by_confidence(leading, votes)
    tied = _broken_by_notes(surest, votes)
    winner = tied[0].option if len(tied) == 1 else None
    score = max(one.confidence for one in tied)
    cast = sum(one.confidence for one in tally)
    reasons = tuple(_reasons(state, votes, tied, score, cast))
    return Count(
        outcome="ESCALATE" if reasons else "DECIDED",
        aggregator=state.aggregator,
        votes=votes,
        tally=tally,
        winner=winner,
        score=score,
        out_of=MAX_CONFIDENCE * len(votes),
        share=score / cast,
        reasons=reasons,
        tie_broken=_tie_told(leading, surest, tied),
    )


def problem_of(option: object, confidence: object, options: Sequence[str]) -> Problem | None:
    """What is wrong with a vote that was given; None where nothing is."""
    number = whole_number(confidence)
    if not isinstance(option, str) or option not in options:
        return "off_option"
    if number is None or not 1 <= number <= MAX_CONFIDENCE:
        return "bad_number"
    return "forbidden_five" if number == FORBIDDEN else None


def _checked(agent: Agent, options: Sequence[str]) -> Vote | Reprompt:
    final = agent.final
    if final is None:
        return Reprompt(agent.name, "missing")
    problem = problem_of(final.vote, final.confidence, options)
    if problem is not None:
        return Reprompt(agent.name, problem)
    return Vote(
        name=agent.name,
        option=str(final.vote),
        confidence=whole_number(final.confidence) or 0,
        rationale=final.rationale,
        dissent_note=agent.dissent_note,
    )


# -- who leads -------------------------------------------------------------------------


def _tallied(option: str, votes: Sequence[Vote]) -> Tally:
    own = [vote.confidence for vote in votes if vote.option == option]
    return Tally(option, sum(own), len(own))


def _leading(tally: Sequence[Tally], aggregator: Aggregator) -> list[Tally]:
    """The options with the highest score: by heads for a majority, else by confidence."""
    scores = [one.heads if aggregator == "majority" else one.confidence for one in tally]
    return [one for one, score in zip(tally, scores, strict=True) if score == max(scores)]


def _broken_by_confidence(tied: list[Tally], votes: Sequence[Vote]) -> list[Tally]:
    highest = {
        one.option: max(vote.confidence for vote in votes if vote.option == one.option)
        for one in tied
    }
    return [one for one in tied if highest[one.option] == max(highest.values())]


def _broken_by_notes(tied: list[Tally], votes: Sequence[Vote]) -> list[Tally]:
    notes = {
        one.option: sum(vote.dissents for vote in votes if vote.option == one.option)
        for one in tied
    }
    return [one for one in tied if notes[one.option] == min(notes.values())]


def _tie_told(leading: list[Tally], surest: list[Tally], tied: list[Tally]) -> str:
    if len(leading) == 1 or len(tied) > 1:
        return ""
    names = " and ".join(one_line(one.option) for one in leading)
    by = "the highest single confidence" if len(surest) == 1 else "fewer dissent notes"
    return f"{names} were tied; {one_line(tied[0].option)} leads by {by}"


# -- what the human decides ------------------------------------------------------------


def _reasons(
    state: TableState, votes: Sequence[Vote], tied: Sequence[Tally], score: int, cast: int
) -> list[Reason]:
    """In the order in which they are told; whole numbers throughout, so that 60 % is 60 %."""
    found = []
    if len(tied) > 1:
        names = " and ".join(one_line(one.option) for one in tied)
        found.append(Reason("tie", f"{names} are tied in score, confidence and dissent notes"))
    elif score * 100 < cast * _LEAST_SHARE_PCT:
        share = f"{one_line(tied[0].option)} holds {score} of the {cast} cast"
        found.append(Reason("low_share", f"{share}, less than {_LEAST_SHARE_PCT}%"))
    tens = [vote for vote in votes if vote.confidence == MAX_CONFIDENCE]
    if len({vote.option for vote in tens}) > 1:
        held = ", ".join(f"{one_line(v.name)} for {one_line(v.option)}" for v in tens)
        found.append(Reason("opposing_tens", f"10s stand on different options: {held}"))
    values = [
        f"{one_line(vote.name)} cites {', '.join(one_line(word) for word in words)}"
        for vote in votes
        if (words := cited(vote.dissent_note, state.values))
    ]
    if values:
        found.append(Reason("value_dissent", f"a dissent rests on a value: {'; '.join(values)}"))
    if state.aggregator == "unanimity-or-escalate" and not _unanimous(votes):
        found.append(
            Reason("not_unanimous", f"not every soul is on one side at {_UNANIMOUS_AT} or more")
        )
    return found


def _unanimous(votes: Sequence[Vote]) -> bool:
    one_side = len({vote.option for vote in votes}) == 1
    return one_side and all(vote.confidence >= _UNANIMOUS_AT for vote in votes)
