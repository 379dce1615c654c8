"""A battery beside the load, hour by hour, without a loop over hours.

Each hour maps the charge s to clip(s + change, 0, capacity). Such maps compose to a map of the same
form, clip(s + total, least, most), and composing is associative, so all running compositions come of
a prefix scan: in 14 doublings for a year. What the recursion of a battery means stays exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class ClampChain:
    """After each hour the charge is clip(start + total, least, most), for any start."""

    total: Array
    least: Array
    most: Array


def clamp_chain(*, change: Array, capacity: float) -> ClampChain:
    """The running compositions of clip(s + change, 0, capacity) over the hours."""
    total: Array = change.astype(float)
    least: Array = np.zeros(change.shape)
    most: Array = np.full(change.shape, capacity)
    reach = 1
    while reach < change.size:  # doublings, not hours
        own_least, own_most, shift = least[reach:], most[reach:], total[reach:]
        earlier = slice(None, -reach)
        least = np.append(least[:reach], np.clip(least[earlier] + shift, own_least, own_most))
        most = np.append(most[:reach], np.clip(most[earlier] + shift, own_least, own_most))
        total = np.append(total[:reach], total[earlier] + shift)
        reach *= 2
    return ClampChain(total=total, least=least, most=most)


def stored_over_a_year(*, change_wh: Array, capacity_wh: float) -> Array:
    """Energy in the battery at the end of each hour, of a year that ends as full as it began.

    Parameters
    ----------
    change_wh : what the hour would add or take if the battery had no bounds [Wh]
    capacity_wh : usable energy [Wh]

    The start is the fixed point of the whole year's map: where more comes than goes it is the fullest
    that the year leaves, else the emptiest.
    """
    chain = clamp_chain(change=change_wh, capacity=capacity_wh)
    start = chain.most[-1] if chain.total[-1] > 0 else chain.least[-1]
    stored: Array = np.clip(start + chain.total, chain.least, chain.most)
    return stored
