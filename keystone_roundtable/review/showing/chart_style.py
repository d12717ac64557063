"""How every chart looks: the page's colours, its letters, its axes.

Colours are the page's CSS variables, so that one drawing serves light, dark, forced colours and
paper. Nothing is told by colour alone: every mark has its label beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Spec = dict[str, Any]
"""A Vega-Lite specification, or a part of one."""

WIDTH = 320  # of every chart: what a narrow phone shows without making letters smaller
ROOM = 0.85  # of the space that is there: the reader's letters may be wider than those measured
SMALL, USUAL = 11, 12  # sizes of letters

INK, MUTED, GRID, TRACK, MARK, OTHER = (
    f"var(--{name})" for name in ("ink", "muted", "grid", "track", "mark", "other-mark")
)


def chart(values: Sequence[Spec]) -> Spec:
    """What every chart begins with."""
    return {
        "data": {"values": list(values)},
        "background": None,
        "padding": 2,
        "config": _CONFIG,
    }


PERCENT_AXIS: Spec = {
    "format": ".0%",
    "values": [0, 0.25, 0.5, 0.75, 1],
    "grid": False,
    "labelFlush": False,
}

CONFIDENCE_AXIS: Spec = {
    "format": ".1f",
    "values": [0, 0.2, 0.4, 0.6, 0.8, 1],
    "grid": False,
    "labelFlush": False,
}

_CONFIG: Spec = {
    "font": "system-ui, sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": MUTED,
        "labelFontSize": SMALL,
        "titleColor": MUTED,
        "titleFontSize": SMALL,
        "titleFontWeight": "normal",
        "domainColor": GRID,
        "tickColor": GRID,
        "gridColor": GRID,
    },
}
