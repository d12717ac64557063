"""Old months in fewer bytes: every event as it was, whatever happens meanwhile."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from telemetry_files import NOW, event, finished, outcome, put, reviewed
from telemetry_store import write_store

from keystone_roundtable.review.compacting import _squeezed, compact_telemetry
from keystone_roundtable.stores.rewriting import rewrite
from keystone_roundtable.stores.telemetry import Telemetry

REPOSITORY = Path(__file__).parents[2]
OLD = "2026-08"
TS = "2026-08-10T10:00:00Z"


def events_of(path: Path) -> list[object]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line.strip()]


def in_a_process(script: str, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        env={"PYTHONPATH": str(REPOSITORY), "PATH": ""},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_a_review_says_the_same_before_and_after(tmp_path):
    root = write_store(tmp_path, 6000, broken_every=100)
    before = reviewed(root)
    done = compact_telemetry([root], NOW)
    assert len(done.files) == 24
    after = reviewed(root)
    gone = sum(file.repeated for file in done.files)
    assert gone > 0
    assert after.lines == before.lines - gone
    assert after.left_out.repeated == before.left_out.repeated - gone
    changed = {"lines", "left_out", "broken"}  # the lines are the same, at other numbers
    assert after.model_dump(exclude=changed) == before.model_dump(exclude=changed)
    assert [b.reason for b in after.broken] == [b.reason for b in before.broken]
    assert compact_telemetry([root], NOW).files == ()


def test_what_stays_and_what_goes(tmp_path):
    kept = [
        b'{"skill":"roundtable","ts":"2026-08-10T10:00:00Z","a":"b  \\" c","n":1.50,"n":1e400}',
        b'{"skill": "torn',
        b'["no",  "object"]',
        b'{"x":  "\xff"}',
    ]
    path = put(tmp_path, kept[0].replace(b":", b" : "), b"", b"  ", *kept[1:], month=OLD)
    put(tmp_path, finished(TS), event("started", TS), finished(TS), month=OLD)
    put(tmp_path, finished(TS, session=...), finished(TS, session=...), month=OLD)
    put(tmp_path, *[{"skill": "qa", "ts": TS, "session": "s1", "event": "ran"}] * 2, month=OLD)
    put(tmp_path, *[event("newer", TS)] * 2, *[b"torn"] * 2, month=OLD)
    with path.open("ab") as file:
        file.write(b'{"being":  "written"}')
    (told,) = compact_telemetry([tmp_path], NOW).files
    lines = path.read_bytes().split(b"\n")
    assert lines[0] == kept[0].replace(b'"2026-08-10T10:00:00Z"', b'"2026-08-10T10 : 00 : 00Z"')
    assert lines[1:4] == [kept[1], b'["no","object"]', kept[3]]
    assert lines[-3:] == [b"torn", b"torn", b'{"being":  "written"}']
    assert [json.loads(line).get("event") for line in lines[4:-3]] == [
        *("finished", "started"),
        *("finished", "finished"),
        *("ran", "ran"),
        *("newer", "newer"),
    ]
    assert told.repeated == 1
    assert told.bytes_after == path.stat().st_size < told.bytes_before


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
    max_leaves=8,
)


@settings(max_examples=300)
@given(JSON, st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_any_json_stays_itself(value, ascii_only, indent):
    line = json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode() + b"\n"
    squeezed = _squeezed(line)
    assert repr(json.loads(squeezed)) == repr(json.loads(line))
    assert len(squeezed) <= len(line)
    assert squeezed.endswith(b"\n")


@settings(max_examples=300)
@given(st.binary())
def test_any_other_line_stays_as_it_is(data):
    line = data.replace(b"\n", b"") + b"\n"
    try:
        json.loads(line)
    except ValueError:
        assert _squeezed(line) in (line, b"" if not line.strip(b" \t\r\n") else line)


@pytest.mark.parametrize(
    ("now", "compacted"),
    [("2026-11-02", {"2026-08", "2026-09"}), ("2026-11-04", {"2026-08", "2026-09", "2026-10"})],
)
def test_the_present_month_is_left_alone_and_the_one_before_for_two_days(tmp_path, now, compacted):
    for month in ("2026-08", "2026-09", "2026-10", "2026-11", "2027-01"):
        put(tmp_path, finished(f"{month}-01T00:00:00Z"), month=month)
    put(tmp_path, finished(), month="other-tool")
    done = compact_telemetry([tmp_path], datetime.fromisoformat(f"{now}T00:00:00Z"))
    assert {Path(file.file).stem for file in done.files} == compacted


def test_mode_and_link_of_a_file_stay(tmp_path):
    path = put(tmp_path, finished(TS), month=OLD)
    path.chmod(0o640)
    aside = tmp_path / "aside.jsonl"
    path.rename(aside)
    path.symlink_to(aside)
    assert len(compact_telemetry([tmp_path], NOW).files) == 1
    assert path.is_symlink()
    assert stat.S_IMODE(aside.stat().st_mode) == 0o640


# -- others write meanwhile ------------------------------------------------------------

WRITER = """
import sys
from pathlib import Path
from keystone_roundtable.stores.telemetry import Telemetry
telemetry = Telemetry(Path(sys.argv[1]))
for number in range(int(sys.argv[3])):
    telemetry.append({"skill": "roundtable", "ts": "2026-08-10T10:00:00Z", "event": "started",
                      "session": f"{sys.argv[2]}-{number}"})
"""


def test_lines_that_others_add_meanwhile_are_all_there(tmp_path):
    put(tmp_path, finished(TS), month=OLD)
    writers = [in_a_process(WRITER, str(tmp_path), name, "150") for name in ("a", "b")]
    compactions = 0
    while any(writer.poll() is None for writer in writers):
        compactions += len(compact_telemetry([tmp_path], NOW).files)
    assert [writer.wait() for writer in writers] == [0, 0]
    compact_telemetry([tmp_path], NOW)
    assert compactions > 1
    (path,) = Telemetry(tmp_path).folder.iterdir()
    sessions = [line["session"] for line in events_of(path)]
    wanted = [f"{name}-{number}" for name in ("a", "b") for number in range(150)]
    assert sorted(sessions) == sorted(["s1", *wanted])


def test_what_a_writer_without_the_lock_adds_while_it_is_rewritten_is_carried_over(tmp_path):
    path = put(tmp_path, finished(TS), month=OLD)

    def write(descriptor, size, new):
        new.write(os.pread(descriptor, size, 0))
        with path.open("ab") as shell:
            shell.write(b'{"skill":"late"}\n')
        return True

    assert rewrite(path, write)
    assert [line["skill"] for line in events_of(path)] == ["roundtable", "late"]


LATE = """
import os, sys
from pathlib import Path
from keystone_roundtable.stores.rewriting import rewrite

path = Path(sys.argv[1])
shell = os.open(path, os.O_WRONLY | os.O_APPEND)

def late(event, arguments):
    if event == "os.rename":  # the last moment at which the old file has its name
        os.write(shell, b'{"skill":"late"}\\n')

def write(descriptor, size, new):
    new.write(os.pread(descriptor, size, 0))
    sys.addaudithook(late)
    return True

assert rewrite(path, write)
"""


def test_what_is_added_at_the_last_moment_is_carried_over_too(tmp_path):
    path = put(tmp_path, finished(TS), month=OLD)
    process = in_a_process(LATE, str(path))
    assert process.communicate() == (b"", b"")
    assert [line["skill"] for line in events_of(path)] == ["roundtable", "late"]


# -- killed ----------------------------------------------------------------------------

KILLED = """
import os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from keystone_roundtable.review.compacting import compact_telemetry

root, path, states = map(Path, sys.argv[1:])
now, old = datetime(2026, 11, 30, tzinfo=UTC), path.read_bytes()
compact_telemetry([root / "nowhere"], now)  # what is imported late is no step

def compact_for(steps):
    left = steps

    def count_down(event, arguments):
        nonlocal left
        left -= 1
        if left < 0 and event != "os.kill":
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count_down)
    compact_telemetry([root], now)
    os._exit(0)

for steps in range(1000):
    path.write_bytes(old)
    child = os.fork() or compact_for(steps)
    _, status = os.waitpid(child, 0)
    (states / f"{steps:03}").write_bytes(path.read_bytes())
    if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
        break
print(os.waitstatus_to_exitcode(status))
"""


def test_killed_at_any_step_the_old_file_is_there_or_the_new_one(tmp_path):
    """Every call to the system that Python knows of is a step."""
    root, states = tmp_path / "project", tmp_path / "states"
    states.mkdir()
    path = put(root, event("started", TS), finished(TS), finished(TS), b"torn", month=OLD)
    put(root, outcome("held", "2026-09-10T10:00:00Z"), month="2026-09")
    before, old = reviewed(root), path.read_bytes()
    process = in_a_process(KILLED, str(root), str(path), str(states))
    assert process.communicate() == (b"0\n", b"")
    found = [state.read_bytes() for state in sorted(states.iterdir())]
    new = found[-1]
    assert found == [old] * found.index(new) + [new] * found.count(new)
    assert found.count(old) > 10 and found.count(new) > 1
    same = {"lines", "left_out", "broken"}
    assert reviewed(root).model_dump(exclude=same) == before.model_dump(exclude=same)
    names = {each.name for each in path.parent.iterdir()}
    assert names == {f"{OLD}.jsonl", "2026-09.jsonl"}  # what was left behind is taken away
