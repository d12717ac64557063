"""Charts as Vega-Lite specifications: data and marks, no drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .chart_style import (
    CONFIDENCE_AXIS,
    GRID,
    INK,
    MARK,
    MUTED,
    OTHER,
    PERCENT_AXIS,
    ROOM,
    SMALL,
    TRACK,
    USUAL,
    WIDTH,
    Spec,
    chart,
)

MAX_MONTHS = 36  # the chart shows the last ones, the table all; more would be hairlines
MAX_BARS = 12

_BAR_STEP = 36
_MONTH_STEP = 34  # at most: nine months then fill the chart


@dataclass(frozen=True)
class Lying:
    """A labelled bar; `told` is how its length reads."""

    label: str
    length: float
    told: str


@dataclass(frozen=True)
class Judged:
    """What was stated on average, and the share that held with its interval."""

    stated: float
    held: float
    low: float
    high: float
    told: str


def month_columns(months: Sequence[str], rows: Sequence[tuple[str, Sequence[int]]]) -> Spec:
    """One row of columns for each name, its counts in the order of `months`, on one scale."""
    shown = list(months[-MAX_MONTHS:])
    values: list[Spec] = [
        {"name": name, "month": month, "count": count}
        for name, counts in rows
        for month, count in zip(shown, counts[-len(shown) :], strict=True)
    ]
    ticks = _every_few(shown, at_most=5)
    highest = max((value["count"] for value in values), default=1) or 1
    x = {
        "field": "month",
        "type": "ordinal",
        "sort": None,
        "title": None,
        "scale": {"paddingInner": 0.25, "paddingOuter": 0.1},
        "axis": {
            "values": ticks,
            "labelAngle": 0,
            "ticks": False,
            "labelFlush": True,
            "domain": False,
        },
    }
    y = {
        "field": "count",
        "type": "quantitative",
        "title": None,
        "scale": {"domain": [0, highest * 1.15], "nice": False},
        "axis": None,
    }
    size = {"width": min(WIDTH - 4, max(len(shown), 2) * _MONTH_STEP), "height": 48}
    labels: list[Spec] = []
    if len(shown) <= 14:  # more columns are narrower than their figures
        labels = [
            {
                "transform": [{"filter": "datum.count > 0"}],
                "mark": {"type": "text", "dy": -6, "fontSize": SMALL, "color": INK},
                "encoding": {"text": {"field": "count", "format": ","}},
            }
        ]
    return {
        **chart(values),
        "facet": {
            "row": {
                "field": "name",
                "sort": [name for name, _ in rows],
                "title": None,
                "header": {
                    "labelAngle": 0,
                    "labelOrient": "top",
                    "labelAnchor": "start",
                    "labelFontSize": USUAL,
                    "labelFontWeight": 600,
                    "labelPadding": 2,
                    "labelColor": INK,
                    "labelLimit": WIDTH * ROOM,
                },
            }
        },
        "spacing": 14,
        "spec": {
            **size,
            "encoding": {"x": x, "y": y},
            "layer": [
                {
                    "mark": {"type": "rule", "color": GRID},
                    "encoding": {"x": None, "y": {**y, "field": None, "datum": 0}},
                },
                {"mark": {"type": "bar", "color": MARK}},
                *labels,
            ],
        },
    }


def bars(rows: Sequence[Lying], of_whole: bool = False) -> Spec:
    """Lying bars, the label above each at the left, what it reads at the right.

    With `of_whole` lengths are parts of 1, and the 1 is drawn behind them.
    """
    shown = rows[:MAX_BARS]
    values = [
        {"at": number, "label": row.label, "length": row.length, "told": row.told, "whole": 1}
        for number, row in enumerate(shown)
    ]
    label = {"type": "text", "dy": -10, "baseline": "middle", "fontSize": USUAL}
    room = (WIDTH - 7 * max((len(row.told) for row in shown), default=0)) * ROOM
    bar = {"type": "bar", "height": 10, "yOffset": 7}
    longest = 1 if of_whole else max((row.length for row in shown), default=1) or 1
    length = {
        "field": "length",
        "type": "quantitative",
        "axis": None,
        "scale": {"domain": [0, longest]},
    }
    whole = {"mark": {**bar, "color": TRACK}, "encoding": {"x": {**length, "field": "whole"}}}
    return {
        **chart(values),
        "width": WIDTH - 4,
        "height": {"step": _BAR_STEP},
        "encoding": {"y": {"field": "at", "type": "ordinal", "axis": None}},
        "layer": [
            *([whole] if of_whole else []),
            {"mark": {**bar, "color": MARK}, "encoding": {"x": length}},
            {
                "mark": {**label, "align": "left", "color": INK, "limit": room},
                "encoding": {"x": {"value": 0}, "text": {"field": "label"}},
            },
            {
                "mark": {**label, "align": "right", "color": MUTED},
                "encoding": {"x": {"value": WIDTH - 4}, "text": {"field": "told"}},
            },
        ],
    }


def histogram(rows: Sequence[tuple[float, float, int]]) -> Spec:
    """Columns over [low, high) shares from 0 to 1, each with its count."""
    values = [{"low": low, "high": high, "count": count} for low, high, count in rows]
    highest = max((count for _, _, count in rows), default=1) or 1
    return {
        **chart(values),
        "width": WIDTH - 24,
        "height": 130,
        "encoding": {
            "x": {
                "field": "low",
                "type": "quantitative",
                "bin": {"binned": True},
                "title": "stated confidence",
                "scale": {"domain": [0, 1]},
                "axis": CONFIDENCE_AXIS,
            },
            "x2": {"field": "high"},
            "y": {
                "field": "count",
                "type": "quantitative",
                "axis": None,
                "scale": {"domain": [0, highest * 1.15], "nice": False},
            },
        },
        "layer": [
            {"mark": {"type": "bar", "color": MARK, "binSpacing": 2}},
            {
                "transform": [
                    {"filter": "datum.count > 0"},
                    {"calculate": "(datum.low + datum.high) / 2", "as": "middle"},
                ],
                "mark": {"type": "text", "dy": -7, "fontSize": SMALL, "color": INK},
                "encoding": {
                    "x": {"field": "middle", "type": "quantitative", "bin": None},
                    "x2": None,
                    "text": {"field": "count", "format": ","},
                },
            },
        ],
    }


def calibration(bands: Sequence[Judged]) -> Spec:
    """Stated confidence against the share that held, intervals, and the diagonal of a kept word."""
    values = [
        {"stated": b.stated, "held": b.held, "low": b.low, "high": b.high, "told": b.told}
        for b in bands
    ]
    # Under the interval there is room for what it reads, but not down at the axis.
    under = "datum.low > 0.1"
    told: Spec = {
        "transform": [{"calculate": f"{under} ? datum.low : datum.high", "as": "edge"}],
        "mark": {
            "type": "text",
            "align": "center",
            "baseline": "middle",
            "dy": {"expr": f"{under} ? 9 : -9"},
            "fontSize": SMALL,
            "color": INK,
        },
        "encoding": {"x": _shares("stated"), "y": _held("edge"), "text": {"field": "told"}},
    }
    return {
        **chart(values),
        "width": WIDTH - 52,
        "height": WIDTH - 80,
        "layer": [
            *_diagonal(),
            {
                "mark": {"type": "rule", "color": MARK, "strokeWidth": 2},
                "encoding": {"x": _shares("stated"), "y": _held("low"), "y2": {"field": "high"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 80, "color": MARK, "opacity": 1},
                "encoding": {"x": _shares("stated"), "y": _held("held")},
            },
            told,
        ],
    }


def _diagonal() -> list[Spec]:
    encoding = {"x": _shares("x"), "y": _held("y")}
    named = {"type": "text", "align": "left", "fontSize": SMALL, "color": OTHER, "dx": 10, "dy": 5}
    return [
        {
            "data": {"values": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]},
            "mark": {"type": "line", "color": OTHER, "strokeDash": [5, 4], "strokeWidth": 1.5},
            "encoding": encoding,
        },
        {
            "data": {"values": [{"x": 0.08, "y": 0.08}]},
            "mark": {**named, "text": "held as stated"},
            "encoding": encoding,
        },
    ]


def _shares(field: str) -> Spec:
    return {
        "field": field,
        "type": "quantitative",
        "title": "stated confidence",
        "scale": {"domain": [0, 1]},
        "axis": CONFIDENCE_AXIS,
    }


def _held(field: str) -> Spec:
    axis = {
        **PERCENT_AXIS,
        "grid": True,
        "ticks": False,
        "domain": False,
        "titleAngle": 0,
        "titleAlign": "left",
        "titleAnchor": "end",
        "titleX": -34,
        "titleY": -14,
    }
    return {**_shares(field), "title": "share that held", "axis": axis}


def _every_few(values: Sequence[str], at_most: int) -> list[str]:
    """At most so many of them, evenly, the last among them."""
    step = -(-len(values) // at_most) or 1
    return list(values[::-1][::step])[::-1]
