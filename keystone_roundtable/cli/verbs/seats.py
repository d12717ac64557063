"""`seats`: what can take a seat on this machine, and why not. Nothing is sent to a provider."""

from __future__ import annotations

import os
from argparse import Namespace
from dataclasses import asdict

from ...terminal.seat_lines import listing_lines
from ..roots import root_of
from ..seat_listing import listed_seats

SCHEMA_VERSION = 1


def seats(options: Namespace) -> int:
    """Prints the list. 0: there is always the rehearsal."""
    found = [asdict(one) for one in listed_seats(root_of(options.root), os.environ)]
    if options.json:
        import json

        whole = {"schema_version": SCHEMA_VERSION, "seats": found}
        print(json.dumps(whole, ensure_ascii=False, indent=2))
    else:
        for line in listing_lines(found):
            print(line)
    return 0
