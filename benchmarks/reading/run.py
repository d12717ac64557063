"""Trains the weights on the seen half, or measures the reading on all material."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace

from keystone_roundtable.content.trained import FOLDER, path_of
from keystone_roundtable.reading.linear_model import dump
from keystone_roundtable.reading.rules import WeightsName


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reading", description=__doc__)
    deeds = parser.add_subparsers(dest="deed", required=True)
    train = deeds.add_parser("train", help="fit the weights and write them into the package")
    train.add_argument("names", nargs="*", metavar="NAME", help="signals, routes, modes; else all")
    measure = deeds.add_parser("measure", help="print the tables of docs/evaluation.md")
    measure.add_argument("--answers", metavar="FILE", help="further labelled answers, JSON lines")
    measure.add_argument("--topics", metavar="FILE", help="further labelled topics, JSON lines")
    options = parser.parse_args(arguments)
    if options.deed == "train":
        return _train(options.names)
    from .measuring import print_tables

    print_tables(options.answers, options.topics)
    return 0


def _train(names: Sequence[WeightsName]) -> int:
    from .material import digest
    from .models import KINDS, LABELS, SETTINGS, examples_of
    from .training import fit

    FOLDER.mkdir(exist_ok=True)
    for name in names or tuple(LABELS):
        began = time.perf_counter()
        examples = [one.example for one in examples_of(name)]
        model = fit(examples, LABELS[name], SETTINGS[name])
        data = dump(replace(model, trained_on=digest("seen", KINDS[name])))
        path_of(name).write_bytes(data)
        seconds = time.perf_counter() - began
        print(f"{name}: {len(examples):,} lines, {len(data):,} bytes, {seconds:.0f} s")
    return 0
