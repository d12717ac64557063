"""Full disks, folders without rights, strange locales, readers that leave: real processes."""

from __future__ import annotations

import json
import os
import resource
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

TOPIC = "Should we build the notification system now or defer it until after the refactor?"
ANSWERS = "\n".join(
    [
        "A pilot customer is told when an import fails",
        "The refactor, because the preferences would live there",
        "A push channel on mobile, nobody asked for it",
        "One kind of mail, switched on by hand",
    ]
)
THAI_AND_CHINESE = {
    "topic": "เราควรย้ายไปใช้ Postgres ตอนนี้ หรือรอไตรมาสหน้า?",
    "answers": ["ลูกค้านำร่องได้รับแจ้งเมื่อนำเข้าล้มเหลว", "先做设置重构，因为通知偏好会放在新设置里"],
}


def command(*arguments: str) -> str:
    return shlex.join(["roundtable", *arguments])


# -- places that cannot be written -----------------------------------------------------


@pytest.fixture
def small_disk(tmp_path):
    """A file system of its own, 256 kB small; skips where none may be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(folder)]
    if os.getuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("no file system may be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def blocks(folder: Path) -> int:
    """The blocks of 4 kB that the files below a folder take."""
    return sum(-(-path.stat().st_size // 4096) for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("share", [0, 0.1, 0.3, 0.5, 0.7, 0.85])
def test_a_full_disk_is_one_clear_line_and_a_session_to_go_on_with(
    small_disk, project, shell, share
):
    """Wherever the space runs out: nothing is half-written, and no answer is asked for again."""
    line = f"printf '%s\\n' {shlex.quote(ANSWERS)} | {command('run', TOPIC, '--answers', '-')}"
    assert shell(line).returncode == 0
    free = int(share * blocks(project / ".keystone"))  # of what a whole session takes
    (small_disk / ".keystone").mkdir()
    ballast = small_disk / "ballast"
    disk = os.statvfs(small_disk)
    ballast.write_bytes(bytes(disk.f_bavail * disk.f_frsize - free * 4096))
    ran = shell(f"{line} --json", cwd=small_disk)
    assert ran.returncode == 1
    assert ran.stdout == b""
    complaint = ran.stderr.decode().splitlines()[-1]
    assert "No space left on device" in complaint
    assert "Free some disk space" in complaint
    assert b"Traceback" not in ran.stderr
    for path in (small_disk / ".keystone").rglob("*"):
        assert path.suffix != ".tmp"
        if path.suffix == ".json":
            json.loads(path.read_text())
        if path.suffix == ".jsonl":
            assert path.read_bytes().endswith(b"\n") or path.stat().st_size == 0
    ballast.unlink()
    sessions = list((small_disk / ".keystone").glob("roundtable/sessions/*"))
    if not sessions:
        return
    (session,) = sessions
    assert f"keystone-roundtable resume {session.name}" in complaint
    given = (session / "events.jsonl").read_text().count('"answer_given"')
    rest = "\n".join(ANSWERS.splitlines()[given:])
    resumed = shell(
        f"printf '%s\\n' {shlex.quote(rest)} | {command('resume', '--answers', '-', '--json')}",
        cwd=small_disk,
    )
    assert resumed.returncode == 0, resumed.stderr
    shown = json.loads(resumed.stdout)
    assert [q["answers"][0]["text"] for q in shown["questions"]] == ANSWERS.splitlines()
    assert json.loads((session / "contract.json").read_text()) == shown["contract"]


@pytest.mark.parametrize("size_bytes", [100, 1_000, 4_000, 8_000, 12_000])
def test_a_limit_on_file_sizes_is_one_clear_line(project, size_bytes):
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, size_bytes))

    ran = subprocess.run(
        [sys.executable, "-B", "-m", "keystone_roundtable", "run", TOPIC, "--answers", "-"],
        input=ANSWERS.encode(),
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        preexec_fn=limit,
        timeout=60,
    )
    assert ran.returncode == 1
    assert b"File too large" in ran.stderr.splitlines()[-1]
    assert b"Traceback" not in ran.stderr


def test_a_read_only_folder_is_one_clear_line(small_disk, shell):
    remount = ["mount", "-o", "remount,ro", str(small_disk)]
    subprocess.run(remount, check=True)
    ran = shell(command("run", TOPIC, "--answers", "/dev/null"), cwd=small_disk)
    assert ran.returncode == 1
    (line,) = ran.stderr.decode().splitlines()
    assert "Read-only file system" in line and "--root" in line


def test_a_file_where_keystone_should_be_is_one_clear_line(project, shell):
    (project / ".keystone").write_text("mine")
    ran = shell(command("run", TOPIC, "--answers", "/dev/null"))
    assert ran.returncode == 1
    (line,) = ran.stderr.decode().splitlines()
    assert "stands where a folder is needed" in line
    assert (project / ".keystone").read_text() == "mine"


def test_a_working_directory_that_is_gone_is_one_clear_line(project, shell):
    ran = shell(f"mkdir gone; cd gone; rmdir ../gone; {command('run', TOPIC, '--answers', '-')}")
    assert ran.returncode == 2
    (line,) = ran.stderr.decode().splitlines()
    assert "the working directory is gone" in line and "--root" in line


def test_a_working_directory_that_is_gone_does_not_matter_where_a_root_is_named(project, shell):
    words = command("run", TOPIC, "--answers", "/dev/null", "--root", str(project))
    ran = shell(f"mkdir gone; cd gone; rmdir ../gone; {words}")
    assert ran.returncode == 6, ran.stderr


# -- what reads our output -------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ["list"],
        ["show", "20"],
        ["run", TOPIC, "--answers", "/dev/null", "--json"],
        ["contract-schema"],
        ["modes", "--json"],
        ["--help"],
    ],
)
@pytest.mark.parametrize("reader", ["true", "head -1"])
def test_a_reader_that_leaves_early_gets_no_complaint(project, shell, call, words, reader):
    call("run", TOPIC, "--answers", "-")
    ran = shell(f"{command(*words)} | {reader}")
    assert b"keystone-roundtable: " not in ran.stderr
    assert b"Error" not in ran.stderr and b"Exception" not in ran.stderr


@pytest.mark.parametrize("words", [["contract-schema"], ["list"], ["--help"]])
def test_an_output_that_is_full_is_one_clear_line(project, shell, words):
    ran = shell(f"{command(*words)} > /dev/full")
    assert ran.returncode == 1
    (line,) = ran.stderr.decode().splitlines()
    assert "standard output: No space left on device" in line


# -- locales ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "variables",
    [
        {"LANG": "C"},
        {"LC_ALL": "C"},
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "cp1252:strict", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        {"LANG": "xx_YY.nonsense"},
    ],
)
def test_thai_and_chinese_stay_intact_whatever_the_locale(process, project, variables):
    (project / "ข้อเสนอ.md").write_text("我们下周上线。\n", encoding="utf-8")
    answers = "\n".join(THAI_AND_CHINESE["answers"])
    (project / "คำตอบ.txt").write_text(answers, encoding="utf-8")
    topic = THAI_AND_CHINESE["topic"]
    options = ["--answers", "คำตอบ.txt", "--context", "ข้อเสนอ.md", "--json"]
    ran = process("run", topic, *options, **variables)
    assert ran.returncode == 6, ran.stderr
    shown = json.loads(ran.stdout.decode("utf-8"))
    given = [q["answers"][0]["text"] for q in shown["questions"] if q["answers"]]
    assert given == THAI_AND_CHINESE["answers"]
    ended = process("resume", "--answers", "-", stdin=b"/stop\n", **variables)
    assert ended.returncode in (0, 3), ended.stderr
    for text in (ended.stdout, (project / shown["paths"]["session"] / "report.md").read_bytes()):
        assert THAI_AND_CHINESE["answers"][0][:20] in text.decode("utf-8")
        assert "先做设置重构" in text.decode("utf-8")
    listed = process("list", **variables).stdout.decode("utf-8")
    assert topic[:20] in listed
    log = (project / shown["paths"]["session"] / "events.jsonl").read_text("utf-8")
    assert "ข้อเสนอ.md" in log and "我们下周上线" in log
    process("state", "set", "note", topic, **variables)
    assert json.loads(process("state", "get", "note", **variables).stdout.decode()) == topic
