"""The state file that other tools share."""

from __future__ import annotations

import json
import multiprocessing
import stat
import subprocess
from pathlib import Path

import pytest

from keystone_roundtable.core.errors import UsageError
from keystone_roundtable.stores.errors import CorruptStateError, StoreError
from keystone_roundtable.stores.state import KeystoneState, parse_value


@pytest.fixture
def state(tmp_path):
    return KeystoneState(tmp_path)


def put(state: KeystoneState, text: str) -> None:
    state.path.parent.mkdir(exist_ok=True)
    state.path.write_text(text, "utf-8")


def test_init_makes_the_state_and_the_telemetry_folder(state, tmp_path):
    state.init()
    assert state.show() == {}
    assert (tmp_path / ".keystone" / "telemetry" / "events").is_dir()
    assert stat.S_IMODE(state.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(state.path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("text", ['{"theirs": 1}', "not JSON"])
def test_init_leaves_a_state_that_is_there(state, text):
    put(state, text)
    state.init()
    assert state.path.read_text() == text


def test_without_a_state_nothing_is_found_and_nothing_is_made(state, tmp_path):
    assert state.get("artifacts.roundtable_mode") is None
    assert state.show() == {}
    assert list(tmp_path.iterdir()) == []


def test_dotted_keys_reach_into_objects(state):
    contract = {"decision": "roundtable-aligned", "notes": []}
    state.set_many(
        {
            "current_stage": "roundtable",
            "artifacts.roundtable_mode": "align",
            "artifacts.roundtable_contract": contract,
            "next_skill": "",
            "exit_code": None,
        }
    )
    assert list(state.show()) == ["current_stage", "artifacts", "next_skill", "exit_code"]
    assert state.get("artifacts.roundtable_contract.decision") == "roundtable-aligned"
    assert state.get("artifacts") == {
        "roundtable_mode": "align",
        "roundtable_contract": contract,
    }
    assert state.get("next_skill") == ""
    assert state.get("exit_code") is None
    assert '"exit_code": null' in state.path.read_text()
    assert state.get("current_stage.deeper") is None
    assert state.get("artifacts.nothing") is None


def test_other_tools_keys_stay_in_their_order(state):
    put(
        state,
        '{"zeta": [1, 2.5, {"x": null}], "artifacts": {"plan": "แผน"}, "exit_code": "ok", '
        '"alpha": "\\ud800", "big": 123456789012345678901234567890}',
    )
    before = state.show()
    state.set_many({"exit_code": "escalate", "artifacts.roundtable_mode": "align", "new": 1})
    after = json.loads(state.path.read_text("utf-8"))
    assert list(after) == ["zeta", "artifacts", "exit_code", "alpha", "big", "new"]
    assert list(after["artifacts"]) == ["plan", "roundtable_mode"]
    assert after["exit_code"] == "escalate"
    assert {k: after[k] for k in ("zeta", "alpha", "big")} == {
        k: before[k] for k in ("zeta", "alpha", "big")
    }
    assert "แผน" in state.path.read_text("utf-8")


@pytest.mark.parametrize("there", ['"text"', "[]", "3", "null"])
def test_a_path_through_something_else_is_refused_and_nothing_is_set(state, there):
    text = f'{{"artifacts": {{"inner": {there}}}}}'
    put(state, text)
    with pytest.raises(StoreError, match=r"'artifacts\.inner' is not an object") as caught:
        state.set_many({"exit_code": "ok", "artifacts.inner.mode": "align"})
    assert "'artifacts.inner.mode'" in caught.value.message
    assert state.path.read_text() == text


@pytest.mark.parametrize("key", ["", ".", "a.", ".a", "a..b"])
def test_a_key_with_an_empty_part_is_bad_usage(state, key):
    for use in (state.get, lambda k: state.set_many({k: 1})):
        with pytest.raises(UsageError, match="is no state key"):
            use(key)
    assert not state.path.exists()


@pytest.mark.parametrize(
    "content", [b"", b"key = value\n", b"[1]", b'"x"', b"{", b"\xff\xfe{}", b'{"a": 1e999}']
)
def test_a_foreign_state_is_told_and_never_overwritten(state, content):
    state.path.parent.mkdir()
    state.path.write_bytes(content)
    for use in (state.show, lambda: state.get("a"), lambda: state.set_many({"a": 1})):
        with pytest.raises(CorruptStateError) as caught:
            use()
        assert str(state.path) in caught.value.message
        assert "left untouched" in caught.value.message
        assert caught.value.hint
        assert "\n" not in str(caught.value)
    assert state.path.read_bytes() == content


def test_a_byte_order_mark_is_no_reason_to_refuse(state):
    put(state, '\ufeff{"a": 1}')
    state.set_many({"b": 2})
    assert state.show() == {"a": 1, "b": 2}


def test_the_permissions_of_a_state_that_exists_are_kept(state):
    put(state, "{}")
    state.path.chmod(0o644)
    state.set_many({"a": 1})
    assert stat.S_IMODE(state.path.stat().st_mode) == 0o644


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_is_written_through(state, tmp_path, exists):
    target = tmp_path / "elsewhere" / "shared.json"
    target.parent.mkdir()
    if exists:
        target.write_text('{"theirs": 1}')
    state.path.parent.mkdir()
    state.path.symlink_to(Path("..") / "elsewhere" / "shared.json")
    state.set_many({"a": 1})
    assert state.path.is_symlink()
    assert json.loads(target.read_text()) == ({"theirs": 1, "a": 1} if exists else {"a": 1})


def test_a_link_to_itself_is_an_error(state):
    state.path.parent.mkdir()
    state.path.symlink_to(state.path.name)
    for use in (state.show, state.init, lambda: state.set_many({"a": 1})):
        with pytest.raises(StoreError):
            use()
    assert state.path.is_symlink()


def test_a_failed_write_keeps_the_state(state, limited):
    state.set_many({"a": 1})
    before = state.path.read_bytes()
    with limited(100), pytest.raises(StoreError, match="File too large"):
        state.set_many({"b": "x" * 200})
    assert state.path.read_bytes() == before
    assert {p.name for p in state.path.parent.iterdir()} == {"state.json", "state.json.lock"}


def test_a_read_only_file_system_is_told(small_disk):
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(StoreError, match="Read-only file system") as caught:
        KeystoneState(small_disk).set_many({"a": 1})
    assert str(small_disk / ".keystone") in caught.value.message
    assert "--root" in caught.value.hint


def test_a_folder_of_someone_else_is_told(tmp_path, as_nobody):
    def attempt() -> str:
        with pytest.raises(StoreError) as caught:
            KeystoneState(Path()).set_many({"a": 1})
        return str(caught.value)

    tmp_path.chmod(0o555)
    message = as_nobody(tmp_path, attempt)
    assert message.startswith("cannot make folder .keystone: Permission denied. ")
    assert "owner and permissions" in message


def test_settings_of_several_processes_are_all_kept(state):
    context = multiprocessing.get_context("fork")

    def set_some(writer: int) -> None:
        for number in range(20):
            state.set_many({f"writers.w{writer}.n{number}": number})

    writers = [context.Process(target=set_some, args=(w,)) for w in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(30)
    expected = {f"n{number}": number for number in range(20)}
    assert state.get("writers") == {f"w{w}": expected for w in range(8)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.9", 0.9),
        ("3", 3),
        ("-7", -7),
        ("1e3", 1000.0),
        ("true", True),
        ("false", False),
        ("null", None),
        ("", ""),
        ("True", "True"),
        ("NaN", "NaN"),
        ("Infinity", "Infinity"),
        ("-Infinity", "-Infinity"),
        ("1e999", "1e999"),
        ("9" * 5000, "9" * 5000),
        ("007", "007"),
        ('{"a": 1}', '{"a": 1}'),
        ("[1]", "[1]"),
        ('"quoted"', '"quoted"'),
        ("ok", "ok"),
        ("ไทย", "ไทย"),
        ("\udc80", "\udc80"),
        ("[" * 100_000, "[" * 100_000),
    ],
)
def test_a_value_is_a_number_true_false_null_or_else_the_text(text, value):
    parsed = parse_value(text)
    assert parsed == value
    assert type(parsed) is type(value)
