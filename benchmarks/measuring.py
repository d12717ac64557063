"""What a process costs, and a figure over its reference."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Cost:
    """What a process took: seconds on the wall and of the processor, and its peak in kB."""

    wall_s: float
    cpu_s: float
    peak_kb: int


@dataclass(frozen=True)
class Ratio:
    """A figure over its reference; `target` is the most it may be, None where none is set."""

    name: str
    value: float
    target: float | None = None

    @property
    def holds(self) -> bool:
        return self.target is None or self.value <= self.target

    def __str__(self) -> str:
        shown = f"{self.name:<72}{self.value:6.2f}x"
        if self.target is None:
            return shown
        return f"{shown}   target <= {self.target:g}x: {'holds' if self.holds else 'DOES NOT HOLD'}"


def process_cost(words: Sequence[str], project: Path) -> Cost:
    """One Python process in a project folder. Raises where it fails."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *words],
        cwd=project,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall_s = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 6):  # done, or paused for want of answers
        raise SystemExit(f"{' '.join(words)} ended with status {process.returncode}")
    return Cost(wall_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
