"""Low, typical and high of the prices of a design's compute fabric, as its inputs state them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from app.engine.fabric.media.medium import PriceRange
from app.engine.fabric.prices import PRICED
from app.engine.trace import Array, Origin
from app.views.fabric.part_figures import first, price_range


def price_spans(
    origins: Mapping[str, Origin], values: Mapping[str, Array]
) -> dict[str, tuple[float, float, float]]:
    """By place in the fabric plan. A price of which one figure is published stands for its low and high as well;
    one of which none is published stays unknown."""
    spans = {}
    for path in PRICED:
        place = f"pod.fabric.{path}"
        if place in values:
            typical, origin = first(values[place]), origins[place]
            known = PriceRange() if np.isnan(typical) else price_range(origin.low, typical, origin.high)
            spans[path] = (known.low, known.typical, known.high)
    return spans


def single_prices(origins: Mapping[str, Origin], values: Mapping[str, Array]) -> tuple[str, ...]:
    """Labels of prices that are known without a range."""
    places = [f"pod.fabric.{path}" for path in PRICED]
    labels = [
        origins[place].label
        for place in places
        if place in values and not np.isnan(values[place]).all() and origins[place].low is None
    ]
    return tuple(dict.fromkeys(labels))
