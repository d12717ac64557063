"""Reviews to show: one of two busy years, an empty one, and one whose names attack the page."""

from __future__ import annotations

import random
from collections import Counter

from keystone_roundtable.review.figures import Review
from keystone_roundtable.review.reporting import Scope, Sessions, make_review
from keystone_roundtable.review.tally import MICRO, NANO, Tally, Usage

HOSTILE = "<img src=x onerror=alert(1)>\"'&\x1b[31m\u202eevil\u2066\x00]]>{{7*7}}"
"""Markup, quotes, a terminal escape, bidi overrides, a NUL and a template's braces."""

DECISIONS = {"roundtable-aligned": 9, "roundtable-deferred": 2, "roundtable-escalate": 3}
MODES = {"align": 5, "brainstorm": 3, "challenge": 6}
STATED = {5000: 4, 7000: 6, 8000: 5, 9000: 7}
HELD_OF_A_HUNDRED = {5000: 44, 7000: 68, 8000: 85, 9000: 86}


def busy_review(seed: int = 7) -> Review:
    """Two years of a project; November 2025 without an event."""
    draw = random.Random(seed)
    tally, outcomes = Tally(), Counter()
    months = [f"{year}-{month:02}" for year in (2025, 2026) for month in range(1, 13)][:22]
    for month in months:
        if month == "2025-11":
            continue
        finished = draw.randint(4, 34)
        tally.events[month, "finished"] = finished
        tally.events[month, "started"] = finished + draw.randint(0, 6)
        tally.events[month, "paused"] = draw.randint(0, 5)
        tally.events[month, "redirected"] = draw.randint(0, 3)
        for _ in range(finished):
            _finish(tally, draw, month)
    for step, count in Counter({s: n for (_, s), n in tally.confidence.items()}).items():
        judged = count * 6
        held = round(judged * HELD_OF_A_HUNDRED[step] / 100)
        outcomes.update({(step, "held"): held, (step, "reversed"): judged - held})
        outcomes[step, "partly"] = draw.randint(0, 4)
    outcomes[2000, "reversed"] = 3
    outcomes[None, "held"] = 2
    tally.events["2026-10", "outcome"] = sum(outcomes.values())
    tally.seconds_sum = int(sum(s * n for s, n in tally.seconds.items()) * MICRO)
    tally.models = {
        "offline": Usage(sessions=180, calls=0),
        "anthropic:claude-sonnet-4-5": Usage(120, 640, 1_812_400, 402_118, int(14.82 * NANO), 0, 3),
        "openai:gpt-5-mini": Usage(61, 310, 911_020, 120_003, int(1.07 * NANO)),
        "ollama:qwen3:8b": Usage(22, 118, 240_800, 60_112, 0, 2, 22),
    }
    tally.other_skills = Counter({"writing-plan": 214, "orchestrate": 31, "code-review": 77})
    tally.lines, tally.broken_count, tally.repeated, tally.unknown_events = 1_402, 4, 2, 1
    tally.broken = [
        (".keystone/telemetry/events/2025-03.jsonl", 17, "not JSON: line ends within a string"),
        (".keystone/telemetry/events/2025-08.jsonl", 3, "confidence is no number from 0 to 1"),
        (".keystone/telemetry/events/2026-02.jsonl", 240, "not UTF-8"),
        (".keystone/telemetry/events/2026-09.jsonl", 88, "no object"),
    ]
    scope = Scope(roots=("/home/mara/shop", "/home/mara/warehouse"))
    return make_review(tally, Sessions(abandoned=11, outcomes=outcomes), scope)


def _finish(tally: Tally, draw: random.Random, month: str) -> None:
    decision = draw.choices([*DECISIONS], [*DECISIONS.values()])[0]
    tally.decisions[month, decision] += 1
    tally.modes[month, draw.choices([*MODES], [*MODES.values()])[0]] += 1
    tally.confidence[month, draw.choices([*STATED], [*STATED.values()])[0]] += 1
    tally.formats["socratic" if draw.random() < 0.8 else "voting-table"] += 1
    tally.questions[float(draw.choices(range(1, 8), [2, 3, 21, 30, 20, 9, 5])[0])] += 1
    tally.seconds[float(draw.randint(60, 1400))] += 1
    tally.flags["escalated"] += decision == "roundtable-escalate"
    tally.flags["deferred"] += decision == "roundtable-deferred"
    forced = draw.random() < 0.14
    tally.flags["forced"] += forced
    tally.flags["breaker"] += forced and draw.random() < 0.6


def empty_review() -> Review:
    return make_review(Tally(), Sessions(), Scope(roots=("/home/mara/shop",)))


def young_review() -> Review:
    """Three sessions, one outcome: too few to tell anything by."""
    tally = Tally(lines=7)
    tally.events.update({("2026-11", "started"): 4, ("2026-11", "finished"): 3})
    tally.events["2026-11", "outcome"] = 1
    tally.decisions.update({("2026-11", "roundtable-aligned"): 3})
    tally.modes.update({("2026-11", "align"): 3})
    tally.confidence.update({("2026-11", 9000): 3})
    tally.formats["socratic"] = 3
    tally.questions.update({3.0: 2, 4.0: 1})
    tally.seconds.update({95.0: 2, 240.0: 1})
    tally.seconds_sum = 430 * MICRO
    tally.models = {"offline": Usage(sessions=3)}
    outcomes = Counter({(9000, "held"): 1})
    return make_review(tally, Sessions(1, outcomes), Scope(("/home/mara/shop",), "2026-11-01"))


def hostile_review() -> Review:
    """Every name that comes from a file is `HOSTILE`."""
    tally = Tally(lines=9, broken_count=1, broken=[(HOSTILE, 1, HOSTILE)])
    tally.events.update({("2026-11", "started"): 2, ("2026-11", "finished"): 2})
    tally.decisions["2026-11", HOSTILE] = 2
    tally.modes["2026-11", HOSTILE] = 2
    tally.formats[HOSTILE] = 2
    tally.confidence["2026-11", 8000] = 2
    tally.models = {HOSTILE: Usage(2, 3, 4, 5, 6)}
    tally.other_skills[HOSTILE] = 5
    return make_review(tally, Sessions(), Scope((HOSTILE,), skill=HOSTILE))
