"""A table as its events make it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...core.errors import IllegalEventError
from ...core.seating import Receipt
from ..table_state import TableState, read_state
from . import events as ev
from .records import VOTE, Agreement, Ballot, Missed, RoundReply, SaidBy, Soul
from .status import TableStatus


@dataclass(frozen=True)
class Answered:
    round: int
    seat: str
    reply: RoundReply


@dataclass(frozen=True)
class Cast:
    """One ballot; `attempt` is 2 where the soul was asked again."""

    seat: str
    attempt: int
    ballot: Ballot


@dataclass(frozen=True)
class Table:
    """Made by `fold.apply` alone. `round` is the one that is open, or the last that was."""

    status: TableStatus = TableStatus.NEW
    started: ev.TableStarted | None = None
    options: tuple[str, ...] = ()
    facts: str = ""
    options_by: SaidBy | None = None
    """None where they were given, and nobody had to agree."""
    convened: ev.TableConvened | None = None
    agreed: Agreement | None = None
    """What the last yes was said to."""
    model: str = ""
    """Whoever draws up the axes."""
    round: int = 0
    attempt: int = 1
    answers: tuple[Answered, ...] = ()
    missed: tuple[Missed, ...] = ()
    waived: tuple[Missed, ...] = ()
    """What was missed before the table stopped, and was asked for again when it went on."""
    casts: tuple[Cast, ...] = ()
    emptied: tuple[tuple[str, str], ...] = ()
    """Seats emptied for good, each with why."""
    closed: tuple[ev.RoundClosed, ...] = ()
    axes: ev.AxesDrawn | None = None
    skipped: bool | None = None
    """Whether round 3 was skipped because nobody moved; None where nobody was asked."""
    deferred: bool | None = None
    """Whether the table went to its vote because one expert stood alone."""
    ruling: str | None = None
    ruled: bool = False
    receipts: tuple[Receipt, ...] = ()
    skip_asked: bool = True
    defer_asked: bool = True
    """Whether somebody was there to answer."""
    stalled: ev.TableStalled | None = None
    paused: ev.TablePaused | None = None
    resumes_to: TableStatus | None = None
    last_at: str = ""
    finished_at: str = ""

    @property
    def start(self) -> ev.TableStarted:
        """Raises `IllegalEventError` before the table began."""
        if self.started is None:
            raise IllegalEventError("the table has not begun")
        return self.started

    @property
    def id(self) -> str:
        return self.start.table

    @property
    def name(self) -> str:
        """What its files are called."""
        return (self.convened.name if self.convened else "") or self.start.name

    @property
    def over(self) -> bool:
        return self.status in (
            TableStatus.FINISHED,
            TableStatus.FAILED,
            TableStatus.DECLINED,
        )

    @property
    def souls(self) -> tuple[Soul, ...]:
        return self.start.souls

    @cached_property
    def empty(self) -> dict[str, str]:
        return dict(self.emptied)

    @property
    def seated(self) -> tuple[Soul, ...]:
        """The souls that still have a say."""
        return tuple(soul for soul in self.souls if soul.name not in self.empty)

    def soul(self, name: str) -> Soul:
        found = next((soul for soul in self.souls if soul.name == name), None)
        if found is None:
            raise IllegalEventError(f"nobody called '{name}' sits at the table")
        return found

    def reply_in(self, number: int, name: str) -> RoundReply | None:
        return next((a.reply for a in self.answers if a.round == number and a.seat == name), None)

    def latest(self, name: str) -> Answered | None:
        """The soul's last answer before the vote."""
        own = [answer for answer in self.answers if answer.seat == name]
        return max(own, key=lambda answer: answer.round, default=None)

    def ballot_of(self, name: str) -> Ballot | None:
        """The ballot that counts: the last one cast."""
        return next((c.ballot for c in reversed(self.casts) if c.seat == name), None)

    def missed_in(self, number: int, name: str) -> tuple[Missed, ...]:
        return tuple(m for m in self.missed if m.round == number and m.seat == name)

    @property
    def last_round(self) -> int:
        """The last round that was closed; 0 before the first."""
        return max((closed.round for closed in self.closed), default=0)

    # -- the seed's shape ----------------------------------------------------------------

    def as_state(self) -> dict[str, Any]:
        """The state as one JSON object, which `table inspect` and `table vote` read."""
        start = self.start
        state: dict[str, Any] = {
            "id": self.name,
            "question": start.question,
            "options": list(self.options),
            "aggregator": start.aggregator,
            "question_context": self.facts,
            "agents": [self._as_agent(soul) for soul in self.souls],
        }
        if start.values_keywords is not None:
            state["values_keywords"] = list(start.values_keywords)
        return state

    def _as_agent(self, soul: Soul) -> dict[str, Any]:
        name = soul.name
        agent: dict[str, Any] = {
            "name": name,
            "soul": soul.seat.soul or "",
            "source": soul.source,
            "rounds": [
                {
                    "round": a.round,
                    "position": a.reply.position,
                    "confidence": a.reply.confidence,
                    "self_update": a.reply.self_update,
                    "argument": a.reply.argument,
                    **({"challenges": a.reply.challenges} if a.reply.challenges else {}),
                }
                for a in sorted(self.answers, key=lambda a: a.round)
                if a.seat == name
            ],
            "dissent_note": "",
        }
        ballot = self.ballot_of(name)
        if ballot is not None:
            agent["final"] = {
                "vote": ballot.vote,
                "confidence": ballot.confidence,
                "rationale": ballot.rationale,
            }
            agent["dissent_note"] = ballot.dissent_note
        if absent := [m for m in self.missed if m.seat == name]:
            agent["absent"] = [
                {"round": m.round, "reason": m.reason, "detail": m.detail} for m in absent
            ]
        if name in self.empty:
            agent["empty"] = self.empty[name]
        return agent

    def counted_state(self) -> TableState:
        """The same, read as the counting reads a file."""
        return read_state(self.as_state())

    @property
    def voting(self) -> bool:
        return self.round == VOTE
