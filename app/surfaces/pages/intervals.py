"""The interval of a figure as pages show it: two ends, a bar, and the measured runs that it comes from."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from app.charts.figure import get_path
from app.charts.format import share_text, show_at, signed_percent, span

BAR_WIDTH = 44.0
PROBABILITY = 0.8
"""Probability that the figure lies between P10 and P90."""
SCALE = 0.2
"""All bars reach from 20 % below the figure to 20 % above, so that the longer is the less certain."""


class ShownInterval(NamedTuple):
    """The ends in words, and where the thick part of the bar begins and how long it is.

    `ends` leaves the unit out where it is that of the figure alongside it.
    """

    text: str
    ends: str
    meaning: str
    start: float
    width: float


class NearRun(NamedTuple):
    """A measured run like the design; errors are of the prediction."""

    id: str
    name: str
    distance: str
    error: str
    left_out: str
    source: str


class ExplainedInterval(NamedTuple):
    shown: ShownInterval
    likeness: str
    runs: int
    nearest: tuple[NearRun, ...]


def shown_interval(evaluation: dict[str, Any], path: str) -> ShownInterval | None:
    """The interval of the figure at `path`; None where there is none, or the figure is unknown."""
    bounds = get_path(evaluation, f"intervals.{path}")
    value = get_path(evaluation, path)
    if bounds is None or bounds["low"] is None or not value:
        return None
    return _shown(path, value, bounds, evaluation["intervals"])


def interval_of(path: str, value: float, low: float, high: float) -> ShownInterval | None:
    """The interval of a figure whose ends are at hand; None where they are not known."""
    if not path or not value or not (math.isfinite(value) and math.isfinite(low) and math.isfinite(high)):
        return None
    return _shown(path, value, {"low": low, "high": high}, {"probability": PROBABILITY})


def explained_interval(tree: dict[str, Any]) -> ExplainedInterval | None:
    """The interval of an explained figure, with the measured runs nearest to the design."""
    interval, value = tree.get("interval"), tree.get("value")
    if interval is None or not value:
        return None
    return ExplainedInterval(
        _shown(tree["path"], value, interval, interval),
        interval["likeness"],
        interval["runs"],
        tuple(
            NearRun(
                id=run["id"],
                name=f"{run['model']}, {run['accelerators']:,} {run['accelerator']}",
                distance=f"{run['distance']:.2f}",
                error=signed_percent(run["error"]),
                left_out=signed_percent(run["left_out_error"]),
                source=run["source"],
            )
            for run in interval["nearest"]
        ),
    )


def _shown(path: str, value: float, bounds: dict[str, Any], shared: dict[str, Any]) -> ShownInterval:
    start, end = (_place(bounds[name] / value - 1) for name in ("low", "high"))
    low, high, figure = (show_at(path, number) for number in (bounds["low"], bounds["high"], value))
    text = span(low, high)
    return ShownInterval(
        text=text,
        ends=f"{low.value} to {high.value}" if low.unit == high.unit == figure.unit else text,
        meaning=f"{share_text(shared['probability'])} interval from {_others(path, shared)}",
        start=round(start, 2),
        width=round(end - start, 2),
    )


def _others(path: str, shared: dict[str, Any]) -> str:
    """Things that lie between the ends."""
    if path.startswith("reliability."):
        return "fleets"
    return "comparable runs" if shared.get("runs", 1) else "measured points"


def _place(change: float) -> float:
    """Where a relative change stands on the bar; what lies beyond its ends is at them."""
    return BAR_WIDTH / 2 * (1 + max(-1.0, min(1.0, change / SCALE)))
