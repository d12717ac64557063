"""Prints each figure as a ratio of two medians, taken in turns in one run: no absolute promises.

A machine that is slow or busy slows both sides. Status 1 where a target does not hold.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import pty
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from keystone_roundtable.stores.sessions import SessionStore

from .decisions import decisions_ratios
from .measuring import REPOSITORY, Cost, Ratio, process_cost
from .reading.speed import reading_speed
from .review import LINES, review_ratios
from .seats import seat_ratios
from .shapes import shape_ratios
from .waiting import told, waited

SESSIONS = 10_000
TOPIC = "Should we build the notification system now or defer it until after the settings refactor?"
ANSWERS = """\
A pilot customer gets told when an import fails, without calling us
The settings refactor, because the preferences would live in the new settings
A push channel on mobile, nobody asked for it yet
One kind of mail, for failed imports only, switched on by hand
"""
IMPORTS = "import prompt_toolkit, pydantic, yaml, jinja2"
PROGRAM = ("-m", "keystone_roundtable")
HELD = ("run", TOPIC, "--json", "--answers")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--runs", type=int, default=9, help="of each process (default 9)")
    parser.add_argument("--sessions", type=int, default=SESSIONS, help="past ones (default 10,000)")
    parser.add_argument("--lines", type=int, default=LINES, help="to review (default 1,000,000)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        # First what measures memory: a process begins with the peak of the one that starts it.
        ratios = process_ratios(Path(folder), options.runs)
        ratios += review_ratios(Path(folder) / "telemetry", options.lines)
        ratios.append(listing(Path(folder), options))
        held = Path(folder) / "held"
        held.mkdir()
        hold_one(held)
        ratios += decisions_ratios(Path(folder), held, options.sessions, options.runs)
    ratios += reading_ratios() + shape_ratios()
    ratios += waiting_ratios()
    ratios += seat_ratios()
    for ratio in ratios:
        print(ratio)
    return 0 if all(ratio.holds for ratio in ratios) else 1


def process_ratios(folder: Path, runs: int) -> list[Ratio]:
    answers = folder / "answers.txt"
    answers.write_text(ANSWERS, encoding="utf-8")
    costs = in_turns(
        {
            "bare": ("-c", "pass"),
            "help": (*PROGRAM, "--help"),
            "imports": ("-c", IMPORTS),
            "question": (*PROGRAM, "run", TOPIC),
            "session": (*PROGRAM, *HELD, str(answers)),
        },
        folder,
        runs,
    )

    def wall(name: str) -> float:
        return statistics.median(cost.wall_s for cost in costs[name])

    def cpu(name: str) -> float:
        return statistics.median(cost.cpu_s for cost in costs[name])

    def peak(name: str) -> float:
        return statistics.median(cost.peak_kb for cost in costs[name])

    libraries = IMPORTS.removeprefix("import ")
    return [
        Ratio("--help / bare interpreter", wall("help") / wall("bare"), 4),
        Ratio(f"first question in a terminal / {libraries}", wall("question") / wall("imports"), 2),
        Ratio("one scripted session / the same imports", wall("session") / wall("imports")),
        Ratio("  the same in processor time", cpu("session") / cpu("imports")),
        Ratio("  its peak memory / that of the imports", peak("session") / peak("imports")),
    ]


def in_turns(
    commands: Mapping[str, Sequence[str]], folder: Path, runs: int
) -> dict[str, list[Cost]]:
    """Each command once to warm up, then all of them `runs` times, one after the other."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for number in range(-1, runs):
        for name, words in commands.items():
            project = Path(tempfile.mkdtemp(dir=folder))
            measure = first_question_cost if name == "question" else process_cost
            cost = measure(words, project)
            if number >= 0:
                costs[name].append(cost)
            shutil.rmtree(project)
    return costs


def first_question_cost(words: Sequence[str], project: Path) -> Cost:
    """From the start of the process to the moment its first question stands on a real terminal."""
    ours, its = pty.openpty()
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *words],
        cwd=project,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(REPOSITORY),
            "TERM": "xterm-256color",
            "PROMPT_TOOLKIT_NO_CPR": "1",  # nobody answers here when it asks for the cursor
        },
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
    )
    os.close(its)
    shown = b""
    while b"Question 1" not in shown:
        shown += os.read(ours, 65536)
    wall_s = time.perf_counter() - began
    process.kill()
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = -signal.SIGKILL
    os.close(ours)
    return Cost(wall_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)


def reading_ratios() -> list[Ratio]:
    answer_s, count_s, load_s, import_s = reading_speed()
    return [
        Ratio(
            f"reading one answer ({answer_s * 1e3:.1f} ms) / counting its letter runs",
            answer_s / count_s,
        ),
        Ratio(
            f"loading what reads a first answer ({load_s * 1e3:.0f} ms) / importing pydantic",
            load_s / import_s,
        ),
    ]


def waiting_ratios() -> list[Ratio]:
    """The next question while the model takes seconds; nothing where no provider is installed."""
    if importlib.util.find_spec("pydantic_ai") is None:
        return []
    ratios = []
    for name, options, allowed_s in (
        ("--patience 0", ("--patience", "0"), 0.1),
        ("the default patience", (), 1.6),
    ):
        with tempfile.TemporaryDirectory() as folder:
            one = waited(Path(folder), *options)
        print(*told(name, one), sep="\n")
        ratios += [
            Ratio(f"slowest next question, {name} / {allowed_s:g} s", one.slowest_s / allowed_s, 1),
            Ratio("  its calls to the model / answers + 2", one.calls / (one.answers + 2), 1),
        ]
    return ratios


def listing(folder: Path, options: argparse.Namespace) -> Ratio:
    """Many copies of one finished session, listed, against reading their files and no more."""
    project = folder / "many"
    project.mkdir()
    hold_one(project)
    store = SessionStore(project)
    (original,) = store.ids()
    for number in range(options.sessions - 1):
        shutil.copytree(store.folder(original), store.path / f"{original[:8]}-{number:08x}")

    def list_them() -> None:
        assert sum(not summary.problem for summary in store.summaries()) == options.sessions

    def read_them() -> None:
        for session in store.path.iterdir():
            for name in ("events.jsonl", "contract.json"):
                (session / name).read_bytes()

    times = {each: [seconds(each) for _ in range(3)] for each in (read_them, list_them)}
    listed, read = (statistics.median(times[each]) for each in (list_them, read_them))
    return Ratio(f"listing {options.sessions:,} sessions / reading their files", listed / read)


def hold_one(project: Path) -> None:
    subprocess.run(
        [sys.executable, *PROGRAM, *HELD, "-"],
        input=ANSWERS.encode(),
        cwd=project,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        check=True,
    )


def seconds(deed: Callable[[], None]) -> float:
    began = time.perf_counter()
    deed()
    return time.perf_counter() - began
