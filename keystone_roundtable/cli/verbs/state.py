"""`state init|get|set|show`: `.keystone/state.json` from a shell."""

from __future__ import annotations

import json
from argparse import Namespace

from ...stores.state import KeystoneState, parse_value
from ..typed import as_typed
from ..wiring import root_of


def carry_out(options: Namespace) -> int:
    state = KeystoneState(root_of(options.root))
    match options.deed:
        case "init":
            state.init()
        case "get":
            print(json.dumps(state.get(as_typed(options.key)), ensure_ascii=False))
        case "set":
            state.set_many({as_typed(options.key): parse_value(as_typed(options.value))})
        case _:
            print(json.dumps(state.show(), ensure_ascii=False, indent=2))
    return 0
