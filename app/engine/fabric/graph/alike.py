"""Devices that are wired alike, taken as one place: a thousand switches become a few dozen.

Whatever treats equal links equally is the same on places as on devices: the largest flow, and traffic that is
spread evenly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.engine.fabric.graph.graph import FabricGraph, Whole

LARGEST_MARK = 2**31
WEIGHTS = 1024
"""Steps in which bandwidths are told apart; sums of marks stay exact in double precision."""


def places(graph: FabricGraph, alive: NDArray[np.bool_], alone: Whole) -> Whole:
    """(devices,) the place of each device: one for all of a kind that are linked to the same places as often.

    Parameters
    ----------
    alive : (links,) links that count
    alone : devices that stay places of their own
    """
    random = np.random.default_rng(0)
    links, n = graph.links, graph.device_count
    lower, upper = links.lower[alive], links.upper[alive]
    bandwidth = graph.link_bandwidth_bytes_per_s
    weight = np.round(bandwidth / bandwidth.max(initial=1.0) * WEIGHTS)[links.tier[alive]]
    own = np.zeros(n)
    own[alone] = np.arange(1, alone.size + 1)
    place: Whole = np.arange(n)
    count = n + 1
    while (size := int(place.max(initial=-1)) + 1) < count:
        count = size
        mark = random.integers(1, LARGEST_MARK, size=size)
        seen = np.bincount(lower, weights=weight * mark[place[upper]], minlength=n)
        seen += np.bincount(upper, weights=weight * mark[place[lower]], minlength=n)
        order = np.lexsort((seen, own, graph.devices.kind))
        signs = np.stack([graph.devices.kind, own, seen])[:, order]
        place = np.empty(n, np.int64)
        place[order] = np.cumsum(np.r_[False, (signs[:, 1:] != signs[:, :-1]).any(axis=0)][:n])
    return place
