"""The skill file followed word for word, in a shell, by an agent that knows nothing else.

Every line it sends is one that the file shows, with the places in capitals filled in.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from outcome_cases import CASES, Case

from keystone_roundtable.cli.main import main

from .agent import Agent
from .prepared import prepared
from .programs import path_with_program

pytestmark = pytest.mark.real

REPOSITORY = Path(__file__).parents[2]
TRIED = (
    "deferred",
    "too much missing",
    "converged",
    "irreversible, not confirmed",
    "irreversible, confirmed by typing it",
)
BY_AGENT = ("converged", "irreversible, confirmed by typing it")


class Follower:
    """Sends what the file shows, and nothing else."""

    def __init__(self, text: str, folder: Path, model: str) -> None:
        (self._command,) = re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S)
        shown = [json_like(line) for line in re.findall(r'`({"op": .*?})`', text)]
        self._shown = {line["op"]: line for line in shown}
        self._model = model
        self._path = path_with_program(folder)
        self._project = folder / "project"
        self._project.mkdir()

    def start(self, topic: str) -> dict[str, Any]:
        begun = json_like(self._command.split("\n")[1])
        assert begun["model"] == "host"
        return self._run(
            {**begun, "topic": topic, "model": self._model, "request_id": "a new word"}
        )

    def send(self, op: str, last: dict[str, Any], **filled: Any) -> dict[str, Any]:
        shown = self._shown[op]
        opened = last["question"]["id"] if "question" in last else last["id"]
        places = {"session": last["session"], "for": opened, **filled}
        assert set(places) <= set(shown)
        return self._run({**shown, **places})

    def _run(self, request: dict[str, Any]) -> dict[str, Any]:
        before, _, after = self._command.split("\n", 2)
        line = json.dumps(request, ensure_ascii=False)
        done = subprocess.run(
            ["sh", "-c", f"{before}\n{line}\n{after}"], cwd=self._project, text=True,
            env={"PATH": self._path}, capture_output=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout
        response: dict[str, Any] = json.loads(done.stdout)
        return response


def json_like(line: str) -> dict[str, Any]:
    """A request with its places, which are bare words in capitals, as texts."""
    value: dict[str, Any] = json.loads(re.sub(r": ([A-Z][A-Z ]*)(?=[,}])", r': "\1"', line))
    return value


@pytest.mark.parametrize(
    ("case", "model"),
    [
        pytest.param(
            case,
            model,
            id=f"{case.name}-{model}",
            # The agent as the model is asked far more often: two ends a day are enough of that.
            marks=[pytest.mark.long] if model == "host" and case.name not in BY_AGENT else [],
        )
        for case in CASES
        if case.name in TRIED
        for model in ("host", "offline")
    ],
)
def test_the_file_alone_leads_to_a_report(
    case: Case, model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["skill", "print"]) == 0
    follower = Follower(capsys.readouterr().out, tmp_path, model)
    player = Agent(follower._run, play=prepared(case.topic))
    said = iter([one for one in case.answers if isinstance(one, str)])
    typed = next((one["confirm"] for one in case.answers if isinstance(one, dict)), None)
    last = follower.start(case.topic)
    while (need := last["need"]) != "nothing":
        if need == "model":
            last = follower.send("model_reply", last, reply=json.loads(player.played(last)))
        elif need == "answer":
            last = follower.send("answer", last, text=next(said))
        elif typed is not None:
            last = follower.send("confirm", last, text=typed)
        else:
            last = follower.send("stop", last)
    assert last["report_markdown"].startswith("## Roundtable Final Report")
    assert last["exit"]["status"] == case.status
    assert tuple(last["contract"]["confidence_reasons"]) == case.reasons
