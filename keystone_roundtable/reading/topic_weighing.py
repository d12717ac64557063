"""The last word on a topic: what the rules read, weighed with what trained weights make of it."""

from __future__ import annotations

from typing import Final

from .linear_model import LinearModel
from .topic import (
    PATHS_ARE_NAMED,
    Mode,
    ModeReading,
    Route,
    RouteReading,
    Topic,
    mode_of,
    route_of,
)
from .topic_features import topic_features

MODE_OVERRULES_FROM: Final = 0.6
NAMED_PATHS_OVERRULED_FROM: Final = 0.85
"""Least probabilities for another mode than the rules', the last where a topic sets paths
against each other in so many words. Chosen on labelled lines that the weights had not seen."""

_ROUTE_REASONS: Final[dict[Route, str]] = {
    "roundtable": "worded like a direction that is missing, soft or doubted",
    "diagnose": "worded like a cause that is unknown",
    "verify": "worded like a claim that wants proof",
    "writing-plan": "worded like work that is already decided",
}
_MODE_REASONS: Final[dict[Mode, str]] = {
    "brainstorm": "worded like no direction yet",
    "align": "worded like a direction whose edge is missing",
    "challenge": "worded like a direction in doubt",
}


def weigh_route(topic: Topic, model: LinearModel) -> RouteReading:
    """The likeliest route."""
    ruled = route_of(topic)
    likely = _likely(topic, ruled, mode_of(topic), model)
    best = max(_ROUTE_REASONS, key=likely.__getitem__)
    return ruled if best == ruled.route else RouteReading(best, _ROUTE_REASONS[best])


def weigh_mode(topic: Topic, model: LinearModel) -> ModeReading:
    """The likeliest mode, where it is likely enough to overrule the rules."""
    ruled = mode_of(topic)
    likely = _likely(topic, route_of(topic), ruled, model)
    best = max(_MODE_REASONS, key=likely.__getitem__)
    told = ruled.reason == PATHS_ARE_NAMED
    needed = NAMED_PATHS_OVERRULED_FROM if told else MODE_OVERRULES_FROM
    if best == ruled.mode or likely[best] < needed:
        return ruled
    return ModeReading(best, _MODE_REASONS[best], ruled.vague)


def _likely(
    topic: Topic, route: RouteReading, mode: ModeReading, model: LinearModel
) -> dict[str, float]:
    return model.probabilities(topic_features(topic.sentences, route.reason, mode.reason))
