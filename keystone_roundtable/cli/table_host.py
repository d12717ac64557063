"""The person at a table: asked on the terminal, or nobody, and then only what `--yes` allows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..core.errors import UsageError
from ..core.plain import is_blank, one_line
from ..core.spending_plan import Limits, Plan
from ..formats.decision_block import block
from ..formats.errors import TableStateError
from ..formats.table.fold import check_options
from ..formats.table.records import MAX_OPTIONS, MIN_OPTIONS, Agreement, Voice
from ..formats.table.table import Table
from ..formats.voting import Count
from ..terminal import table_lines as words
from .saying import say_wrapped
from .spend_gate import DeclinedError, consent

_YES = ("y", "yes")
_NO = ("n", "no")

PlanOf = Callable[[Table], Plan]
Agreed = Callable[[Limits], None]


@dataclass(frozen=True)
class Host:
    """`ask` is None where nobody is there. `agreed` takes the limits that were said yes to."""

    plan_of: PlanOf
    voices_of: Callable[[Table], tuple[Voice, ...]]
    agreed: Agreed
    reads_as: str
    """What the question reads like where it is no choice; "" where it is one."""
    yes: bool
    ask: Callable[[str], str] | None

    @property
    def there(self) -> bool:
        return self.ask is not None

    # -- before the first round ----------------------------------------------------------

    def options(self, table: Table, proposed: tuple[str, ...]) -> tuple[str, ...] | None:
        enough = MIN_OPTIONS <= len(proposed) <= MAX_OPTIONS
        if enough and self.yes:
            return proposed
        if self.ask is None:
            raise UsageError(
                words.NO_OPTIONS if not enough else "the options were not confirmed",
                "Name 2 to 4 with --options x,y,z",
            )
        return self._options_typed(self.ask, proposed if enough else ())

    def _options_typed(
        self, ask: Callable[[str], str], proposed: tuple[str, ...]
    ) -> tuple[str, ...] | None:
        say_wrapped(words.PROPOSED if proposed else words.NO_OPTIONS)
        for number, option in enumerate(proposed, 1):
            say_wrapped(f"  {number}. {one_line(option)}")
        while True:
            typed = ask(words.TAKE_OR_TYPE if proposed else words.TYPE_OPTIONS)
            if typed.casefold() in _NO:
                return None
            if is_blank(typed) and proposed:
                return proposed
            named = tuple(one_line(part) for part in typed.split(",") if not is_blank(part))
            try:
                check_options(named)
            except TableStateError as error:
                say_wrapped(str(error))
            else:
                return named

    def facts(self, table: Table, known: str, keep: Callable[[str], None]) -> None:
        if self.ask is None:
            return
        if known:
            say_wrapped(words.KNOWN_FACTS)
            for line in known.splitlines():
                say_wrapped(f"  {one_line(line)}")
        say_wrapped(words.ASK_FACTS)
        while not is_blank(line := self.ask(words.FACT_PROMPT)):
            keep(line)

    def consent(self, table: Table) -> Agreement | None:
        """Shows the table and its price; a question that says "should we" is no yes."""
        start = table.start
        for line in words.roster_lines(
            start.question, table.options, start.aggregator, start.souls, table.facts
        ):
            say_wrapped(line)
        if self.reads_as:
            say_wrapped(self.reads_as)
        say_wrapped(words.STAKES)
        return self.agree(self.plan_of(table), self.voices_of(table))

    def agree(self, plan: Plan, voices: tuple[Voice, ...]) -> Agreement | None:
        """The yes to a plan and to whoever speaks; None for a no."""
        if plan.sends_to and len(plan.models) == 1:
            say_wrapped(words.SAME_MODEL)
        ask = self._yes_or_no if self.ask is not None else None
        try:
            limits = consent(plan, yes=self.yes, ask=ask, show=say_wrapped)
        except DeclinedError:
            return None
        self.agreed(limits)
        return Agreement(by="flag" if self.yes else "person", limits=limits, voices=voices)

    def _yes_or_no(self, question: str) -> bool:
        """A stray Enter is no answer to what ends a table."""
        assert self.ask is not None
        while (typed := self.ask(question).casefold()) not in (*_YES, *_NO):
            say_wrapped(words.YES_OR_NO)
        return typed in _YES

    # -- between rounds ------------------------------------------------------------------

    def no_new_evidence(self, table: Table) -> bool:
        if self.ask is None:
            say_wrapped(words.EVIDENCE_HEADLESS)
            return False
        return self.ask(words.NO_EVIDENCE).casefold() in _YES

    def short_circuit(self, table: Table, expert: str) -> bool:
        if self.ask is None:
            say_wrapped(words.deference_headless(expert))
            return False
        return self.ask(words.deference(expert)).casefold() in _YES

    def ruling(self, table: Table, count: Count) -> str | None:
        """The block, and whether the person decides here and now. Nobody there leaves it open."""
        if self.ask is None:
            return None
        say_wrapped(block(count))
        for number, option in enumerate(table.options, 1):
            say_wrapped(f"  {number}. {one_line(option)}")
        while not is_blank(typed := self.ask(words.RULE)):
            if typed.isdecimal() and 1 <= int(typed) <= len(table.options):
                return table.options[int(typed) - 1]
        return None
