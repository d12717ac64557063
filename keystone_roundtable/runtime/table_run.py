"""Holds a table: carries out what the machine wants done, and feeds back what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol

from ..core.outcome import ExitStatus
from ..core.ports import Clock
from ..formats.table import commands as cmd
from ..formats.table import events as ev
from ..formats.table.ending import ending_of
from ..formats.table.fold import apply
from ..formats.table.machine import next_command
from ..formats.table.records import Agreement, SaidBy
from ..formats.table.rounds import count_of
from ..formats.table.status import TableStatus
from ..formats.table.table import Table
from ..formats.voting import Count

Take = Callable[[ev.Event], None]
"""Takes an event, whose `at` is filled in; it is on disk when this returns."""

NO_MOMENT = ""
"""Stands for `at` in events that are handed to `Take`."""


class TableLog(Protocol):
    def append(self, event: ev.Event) -> None:
        """Returns when the event is on disk."""
        ...


class TableHost(Protocol):
    """The person, or whatever answers in a person's place."""

    @property
    def there(self) -> bool:
        """Whether there is somebody to ask."""
        ...

    @property
    def yes(self) -> bool:
        """Whether a yes was given beforehand, so that nobody is asked for one."""
        ...

    def options(self, table: Table, proposed: tuple[str, ...]) -> tuple[str, ...] | None:
        """The options agreed to; None where the person wants no table now."""
        ...

    def facts(self, table: Table, known: str, keep: Callable[[str], None]) -> None:
        """Hands each fact to `keep` as it is entered, those known left out."""
        ...

    def consent(self, table: Table) -> Agreement | None:
        """What was said yes to; None where the person does not want it now."""
        ...

    def no_new_evidence(self, table: Table) -> bool: ...

    def short_circuit(self, table: Table, expert: str) -> bool: ...

    def ruling(self, table: Table, count: Count) -> str | None:
        """The option the person decides for; None leaves it open."""
        ...


class Souls(Protocol):
    """Whoever puts the prompts to the souls' engines."""

    def ask(self, table: Table, asking: cmd.AskSouls, take: Take) -> None:
        """Hands one `SoulAnswered`, `BallotCast` or `SoulMissed` for each soul to `take` as it
        comes, and a `ReceiptTaken` for every invocation.
        """
        ...

    def axes(self, table: Table, take: Take) -> ev.AxesDrawn:
        """What the souls disagree on."""
        ...


class TableRecords(Protocol):
    """Where state, minute and the end go. Calling again is harmless."""

    def claim(self, table: Table) -> str:
        """The name that the table's files have from here on, and no other table's."""
        ...

    def flush(self, table: Table) -> None:
        """State and minute, as far as the table has come."""
        ...

    def close(self, table: Table, count: Count) -> None:
        """Minute, decision, contract, state and telemetry, each on disk before the next begins."""
        ...


@dataclass
class TableRun:
    """One table while it is held."""

    log: TableLog
    clock: Clock
    host: TableHost
    souls: Souls
    records: TableRecords
    table: Table = field(default_factory=Table)

    def take(self, event: ev.Event) -> None:
        """Gives the event its moment, and puts it on disk before anything follows from it."""
        moved = event.model_copy(update={"at": self.clock.now()})
        after = apply(self.table, moved)
        self.log.append(moved)
        self.table = after

    def hold(self) -> ExitStatus:
        """Until the table is over, or stops. Raises `KeyboardInterrupt` after it was paused."""
        try:
            while not isinstance(command := next_command(self.table), cmd.Rest):
                self._carry_out(command)
        except KeyboardInterrupt:
            self._pause("interrupt")
            raise
        except EOFError:
            self._pause("end_of_input")
        return status_of(self.table)

    def _pause(self, cause: Literal["interrupt", "end_of_input", "declined"]) -> None:
        if not self.table.over and self.table.status is not TableStatus.PAUSED:
            self.take(ev.TablePaused(at=NO_MOMENT, cause=cause))
            if self.table.convened:  # the minute says that it stopped, and how to go on
                self.records.flush(self.table)

    def _note(self, fact: str) -> None:
        self.take(ev.FactNoted(at=NO_MOMENT, fact=fact))

    def _carry_out(self, command: cmd.Command) -> None:
        table = self.table
        match command:
            case cmd.ConfirmOptions(proposed):
                agreed = self.host.options(table, proposed)
                if agreed is None:
                    self._pause("declined")
                else:
                    by: SaidBy = "flag" if self.host.yes and agreed == proposed else "person"
                    self.take(ev.OptionsConfirmed(at=NO_MOMENT, options=agreed, by=by))
            case cmd.GatherFacts(known):
                self.host.facts(table, known, self._note)
                self.take(ev.FactsSettled(at=NO_MOMENT, facts=self.table.facts))
            case cmd.AskConsent():
                consent = self.host.consent(table)
                if consent is None:
                    self._pause("declined")
                else:
                    name = self.records.claim(table)
                    self.take(ev.TableConvened(at=NO_MOMENT, name=name, agreed=consent))
                    self.records.flush(self.table)
            case cmd.AskSouls():
                self.souls.ask(table, command, self.take)
            case cmd.CloseRound(number, inspection):
                self.take(ev.RoundClosed(at=NO_MOMENT, round=number, inspection=inspection))
                self.records.flush(self.table)
            case cmd.Stall(number, _):
                self.take(ev.TableStalled(at=NO_MOMENT, round=number))
                self.records.flush(self.table)
            case cmd.AskNoEvidence():
                skip = self.host.no_new_evidence(table)
                self.take(ev.NoEvidenceConfirmed(at=NO_MOMENT, skip=skip, asked=self.host.there))
            case cmd.AskDeference(expert):
                short = self.host.short_circuit(table, expert)
                self.take(
                    ev.DeferenceAnswered(at=NO_MOMENT, short_circuit=short, asked=self.host.there)
                )
            case cmd.DrawAxes():
                self.take(self.souls.axes(table, self.take))
            case cmd.CountVotes(outcome):
                self.records.flush(table)  # what the first vote was is in the state, also a 5
                self.take(ev.VotesCounted(at=NO_MOMENT, outcome=outcome))
                self.records.flush(self.table)
            case cmd.AskRuling(count):
                ruling = self.host.ruling(table, count)
                self.take(ev.HumanRuled(at=NO_MOMENT, option=ruling))
            case cmd.CloseTable(count):
                self.records.close(table, count)
                self.take(ev.TableFinished(at=NO_MOMENT))
            case cmd.FailTable():
                self.records.flush(table)
                self.take(ev.TableFailed(at=NO_MOMENT))
                self.records.flush(self.table)


def status_of(table: Table) -> ExitStatus:
    """The process status that says how the table ended, or that it did not."""
    match table.status:
        case TableStatus.FINISHED:
            return ending_of(table, count_of(table)).status
        case TableStatus.FAILED:
            return ExitStatus.FAILURE
        case TableStatus.PAUSED if table.stalled is not None:
            return ExitStatus.FAILURE
        case TableStatus.DECLINED:
            return ExitStatus.FAILURE
        case _:
            return ExitStatus.PAUSED
