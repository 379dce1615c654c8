"""Demand hour by hour: the shape of a day or a week, and places whose clocks are apart.

Hours lie along the last axis and come again: after the last follows the first.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

DAY_HOURS, WEEK_HOURS = 24, 168


@quantity(unit="1", source="definition", leaf=True)
def place_weights(*, weights: Array, clock_offset_h: Array) -> Array:
    """Requests of a place in each hour of the shape's clock, mean 1.

    At hour t the clocks there say t + offset. Between whole hours the two beside share: the sum stays as it is.

    Parameters
    ----------
    weights : of each hour of the shape, in any unit
    clock_offset_h : hours that clocks there are ahead, of each place [h]
    """
    offset = np.asarray(clock_offset_h)[..., None]
    whole = np.floor(offset)
    hours = (np.arange(weights.size) + whole).astype(np.intp)
    mean_one = weights / np.mean(weights)
    early, late = mean_one[hours % weights.size], mean_one[(hours + 1) % weights.size]
    part: Array = offset - whole
    return (1 - part) * early + part * late


@quantity(unit="1", source="definition", leaf=True)
def pod_weights(*, weights: Array, shares: Array, clock_offset_h: Array) -> Array:
    """Requests of the pod in each hour over their mean: those of its places, each by its own clock.

    Parameters
    ----------
    weights : of each hour of the shape, in any unit
    shares, clock_offset_h : of each place
    """
    places = place_weights(weights=weights, clock_offset_h=clock_offset_h)
    whole: Array = np.sum(shares[:, None] * places, axis=0) / np.sum(shares)
    return whole


@quantity(unit="1", source="definition", leaf=True)
def hours_peak_to_mean(*, weights: Array) -> Array:
    """Requests of the busiest hour over the mean of all hours."""
    peak: Array = np.max(weights, axis=-1, keepdims=True) / np.mean(weights, axis=-1, keepdims=True)
    return peak


@quantity(unit="1", source="definition", leaf=True)
def steepest_rise(*, weights: Array) -> Array:
    """Most that the requests of an hour grow from the one before, over the mean hour."""
    grown = np.max(weights - np.roll(weights, 1, axis=-1), axis=-1, keepdims=True)
    rise: Array = grown / np.mean(weights, axis=-1, keepdims=True)
    return rise


@quantity(unit="1/s", source="definition")
def requests_of_hours_per_s(*, mean_requests_per_s: Array, hour_weights: Array) -> Array:
    """Requests per second in each hour."""
    return mean_requests_per_s * hour_weights
