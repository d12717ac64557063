"""`eval answers|topics FILE`: how well the reading rules do on labelled lines."""

from __future__ import annotations

import json
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ...core.errors import UsageError
from ...core.plain import storable
from ...core.report import shorten
from ...reading.rules import Rules
from ..wiring import load_rules

_Judged = tuple[str, str, str]
"""What was judged, the label, and what the rules read."""


def evaluate(options: Namespace) -> int:
    rules = load_rules()
    items = list(_items(Path(options.file)))
    measures = _answers(items, rules) if options.what == "answers" else _topics(items, rules)
    results = {name: _measure(judged) for name, judged in measures.items()}
    if options.json:
        print(json.dumps(results, ensure_ascii=False, indent=2))
        return 0
    for name, result in results.items():
        print(f"{name}: {result['right']} of {result['items']} right ({result['accuracy']:.1%})")
        for miss in result["misses"]:
            print(f"    {miss['label']} read as {miss['read']}: {shorten(miss['text'], 70)}")
    return 0


def _items(path: Path) -> Iterator[dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", "Name a file of JSON lines") from error
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except ValueError as error:
            raise UsageError(f"{path}, line {number}: not JSON ({error})") from error
        if not isinstance(item, dict):
            raise UsageError(f"{path}, line {number}: not a JSON object")
        yield {"line": f"{path}, line {number}", **item}


def _field(item: dict[str, Any], name: str) -> str:
    value = item.get(name)
    if not isinstance(value, str):
        raise UsageError(f"{item['line']}: field '{name}' must be a text")
    return storable(value)


def _answers(items: list[dict[str, Any]], rules: Rules) -> dict[str, list[_Judged]]:
    judged: list[_Judged] = []
    for item in items:
        text = _field(item, "answer")
        read = (
            rules.signal(text, _field(item, "question"), ()).signal
            if text.strip()
            else "low_information"  # a session asks again; here it has to have a label
        )
        judged.append((text, _field(item, "label"), read))
    return {"signal": judged}


def _topics(items: list[dict[str, Any]], rules: Rules) -> dict[str, list[_Judged]]:
    routes: list[_Judged] = []
    modes: list[_Judged] = []
    sizes: list[_Judged] = []
    for item in items:
        topic = _field(item, "topic")
        routes.append((topic, _field(item, "route"), rules.route(topic)[0]))
        if item["route"] == "roundtable":
            modes.append((topic, _field(item, "mode"), rules.mode(topic).mode))
            sizes.append((topic, _field(item, "complexity"), rules.complexity(topic)))
    return {"route": routes, "mode": modes, "complexity": sizes}


def _measure(judged: list[_Judged]) -> dict[str, Any]:
    misses = [item for item in judged if item[1] != item[2]]
    return {
        "items": len(judged),
        "right": len(judged) - len(misses),
        "accuracy": (len(judged) - len(misses)) / len(judged) if judged else 0.0,
        "confusion": _confusion(judged, lambda item: f"{item[1]} read as {item[2]}"),
        "misses": [{"text": t, "label": label, "read": read} for t, label, read in misses],
    }


def _confusion(judged: list[_Judged], name: Callable[[_Judged], str]) -> dict[str, int]:
    return dict(Counter(name(item) for item in judged).most_common())
