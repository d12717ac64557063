"""`review`: what the telemetry of one or many projects says."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...core.errors import UsageError
from ...core.telemetry import SKILL
from ...review.reviewing import Wanted
from ...review.reviewing import review as review_of
from ...review.span import make_span
from ..roots import root_of
from ..typed import as_typed


def review(options: Namespace) -> int:
    if options.schema:
        from ...review.figures import review_schema

        return _print_json(review_schema())
    if options.sql is not None:
        return _ask(options)
    if options.html and options.json:
        raise UsageError("--html and --json do not go together", "Leave one out")
    span = make_span(options.since, options.until)
    skill = SKILL if options.skill is None else as_typed(options.skill)
    told = review_of(Wanted(roots_of(options.root), span, skill), datetime.now(UTC))
    if options.json:
        return _print_json(told.model_dump(mode="json"))
    from ..reviewing import print_review, write_page

    if options.html:
        write_page(told, Path(options.html))
        print(f"Written: {as_typed(options.html)}", file=sys.stderr)
    else:
        print_review(told, sys.stdout, plain=options.plain)
    return 0


def roots_of(given: list[str]) -> list[Path]:
    """The projects that are named, or the one found upwards. Raises `UsageError`."""
    return [root_of(each) for each in given] or [root_of(None)]


def _ask(options: Namespace) -> int:
    """The answer to SQL, which has its own words for time and skill."""
    if options.since or options.until or options.skill:
        raise UsageError(
            "--sql is over every event", "Say WHERE ts >= '2026-09-01' or WHERE skill = ... instead"
        )
    from ...review.sql import ask

    answer = ask(roots_of(options.root), as_typed(options.sql))
    if options.json:
        rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
        return _print_json({"rows": rows})
    from ...terminal.answer_table import answer_table
    from ...terminal.columns import columns_of

    for line in answer_table(answer.columns, answer.rows, columns_of(sys.stdout)):
        print(line)
    return 0


def _print_json(value: Any) -> int:
    print(json.dumps(value, ensure_ascii=False, indent=2, default=str))
    return 0
