"""Where a table's state, minute and end go: each on disk before the next begins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from ..content.tables import TableTexts
from ..content.yaml_files import to_yaml
from ..core.contract import Contract
from ..core.plain import one_line
from ..core.telemetry import SKILL, line_about
from ..formats.table.ending import Ending, ending_of, is_rehearsal, table_contract
from ..formats.table.minute import make_minute
from ..formats.table.status import TableStatus
from ..formats.table.table import Table
from ..formats.table_state import ESCALATE
from ..formats.voting import Count
from ..runtime.masking import masked_contract, masked_text
from ..runtime.processes import ProcessRunner
from ..seats.budget import side_by_side_s
from ..stores.results import ProjectResults
from ..stores.tables import TableFiles, TableStore
from .wiring import Project


@dataclass(frozen=True)
class ProjectTables:
    """The `TableRecords` port below one root. Secrets are masked in all that it writes."""

    project: Project
    results: ProjectResults
    texts: TableTexts

    @cached_property
    def store(self) -> TableStore:
        return TableStore(self.project.root)

    def files(self, table: Table) -> TableFiles:
        """Its files, which are its own from the moment when it was convened."""
        return TableFiles.of(self.store, table.name, self._oracle_root(table))

    def claim(self, table: Table) -> str:
        root = self._oracle_root(table)
        return TableFiles.claim(self.store, table.start.name, root, table.id).name

    def _oracle_root(self, table: Table) -> Path | None:
        oracle = table.start.oracle_root
        return Path(oracle) if oracle and Path(oracle).is_dir() else None

    def flush(self, table: Table) -> None:
        files = self.files(table)
        files.write_state(_masked(table.as_state()))
        files.write_minute(masked_text(self.texts.minute(make_minute(table))))
        if table.status is TableStatus.ASKING and not table.closed:
            self.results.write_telemetry(event_line(table, "started"))

    def close(self, table: Table, count: Count) -> None:
        self.flush(table)
        files = self.files(table)
        ending = ending_of(table, count)
        files.write_decision(masked_text(self._decision(table, count, files)))
        contract = self.contract(table, count)
        self.store.write_contract(contract, to_yaml)
        if not (is_rehearsal(table) and self.results.holds_decision()):
            self.results.write_state(_keystone_state(ending, contract, files))
        self.results.write_telemetry(finished_line(table, ending))

    def contract(self, table: Table, count: Count) -> Contract:
        ending = ending_of(table, count)
        sentences = self.texts.sentences(
            _row(table, ending, count),
            option=_given(table, count) if is_rehearsal(table) else ending.option or "",
            share=round(100 * count.share),
            reasons="; ".join(reason.text for reason in count.reasons),
            question=table.start.question,
        )
        return masked_contract(table_contract(table, ending, sentences))

    def _decision(self, table: Table, count: Count, files: TableFiles) -> str:
        decided = _given(table, count) or ESCALATE
        if is_rehearsal(table):
            decided = f"REHEARSAL, nothing is decided; the count gave {decided}"
        return self.texts.decision_line(
            date=table.start.name[:10],
            decided=decided,
            question=table.start.question,
            minute=str(files.minute),
        )


def records_to_look_at(root: Path) -> ProjectTables:
    """For looking alone: nothing is written through it."""
    results = ProjectResults(root, to_yaml, run=ProcessRunner(), telemetry=False)
    return ProjectTables(Project(root), results, TableTexts(root))


def _row(table: Table, ending: Ending, count: Count) -> str:
    if is_rehearsal(table):
        return "rehearsed"
    if ending.escalates or table.ruling:
        return "escalated" if ending.escalates else "ruled"
    return "decided" if count.top_dissent else "unopposed"


def _given(table: Table, count: Count) -> str:
    """What the human or the count chose; "" where neither did."""
    return table.ruling or (count.winner if count.outcome == "DECIDED" else None) or ""


def _masked(value: Any) -> Any:
    """Every text in a JSON value with its secrets masked."""
    if isinstance(value, str):
        return masked_text(value)
    if isinstance(value, dict):
        return {key: _masked(part) for key, part in value.items()}
    return [_masked(part) for part in value] if isinstance(value, list) else value


def _keystone_state(ending: Ending, contract: Contract, files: TableFiles) -> dict[str, Any]:
    """The same keys as of a session, in the same order."""
    return {
        "current_stage": SKILL,
        "last_decision": ending.decision,
        "artifacts.roundtable_mode": None,
        "exit_code": ending.exit_code,
        "exit_reason": ending.exit_reason,
        "next_skill": ending.state_next_skill,
        "artifacts.roundtable_contract": contract.model_dump(mode="json"),
        "artifacts.roundtable_report": str(files.minute),
        "artifacts.roundtable_session": contract.session,
    }


def event_line(table: Table, event: Literal["started", "paused"]) -> dict[str, Any]:
    """A telemetry line without a decision. Nothing of what was said is in it."""
    start = table.start
    return line_about(
        event,
        "table",
        at=table.last_at,
        session=start.table,
        project=start.project,
        version=start.version,
        model=one_line(start.model),
    )


def finished_line(table: Table, ending: Ending) -> dict[str, Any]:
    """The telemetry line of a table that came to its vote: counts and names of models only."""
    sent = [one for one in table.receipts if one.requests != 0 and not one.rehearsal]
    line = event_line(table, "started")
    return {
        **line,
        "event": "finished",
        "decision": ending.decision,
        "confidence": ending.confidence,
        "mode": None,
        "exit_reason": ending.exit_reason,
        "exit_code": ending.exit_code,
        "next_skill": ending.next_skill,
        "escalate": ending.escalates,
        "confidence_reasons": list(ending.confidence_reasons),
        "souls": len(table.souls),
        "emptied": len(table.emptied),
        "rounds": len(table.closed) + 1,
        "model_calls": len(sent),
        "input_tokens": _total([receipt.input_tokens for receipt in sent]),
        "output_tokens": _total([receipt.output_tokens for receipt in sent]),
        "cost_usd": _total([receipt.cost_usd for receipt in sent]),
        "seconds": round(side_by_side_s(table.receipts), 3),
    }


def _total(counts: list[int | None] | list[float | None]) -> float | None:
    """The sum; None where a part is unknown, which is not 0."""
    known = [count for count in counts if count is not None]
    return round(sum(known), 6) if len(known) == len(counts) else None
