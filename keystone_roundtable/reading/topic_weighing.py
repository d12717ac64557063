"""The last word on a topic: what the rules read, weighed with what trained weights make of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .linear_model import LinearModel
from .topic import PATHS_ARE_NAMED, Mode, ModeReading, Route, RouteReading
from .topic_features import topic_features
from .topic_sentences import TopicSentence

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


def weigh_route(
    sentences: Sequence[TopicSentence], route: RouteReading, mode: ModeReading, model: LinearModel
) -> RouteReading:
    """The likeliest route."""
    likely = model.probabilities(topic_features(sentences, route.reason, mode.reason))
    best = max(_ROUTE_REASONS, key=likely.__getitem__)
    if best == route.route:
        return route
    return RouteReading(best, _ROUTE_REASONS[best])


def weigh_mode(
    sentences: Sequence[TopicSentence], route: RouteReading, mode: ModeReading, model: LinearModel
) -> ModeReading:
    """The likeliest mode, where it is likely enough to overrule the rules."""
    likely = model.probabilities(topic_features(sentences, route.reason, mode.reason))
    best = max(_MODE_REASONS, key=likely.__getitem__)
    told = mode.reason == PATHS_ARE_NAMED
    needed = NAMED_PATHS_OVERRULED_FROM if told else MODE_OVERRULES_FROM
    if best == mode.mode or likely[best] < needed:
        return mode
    return ModeReading(best, _MODE_REASONS[best], mode.vague)
