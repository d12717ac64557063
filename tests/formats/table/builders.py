"""Tables driven by hand: every event with a moment of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from keystone_roundtable.core.seating import Seat
from keystone_roundtable.formats.table import commands as cmd
from keystone_roundtable.formats.table import events as ev
from keystone_roundtable.formats.table.fold import apply
from keystone_roundtable.formats.table.machine import next_command
from keystone_roundtable.formats.table.records import VOTE, Ballot, Missed, RoundReply, Soul
from keystone_roundtable.formats.table.table import Table

OPTIONS = ("keep", "split")
NAMES = ("ops", "product", "security", "finance", "support")

Said = Callable[[str, int, int], object]
"""What a soul brings: by name, round and attempt. A `RoundReply`, a `Ballot`, or the reason of an
absence."""


def soul(name: str) -> Soul:
    seat = Seat(name=name, engine="api", model="openai-chat:m", soul=f"{name} argues")
    return Soul(seat=seat, kind="file", source=f"souls/{name}.md")


def started(**changes: Any) -> ev.TableStarted:
    fields: dict[str, Any] = {
        "at": at(0),
        "table": "20261108-abcd1234",
        "name": "2026-11-08_split-it",
        "question": "Should we split the service?",
        "options": OPTIONS,
        "options_source": "given",
        "aggregator": "weighted",
        "souls": tuple(soul(name) for name in NAMES),
        "model": "offline",
        "facts_given": True,
        **changes,
    }
    return ev.TableStarted(**fields)


def at(second: int) -> str:
    return f"2026-11-08T10:{second // 60 % 60:02}:{second % 60:02}.000000+00:00"


def reply(position: str = "split", confidence: int = 7, update: str = "moved by ops") -> RoundReply:
    return RoundReply(
        position=position, confidence=confidence, argument="because", self_update=update
    )


def ballot(vote: str = "split", confidence: int = 8, note: str = "") -> Ballot:
    return Ballot(vote=vote, confidence=confidence, rationale="it pays", dissent_note=note)


class Driver:
    """Carries a table's commands out with what the souls say and the person answers."""

    def __init__(self, said: Said | None = None, **start: Any) -> None:
        self.said = said or (lambda name, number, attempt: None)
        self.table = Table()
        self.log: list[ev.Event] = []
        self.asked: list[tuple[int, int, tuple[str, ...]]] = []
        """Round, attempt and names of every asking."""
        self.skip = self.short_circuit = False
        self.ruling: str | None = None
        self.add(started(**start))

    def add(self, event: ev.Event) -> None:
        """The event, at a moment of its own."""
        moved = event.model_copy(update={"at": at(len(self.log))})
        self.table = apply(self.table, moved)
        self.log.append(moved)

    def to_the_end(self) -> Table:
        while not isinstance(next_command(self.table), cmd.Rest):
            self.step()
        return self.table

    def until(self, kind: type[cmd.Command]) -> Any:
        """Drives until such a command is due, and gives it."""
        for _ in range(100):
            command = next_command(self.table)
            if isinstance(command, kind):
                return command
            self.step()
        raise AssertionError(f"{kind.__name__} never came")

    def step(self) -> None:
        when = at(0)
        match next_command(self.table):
            case cmd.ConfirmOptions(proposed):
                self.add(ev.OptionsConfirmed(at=when, options=proposed))
            case cmd.GatherFacts(known):
                self.add(ev.FactsSettled(at=when, facts=known))
            case cmd.AskConsent():
                self.add(ev.TableConvened(at=when))
            case cmd.AskSouls() as asking:
                names = tuple(one.name for one in asking.souls)
                self.asked.append((asking.round, asking.attempt, names))
                for name in names:
                    self.answer(name, asking.round, asking.attempt)
            case cmd.CloseRound(number, found):
                self.add(ev.RoundClosed(at=when, round=number, inspection=found))
            case cmd.Stall(number, _):
                self.add(ev.TableStalled(at=when, round=number))
            case cmd.AskNoEvidence():
                self.add(ev.NoEvidenceConfirmed(at=when, skip=self.skip))
            case cmd.AskDeference():
                self.add(ev.DeferenceAnswered(at=when, short_circuit=self.short_circuit))
            case cmd.DrawAxes():
                self.add(ev.AxesDrawn(at=when, axes=("keep or split", "cost"), source="offline"))
            case cmd.CountVotes(outcome):
                self.add(ev.VotesCounted(at=when, outcome=outcome))
            case cmd.AskRuling():
                self.add(ev.HumanRuled(at=when, option=self.ruling))
            case cmd.CloseTable():
                self.add(ev.TableFinished(at=when))
            case cmd.FailTable():
                self.add(ev.TableFailed(at=when))

    def answer(self, name: str, number: int, attempt: int) -> None:
        when = at(0)
        brought = self.said(name, number, attempt)
        if brought is None:
            brought = ballot() if number == VOTE else reply()
        if isinstance(brought, RoundReply):
            self.add(ev.SoulAnswered(at=when, round=number, seat=name, reply=brought))
        elif isinstance(brought, Ballot):
            self.add(ev.BallotCast(at=when, seat=name, ballot=brought))
        else:
            missed = Missed.model_validate(
                {"seat": name, "round": number, "attempt": attempt, "reason": brought}
            )
            self.add(ev.SoulMissed(at=when, missed=missed))


def saying(plan: Mapping[Any, object]) -> Said:
    """What is planned for name, round and attempt, or for name and round; else good answers."""

    def said(name: str, number: int, attempt: int) -> object:
        return plan.get((name, number, attempt), plan.get((name, number)))

    return said
