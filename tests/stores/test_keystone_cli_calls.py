"""State keys that go through the program named by KEYSTONE_CLI."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from keystone_roundtable.stores.errors import StoreError
from keystone_roundtable.stores.keystone_cli import is_this_program, write_through_cli


@dataclass(frozen=True)
class Ended:
    status: int = 0
    stderr: str = ""


@dataclass
class RecordingRunner:
    """Keeps what was asked for; fails from call number `fails_at` on."""

    fails_at: int = 1000
    calls: list[list[str]] = field(default_factory=list)

    def run(self, argv: Sequence[str], timeout_s: float) -> Ended:
        self.calls.append(list(argv))
        if len(self.calls) > self.fails_at:
            return Ended(3, "Traceback\nkeystone: the state is locked\n")
        return Ended()


def test_each_scalar_is_one_call_in_order():
    runner = RecordingRunner()
    values = {"current_stage": "roundtable", "a.b": 0.9, "c": True, "d": None, "e": "", "f": "ไทย"}
    write_through_cli(values, "'/opt/my tools/keystone' --quiet", runner)
    program = ["/opt/my tools/keystone", "--quiet", "state", "set"]
    assert runner.calls == [
        [*program, "current_stage", "roundtable"],
        [*program, "a.b", "0.9"],
        [*program, "c", "true"],
        [*program, "d", "null"],
        [*program, "e", ""],
        [*program, "f", "ไทย"],
    ]


def test_a_failure_names_every_key_not_written_and_stops():
    runner = RecordingRunner(fails_at=1)
    values = {"current_stage": "roundtable", "last_decision": "d", "artifacts.roundtable_mode": "m"}
    with pytest.raises(StoreError) as caught:
        write_through_cli(values, "keystone", runner)
    assert "not written: last_decision, artifacts.roundtable_mode (" in caught.value.message
    assert "status 3: keystone: the state is locked" in caught.value.message
    assert "\n" not in str(caught.value)
    assert len(runner.calls) == 2


@pytest.mark.parametrize("command", ["", "  ", "'unbalanced"])
def test_a_command_that_is_none_names_all_keys(command):
    with pytest.raises(StoreError, match="not written: a, b"):
        write_through_cli({"a": 1, "b": 2}, command, RecordingRunner())


@pytest.mark.parametrize(
    ("command", "own"),
    [
        ("keystone-roundtable", True),
        ("roundtable", True),
        ("/usr/local/bin/keystone-roundtable", True),
        ("'/my tools/roundtable'", True),
        ("/usr/bin/python3 -m keystone_roundtable", True),
        ("python3 -m other", False),
        ("python3", False),
        ("keystone", False),
        ("./keystone", False),
        ("keystone-roundtable --root /elsewhere", False),
        ("env keystone-roundtable", False),
        ("'unbalanced", False),
        ("", False),
    ],
)
def test_this_program_is_known_by_its_names(command, own):
    assert is_this_program(command) is own
