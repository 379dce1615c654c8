"""Logarithmic axes of compute, parameters and tokens a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.charts import forms
from app.charts.scaling.words import parameters_text, power_text

ROOM = 0.05  # of the scale, beyond the outermost values


def compute_axis(flops: Sequence[float]) -> dict[str, Any]:
    return _log_axis(flops, "Compute of the training run, FLOP", power_text)


def parameters_axis(parameters: Sequence[float]) -> dict[str, Any]:
    return _log_axis(parameters, "Parameters", parameters_text)


def ratio_axis(ratios: Sequence[float]) -> dict[str, Any]:
    return _log_axis(ratios, "Tokens a parameter", forms.plain, grid=True, base=False)


def loss_axis(losses: Sequence[float]) -> dict[str, Any]:
    """Linear, from just below the least: the irreducible loss is no origin, and nought is far away."""
    low, high = min(losses), max(losses)
    room = max(0.05 * (high - low), 0.01)
    extent = [low - room, high + room]
    return forms.values(
        forms.even_ticks(low - room, high + room),
        lambda tick: f"{tick:.3g}",
        extent,
        title="Loss, nats a token",
    )


def _log_axis(values: Sequence[float], title: str, words: forms.Labels, **changes: Any) -> dict[str, Any]:
    return forms.log(values, "1", title, labels=words, room=ROOM, **{"grid": False, "base": True, **changes})
