"""`table "QUESTION"` and `table resume`: holding a table from its souls to its minute."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from ...content.engines import load_engines
from ...content.tables import TableTexts
from ...content.yaml_files import to_yaml
from ...core.errors import KeystoneError, UsageError
from ...core.outcome import ExitStatus
from ...core.seating import CONVENER, OFFLINE, Seat
from ...core.spending_plan import Limits, Plan
from ...core.tokens import token_estimate
from ...formats.table.events import TableResumed
from ...formats.table.records import MIN_OPTIONS, ROUND_NAMES, Agreement, Voice
from ...formats.table.status import TableStatus
from ...formats.table.table import Table
from ...runtime.processes import ProcessRunner
from ...runtime.table_run import NO_MOMENT, TableRun
from ...seats.rounds import Rounds
from ...stores.format_logs import FormatLog
from ...stores.results import ProjectResults
from ...stores.tables import TableStore
from ...terminal import table_lines as words
from ...terminal.table_view import LiveView, PlainView
from ..earlier import remember
from ..saying import ask_line, say, say_wrapped
from ..screens import can_redraw, wants_colour
from ..seating import SeatEngines, limits_of, named_seats
from ..settings import Settings, resolve
from ..spend_gate import ask_on_terminal
from ..table_asking import TableSouls
from ..table_beginning import facts_of, options_of, question_of, session_of, started
from ..table_ending import present
from ..table_host import Host
from ..table_logs import read_table
from ..table_records import ProjectTables, event_line
from ..table_roster import Roster
from ..wiring import Project, SystemClock, root_of

_LIMITS = {
    "seat_s": "timeout",
    "run_s": "max_seconds",
    "max_invocations": "max_invocations",
    "max_usd": "budget_usd",
    "allow_unknown_price": "allow_unknown_price",
}
"""Each limit, and the flag that sets it."""

_WORDS_A_ROUND = 400  # tokens that one soul adds to the transcript; chosen by judgement


def begin(options: Namespace) -> int:
    """Convenes a table and holds it."""
    holding = Holding(options)
    if holding.ask is None and not options.yes:
        raise UsageError(
            "nothing was asked: nobody is there to say yes to the table", "Say it with --yes"
        )
    project = holding.project
    session = session_of(options, project)
    question = question_of(options, session)
    proposed = options_of(options, question, session, project)
    if holding.ask is None and len(proposed[0]) < MIN_OPTIONS:
        raise UsageError(words.NO_OPTIONS.rstrip("."), "Name 2 to 4 with --options x,y,z")
    engine, model = holding.engines.named(holding.settings.model.value)
    own = {
        name: holding.engines.named(words)
        for name, words in named_seats("--engine", options.engine).items()
    }
    roster = Roster(project, engine, model, holding.ask_habit, own)
    start = started(
        options,
        project,
        question,
        proposed,
        roster.souls(options),
        facts_of(options, session),
        holding.settings.model.value,
        holding.limits,
        f"{datetime.now():%Y-%m-%d}",
    )
    with holding.store.create(start.table) as log:
        run = holding.run(log, Table(), question)
        try:
            run.take(start)
        except BaseException:
            log.discard()
            raise
        say_wrapped(words.began(start.table))
        return holding.hold(run)


def resume(options: Namespace) -> int:
    """Goes on with a table where its log ends: only the souls that are missing are asked."""
    holding = Holding(options)
    table_id = _which(holding.store, options.words[1:])
    with holding.store.open(table_id) as log:
        table, torn = read_table(holding.store, table_id)
        if table.over:
            raise UsageError(f"table {table_id} is over ({table.status})", "Convene another one")
        if torn:
            say_wrapped(f"the last line of {table_id} was torn by a crash and is left out")
        return _resumed(holding, log, table)


def _resumed(holding: Holding, log: FormatLog, table: Table) -> int:
    """What was agreed holds; whatever else speaks or hears now is shown, and needs a yes."""
    telemetry = table.start.telemetry and not holding.options.no_telemetry
    holding.project = Project(holding.project.root, telemetry=telemetry)
    holding.keep_to(table)
    run = holding.run(log, table, table.start.question)
    assert isinstance(run.host, Host) and isinstance(run.souls, TableSouls)
    agreed: Agreement | None = None
    if table.agreed is not None:
        voices = holding.voices(table)
        before = {voice.seat: voice for voice in table.agreed.voices}
        changed = [voice for voice in voices if before.get(voice.seat, voice) != voice]
        if changed:
            say_wrapped(words.CHANGED)
            for now in changed:
                then = before[now.seat]
                told = words.voice(then.speaks, then.sends_to)
                say_wrapped(
                    words.changed_voice(now.seat, told, words.voice(now.speaks, now.sends_to))
                )
            agreed = run.host.agree(holding.plan(table), voices)
            if agreed is None:
                say_wrapped(words.NOTHING_CHANGED)
                run.souls.rounds.close()
                return int(ExitStatus.PAUSED)
        elif holding.limits != table.agreed.limits:  # whoever types another limit agrees to it
            agreed = table.agreed.model_copy(update={"limits": holding.limits})
    run.take(TableResumed(at=NO_MOMENT, agreed=agreed, model=holding.options.model or ""))
    return holding.hold(run)


def _which(store: TableStore, named: list[str]) -> str:
    if len(named) > 1:
        raise UsageError("table resume takes one ID", "Leave it out for the latest")
    if named:
        return store.resolve(named[0])
    found = store.resumable()
    if found is None:
        raise UsageError(words.NO_TABLE_OPEN, 'Convene one: keystone-roundtable table "QUESTION"')
    return found


@dataclass
class Holding:
    """The parts that one command line makes of a table."""

    options: Namespace

    def __post_init__(self) -> None:
        root = root_of(self.options.root)
        self.project = Project(root, telemetry=not self.options.no_telemetry)
        self.settings: Settings = resolve(self.options, root, engines=load_engines(root))
        self.limits: Limits = limits_of(self.options, self.settings)
        self.engines = self._seat_engines()

    def _seat_engines(self) -> SeatEngines:
        root = self.project.root
        return SeatEngines(root, os.environ, self.limits, ask=ask_on_terminal(), hidden=[root])

    def keep_to(self, table: Table) -> None:
        """The limits that were agreed to hold, save for those that are typed now."""
        limits = table.agreed.limits if table.agreed else table.start.limits
        if limits is None:
            return
        typed = {
            field: getattr(self.limits, field)
            for field, flag in _LIMITS.items()
            if getattr(self.options, flag) is not None
        }
        self.limits = limits.model_copy(update=typed)
        self.engines = self._seat_engines()

    @cached_property
    def store(self) -> TableStore:
        return TableStore(self.project.root)

    @property
    def ask(self) -> Callable[[str], str] | None:
        """None where standard input is no terminal."""
        return ask_line if sys.stdin.isatty() else None

    @property
    def ask_habit(self) -> Callable[[str], str] | None:
        return None if self.ask is None else lambda name: ask_line(words.habit_question(name))

    def run(self, log: FormatLog, table: Table, question: str) -> TableRun:
        """The run of one table; `table` is as far as it has come."""
        clock = SystemClock()
        rounds = Rounds(self.engines.engine_for, clock, self.limits, spent=table.receipts)

        def agreed(limits: Limits) -> None:
            rounds.budget.limits = limits

        view = LiveView(sys.stderr, wants_colour()) if self._redraws else PlainView(sys.stderr)
        texts = TableTexts(self.project.root)
        return TableRun(
            log=log,
            clock=clock,
            host=Host(
                self.plan, self.voices, agreed, self._reads_as(question), self.options.yes, self.ask
            ),
            souls=TableSouls(rounds, texts, self._convener(table), view),
            records=ProjectTables(self.project, self._results(), texts),
            table=table,
        )

    def hold(self, run: TableRun) -> int:
        """Until the table is over or stops; says what came of it, and gives the status."""
        assert isinstance(run.souls, TableSouls) and isinstance(run.records, ProjectTables)
        try:
            status = run.hold()
        except KeyboardInterrupt:
            status = ExitStatus.INTERRUPTED
        except KeystoneError as error:
            raise _resumable(error, run.table) from error
        finally:
            run.souls.rounds.close()
        if run.table.status is TableStatus.PAUSED:
            run.records.results.write_telemetry(event_line(run.table, "paused"))
        present(run.table, run.records, status, as_json=self.options.json)
        if run.table.status is TableStatus.FINISHED and self.ask is not None:
            remember(self.project.root)
        return int(status)

    @property
    def _redraws(self) -> bool:
        return not self.options.plain and can_redraw(sys.stderr)

    def _reads_as(self, question: str) -> str:
        route, reason = self.project.rules.route(question)
        return "" if route == "roundtable" else words.reads_as(route, reason)

    def _convener(self, table: Table) -> Seat:
        """Whoever draws up the axes: the model that is named now, else the table's own."""
        named = self.settings.model.value
        if table.started is not None and self.options.model is None:
            named = table.model
        engine, model = self.engines.named(named)
        return Seat(name=CONVENER, engine=engine, model=model)

    def voices(self, table: Table) -> tuple[Voice, ...]:
        """Who speaks for each seat, and for whoever draws up the axes, and who hears it."""
        seats = [*(soul.seat for soul in table.souls), self._convener(table)]
        return tuple(
            Voice(
                seat=seat.name,
                speaks=f"{seat.engine} {seat.model}" if seat.model else seat.engine,
                sends_to=self.engines.sends_to(seat),
            )
            for seat in seats
        )

    def plan(self, table: Table) -> Plan:
        longest = max(len(soul.seat.soul or "") for soul in table.souls)
        prompt = token_estimate("x" * (longest + len(table.facts) + len(table.start.question)))
        transcript = _WORDS_A_ROUND * len(table.souls) * len(ROUND_NAMES)
        return self.engines.plan(
            [soul.seat for soul in table.souls],
            tuple(ROUND_NAMES.values()),
            prompt + transcript,
            spent=table.receipts,
            besides=0 if self._convener(table).engine == OFFLINE else 1,
        )

    def _results(self) -> ProjectResults:
        return ProjectResults(
            self.project.root,
            to_yaml,
            run=ProcessRunner(),
            keystone_cli=os.environ.get("KEYSTONE_CLI", ""),
            telemetry=self.project.telemetry,
            say=say,
        )


def _resumable(error: KeystoneError, table: Table) -> KeystoneError:
    """The same error, which also says how to go on with the table that it stopped."""
    if table.started is None or table.over:
        return error
    way_on = f"The table is kept; go on with: keystone-roundtable table resume {table.id}"
    return KeystoneError(error.message, f"{error.hint}. {way_on}" if error.hint else way_on)
