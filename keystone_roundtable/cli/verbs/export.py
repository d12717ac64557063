"""`export`: a decision as a record or a page, or all of them as a log."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from ...content import decision_records
from ...content.pages import html_page
from ...core.contract import Contract
from ...core.errors import UsageError
from ...core.outcome import outcome_of
from ...core.plain import plain
from ...review.aftermath import Aftermath, Aftermaths
from ...review.export_log import decision_log
from ...review.export_record import DecisionRecord, make_record, record_of
from ...runtime.closing import end_of
from ...stores.errors import doing
from ...stores.files import atomic_write, write_new
from ...stores.json_text import to_json
from ...stores.places import CONTRACT_NAME, REPORT_NAME
from ..ends import end_in, session_in
from ..named import Named, finished
from ..roots import root_of
from ..typed import as_typed
from ..wiring import Project

_LOG_FORMATS = ("html", "md")


def export(options: Namespace) -> int:
    root = root_of(options.root)
    if options.log and options.session:
        raise UsageError("--log is over all decisions", "Leave the ID out, or --log")
    if not options.log and not options.session:
        raise UsageError(
            "export needs the decision's ID", "`keystone-roundtable decisions` shows them; or --log"
        )
    text = _log(root, options.format or "md") if options.log else _one(root, options)
    _put(text, options)
    return 0


def _log(root: Path, form: str) -> str:
    if form not in _LOG_FORMATS:
        raise UsageError(
            f"a decision log has no format '{form}'",
            f"Choose {' or '.join(_LOG_FORMATS)}; for programs: decisions --json --limit 0",
        )
    entries = list(decision_log(root))
    if form == "html":
        return html_page("decision_log", entries=entries)
    return decision_records.decision_log(entries, root)


def _one(root: Path, options: Namespace) -> str:
    found = finished(root, options.session)
    form = options.format or "adr"
    if form in ("md", "json"):
        return _stored(root, found, form)
    after = Aftermaths(root).of(found.id, found.folder)
    record, contract = _record(root, found, after)
    return decision_records.adr(record, root) if form == "adr" else _page(record, contract, after)


def _record(root: Path, found: Named, after: Aftermath) -> tuple[DecisionRecord, Contract]:
    if found.is_session:
        session = session_in(root, found.id)
        end = end_of(session, outcome_of(session), Project(root).writer)
        return make_record(session, end.report, end.contract, after), end.contract
    from ..held_ends import held_end

    other = held_end(root, found.held)
    return record_of(other.account, other.contract, after), other.contract


def _page(record: DecisionRecord, contract: Contract, after: Aftermath) -> str:
    told = after.outcome
    return html_page(
        "decision",
        record=record,
        confidence=f"{contract.confidence:g}",
        outcome=f"{told.outcome} ({told.at[:10]})" if told else "not told yet",
    )


def _stored(root: Path, found: Named, form: str) -> str:
    """The report or the contract as it was written at the end; computed where it is gone. Of a
    table it is the minute instead of a report, of a room the decision.
    """
    if form == "md" and not found.is_session:
        from ..held_ends import held_end

        return held_end(root, found.held).markdown
    path = found.folder / (REPORT_NAME if form == "md" else CONTRACT_NAME)
    with doing("read", path):
        if path.is_file():
            stored = path.read_bytes().decode("utf-8", "replace")
            return plain(stored) if form == "md" else stored
    if found.is_session:
        end = end_in(root, found.id)
        if form == "md":
            return end.report_markdown
        contract = end.contract
    else:
        from ..held_ends import held_end

        contract = held_end(root, found.held).contract
    return to_json(contract.model_dump(mode="json"), indent=2).decode() + "\n"


def _put(text: str, options: Namespace) -> None:
    """To standard output, or into a file that only its owner can read."""
    if options.output in (None, "-"):
        sys.stdout.write(text)
        return
    path = Path(options.output)
    if options.force:
        atomic_write(path, text)
    elif path.exists() or path.is_symlink():
        raise UsageError(
            f"--output {as_typed(options.output)}: there is a file already",
            "Name another, or write over it with --force",
        )
    else:
        write_new(path, text)
    print(f"Written: {as_typed(options.output)}", file=sys.stderr)
