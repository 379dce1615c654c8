"""Pairs of charts: the same figure of both sides, on one scale where their units allow it."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

from app.charts.figure import Figure
from app.charts.step_time import step_time_figure
from app.charts.tco import tco_figure

PAIRS: tuple[Callable[[dict[str, Any]], Figure], ...] = (step_time_figure, tco_figure)


class Pair(NamedTuple):
    name: str
    a: Figure
    b: Figure


def chart_pairs(a: dict[str, Any], b: dict[str, Any]) -> tuple[Pair, ...]:
    """Step time and cost of both sides."""
    return tuple(_pair(draw(a), draw(b)) for draw in PAIRS)


def _pair(a: Figure, b: Figure) -> Pair:
    if a.plot is None or b.plot is None or _scale(a) != _scale(b):
        return Pair(a.name, a, b)
    longer = max((a.plot, b.plot), key=lambda plot: float(_axis(plot)["range"][1]))
    low = min(float(_axis(plot)["range"][0]) for plot in (a.plot, b.plot))
    axis = {**_axis(longer), "range": [low, _axis(longer)["range"][1]]}
    return Pair(a.name, _on(a, axis), _on(b, axis))


def _on(figure: Figure, axis: dict[str, Any]) -> Figure:
    plot = copy.deepcopy(figure.plot)
    assert plot is not None
    plot["layout"]["xaxis"] = axis
    return dataclasses.replace(figure, plot=plot)


def _axis(plot: dict[str, Any]) -> dict[str, Any]:
    axis: dict[str, Any] = plot["layout"]["xaxis"]
    return axis


def _scale(figure: Figure) -> tuple[str, str]:
    """What is drawn and in which unit: that stands above the chart, as k USD does, or on the last label of the axis."""
    assert figure.plot is not None
    return figure.eyebrow, str(_axis(figure.plot)["ticktext"][-1]).lstrip("-\u22120123456789.,")
