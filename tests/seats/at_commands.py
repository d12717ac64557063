"""Commands that take a seat: the replayed vendor's, and ones that look around."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from keystone_roundtable.core.engine_entries import CliEntry
from keystone_roundtable.core.seating import Seat, Turn
from keystone_roundtable.core.spending_plan import Limits
from keystone_roundtable.runtime.processes import FAMILY, SeatPrograms
from keystone_roundtable.seats.asking import SeatAsk
from keystone_roundtable.seats.cli_engine import CliEngine
from keystone_roundtable.seats.rounds import Rounds

from .at_table import FixedClock, Kept, Opening

REPLAY = Path(__file__).parents[1] / "replays" / "replay.py"
CLAUDE: dict[str, Any] = {
    "form": "json", "answer": "result", "error": "is_error", "error_text": "result",
    "input_tokens": ("usage.input_tokens", "usage.cache_read_input_tokens"),
    "cached_tokens": ("usage.cache_read_input_tokens",),
    "output_tokens": ("usage.output_tokens",), "cost_usd": ("total_cost_usd",),
}  # fmt: skip
TASK = 'Choose.\n- "build"\n- "defer"\n'


def entry(how: str, **changes: Any) -> CliEntry:
    given = {
        "kind": "cli",
        "argv": (sys.executable, str(REPLAY), how),
        "output": CLAUDE,
        "version_argv": (str(REPLAY), "version"),
        "login_words": ("not logged in", "please run /login"),
        "login_statuses": (41,),
        "login_hint": "Log in: replay login",
        "homes": ("seen",),
    }
    return CliEntry.model_validate({**given, **changes})


def left_of(family: str) -> list[str]:
    """Command lines of every process that still belongs to the family."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if f"{FAMILY}={family}".encode() in (folder / "environ").read_bytes():
                    found.append((folder / "cmdline").read_text())
            except OSError:
                continue
    return found


def held(
    one: CliEntry,
    family: str,
    home: Path,
    limits: Limits | None = None,
    *,
    hidden: Sequence[Path] = (),
    sealed: Sequence[Path] = (),
    **changes: Any,
) -> tuple[Turn, Kept]:
    engine = CliEngine(
        "replay", one, None, programs=SeatPrograms(), family=family, hidden=hidden, sealed=sealed,
        environ={"PATH": os.environ["PATH"], "HOME": str(home), "SECRET_OF_MINE": "no"},
    )  # fmt: skip
    watcher = Kept()
    asked = {"stable": "You sit.", "task": TASK, "shape": Opening, **changes}
    ask = SeatAsk(seat=Seat(name="ada", engine="replay"), **asked)
    with Rounds(lambda seat: engine, FixedClock(), limits or Limits(seat_s=60)) as rounds:
        (turn,) = rounds.hold("open", [ask], watcher)
    return turn, watcher


_LOOKING = """
import json, os, sys
from pathlib import Path
sys.stdin.read()
def found(path):
    try:
        return sorted(os.listdir(path)) if path.is_dir() else path.read_text()
    except OSError as error:
        return type(error).__name__
seen = {one: found(Path(one)) for one in json.loads(os.environ["LOOKS_AT"])}
beside = [str(one) for one in Path.cwd().parent.iterdir()]
told = {"seen": seen, "beside": beside, "home": os.environ["HOME"], "here": str(Path.cwd())}
Path(os.environ["HOME"], "seen", "looked.json").write_text(json.dumps(told))
print(json.dumps({"position": "build", "confidence": 5, "reason": "I looked."}))
"""


def looking_agent(at: Path, *looks_at: Path, **changes: Any) -> CliEntry:
    """A command of its own, put at this place, that notes what it sees of these."""
    at.parent.mkdir(parents=True, exist_ok=True)
    at.write_text(f"#!{sys.executable}\n{_LOOKING}")
    at.chmod(0o700)
    looked = {"LOOKS_AT": json.dumps([str(one) for one in looks_at])}
    given = {
        "argv": (str(at),), "output": {"form": "text"}, "version_argv": (),
        "set_environment": looked, **changes,
    }  # fmt: skip
    return entry("", **given)


def looked(home: Path) -> dict[str, Any]:
    told = json.loads((home / "seen" / "looked.json").read_text())
    assert isinstance(told, dict)
    return told
