"""What reading costs: an answer once everything is loaded, and loading it.

The reference for an answer is counting its runs of two to four letters in plain Python, which any
reading by letters has to do; for loading, importing pydantic in a fresh interpreter.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from .material import answer_lines

REPOSITORY = Path(__file__).resolve().parents[2]
LINES = 400
_LOAD = """
import time
from keystone_roundtable.cli.wiring import load_rules
from keystone_roundtable.reading import answer, signal, weighing
began = time.perf_counter()
load_rules().signal("the orders stay", "What must survive?", ())
print(time.perf_counter() - began)
"""
_IMPORT = "import time; began = time.perf_counter(); import pydantic.main; "
_IMPORT += "print(time.perf_counter() - began)"


def reading_speed() -> tuple[float, float, float, float]:
    """Seconds: an answer, its reference, loading, its reference. Medians of one run, in turns."""
    from keystone_roundtable.cli.wiring import load_rules

    rules = load_rules()
    lines = answer_lines("unseen")[:: max(1, len(answer_lines("unseen")) // LINES)]
    for line in lines:
        rules.signal(line.answer, line.question, ())  # loads every language

    def read() -> None:
        for line in lines:
            rules.signal(line.answer, line.question, ())

    def count() -> None:
        for line in lines:
            text = line.answer.casefold()
            Counter(text[i : i + n] for n in (2, 3, 4) for i in range(len(text) - n + 1))

    read_s, count_s = _in_turns(read, count)
    load_s = statistics.median(_fresh(_LOAD) for _ in range(5))
    import_s = statistics.median(_fresh(_IMPORT) for _ in range(5))
    return read_s / len(lines), count_s / len(lines), load_s, import_s


def _in_turns(first: Callable[[], None], second: Callable[[], None]) -> tuple[float, float]:
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(5):
        for deed, times in zip((first, second), taken, strict=True):
            began = time.perf_counter()
            deed()
            times.append(time.perf_counter() - began)
    return statistics.median(taken[0]), statistics.median(taken[1])


def _fresh(code: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, check=True, capture_output=True, text=True
    )
    return float(done.stdout)
