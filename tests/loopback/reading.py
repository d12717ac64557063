"""What a prompt of ours tells a model, read back from its text as a model would."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Literal

from .dialects import Asked

Step = Literal["preview", "assess", "conclude"]

_TOPIC = re.compile(r'^The topic of this session, as the person typed it: (".*")$', re.M)
_ENTRY = re.compile(r'^(F\d+)(?: \(.*?\))?: (".*")$', re.M)
_OPTION = re.compile(r'^(o\d+): (".*")$', re.M)
_ROLE = re.compile(r"^- ([a-z][a-z-]*) \(.*?\): answers for ", re.M)
_MODE = re.compile(r"^- (\w+): .*? Slots: (.*)\. Needed before it may end: ", re.M)
_SLOT = re.compile(r'(?:^|, |first: )(\w+) \("(.*?)"\)')
_ASKED_MODE = re.compile(r"^2\. mode: (\w+), as the person asked", re.M)
_ASKED_ROLES = re.compile(r"among them (.*?): 2 roles")
_ANSWER = re.compile(r'^The answer, which the ledger holds as (A\d+).*?: (".*")$', re.M)
_SEATED = re.compile(
    r"(?:6\. views: one|1\. role_views: one line) for each of (.*?)(?: with what|, in)"
)
_OPEN = re.compile(r"^7\. next_questions: .*$", re.M)
_DECIDED = re.compile(r'^- the decision: (".*?")(?: \(forced.*)?$', re.M)


@dataclass(frozen=True)
class Slot:
    id: str
    question: str


@dataclass(frozen=True)
class Situation:
    """One step as its prompt tells it. What another step's prompt would tell is empty."""

    step: Step
    topic: str
    ledger: dict[str, str]
    roles: tuple[str, ...]
    options: dict[str, str]
    mode: str | None
    asked_roles: tuple[str, ...]
    modes: dict[str, tuple[Slot, ...]]
    answer: str
    open_slots: tuple[Slot, ...]
    decided: str | None
    risk_wanted: bool


def situation(request: Asked) -> Situation:
    task = request.user
    step = _step(request)
    answered = _ANSWER.search(task)
    asked_roles = _ASKED_ROLES.search(task)
    seated = _SEATED.search(task)
    asked_mode = _ASKED_MODE.search(task)
    still_open = _OPEN.search(task)
    decided = _DECIDED.search(task)
    topic = _TOPIC.search(request.system)
    return Situation(
        step=step,
        topic=json.loads(topic[1]) if topic else "",
        ledger={entry: json.loads(words) for entry, words in _ENTRY.findall(task)},
        roles=_listed(seated[1]) if seated else tuple(_ROLE.findall(request.system)),
        options={option: json.loads(text) for option, text in _OPTION.findall(task)},
        mode=asked_mode[1] if asked_mode else None,
        asked_roles=_listed(asked_roles[1]) if asked_roles else (),
        modes={mode: _slots(slots) for mode, slots in _MODE.findall(request.system)},
        answer=json.loads(answered[2]) if answered else "",
        open_slots=_slots(still_open[0]) if still_open else (),
        decided=json.loads(decided[1]) if decided else None,
        risk_wanted="6. risk_disclosure:" in task,
    )


def _step(request: Asked) -> Step:
    fields = (request.schema or {}).get("properties", {})
    if "questions" in fields:
        return "preview"
    return "assess" if "signal" in fields else "conclude"


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split(", "))


def _slots(text: str) -> tuple[Slot, ...]:
    return tuple(Slot(*found) for found in _SLOT.findall(text))
