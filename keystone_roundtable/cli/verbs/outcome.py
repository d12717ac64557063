"""`outcome`: how a decision turned out, told months later."""

from __future__ import annotations

from argparse import Namespace

from ...review.aftermath import Aftermaths
from ..named import finished
from ..roots import root_of
from ..turning_out import take_down, told


def outcome(options: Namespace) -> int:
    root = root_of(options.root)
    found = finished(root, options.session)
    record = take_down(
        root, found, options.outcome, options.note, telemetry=not options.no_telemetry
    )
    if options.json:
        import json

        after = Aftermaths(root).of(found.id, found.folder).as_object()
        shown = {"session": found.id, "new": record.new, **after}
        print(json.dumps(shown, ensure_ascii=False, indent=2))
        return 0
    for line in told(root, found, options.outcome, record):
        print(line)
    return 0
