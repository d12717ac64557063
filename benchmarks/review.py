"""How long a review of many lines takes, beside a loop that only parses them.

Alone: `python -m benchmarks.review [--lines N] [--runs N]`.
"""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .measuring import Cost, Ratio, process_cost

LINES = 1_000_000
RUNS = 3
SECOND_S = 0.5
PEAK_MB = 60

_BARE = """
import sys
from pathlib import Path
from pydantic_core import from_json

for path in sorted(Path(sys.argv[1]).glob(".keystone/telemetry/events/*.jsonl")):
    with path.open("rb") as file:
        for line in file:
            try:
                from_json(line)
            except ValueError:
                pass
"""
_COUNTED_BY_DUCKDB = """
import sys
import duckdb

duckdb.sql(
    "SELECT json->>'event', json->>'decision', count(*), avg((json->>'confidence')::DOUBLE)"
    f" FROM read_ndjson_objects('{sys.argv[1]}/.keystone/telemetry/events/*.jsonl',"
    " ignore_errors=true) GROUP BY ALL"
).fetchall()
"""
_REVIEW = ("-m", "keystone_roundtable", "review", "--json")


def review_ratios(folder: Path, lines: int, runs: int = RUNS) -> list[Ratio]:
    """Writes a store of `lines` lines and one of half as many into `folder`, and reviews them."""
    from tests.review.telemetry_store import write_store

    whole = write_store(folder / "whole", lines, repeated_across=0)
    half = write_store(folder / "half", lines // 2, repeated_across=0)
    costs: dict[str, list[Cost]] = {}

    def measure(name: str, words: Sequence[str], project: Path) -> None:
        costs.setdefault(name, []).append(process_cost(words, project))

    for _ in range(runs):
        for project in (whole, half):
            shutil.rmtree(project / ".keystone" / "roundtable", ignore_errors=True)
        measure("bare", ("-c", _BARE, str(whole)), whole)
        measure("first", _REVIEW, whole)
        measure("second", _REVIEW, whole)
        measure("half", _REVIEW, half)
        if importlib.util.find_spec("duckdb"):
            measure("duckdb", ("-c", _COUNTED_BY_DUCKDB, str(whole)), whole)

    def wall(name: str) -> float:
        return statistics.median(cost.wall_s for cost in costs[name])

    def cpu(name: str) -> float:
        return statistics.median(cost.cpu_s for cost in costs[name])

    def peak_mb(*names: str) -> float:
        return max(cost.peak_kb for name in names for cost in costs[name]) / 1024

    ratios = [
        Ratio(
            f"first review of {lines:,} lines / a loop that only parses",
            wall("first") / wall("bare"),
            3,
        ),
        Ratio("  the same in processor time", cpu("first") / cpu("bare")),
        Ratio(
            f"  twice the lines ({wall('first'):.1f} s) / twice the time",
            wall("first") / wall("half") / 2,
            1.2,
        ),
        Ratio(
            f"second review ({wall('second'):.2f} s) / {SECOND_S} s", wall("second") / SECOND_S, 1
        ),
        Ratio(
            f"peak of both ({peak_mb('first', 'second'):.0f} MB) / {PEAK_MB} MB",
            peak_mb("first", "second") / PEAK_MB,
            1,
        ),
    ]
    if "duckdb" in costs:
        told = f"{wall('duckdb'):.1f} s, {peak_mb('duckdb'):.0f} MB"
        ratios.append(
            Ratio(f"one GROUP BY in DuckDB ({told}) / the same loop", wall("duckdb") / wall("bare"))
        )
    return ratios


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.review", description=__doc__)
    parser.add_argument("--lines", type=int, default=LINES)
    parser.add_argument("--runs", type=int, default=RUNS)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        ratios = review_ratios(Path(folder), options.lines, options.runs)
    for ratio in ratios:
        print(ratio)
    return 0 if all(ratio.holds for ratio in ratios) else 1


if __name__ == "__main__":
    sys.exit(main())
