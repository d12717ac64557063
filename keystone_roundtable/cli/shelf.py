"""The finished sessions of a project, as the MCP server wants them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from pydantic import ValidationError

from ..core.contract import Contract
from ..core.plain import plain
from ..pipeline.errors import StepError
from ..pipeline.mcp.ports import Decided
from ..stores.errors import UnknownSessionError, doing
from ..stores.ordinary import read_ordinary
from ..stores.sessions import SessionStore
from ..stores.summaries import SessionSummary


@dataclass(frozen=True)
class ProjectShelf:
    """The `Shelf` of one root. Each call reads what is on disk then."""

    root: Path

    def decisions(self, limit: int) -> Sequence[Decided]:
        store = SessionStore(self.root)
        finished = (one for one in store.summaries() if one.status == "finished")
        return tuple(_decided(store, one) for one in islice(finished, limit))

    def report(self, session_id: str) -> str:
        return plain(self._text(session_id, "report.md"))

    def contract(self, session_id: str) -> str:
        return self._text(session_id, "contract.json")

    def _text(self, session_id: str, name: str) -> str:
        store = SessionStore(self.root)
        try:
            known = store.exists(session_id)
        except UnknownSessionError:
            known = False
        if not known:
            error = UnknownSessionError(session_id[:60])
            raise StepError("unknown_session", error.message, error.hint)
        path = store.folder(session_id) / name
        with doing("read", path):
            try:
                return read_ordinary(path).decode("utf-8", "replace")
            except FileNotFoundError as error:
                raise StepError(
                    "bad_request",
                    f"session {session_id} has no {name}",
                    "It is written at the end; the tool show says what is open",
                ) from error


def _decided(store: SessionStore, summary: SessionSummary) -> Decided:
    """A contract that is not there or cannot be read leaves its fields empty."""
    try:
        data = read_ordinary(store.folder(summary.id) / "contract.json")
        contract = Contract.model_validate_json(data)
    except (OSError, ValidationError):
        contract = None
    return Decided(
        session=summary.id,
        topic=plain(contract.topic if contract else summary.topic),
        decision=contract.decision if contract else summary.decision,
        option=contract.option if contract else None,
        confidence=contract.confidence if contract else None,
        date=summary.last_at,
    )
