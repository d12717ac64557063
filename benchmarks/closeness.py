"""`python -m benchmarks.closeness`: how well decisions that were taken before are told from others.

`--write` counts the words anew that many topics share. The labelled pairs lie beside the tests.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

from keystone_roundtable.review.decisions_close import CLOSE, WORDS_FILE, closeness, units_of

_HERE = Path(__file__).resolve().parent
PAIRS = _HERE.parent / "tests" / "review" / "close_topics.jsonl"
TOPICS = sorted((_HERE / "reading").glob("*/topics/*.jsonl"))

_RARE = 0.01  # the share of topics up to which a word weighs fully
_FULL = 0.85  # what weighs more is left out of the file: it changes nothing that can be measured


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.closeness", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {WORDS_FILE.name} anew")
    if parser.parse_args(arguments).write:
        WORDS_FILE.write_text("".join(f"{line}\n" for line in words()), encoding="utf-8")
        print(f"written: {WORDS_FILE}")
        return 0
    for line in measured():
        print(line)
    return 0


def words() -> Iterator[str]:
    """Lines of a weight and the units that have it, the lightest first."""
    share: dict[str, float] = defaultdict(float)
    topics = defaultdict(list)
    for path in TOPICS:
        topics[path.stem] += [json.loads(line)["topic"] for line in path.open(encoding="utf-8")]
    for of_language in topics.values():
        counts = Counter(unit for topic in of_language for unit in units_of(topic))
        for unit, count in counts.items():
            share[unit] = max(share[unit], count / len(of_language))
    by_weight = defaultdict(list)
    for unit, common in share.items():
        weight = (math.log(1 / common) / math.log(1 / _RARE)) ** 2 if common > _RARE else 1.0
        if weight < _FULL:
            by_weight[round(weight, 1)].append(unit)
    for weight, units in sorted(by_weight.items()):
        yield " ".join([f"{weight:g}", *sorted(units)])


def measured() -> Iterator[str]:
    pairs = [json.loads(line) for line in PAIRS.open(encoding="utf-8")]
    for held_out in (False, True):
        chosen = [pair for pair in pairs if pair.get("held_out", False) is held_out]
        same = [closeness(p["earlier"], p["later"]) for p in chosen if p["close"]]
        others = [closeness(p["earlier"], p["later"]) for p in chosen if not p["close"]]
        crossed = [
            closeness(one["earlier"], other["later"])
            for one, other in product(chosen, repeat=2)
            if one["earlier"] != other["earlier"]
        ]
        name = "held out" if held_out else "chosen on"
        yield (
            f"{name}: {_above(same)} of {len(same)} found again; taken for it were "
            f"{_above(others)} of {len(others)} others on near subjects, "
            f"{_above(crossed)} of {len(crossed)} crossed pairs"
        )


def _above(values: Sequence[float]) -> int:
    return sum(value > CLOSE for value in values)


if __name__ == "__main__":
    sys.exit(main())
