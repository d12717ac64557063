"""The example exchange of `docs/step-protocol.md` is what really happens, its tables are whole."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

from keystone_roundtable.pipeline.errors import Code

from .agent import Send

PAGE = (Path(__file__).parents[2] / "docs" / "step-protocol.md").read_text(encoding="utf-8")
EXAMPLE = re.findall(r"^> (.*)\n< (.*)$", PAGE, re.M)
LEFT_OUT = "…"


def fits(shown: Any, real: Any) -> bool:
    """Whether `real` is what is shown, apart from what `…` leaves out."""
    match shown:
        case str():
            start, left_out, _ = shown.partition(LEFT_OUT)
            return isinstance(real, str) and (real.startswith(start) if left_out else real == shown)
        case dict():
            named = {key: value for key, value in shown.items() if key != LEFT_OUT}
            whole = len(named) < len(shown) or set(named) == set(real)
            return whole and all(key in real and fits(named[key], real[key]) for key in named)
        case _:
            return bool(shown == real)


def test_the_example_is_what_happens(send: Send) -> None:
    ids: dict[str, str] = {}
    for shown_request, shown_response in EXAMPLE:
        request = json.loads(shown_request)
        if "session" in request:
            request["session"] = ids[request["session"]]
        response = send(request)
        expected = json.loads(shown_response)
        if request["op"] == "start":
            ids[expected["session"]] = response["session"]
        if "session" in expected:
            expected["session"] = ids[expected["session"]]
        assert fits(expected, response), (request, response)
    assert expected["need"] == "nothing"


def test_every_code_stands_on_the_page() -> None:
    told = re.findall(r"^\| `(\w+)` \|", PAGE.partition("## Errors")[2], re.M)
    assert told[0] == "code"
    assert sorted(told[1:]) == sorted(get_args(Code))
