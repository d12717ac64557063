"""What to do next: exactly one command follows from a table's status."""

from __future__ import annotations

from collections.abc import Callable

from . import commands as cmd
from .records import VOTE
from .rounds import (
    answered,
    count_of,
    counted,
    expert,
    faults,
    inspection,
    outcome_of,
    problem_told,
    stalls,
    to_ask,
)
from .status import TableStatus
from .table import Table


def next_command(table: Table) -> cmd.Command:
    """The command that is due. The same table always gives the same command."""
    return _DUE[table.status](table)


def _ask_or_close(table: Table) -> cmd.Command:
    souls = to_ask(table)
    if souls:
        again = table.round == VOTE and table.attempt == 2
        found = faults(table) if again else {}
        problems = {name: problem_told(table, name, problem) for name, problem in found.items()}
        return cmd.AskSouls(table.round, table.attempt, souls, problems)
    if stalls(table):
        return cmd.Stall(table.round, answered(table))
    if table.round == VOTE:
        return cmd.CountVotes(outcome_of(counted(table)))
    return cmd.CloseRound(table.round, inspection(table))


def _rest(table: Table) -> cmd.Command:
    return cmd.Rest()


_DUE: dict[TableStatus, Callable[[Table], cmd.Command]] = {
    TableStatus.PROPOSING: lambda table: cmd.ConfirmOptions(table.options),
    TableStatus.GATHERING: lambda table: cmd.GatherFacts(table.facts),
    TableStatus.CONVENING: lambda table: cmd.AskConsent(),
    TableStatus.ASKING: _ask_or_close,
    TableStatus.SKIPPING: lambda table: cmd.AskNoEvidence(),
    TableStatus.DEFERRING: lambda table: cmd.AskDeference(expert(table)),
    TableStatus.DRAWING: lambda table: cmd.DrawAxes(),
    TableStatus.RULING: lambda table: cmd.AskRuling(count_of(table)),
    TableStatus.CLOSING: lambda table: cmd.CloseTable(count_of(table)),
    TableStatus.FAILING: lambda table: cmd.FailTable(len(table.seated)),
    TableStatus.FINISHED: _rest,
    TableStatus.FAILED: _rest,
    TableStatus.DECLINED: _rest,
    TableStatus.PAUSED: _rest,
}
