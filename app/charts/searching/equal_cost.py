"""Lines of equal cost for a million output tokens: level, as cost follows from the rate of an accelerator."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from app.charts import forms

MOST_LINES = 4
LOWEST_NAME, NAME_STEP = 0.02, 0.05
"""Where names of lines stand in the corner, as shares of the height."""
SAME_PRICE = 1e-3
SECONDS, MILLION = 3600.0, 1e6


def priced_pods(answer: Mapping[str, Any]) -> list[tuple[int, float]]:
    """Pods with a known price and their USD an accelerator-hour, each price once."""
    found: list[tuple[int, float]] = []
    for place, pod in enumerate(answer["pods"]):
        hour = pod["usd_per_accelerator_hour"]
        drawn = any(one["pod"] == place for one in answer["pareto"])
        if hour and drawn and not any(abs(hour / other - 1) < SAME_PRICE for _, other in found):
            found.append((place, hour))
    return found


def equal_cost_lines(
    answer: Mapping[str, Any], least: float, most: float, slot_of: Callable[[int], str]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Shapes and annotations: lines of several costs; where prices differ, of one cost, a line a price.

    `least` and `most` are the rates of the axis, `slot_of` the colour of a pod by its place.
    """
    prices = priced_pods(answer)
    shapes: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    for order, (place, hour) in enumerate(prices):
        per_token = hour / SECONDS * MILLION
        if len(prices) == 1:
            costs, slot, whose = (
                forms.log_ticks(per_token / most, per_token / least, MOST_LINES),
                "text-3",
                "",
            )
        else:
            costs, slot, whose = (
                [_shared_cost(answer)],
                slot_of(place),
                f" on {answer['pods'][place]['name']}",
            )
        for cost in (cost for cost in costs if least <= per_token / cost <= most):
            rate = per_token / cost
            shapes.append(forms.rule(slot, y=rate, width=1, dash="dot", layer="below"))
            # Lines of several prices lie close together: their names stand one above the other in the corner.
            corner = forms.look(yref="paper") if len(prices) > 1 else forms.look()
            y = LOWEST_NAME + order * NAME_STEP if corner else math.log10(rate)
            words = f"{forms.tick_text(cost, 'USD')} per million{whose}"
            notes.append(forms.note(0.01, y, words, slot, anchor="left bottom", xref="paper", **corner))
    return shapes, notes


def _shared_cost(answer: Mapping[str, Any]) -> float:
    """A round cost in the middle of what the fronts cost."""
    known = sorted(one["usd_per_million_tokens"] for one in answer["pareto"] if one["usd_per_million_tokens"])
    middle = known[len(known) // 2]
    power = 10.0 ** math.floor(math.log10(middle))
    return min((power * step for step in (1, 2, 5, 10)), key=lambda cost: abs(math.log(cost / middle)))
