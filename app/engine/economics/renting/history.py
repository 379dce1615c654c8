"""What rental prices did: a matched index of dated offers.

Sellers enter and leave price surveys, and a hyperscaler asks three times what a small cloud does: the median of
whoever was listed on a day jumps when the list changes. So each seller is compared with itself alone.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_JEVONS = (
    "[1] ILO and others, Consumer Price Index Manual: Concepts and Methods (2020), matched-model Jevons index"
)


@quantity(unit="USD/h", source="definition", leaf=True)
def held_usd_per_hour(*, month: Array, offer_month: Array, offer_usd_per_hour: Array) -> Array:
    """A seller's price in each month between its first and its last offer.

    What was asked last, until something else is seen; unknown before the first offer and after the last.

    Parameters
    ----------
    offer_month : in rising order
    """
    newest = np.searchsorted(offer_month, month, side="right") - 1
    seen = (newest >= 0) & (month <= offer_month[-1])
    return np.where(seen, offer_usd_per_hour[np.maximum(newest, 0)], np.nan)


@quantity(unit="1", source=_JEVONS, leaf=True)
def matched_index(*, usd_per_hour: Array) -> Array:
    """Prices of months over those of the first.

    Chained geometric mean of what sellers ask over what the same sellers asked a month before; unknown from a
    month on in which no seller can be compared.

    Parameters
    ----------
    usd_per_hour : of sellers (first axis) in months (last axis), unknown where nothing was seen
    """
    move = np.diff(np.log(usd_per_hour), axis=-1)
    matched = np.isfinite(move)
    mean = np.where(matched, move, 0.0).sum(axis=0) / matched.sum(axis=0)
    index: Array = np.exp(np.concatenate([np.zeros(1), np.cumsum(mean)]))
    return index


@quantity(unit="months", source="definition", leaf=True)
def matched_since(*, usd_per_hour: Array) -> Array:
    """Months from the start after which every move can be matched to a seller."""
    matched = np.isfinite(np.diff(np.log(usd_per_hour), axis=-1)).any(axis=0)
    gaps = np.flatnonzero(~matched)
    return np.array([float(gaps[-1] + 1) if gaps.size else 0.0])
