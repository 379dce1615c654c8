"""Work that can wait, moved into the better hours of its window.

A pod that always works has no hour to move anything to: what is moved needs hours that stand idle.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="1", source="definition", leaf=True)
def activity_by_hour(*, signal: Array, use: Array, flexible_share: Array, window_h: Array) -> Array:
    """Share of each hour that the pod works, with the work that can wait in the hours of least signal.

    Parameters
    ----------
    signal : what makes an hour worse: its PUE, or clean energy that it lacks
    use : share of all hours that the pod works [1]; without moving, of every hour alike
    flexible_share : of the work, what can wait [1]
    window_h : hours within which it is done all the same [h]

    The rest stays evenly spread. In each window the better hours are filled first, and no hour with more
    than a whole hour of work; a window of one signal is left as it is.
    """
    hours, width = signal.size, int(window_h.item())
    windows = -(-hours // width)
    real = np.arange(windows * width).reshape(windows, width) < hours
    grouped = np.append(signal, np.full(windows * width - hours, np.inf)).reshape(windows, width)
    fixed = use * (1 - flexible_share)
    room = np.where(real, 1 - fixed, 0.0)
    to_place = (use * flexible_share * real.sum(axis=1))[:, None]
    order = np.argsort(grouped, axis=1, kind="stable")
    room_in_order = np.take_along_axis(room, order, axis=1)
    taken_before = np.cumsum(room_in_order, axis=1) - room_in_order
    placed = np.empty(grouped.shape)
    np.put_along_axis(placed, order, np.clip(to_place - taken_before, 0, room_in_order), axis=1)
    spread = np.where(real, grouped, -np.inf).max(axis=1) - grouped.min(axis=1)
    even = np.broadcast_to(use * flexible_share, grouped.shape)
    moved = np.where(spread[:, None] > 0, placed, even)
    found: Array = fixed + moved.ravel()[:hours]
    return found


@quantity(unit="1", source="definition")
def scheduled_over_even(*, activity: Array, hourly: Array) -> Array:
    """Mean of an hourly figure over the hours of work, over its mean when work is spread evenly."""
    at_work = np.sum(activity * hourly, keepdims=True) / np.sum(activity, keepdims=True)
    ratio: Array = at_work / np.mean(hourly, keepdims=True)
    return ratio


@quantity(unit="1", source="definition")
def use_of_slower_work(*, use: Array, elapsed_time_s: Array, baseline_elapsed_time_s: Array) -> Array:
    """Share of all hours that the same work takes when each run is longer, one at most."""
    return np.minimum(use * elapsed_time_s / baseline_elapsed_time_s, 1)
