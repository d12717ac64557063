"""`doctor`: what is set and from where, where text would go, and whether the model answers.

Nothing is written, no provider's library is imported, and no key is ever shown. Without `--check`
nothing is sent either; with it, one request without a word of any session.
"""

from __future__ import annotations

import json
import os
from argparse import Namespace

from ..doctoring.examining import examine
from ..doctoring.showing import lines_of
from ..wiring import root_of


def doctor(options: Namespace) -> int:
    """Prints what was found. 0 when all is fine, 1 when something in force does not work."""
    found = examine(root_of(options.root), options, os.environ)
    if options.json:
        print(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        for line in lines_of(found):
            print(line)
    return int(found["status"])
