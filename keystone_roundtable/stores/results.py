"""Where the end of a session goes: report, contract, state and telemetry of one project."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..core.contract import Contract
from ..core.session import Session
from ..core.telemetry import REHEARSAL
from .errors import StoreError
from .files import atomic_write, make_private_dir
from .json_text import to_json
from .keystone_cli import Runner, is_scalar, is_this_program, write_through_cli
from .sessions import SessionStore
from .state import KeystoneState
from .telemetry import Telemetry

# Lines of these events stand once per session; the others tell what may happen again.
_ONCE = frozenset({"started", "finished", "redirected"})

CONTRACT_KEY = "artifacts.roundtable_contract"


class ProjectResults:
    """The `Results` port below one root.

    `to_yaml` puts a mapping into YAML. `keystone_cli` is the value of `KEYSTONE_CLI` ("" where it
    is not set): unless it is this program, scalars of the state go through it, started by `run`.
    Telemetry that cannot be written costs no decision where `say` tells of it; without `say` the
    error is raised.
    """

    def __init__(
        self,
        root: Path,
        to_yaml: Callable[[Mapping[str, Any]], str],
        *,
        run: Runner,
        keystone_cli: str = "",
        telemetry: bool = True,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self._sessions = SessionStore(root)
        self._state = KeystoneState(root)
        self._telemetry = Telemetry(root) if telemetry else None
        self._to_yaml = to_yaml
        self._run = run
        self._keystone_cli = keystone_cli.strip()
        self._say = say

    def write_report(self, session: Session, markdown: str) -> Path:
        path = self._folder(session.id) / "report.md"
        atomic_write(path, markdown)
        return path

    def write_contract(self, contract: Contract) -> tuple[Path, Path]:
        """The JSON first, which is the one that programs read."""
        folder = self._folder(contract.session)
        content = contract.model_dump(mode="json")
        as_json, as_yaml = folder / "contract.json", folder / "contract.yaml"
        atomic_write(as_json, to_json(content, indent=2) + b"\n")
        atomic_write(as_yaml, self._to_yaml(content))
        return as_json, as_yaml

    def write_state(self, values: Mapping[str, Any]) -> Path:
        """Objects and lists are always written directly, and first: the scalars announce them.

        Each time the place of the contract is looked at, so that a state which cannot take it is
        told when a session enters and not at its end.
        """
        self._state.check(CONTRACT_KEY)
        if not self._keystone_cli or is_this_program(self._keystone_cli):
            return self._state.set_many(values)
        scalars = {key: value for key, value in values.items() if is_scalar(value)}
        rest = {key: value for key, value in values.items() if key not in scalars}
        if rest:
            self._state.set_many(rest)
        if scalars:
            write_through_cli(scalars, self._keystone_cli, self._run)
        return self._state.path

    def holds_decision(self) -> bool:
        """Whether the state tells of something that was decided, and not of a rehearsal."""
        contract: Any = self._state.show()
        for key in CONTRACT_KEY.split("."):
            contract = contract.get(key) if isinstance(contract, dict) else None
        return isinstance(contract, dict) and contract.get("exit_reason") != REHEARSAL

    def write_telemetry(self, line: Mapping[str, Any]) -> Path | None:
        """The month file; None where telemetry is off or cannot be written."""
        if self._telemetry is None:
            return None
        try:
            return self._counted(self._telemetry, line)
        except StoreError as error:
            if self._say is None:
                raise
            self._telemetry = None  # once is enough
            self._say(f"No telemetry is written: {error}; the session goes on")
            return None

    def _counted(self, telemetry: Telemetry, line: Mapping[str, Any]) -> Path:
        event, session_id = line.get("event"), line.get("session")
        if event in _ONCE and isinstance(session_id, str):
            found = telemetry.find(session_id, str(event))
            if found is not None:
                return found
        return telemetry.append(line)

    def _folder(self, session_id: str) -> Path:
        folder = self._sessions.folder(session_id)
        make_private_dir(folder)
        return folder
