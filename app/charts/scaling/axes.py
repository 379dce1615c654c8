"""Logarithmic axes of compute, parameters and tokens a parameter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from app.charts.figure import round_ticks, token, value_axis
from app.charts.scaling.words import parameters_text, power_text
from app.charts.searching.log_scale import log_ticks

ROOM = 0.05  # of the scale, beyond the outermost values


def compute_axis(flops: Sequence[float]) -> dict[str, Any]:
    return _log_axis(flops, "Compute of the training run, FLOP", power_text)


def parameters_axis(parameters: Sequence[float]) -> dict[str, Any]:
    return _log_axis(parameters, "Parameters", parameters_text)


def ratio_axis(ratios: Sequence[float]) -> dict[str, Any]:
    return _log_axis(ratios, "Tokens a parameter", lambda tick: f"{tick:g}", showgrid=True, showline=False)


def loss_axis(losses: Sequence[float]) -> dict[str, Any]:
    """Linear, from just below the least: the irreducible loss is no origin, and nought is far away."""
    low, high = min(losses), max(losses)
    room = max(0.05 * (high - low), 0.01)
    ticks = _steps(low - room, high + room)
    return value_axis(
        ticks,
        [f"{tick:.3g}" for tick in ticks],
        [low - room, high + room],
        title=_title("Loss, nats a token"),
    )


def _steps(low: float, high: float) -> list[float]:
    """Round values between two others."""
    steps = round_ticks(high - low)
    step = steps[1] if len(steps) > 1 else high - low
    return [round(step * place, 12) for place in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _log_axis(values: Sequence[float], title: str, words: Any, **changes: Any) -> dict[str, Any]:
    low, high = min(values), max(values)
    room = max(ROOM * math.log10(high / low), 0.01)
    ticks = log_ticks(low / 10**room, high * 10**room, 5)
    return value_axis(
        ticks,
        [words(tick) for tick in ticks],
        [math.log10(low) - room, math.log10(high) + room],
        **{"type": "log", "showgrid": False, "showline": True, "linecolor": token("axis"), "tickangle": 0,
           "title": _title(title), **changes},
    )  # fmt: skip


def _title(text: str) -> dict[str, Any]:
    return {"text": text, "standoff": 8, "font": {"size": 12, "color": token("text-3")}}
