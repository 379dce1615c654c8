"""Fewer labels on the axis of values, where the screen is small."""

from __future__ import annotations

from typing import Any


def few_ticks(plot: dict[str, Any]) -> dict[str, Any]:
    """What small screens override: the first and the last label of the axis across."""
    axis = plot["layout"]["xaxis"]
    ends = (0, -1) if len(axis["tickvals"]) > 1 else (0,)
    return {
        "xaxis.tickvals": [axis["tickvals"][place] for place in ends],
        "xaxis.ticktext": [axis["ticktext"][place] for place in ends],
    }
