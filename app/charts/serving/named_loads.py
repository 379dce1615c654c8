"""Loads that have a name, as upright lines across a plot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts.figure import token

STEP = 0.075
"""Of the height, between the labels of two lines, so that close ones do not cover each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedLoad:
    """`slot` is the token of its colour."""

    label: str
    at: float
    slot: str
    dash: str = "dot"


def upright_lines(
    loads: Sequence[NamedLoad], extent: Sequence[float], *, log: bool, top: float = 1.0
) -> dict[str, Any]:
    """Shapes and annotations of a layout.

    `extent` is the range of the axis, in exponents where it is logarithmic; the first label stands at `top`, as a
    share of the height, the others below it.
    """
    shapes, notes = [], []
    middle = (extent[0] + extent[1]) / 2
    for place, load in enumerate(loads):
        at = math.log10(load.at) if log else load.at
        colour = token(load.slot)
        shapes.append(
            {"type": "line", "yref": "paper", "x0": load.at, "x1": load.at, "y0": 0, "y1": 1,
             "line": {"color": colour, "width": 1.5, "dash": load.dash}}
        )  # fmt: skip
        notes.append(
            {"yref": "paper", "x": at, "y": top - STEP * place, "yanchor": "top", "showarrow": False,
             "xanchor": "right" if at > middle else "left", "xshift": -4 if at > middle else 4,
             "text": load.label, "font": {"size": 12, "color": colour}, "bgcolor": token("bg")}
        )  # fmt: skip
    return {"shapes": shapes, "annotations": notes}
